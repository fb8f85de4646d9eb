package batch

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"runtime"
	"sync"
	"testing"
	"testing/synctest"
	"time"
)

// A fate is what happened to one item, as everybody saw it.
type fate struct {
	caller, seq int
	async       bool
	size        int

	seen    int   // calls of Flush that had it
	outcome error // what that Flush returned for it
	told    int   // calls of OnError
	toldErr error
	done    bool  // Add or Put returned
	err     error // and what
}

// A trial runs callers against a Batcher whose Flush fails in every way there is, and which is stopped while they run.
type trial struct {
	cfg  Config[*fate]
	bt   *Batcher[*fate]
	mu   sync.Mutex // guards the rest, and the fates
	rnd  *rand.Rand
	busy int // calls of Flush in progress
	bad  []string
}

var errFlush = errors.New("the backend is down") // of a whole batch
var errItem = errors.New("the backend refused it")

func newTrial(t *testing.T, seed uint64) *trial {
	tr := &trial{rnd: rand.New(rand.NewPCG(seed, 5))}
	tr.cfg = Config[*fate]{
		Flush:      tr.flush,
		MaxItems:   1 + tr.rnd.IntN(20),
		MaxDelay:   []time.Duration{NoDelay, time.Millisecond, 20 * time.Millisecond}[tr.rnd.IntN(3)],
		MaxFlushes: 1 + tr.rnd.IntN(3),
		MaxQueued:  1 + tr.rnd.IntN(3),
		OnError:    tr.onError,
		Size:       func(f *fate) int { return f.size },
	}
	if tr.rnd.IntN(2) == 0 {
		tr.cfg.MaxBytes = 100
	}
	var err error
	if tr.bt, err = New(tr.cfg); err != nil {
		t.Fatal(err)
	}
	return tr
}

// fault notes a broken promise. The caller holds tr.mu.
func (tr *trial) fault(format string, args ...any) {
	tr.bad = append(tr.bad, fmt.Sprintf(format, args...))
}

func (tr *trial) chance(percent int) bool { return tr.rnd.IntN(100) < percent }

func (tr *trial) onError(f *fate, err error) {
	tr.mu.Lock()
	defer tr.mu.Unlock()
	f.told++
	f.toldErr = err
	if tr.chance(5) {
		panic("OnError panics")
	}
}

// flush notes what it got, and ends in a random way.
func (tr *trial) flush(ctx context.Context, items []*fate) error {
	pause, end := tr.begin(items)
	if pause > 0 {
		select {
		case <-time.After(pause):
		case <-ctx.Done():
		}
	}
	tr.mu.Lock()
	tr.busy--
	err := tr.ending(items, end)
	tr.mu.Unlock()
	switch end {
	case 0:
		panic(errFlush)
	case 1:
		runtime.Goexit()
	}
	return err
}

func (tr *trial) begin(items []*fate) (pause time.Duration, end int) {
	tr.mu.Lock()
	defer tr.mu.Unlock()
	bytes := 0
	for i, f := range items {
		f.seen++
		bytes += f.size
		if prev := items[max(i-1, 0)]; i > 0 && prev.caller == f.caller && prev.seq > f.seq {
			tr.fault("caller %d: item %d was flushed after %d", f.caller, f.seq, prev.seq)
		}
	}
	tr.busy++
	if tr.busy > tr.cfg.MaxFlushes {
		tr.fault("%d flushes at once, want %d at most", tr.busy, tr.cfg.MaxFlushes)
	}
	if len(items) == 0 || len(items) > tr.cfg.MaxItems {
		tr.fault("a batch of %d items, want 1 to %d", len(items), tr.cfg.MaxItems)
	}
	if tr.cfg.MaxBytes > 0 && int64(bytes) > tr.cfg.MaxBytes {
		tr.fault("a batch of %d bytes, want %d at most", bytes, tr.cfg.MaxBytes)
	}
	if s := tr.bt.Stats(); s.Pending > tr.cfg.queueItems() {
		tr.fault("%d items wait, want %d at most", s.Pending, tr.cfg.queueItems())
	}
	if tr.chance(50) {
		pause = time.Duration(tr.rnd.IntN(5000)) * time.Microsecond
	}
	return pause, tr.rnd.IntN(12)
}

// ending is what flush returns, noted as the outcome of each item. The caller holds tr.mu.
func (tr *trial) ending(items []*fate, end int) (err error) {
	errs := make(Errors, len(items))
	switch end {
	case 0:
		err = errFlush // in a PanicError
	case 1:
		err = errGoexit
	case 2:
		err = errFlush
	case 3:
		err = fmt.Errorf("%w: %w", errFlush, append(errs, nil)) // one too many
	case 4, 5, 6:
		for i := range errs {
			if tr.chance(30) {
				errs[i] = errItem
			}
		}
		for i, f := range items {
			f.outcome = errs[i]
		}
		return fmt.Errorf("inserting: %w", errs)
	}
	for _, f := range items {
		f.outcome = err
		if err != nil && end == 3 {
			f.outcome = errFlush
		}
	}
	return err
}

