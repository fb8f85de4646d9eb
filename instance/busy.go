package instance

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"slices"
	"time"

	"github.com/gocasebook/casebook/casefile"
)

// A holder is what keeps a process's only CPU profiler, identified by functions one of which is on one of its stacks,
// and what to do about it.
type holder struct {
	functions []string
	who, next string
	gapless   bool // its profiles follow each other, so that waiting does not help
}

var holders = [...]holder{
	{[]string{
		"github.com/gocasebook/casebook/internal/recorder.(*CPU).Run",
		"github.com/gocasebook/casebook/recorder.(*CPU).Run", // in services built before the package was internal
	}, "Casebook's own rolling windows, which casebook.Start runs in the service",
		"mount Watch.ProfileHandler at /debug/pprof/profile, which serves them, or set Config.Windows to -1; the " +
			"cases that the service opens itself contain them", true},
	{[]string{"github.com/grafana/pyroscope-go"}, "the Pyroscope agent in the process",
		"take the profile from Pyroscope, or stop its CPU profiles", false},
	{[]string{"github.com/DataDog/dd-trace-go", "gopkg.in/DataDog/dd-trace-go"}, "the Datadog profiler in the process",
		"take the profile from there, or stop its CPU profiles", false},
	{[]string{"cloud.google.com/go/profiler"}, "Google's Cloud Profiler in the process",
		"take the profile from there, or stop its CPU profiles", false},
	{[]string{"net/http/pprof.Profile"}, "a client that keeps asking net/http/pprof for profiles (casebook watch " +
		"--rolling, Parca, Pyroscope)", "take the profile from there, or stop that for a moment", false},
}

// on reports whether the holder is on stacks, which are text.
func (h *holder) on(stacks []byte) bool {
	return slices.ContainsFunc(h.functions, func(f string) bool { return bytes.Contains(stacks, []byte(f)) })
}

// maxStacks bounds the stacks that are looked through for the holder.
const maxStacks = 4 << 20

// busy says who holds a profiler, as far as the goroutines' stacks tell, and the next step; nil when waiting may help.
func (t *HTTP) busy(ctx context.Context, kind string, waitedFor time.Duration) error {
	if kind != casefile.CPU {
		return nil
	}
	h := t.holder(ctx)
	switch {
	case h != nil && h.gapless:
		return fmt.Errorf("the CPU profiler is held by %s: %s", h.who, h.next)
	case waitedFor < waited():
		return nil
	case h != nil:
		return fmt.Errorf("the CPU profiler was not free within %s: it is held by %s; %s", waitedFor, h.who, h.next)
	}
	return fmt.Errorf("the CPU profiler was not free within %s: the process profiles itself, or another client does; "+
		"try again later", waitedFor)
}

// holder looks for a known one on the stacks, which are text of a few kB a thousand goroutines: equal stacks are
// counted. It is nil if there is none.
func (t *HTTP) holder(ctx context.Context) (found *holder) {
	if t.Facts().Goroutines > maxCensus {
		return nil
	}
	err := t.get(ctx, "goroutine", "debug=1", func(r io.Reader) error {
		stacks, lease, err := t.party.ReadAll(io.LimitReader(r, maxStacks), maxStacks)
		defer lease.Release()
		for i := range holders {
			if holders[i].on(stacks) {
				found = &holders[i]
				break
			}
		}
		return err
	})
	if err != nil {
		return nil
	}
	return found
}
