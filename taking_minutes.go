package casebook

import (
	"context"
	"encoding/json"
	"errors"
	"slices"
	"time"

	"github.com/gocasebook/casebook/casefile"
	"github.com/gocasebook/casebook/instance"
)

// What a leak holds after ten seconds, chance may hold as well. Where that is all that a case has, minutes decide: the
// same profiles once more, before the case is closed.

// DefaultAgain is how long after the first heap profile a command-line watch takes another one of a case that is
// undecided without. A leak of a megabyte a minute adds six of the samples that a heap profile has of each 512 KiB.
const DefaultAgain = 3 * time.Minute

// maxAgain bounds Config.Again.
const maxAgain = time.Hour

// minutesLater takes the heap and the goroutines once more, so long after the case was opened. It does not wait on when
// another rule trips meanwhile, when the target ends, or no longer answers: what there is then may be the last.
func (t *taking) minutesLater(ctx context.Context, after time.Duration) {
	left := time.Until(t.job.trigger.Time.Add(after))
	if left > 0 {
		waits := casefile.Evidence{Kind: casefile.Heap, Phase: casefile.After, Seconds: left.Seconds()}
		t.w.emit(Event{Kind: Capturing, CaseID: t.job.id, Evidence: waits})
	}
	if !t.waitFor(ctx, left) {
		return
	}
	t.laterFile = true
	defer func() { t.laterFile = false }()
	for _, kind := range [...]string{casefile.Goroutine, casefile.Heap} {
		switch {
		case !slices.Contains(t.job.kinds, kind):
		case kind == casefile.Heap:
			t.heap(ctx, casefile.After)
		default:
			t.capture(ctx, kind, casefile.After, 0)
		}
	}
}

// waitFor waits, and reports whether anything can be taken after that.
func (t *taking) waitFor(ctx context.Context, left time.Duration) bool {
	joined := t.joined()
	look := time.NewTicker(t.w.Settings().Interval)
	defer look.Stop()
	end := time.NewTimer(left)
	defer end.Stop()
	for {
		select {
		case <-ctx.Done():
			return false
		case <-end.C:
			return t.answers()
		case <-look.C:
			if !t.answers() {
				return false
			}
			if t.joined() > joined {
				return true
			}
		}
	}
}

// joined is how many other rules have tripped since the case was opened.
func (t *taking) joined() int {
	t.w.mu.Lock()
	defer t.w.mu.Unlock()
	return len(t.job.also)
}

// neighbours keeps who used the machine's CPUs while the process's were profiled. It asks the process nothing; inside
// it costs a fiftieth of a core at most, a reading of /proc every half second or less often. A target elsewhere has none:
// its signals of the machine say why.
func (t *taking) neighbours(ctx context.Context) {
	target, ok := ability[interface {
		Neighbours(context.Context, time.Duration) (casefile.MachineUse, error)
	}](t.w.layers)
	if !ok {
		return
	}
	began := time.Now()
	use, err := inTime(ctx, "looking at the neighbours", func(ctx context.Context) (casefile.MachineUse, error) {
		return target.Neighbours(ctx, t.span(casefile.CPU))
	})
	if empty := (*instance.EmptyError)(nil); errors.As(err, &empty) {
		t.out.Missing(casefile.Neighbours, casefile.During, empty.Error())
		return
	}
	if err != nil {
		t.w.fail(err)
		return
	}
	if use.Seconds == 0 {
		return
	}
	data, err := json.MarshalIndent(use, "", " ")
	if err != nil {
		t.w.fail(err)
		return
	}
	t.add(casefile.Evidence{File: fileName(casefile.Neighbours, casefile.During), Kind: casefile.Neighbours,
		Phase: casefile.During, Taken: began.UTC(), Seconds: use.Seconds}, data)
}