// call adds items one after another, with contexts that end at random.
func (tr *trial) call(caller, n int) []*fate {
	var fates []*fate
	for seq := range n {
		tr.mu.Lock()
		f := &fate{caller: caller, seq: seq, async: tr.chance(40), size: tr.rnd.IntN(60)}
		if tr.chance(2) {
			f.size = 101
		}
		ctx, cancel := context.Background(), context.CancelFunc(func() {})
		if tr.chance(40) {
			ctx, cancel = context.WithTimeout(ctx, time.Duration(tr.rnd.IntN(6000))*time.Microsecond)
		}
		pause := time.Duration(tr.rnd.IntN(3)*tr.rnd.IntN(3000)) * time.Microsecond
		tr.mu.Unlock()

		var bring sync.WaitGroup
		bring.Go(func() { // which a Flush of this item alone may end
			err := tr.bring(ctx, f)
			tr.mu.Lock()
			defer tr.mu.Unlock()
			f.done, f.err = true, err
		})
		bring.Wait()
		cancel()
		fates = append(fates, f)
		time.Sleep(pause) // of the bubble's clock
	}
	return fates
}

func (tr *trial) bring(ctx context.Context, f *fate) error {
	if f.async {
		return tr.bt.Put(ctx, f)
	}
	return tr.bt.Add(ctx, f)
}

// run is the whole trial. It returns the broken promises.
func (tr *trial) run() []string {
	callers, each := 1+tr.rnd.IntN(12), 1+tr.rnd.IntN(40)
	stopAfter := time.Duration(tr.rnd.IntN(100)) * time.Millisecond
	stopWithin := time.Duration(tr.rnd.IntN(20)) * time.Millisecond
	all := make([][]*fate, callers)
	var wg sync.WaitGroup
	for c := range callers {
		wg.Go(func() { all[c] = tr.call(c, each) })
	}
	time.Sleep(stopAfter)
	ctx, cancel := context.WithTimeout(context.Background(), stopWithin)
	defer cancel()
	_ = tr.bt.Stop(ctx) // may give up
	wg.Wait()
	if err := tr.bt.Stop(context.Background()); err != nil {
		tr.fault("the second Stop: %v", err)
	}
	synctest.Wait() // for OnError of a Stop that gave up
	if err := tr.bt.Add(context.Background(), &fate{}); !errors.Is(err, ErrStopped) {
		tr.fault("Add after Stop: %v, want ErrStopped", err)
	}
	for _, fates := range all {
		for _, f := range fates {
			tr.judge(f)
		}
	}
	if s := tr.bt.Stats(); s.Pending != 0 || s.InFlight != 0 {
		tr.fault("after Stop %d items wait and %d are in flight", s.Pending, s.InFlight)
	}
	return tr.bad
}

// judge compares the fate of an item with what the package promises.
func (tr *trial) judge(f *fate) {
	want, why := 0, "it was refused or withdrawn" // calls of Flush
	switch {
	case !f.done:
		want, why = 1, "Add did not return: Flush ended its goroutine"
		if f.async || f.outcome != errGoexit {
			tr.fault("item %+v: its call did not return", f)
		}
	case f.async && f.err == nil:
		want, why = 1, "Put took it"
		if f.told == 1 && errors.Is(f.toldErr, ErrStopped) {
			want, why = 0, "OnError was told that it was not flushed"
		}
	case f.async:
	case f.err == nil, errors.Is(f.err, ErrInFlight), errors.Is(f.err, errFlush), errors.Is(f.err, errItem),
		errors.Is(f.err, errGoexit):
		want, why = 1, fmt.Sprintf("Add returned %v", f.err)
	}
	if f.seen != want {
		tr.fault("item %+v was flushed %d times, want %d: %s", f, f.seen, want, why)
	}
	if f.seen == 1 && !f.async && f.done && !errors.Is(f.err, ErrInFlight) && !errors.Is(f.err, f.outcome) {
		tr.fault("item %+v: Add returned %v, its flush %v", f, f.err, f.outcome)
	}
	wantTold := 0
	if f.async && f.err == nil && (f.seen == 0 || f.outcome != nil) {
		wantTold = 1
	}
	if f.told != wantTold || f.seen == 1 && f.told == 1 && !errors.Is(f.toldErr, f.outcome) {
		tr.fault("item %+v: OnError was told %d times (%v), want %d", f, f.told, f.toldErr, wantTold)
	}
	if f.done && f.err != nil && f.seen == 0 && !errors.Is(f.err, ErrStopped) && !errors.Is(f.err, ErrTooLarge) &&
		!errors.Is(f.err, context.DeadlineExceeded) {
		tr.fault("item %+v was not flushed for no reason known", f)
	}
}

func tryOnce(t *testing.T, seed uint64) {
	synctest.Test(t, func(t *testing.T) {
		for _, bad := range newTrial(t, seed).run() {
			t.Errorf("seed %d: %s", seed, bad)
		}
	})
}

// TestNothingLostNothingTwice is the promise of the package, under random failures: errors of batches and of items,
// wrong errors, panics and ends of goroutines in Flush, panics in OnError, contexts that end anywhere, full queues, and
// a Stop that comes while callers come, some with too little time.
func TestNothingLostNothingTwice(t *testing.T) {
	for seed := range uint64(300) {
		tryOnce(t, seed)
	}
}

// FuzzNothingLostNothingTwice looks for seeds that break it.
func FuzzNothingLostNothingTwice(f *testing.F) {
	f.Add(uint64(1000))
	f.Fuzz(tryOnce)
}
