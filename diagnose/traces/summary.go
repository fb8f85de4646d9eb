// Package traces is what an execution trace says, as plain data.
//
// The problem: an execution trace is the only evidence of what happened when, but it has millions of events, and the
// library that reads them is not one that a service should import. The approach: app/trace reads a trace once and makes
// a Summary; detectors, tables and JSON read that. The limits: a Summary has the sites that matter most and adds up the
// rest, and quantiles are those of a histogram whose buckets are 3 % wide.
package traces

import (
	"fmt"
	"slices"
	"time"

	"github.com/gocasebook/casebook/internal/number"
)

// KindSummary is the kind of evidence that a Summary is: Evidence.Kind of what a deriver makes of a trace.
const KindSummary = "trace-summary"

// A Summary is one execution trace. Durations are nanoseconds in JSON. Lists have the largest total first.
type Summary struct {
	Name     string        `json:"name"`           // the file
	Version  string        `json:"version"`        // of the format, as the header says it: "go 1.26"
	Start    time.Time     `json:"start,omitzero"` // wall time of the first event; zero before Go 1.25
	Span     time.Duration `json:"span_ns"`        // from the first to the last event, without what could not be read
	Bytes    int64         `json:"bytes"`
	Events   int64         `json:"events"`
	Procs    int           `json:"procs"` // GOMAXPROCS, the last value
	Warnings []string      `json:"warnings,omitempty"`

	Use        Use              `json:"use"`
	Kinds      []Kind           `json:"kinds,omitempty"`
	Slowest    []Request        `json:"slowest,omitempty"`
	Scheduler  Scheduler        `json:"scheduler"`
	GC         GC               `json:"gc"`
	Stops      []Stop           `json:"stops,omitempty"`
	Blocking   []Wait           `json:"blocking,omitempty"`
	Syscalls   []Site           `json:"syscalls,omitempty"`
	Served     []Served         `json:"served,omitempty"` // system calls of requests
	Goroutines []GoroutineType  `json:"goroutines,omitempty"`
	Created    []GoroutinesFrom `json:"created,omitempty"`
	// Bound are the goroutines that are bound to a thread (runtime.LockOSThread), by their start function. Empty in
	// summaries of before 27 November 2026.
	Bound []Bound `json:"bound,omitempty"`
	// Preempted are the lines at which goroutines had run for a time slice: where CPU goes while others wait for it.
	Preempted []Site `json:"preempted,omitempty"`
	// Ends is empty in summaries of before 29 November 2026, 13:00.
	Ends []End `json:"ends,omitempty"`
	// Lanes is nil in summaries of before 28 November 2026.
	Lanes *Lanes `json:"lanes,omitempty"`
}

// String says what the summary is of.
func (s *Summary) String() string {
	return fmt.Sprintf("execution trace: %s events over %s, GOMAXPROCS %d", number.Count(float64(s.Events)),
		number.Duration(s.Span), s.Procs)
}

// Times is the distribution of a number of durations.
type Times struct {
	Count int64         `json:"count"`
	Total time.Duration `json:"total_ns"`
	Min   time.Duration `json:"min_ns"`
	P50   time.Duration `json:"p50_ns"`
	P95   time.Duration `json:"p95_ns,omitempty"` // 0 in summaries of before 25 November 2026
	P99   time.Duration `json:"p99_ns"`
	Max   time.Duration `json:"max_ns"`
}

// Mean is the mean duration; 0 of none.
func (t Times) Mean() time.Duration {
	if t.Count == 0 {
		return 0
	}
	return t.Total / time.Duration(t.Count)
}

// A Frame is a line of a stack.
type Frame struct {
	Function string `json:"function"`
	File     string `json:"file,omitempty"`
	Line     int    `json:"line,omitempty"`
}

// A Stack has the innermost frame first.
type Stack []Frame

// Has reports whether a function is on the stack.
func (s Stack) Has(function string) bool {
	return slices.ContainsFunc(s, func(f Frame) bool { return f.Function == function })
}

// Shares is how many functions two stacks share, from the outermost on.
func (s Stack) Shares(t Stack) (n int) {
	for n < min(len(s), len(t)) && s[len(s)-1-n].Function == t[len(t)-1-n].Function {
		n++
	}
	return n
}

// Same reports whether two stacks have the same functions, at whatever lines.
func (s Stack) Same(t Stack) bool { return len(s) == len(t) && s.Shares(t) == len(s) }

// A Site is a stack and the time that goroutines spent there.
type Site struct {
	Stack Stack `json:"stack,omitempty"`
	Times Times `json:"times"`
}

