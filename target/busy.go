package target

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"slices"
	"time"

	"github.com/gocasebook/casebook/casefile"
)

// A holder is what keeps a process's only CPU profiler, identified by a function on one of its stacks, and what to
// do about it.
type holder struct{ function, who, next string }

var holders = [...]holder{
	{"github.com/gocasebook/casebook/recorder.(*CPU).Run", "Casebook's own rolling windows, which casebook.Start runs in the service",
		"mount Watch.ProfileHandler at /debug/pprof/profile, which serves them, or set Config.Windows to -1; the " +
			"cases that the service opens itself contain them"},
	{"github.com/grafana/pyroscope-go", "the Pyroscope agent in the process", "take the profile from Pyroscope, or stop its CPU profiles"},
	{"github.com/DataDog/dd-trace-go", "the Datadog profiler in the process", "take the profile from there, or stop its CPU profiles"},
	{"gopkg.in/DataDog/dd-trace-go", "the Datadog profiler in the process", "take the profile from there, or stop its CPU profiles"},
	{"cloud.google.com/go/profiler", "Google's Cloud Profiler in the process", "take the profile from there, or stop its CPU profiles"},
	{"net/http/pprof.Profile", "a client that keeps asking net/http/pprof for profiles (casebook watch --rolling, " +
		"Parca, Pyroscope)",
		"take the profile from there, or stop that for a moment"},
}

// maxStacks bounds the stacks that are looked through for the holder.
const maxStacks = 4 << 20

// busy says who holds a profiler, as far as the goroutines' stacks tell, and the next step; nil when waiting may help.
func (t *HTTP) busy(ctx context.Context, kind string, waitedFor time.Duration) error {
	if kind != casefile.CPU {
		return nil
	}
	h, known := t.holder(ctx)
	switch {
	case known && h == holders[0]: // windows follow each other without a gap
		return fmt.Errorf("the CPU profiler is held by %s: %s", h.who, h.next)
	case waitedFor < waited():
		return nil
	case known:
		return fmt.Errorf("the CPU profiler was not free within %s: it is held by %s; %s", waitedFor, h.who, h.next)
	}
	return fmt.Errorf("the CPU profiler was not free within %s: the process profiles itself, or another client does; "+
		"try again later", waitedFor)
}

// holder looks for a known one on the stacks, which are text of a few kB a thousand goroutines: equal stacks are counted.
func (t *HTTP) holder(ctx context.Context) (h holder, ok bool) {
	if t.Facts().Goroutines > maxCensus {
		return h, false
	}
	err := t.get(ctx, "goroutine", "debug=1", func(r io.Reader) error {
		stacks, lease, err := t.party.ReadAll(io.LimitReader(r, maxStacks), maxStacks)
		defer lease.Release()
		at := slices.IndexFunc(holders[:], func(h holder) bool { return bytes.Contains(stacks, []byte(h.function)) })
		if ok = at >= 0; ok {
			h = holders[at]
		}
		return err
	})
	return h, ok && err == nil
}
