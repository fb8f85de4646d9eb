package reporter

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"maps"
	"slices"
	"sync"
	"time"

	"github.com/gocasebook/casebook/internal/own"
)

// QueueOptions are a Queue's. The zero value is useful.
type QueueOptions struct {
	// Size is how many reports wait for each reporter, 1 to 10,000; of more the oldest are dropped. Zero means
	// DefaultQueueSize.
	Size int
	// Grace is how long Run continues with the queued reports when its context is done. Zero means DefaultGrace.
	Grace time.Duration
	// Logger gets failures and drops. Nil discards them.
	Logger *slog.Logger
}

// Defaults of QueueOptions' zero fields.
const (
	DefaultQueueSize = 16
	DefaultGrace     = 5 * time.Second
)

// patience is how long a call may take to return after its context has ended, before it is left running.
const patience = time.Second

// A Queue tells several reporters of cases, each at its own pace. Its methods are safe for concurrent use.
type Queue struct {
	workers []*worker
	grace   time.Duration
	log     logger

	mu      sync.Mutex // guards what follows
	running bool
}

// ErrRunning says that Run was called while another Run was still running.
var ErrRunning = errors.New("reporter: this Queue is already running")

// NewQueue checks the reporters and the options. It starts nothing.
func NewQueue(reporters []Reporter, opts QueueOptions) (*Queue, error) {
	if opts.Size == 0 {
		opts.Size = DefaultQueueSize
	}
	if opts.Grace == 0 {
		opts.Grace = DefaultGrace
	}
	if opts.Logger == nil {
		opts.Logger = slog.New(slog.DiscardHandler)
	}
	if err := validate(reporters, opts); err != nil {
		return nil, err
	}
	q := &Queue{grace: opts.Grace, log: logger{opts.Logger}}
	for _, r := range reporters {
		q.workers = append(q.workers, newWorker(r, opts.Size, q.log))
	}
	return q, nil
}

func validate(reporters []Reporter, opts QueueOptions) error {
	var errs []error
	if opts.Size < 1 || opts.Size > 10_000 {
		errs = append(errs, fmt.Errorf("field Size is %d; it must be from 1 to 10,000", opts.Size))
	}
	if opts.Grace < 0 {
		errs = append(errs, fmt.Errorf("field Grace is %s; it must not be negative", opts.Grace))
	}
	seen := map[string]bool{}
	for i := range reporters {
		errs = append(errs, reporters[i].validate())
		if name := reporters[i].Name; seen[name] {
			errs = append(errs, fmt.Errorf("two reporters are named %.80q; set the field Name of one", name))
		}
		seen[reporters[i].Name] = true
	}
	if err := errors.Join(errs...); err != nil {
		return fmt.Errorf("queue of reporters: %w", err)
	}
	return nil
}

// Put queues a report for every reporter and returns at once. Where a queue is full the oldest report in it is
// dropped and counted. Put works before Run and after it, for the next Run. The report's case must not be changed
// afterwards.
func (q *Queue) Put(r Report) { q.PutFor(nil, r, nil) }

// PutFor is Put for the reporters of these names; nil means all. settled, if not nil, is called once for each when its
// report has been sent or is safe in a spool (nil), or was dropped or given up: an *Error that is Final says that
// trying again later is of no use. It is not called for what is still queued when Run ends. It is called from the
// reporters' goroutines, and must return at once.
func (q *Queue) PutFor(names []string, r Report, settled func(reporter string, err error)) {
	r.Labels = maps.Clone(r.Labels)
	for _, w := range q.workers {
		if names == nil || slices.Contains(names, w.r.Name) {
			w.put(delivery{r, settled})
		}
	}
}

// Run sends what is queued, and first what an earlier process left in spools, until ctx is done. Then it makes no more
// pauses: what is queued gets one try, within Grace; what remains stays queued. When Run returns, all it started has
// ended, except for calls that ignore their context: these are left running, and the error names their reporters.
func (q *Queue) Run(ctx context.Context) error {
	if !q.begin() {
		return ErrRunning
	}
	defer q.end()
	sending, cut := context.WithCancel(context.WithoutCancel(ctx))
	defer cut()
	abandon := make(chan struct{})
	errs := make([]error, len(q.workers))
	var all sync.WaitGroup
	for i, w := range q.workers {
		own.In(&all, func() { errs[i] = w.run(sending, ending{ctx.Done(), abandon}) })
	}
	ended := make(chan struct{})
	own.Go(func() {
		all.Wait()
		close(ended)
	})
	<-ctx.Done()
	if !within(q.grace, ended) {
		cut()
		if !within(patience, ended) {
			close(abandon)
		}
	}
	<-ended
	return errors.Join(errs...)
}

// within reports whether c is closed within d.
func within(d time.Duration, c <-chan struct{}) bool {
	t := time.NewTimer(d)
	defer t.Stop()
	select {
	case <-c:
		return true
	case <-t.C:
		return false
	}
}

func (q *Queue) begin() bool {
	q.mu.Lock()
	defer q.mu.Unlock()
	if q.running {
		return false
	}
	q.running = true
	return true
}

func (q *Queue) end() {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.running = false
}

// An outbox is what a reporter does that keeps its reports on disk until they have arrived. The queue calls keep and
// deliver from two goroutines, so that a server that is down does not keep a report from the disk.
type outbox struct {
	// keep returns when the report would survive a SIGKILL.
	keep func(context.Context, Report) error
	// deliver sends one of those kept, by this process or an earlier one. Any error other than those below means that
	// it still waits.
	deliver func(context.Context) error
	// tally counts what is kept.
	tally func() tally
}

type tally struct {
	waiting int // kept and not yet delivered nor refused
	dropped int // removed unsent, to stay within bounds, since the reporter was made
}

// Answers of outbox.deliver that are no failures.
var (
	errNothing   = errors.New("nothing waits to be sent")
	errGone      = errors.New("the oldest reports were dropped to make room for newer ones")
	errElsewhere = errors.New("another process is sending the reports of this spool")
)

// refusedError is the answer of outbox.deliver for a report that was refused and does not wait any longer.
type refusedError struct{ err error }

func (e *refusedError) Error() string { return e.err.Error() }
func (e *refusedError) Unwrap() error { return e.err }

// Pauses of an outbox: while another process sends, and until it is looked whether another process left something.
const (
	elsewherePause = time.Second
	lookPause      = time.Minute
)