// Spent is where the time of goroutines went. The fields add up to it.
type Spent struct {
	Running  time.Duration `json:"running_ns"` // on a P, but for Assist
	Assist   time.Duration `json:"assist_ns"`  // on a P, marking for the collector
	Runnable time.Duration `json:"runnable_ns"`
	Syscall  time.Duration `json:"syscall_ns"`
	Network  time.Duration `json:"network_ns"`
	Lock     time.Duration `json:"lock_ns"`    // mutexes and what else the runtime calls "sync", sync.Cond too
	Channel  time.Duration `json:"channel_ns"` // sending and receiving
	Select   time.Duration `json:"select_ns"`
	Sleep    time.Duration `json:"sleep_ns"`
	GCWait   time.Duration `json:"gc_wait_ns"` // in the queue of assists, or for the end of a cycle
	Other    time.Duration `json:"other_ns"`
}

// Sum is all of it.
func (s Spent) Sum() time.Duration {
	return s.Running + s.Assist + s.Runnable + s.Syscall + s.Blocked()
}

// Plus is the sum of both, field by field.
func (s Spent) Plus(t Spent) Spent {
	return Spent{Running: s.Running + t.Running, Assist: s.Assist + t.Assist, Runnable: s.Runnable + t.Runnable,
		Syscall: s.Syscall + t.Syscall, Network: s.Network + t.Network, Lock: s.Lock + t.Lock,
		Channel: s.Channel + t.Channel, Select: s.Select + t.Select, Sleep: s.Sleep + t.Sleep,
		GCWait: s.GCWait + t.GCWait, Other: s.Other + t.Other}
}

// Blocked is the part in which goroutines waited for something other than a P or the kernel.
func (s Spent) Blocked() time.Duration {
	return s.Network + s.Lock + s.Channel + s.Select + s.Sleep + s.GCWait + s.Other
}

// Use is how the Ps were used, in seconds of a P: Busy and Idle add up to GOMAXPROCS times the span.
type Use struct {
	Busy time.Duration `json:"busy_ns"` // goroutines on a P, system calls that keep theirs too
	Idle time.Duration `json:"idle_ns"`
	// Waited is goroutine seconds in the queue for a P; Waited/Span is the mean length of that queue.
	Waited time.Duration `json:"waited_ns"`
	// WaitedBesideIdle is the part of Waited in which as many Ps were idle: it needs no more Ps, but faster waking.
	WaitedBesideIdle time.Duration `json:"waited_beside_idle_ns"`
	// WaitedStopped is the part of WaitedBesideIdle while the world was stopped.
	WaitedStopped time.Duration `json:"waited_stopped_ns,omitempty"`
	// Episodes are the stretches in which goroutines waited beside idle Ps.
	Episodes Times `json:"episodes"`
	// Running[n] is for how long n goroutines ran at once, on a P and not in a system call; the last entry is for 256
	// or more if there are so many. Empty in summaries of before 24 November 2026.
	Running []time.Duration `json:"running_ns,omitempty"`

	Step     time.Duration `json:"step_ns"`  // of Timeline
	Timeline []Slot        `json:"timeline"` // at most 120
}

// A Slot is means over one step of time.
type Slot struct {
	Waiting float64 `json:"waiting"` // goroutines in the queue for a P
	Busy    float64 `json:"busy"`    // Ps
	Marking float64 `json:"marking"` // 0–1, the collector's concurrent mark phase
}

// A Served is the system calls of 100 µs or more at one stack, by the requests to a server that make them.
type Served struct {
	Stack    Stack         `json:"stack,omitempty"`
	Calls    int64         `json:"calls"`
	Took     Times         `json:"took"`        // of a request's calls together
	Requests time.Duration `json:"requests_ns"` // all time of these requests
}

// A Kind is all regions of one kind: requests to a server, calls of a client, the user's tasks and regions.
type Kind struct {
	Name    string        `json:"name"` // "net/http server", "gRPC server Greeter/SayHello", "task checkout"
	Times   Times         `json:"times"`
	Open    int64         `json:"open"`    // began before the trace, or ended after it; not in Times
	Spent   Spent         `json:"spent"`   // of the goroutine that it runs on; zero for tasks
	Stopped time.Duration `json:"stopped"` // overlap with stops of the world; part of Spent
	Marking Times         `json:"marking"` // of those that overlapped a mark phase for half of their time or more
	Between Times         `json:"between"` // of the others
}

