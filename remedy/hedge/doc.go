// Package hedge sends a second request when the first is late, and uses the answer that comes first.
//
// # Problem
//
// A call whose backend pauses for a moment (a collection, a full disk queue, one sick replica) takes a hundred times
// its usual time. One such call in a hundred is nothing on its own, but a page that needs fifty calls meets one two
// times in five. Dean and Barroso (The Tail at Scale, CACM 56(2), 2013) send a second request after the 95th percentile
// of the expected latency: in their BigTable benchmark p99.9 fell from 1800 to 74 ms for 2 % more requests. Done
// carelessly the same trick doubles the load on a backend that is slow because it is overloaded, and turns a slow
// minute into an outage.
//
// # Approach
//
// A Policy measures and limits; Do, Transport and the gRPC interceptor in package hedgegrpc ask it.
//
//   - When: after the p95 of the first attempts of this kind of call, measured as they go by (histogram.go), never
//     after a constant. A kind that is not known yet, fewer than Config.MinSamples calls, is not hedged.
//   - How many: a token bucket earns Config.Budget, 5 %, of a token a call and pays one a hedge, so hedges never exceed
//     that share of calls since the start. Nor do they in a second: at each hedge, the hedges of the second that ends
//     there are at most 5 % of the calls begun in it, or one. At most Config.MaxInFlight run at once. A call without
//     budget asks again after 2, 4, 8 … times the delay: the call that has waited longest needs it most.
//   - When not: while the backend is slow for everybody, since a second request waits in the same queue. Three
//     measurements say so (slow.go): more than half of the latest calls are late; the kind's median is above twice what
//     it was in better times; the last 1000 hedges all lost. They are looked at before each hedge and nothing has to be
//     reset: hedging continues when they have passed.
//   - What: only calls that may run twice. Do takes the caller's word for it. Transport hedges GET, HEAD and OPTIONS,
//     requests with an Idempotency-Key, and those that WithIdempotent marks; a body needs GetBody.
//
// The first attempt runs in the caller's goroutine, so a call in time pays for a timer and a context, not for a
// goroutine. The loser's context is cancelled, its result released, and Do returns when both attempts have returned, so
// nothing outlives the call. Config.Detach is for functions that ignore their context.
//
// # Cost
//
// For a call in time, on a 2-core virtual machine: Do 0.35 µs and 2 allocations (0.08 µs and none until the kind is
// known), Transport 0.8 µs and 8 allocations more than its base. A kind has one timer, not a timer a call (alarm.go). A
// policy that is not used costs nothing. The benchmarks print these, and the module in bench compares them with
// failsafe-go and hedgedhttp over real servers.
//
// # When not to use it
//
//   - For calls that change something and cannot be repeated. An Idempotency-Key helps only if the server honours it.
//   - With one backend and no replicas, if its slowness is a queue or a lock inside it. The second request then waits
//     behind the first. The policy notices and stops, but the gain is nil.
//   - When latency differs by request rather than by luck: a big report is as slow the second time. Give such calls a
//     key of their own (Policy.For, Transport.Key).
//   - Where more than about 5 % of calls are slow. That is not a tail: find out why.
//   - At two layers of one call. A call within a hedge is not hedged again, but one within a first attempt is, so three
//     requests are possible. Hedge at the layer next to the replicas.
//   - Below about 1 ms. The timer and the scheduler are then as large as what is saved.
//   - Over HTTP/1 with connections that are costly to make: cancelling a request closes its connection. HTTP/2 does
//     not.
//
// # Limits
//
// One hedge a call. Transport covers the time until the response's header, not the body. The budget is that of one
// process: a hundred clients have a hundred budgets of 5 % each, together 5 %.
package hedge
