// Package batch turns many small operations into few large ones.
//
// The problem: an INSERT, an RPC, an fsync or a write costs mostly the same for one item as for a hundred. A service
// that pays it for each item spends its time, and its backend's, on the fixed part. But gathering items makes them
// wait, and by hand it is rarely right: the item that is lost when the process stops, the error that no caller gets,
// the queue that grows without end, the lone request that waits 10 ms for companions that never come.
//
// The approach is group commit. [Batcher.Add] hands an item over and returns when the operation on its batch has ended,
// with the error of this item. While one flush is under way, the next batch gathers. Recent load decides how long a
// batch waits for more items: it goes as soon as it has as many items as were in flight at once a moment ago, at the
// latest after [Config.MaxDelay]. So an item without company is flushed at once, and 64 goroutines that call Add in
// turn are flushed together as soon as the last of them has come. Callers whose flushes are too quick to overlap are
// found by a batch that now and then waits for the whole delay, if 16 items or more came within one. As long as that
// finds nothing it takes 1/64 of the time: a lone caller in a tight loop pays that.
//
//	users, err := batch.New(batch.Config[*batch.Call[int64, User]]{
//		MaxItems: 100,
//		Flush: func(ctx context.Context, calls []*batch.Call[int64, User]) error {
//			return selectUsers(ctx, calls) // sets Result or Err of each
//		},
//	})
//	…
//	u, err := batch.Do(ctx, users, id)
//
// [Batcher.Put] does not wait for the flush, [Writer] gathers small writes into few system calls.
//
// # What holds
//
// An item that was accepted is in exactly one call of Flush, or is reported as not flushed: no item is lost, none is
// flushed twice, whatever fails (TestNothingLostNothingTwice). Items are flushed in the order in which they were
// accepted, as long as MaxFlushes is 1. A queue that is full makes callers wait, until their contexts are done. A panic
// in Flush becomes the error of the items of its batch. At rest there is no goroutine and no timer; a Batcher that is
// dropped without Stop leaks nothing.
//
// An item that is alone is flushed by the goroutine of Add itself: that adds about 0.7 µs to the operation
// (BenchmarkLone). A Write that is alone costs about 0.6 µs more through a Writer (BenchmarkWriterLone).
//
// MaxDelay bounds the time from Add to the call of Flush while Flush keeps up: a queue behind a slow backend adds its
// own waiting. Timers fire late, so a batch sets its timer earlier by the delay that 99 of 100 timers stayed below
// (lateness.go). On an idle Linux system Go's timers have a grain of 1 ms, whatever MaxDelay is.
//
// # Beside others
//
// In one run, 100,000 items a second from 64 goroutines, a delay of 10 ms (gocloud.dev has none), a flush that costs
// nothing:
//
//	                          items/flush   p99 of the delay   a lone item waits   what each item learns
//	Add                                64             1.2 ms               12 µs   its own error or result
//	Put                               939             9.9 ms               25 µs   its own error, in OnError
//	destel/rill v0.7 Batch           1026            10.6 ms             10.1 ms   nothing: a stream, with one error for all
//	google.golang.org/api/
//	support/bundler v0.249           1064            10.9 ms             10.1 ms   nothing: its handler returns no error
//	gocloud.dev/pubsub/
//	batcher v0.43                     2.3            0.06 ms               22 µs   one error for its batch
//
// None of them withdraws an item whose context is done, or outlives a panic of the handler.
//
// # When not to use it
//
//   - When the backend does not do several items for less than the sum of them: then batches only add delay. Measure
//     one operation of 100 items against 100 operations.
//   - When the client library batches already: Kafka producers, OpenTelemetry exporters, pgx's batches of a single
//     request.
//   - When all the items are at hand: slices.Chunk needs no waiting.
//   - When equal questions come at once and one answer serves all: that is single flight, or a cache (remedy/cache).
//   - When an item must outlive the process: what is queued is in memory, and gone with a crash. Add, which returns
//     after the flush, at least tells the truth; Put does not know.
//   - If one bad item makes the backend reject the whole batch, and Flush cannot tell which: every item fails with it.
//   - When operations take long and differ much: a batch ends with its slowest item. Bound concurrency instead.
package batch