// A Request is one of the slowest regions.
type Request struct {
	Kind      string        `json:"kind"`
	At        time.Duration `json:"at_ns"` // since the start of the trace
	Took      time.Duration `json:"took_ns"`
	Goroutine int64         `json:"goroutine"`
	Spent     Spent         `json:"spent"`
	Stopped   time.Duration `json:"stopped_ns"`
	// Path is what it took so long for: its goroutine's own time and, where it waited for another goroutine, what that
	// one did meanwhile. In the order of the first time, at most 12 steps.
	Path []Step `json:"path,omitempty"`
	// Course is what its goroutine was at over the time, of the ten slowest requests to servers; of a trace without
	// any, of the ten slowest regions.
	Course *Course `json:"course,omitempty"`
}

// A Step is a part of a request's critical path.
type Step struct {
	Depth     int           `json:"depth"` // 0: the request's own goroutine; 1: the one that it waited for …
	Goroutine string        `json:"goroutine"`
	State     string        `json:"state"` // "running", "runnable", "network" …
	Took      time.Duration `json:"took_ns"`
	Stack     Stack         `json:"stack,omitempty"` // where it waited; of running: where that ended
	Waker     Stack         `json:"waker,omitempty"` // who ended a wait
}

// Scheduler is how long goroutines waited for a P after a wake-up or a preemption. Waiting after Gosched or Sleep is
// voluntary and not counted.
type Scheduler struct {
	Latency Times `json:"latency"`
	Created Times `json:"created"` // from go to running
	// Network is from the moment when the runtime saw that a connection is ready to when its goroutine ran. Unseen is
	// an upper bound of the time before that: since the runtime looked for such events for certain.
	Network Times `json:"network"`
	Unseen  Times `json:"unseen"`
}

// A GoroutineType is all goroutines with the same start function.
type GoroutineType struct {
	Name    string `json:"name"`
	Number  int64  `json:"number"` // that were seen
	Alive   int64  `json:"alive"`  // at the end
	Spent   Spent  `json:"spent"`
	Latency Times  `json:"latency"` // waiting for a P after a wake-up or a preemption
	Life    Times  `json:"life"`    // of those that began and ended within the trace
	Runs    Times  `json:"runs"`    // stretches on a P
	// RunsStack is where the longest run ended that ended in a preemption: the loop is there.
	RunsStack Stack `json:"runs_stack,omitempty"`
	// Delayed is goroutine seconds that others waited for a P while these ran, shared among those that ran.
	Delayed time.Duration `json:"delayed_ns"`
}

// GoroutinesFrom is a line that starts goroutines.
type GoroutinesFrom struct {
	Stack  Stack  `json:"stack"`
	Starts string `json:"starts"` // the function
	Number int64  `json:"number"`
	Alive  int64  `json:"alive"`
	Life   Times  `json:"life"`
}

// A Bound is goroutines that only one thread each may run, which runs nothing else: whoever wakes one must wake its
// thread, too. A trace does not say so; it is seen by where they run.
type Bound struct {
	Goroutine string `json:"goroutine"`
	Number    int64  `json:"number"`
	Stack     Stack  `json:"stack,omitempty"` // where one of them waits
	// Wakes are the times from ready to running of these goroutines, Returns of those that they wake.
	Wakes   Times         `json:"wakes"`
	Returns Times         `json:"returns"`
	Beside  time.Duration `json:"beside_ns"` // the part of both beside an idle P, without stops of the world
}

// GC is what the collector did.
type GC struct {
	Marks Times `json:"marks"` // concurrent mark phases: one a cycle
	// Cycles are these phases in their order, the first 1,000 of those that began within the trace. Empty in summaries
	// of before 26 November 2026.
	Cycles []Cycle `json:"cycles,omitempty"`
	// Workers is the CPU of the background workers by mode: "dedicated", "fractional", "idle".
	Workers map[string]time.Duration `json:"workers,omitempty"`
	// AssistCPU is the CPU of assists, AssistDelay the time of their goroutines from begin to end.
	AssistCPU   time.Duration `json:"assist_cpu_ns"`
	AssistDelay Times         `json:"assist_delay"`
	Assists     []Site        `json:"assists,omitempty"` // delay by site
	Sweep       time.Duration `json:"sweep_ns"`
	HeapGoal    int64         `json:"heap_goal"` // bytes, the last
	HeapMax     int64         `json:"heap_max"`  // bytes, the most that was allocated at an event
}

// A Cycle is one concurrent mark phase, and what it took of goroutines that allocate.
type Cycle struct {
	At   time.Duration `json:"at_ns"` // since the start of the trace
	Took time.Duration `json:"took_ns"`
	// Assisting is how many goroutines had to mark, Delay for how long all of them together did not do their work
	// because of that, and Longest for how long one of them did not.
	Assisting int64         `json:"assisting"`
	Delay     time.Duration `json:"delay_ns"`
	Longest   time.Duration `json:"longest_ns"`
}

// A Stop is all stops of the world for one reason.
type Stop struct {
	Reason string `json:"reason"` // "GC sweep termination"
	Times  Times  `json:"times"`  // from asking for it to its end
	// Third is how long the third longest took: a single long one may be the operating system's doing. 0 of fewer.
	Third time.Duration `json:"third_ns"`
	// Stopping is the part until the last goroutine had stopped, of those stops in which one ran.
	Stopping Times  `json:"stopping"`
	Late     []Late `json:"late,omitempty"` // who was last, the latest first
	By       []Site `json:"by,omitempty"`   // who asked for them
}

// Late is a line where goroutines kept the world from stopping.
type Late struct {
	Goroutine string `json:"goroutine"`
	Stack     Stack  `json:"stack,omitempty"`
	Times     Times  `json:"times"`
}

// A Wait is a stack that goroutines blocked at, and who woke them.
type Wait struct {
	Reason string  `json:"reason"` // "lock", "channel", "select", "network", "sleep" …
	Stack  Stack   `json:"stack,omitempty"`
	Times  Times   `json:"times"`
	Wakers []Waker `json:"wakers,omitempty"` // at most 4
	// Open is what is in the trace of waits that began in it and had not ended with it. Times has none of them.
	Open time.Duration `json:"open_ns,omitempty"`
	// Requests is how many requests to servers had waits of Times. 0 in summaries of before 29 November 2026, 17:30.
	Requests int64 `json:"requests,omitempty"`
	// Holders are who had the lock meanwhile, of waits for locks: at most 4. A lock goes from hand to hand through a
	// queue, and a wait is divided among the hands.
	Holders []Holder `json:"holders,omitempty"`
}

// An End is who ended the waits at one stack, ten or more, and when: also of those that had begun before the trace,
// which no Wait has. A queue that is longer than the trace shows here alone. Waits for the network are none.
type End struct {
	Stack Stack  `json:"stack"`
	Count int64  `json:"count"`
	Timed int64  `json:"timed"`            // of these, by timers
	Gaps  Times  `json:"gaps"`             // from one that a timer ended to the next
	By    string `json:"by,omitempty"`     // the type of the goroutines that ended most of the others
	ByOne int64  `json:"by_one,omitempty"` // how many these ended
}

// EndAt is who ended the waits at a stack; zero where they are fewer than ten.
func (s *Summary) EndAt(stack Stack) End {
	i := slices.IndexFunc(s.Ends, func(e End) bool { return slices.Equal(e.Stack, stack) })
	if i < 0 {
		return End{}
	}
	return s.Ends[i]
}

// A Holder is the stack that gave a lock back, and how long others waited for it.
type Holder struct {
	Goroutine string        `json:"goroutine,omitempty"`
	Stack     Stack         `json:"stack,omitempty"`
	Count     int64         `json:"count"` // waits of which a part was for it
	Waited    time.Duration `json:"waited_ns"`
	Longest   time.Duration `json:"longest_ns"` // that one wait was for one hand
}

// A Waker is the stack that ended waits. Of a lock it is who held it; empty: the runtime (a timer, the network).
type Waker struct {
	Goroutine string        `json:"goroutine,omitempty"`
	Stack     Stack         `json:"stack,omitempty"`
	Count     int64         `json:"count"`
	Waited    time.Duration `json:"waited_ns"`
	// Queued is how many of Count had waited at the same line themselves, during the same request: they gave back a
	// place in a pool or a semaphore. Kept is what they did since their own wait.
	Queued int64 `json:"queued,omitempty"`
	Kept   Spent `json:"kept,omitzero"`
}

// InSlowest is how long the third slowest request, of those that waited at a stack, did so there: longer than a wait
// there ever is, if it waits again and again. 0 if fewer did.
func (s *Summary) InSlowest(at Stack) time.Duration {
	var took []time.Duration
	for _, req := range s.Slowest {
		for _, step := range req.Path {
			if step.Depth == 0 && step.Stack.Same(at) && step.State != "running" && step.State != "runnable" {
				took = append(took, step.Took)
			}
		}
	}
	if slices.Sort(took); len(took) < 3 {
		return 0
	}
	return took[len(took)-3]
}
