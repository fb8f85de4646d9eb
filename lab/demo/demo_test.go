package demo

import (
	"context"
	"errors"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/gocasebook/casebook/app/prove"
	"github.com/gocasebook/casebook/casefile"
	"github.com/gocasebook/casebook/lab/stage/stagetest"
)

// A logView writes the progress into the test's log.
type logView struct{ stagetest.View }

func (v *logView) Diagnosis(casefile.Case) {}
func (v *logView) Proof(p casefile.Proof)  { v.TB.Log(p.Summary) }

// small is the demo's fault on a small scale: the same cache, so close to its memory limit that the collector hardly
// stops.
func small(t *testing.T, v View) Config {
	return Config{
		Binary: stagetest.Lab(t), Dir: t.TempDir(), Entries: 400_000, Memory: "102MiB", Rate: 200,
		Measure: 4 * blockTime, View: v,
	}
}

func TestDemo(t *testing.T) {
	cfg := small(t, &logView{stagetest.View{TB: t}})
	result, err := Run(t.Context(), cfg)
	if err != nil {
		t.Fatal(err)
	}
	c := result.Folder.Case
	var names []string
	for _, f := range c.Findings {
		for _, w := range f.Where {
			names = append(names, f.Kind+" "+w.Function)
		}
	}
	if !slices.ContainsFunc(names, func(s string) bool {
		return strings.HasPrefix(s,
			"gc-pointer-heap github.com/bluele/gcache.")
	}) &&
		!slices.ContainsFunc(names, func(s string) bool { return strings.HasPrefix(s, "gc-cpu ") }) {
		t.Errorf("neither the collector nor the cache among the findings: %v", names)
	}
	if c.Proof == nil || len(c.Proof.Figures) == 0 || c.Proof.Before.Label != "gcache" ||
		c.Proof.After.Label != "remedy" {
		t.Fatalf("proof %+v", c.Proof)
	}
	if has := slices.ContainsFunc(c.Findings, func(f casefile.Finding) bool { return f.Kind == "gc-pointer-heap" }); has &&
		(c.Proof.Finding == nil || c.Proof.Finding.Kind != "gc-pointer-heap") {
		t.Errorf("the cache without pointers is measured for %+v", c.Proof.Finding)
	}
	for _, f := range c.Proof.Figures {
		if f.Name == prove.GCCPU && (f.Before.N == 0 || f.After.N == 0 || f.After.Value*2 > f.Before.Value) {
			t.Errorf("gc_cpu went from %g (%d rounds) to %g (%d rounds), want at least halved", f.Before.Value,
				f.Before.N, f.After.Value, f.After.N)
		}
	}
	stagetest.NoChildren(t, cfg.Binary)
}

// Ctrl-C at any step stops every child.
func TestInterruptedDemoLeavesNoProcess(t *testing.T) {
	for n := 1; n <= 2; n++ {
		ctx, cancel := context.WithTimeout(t.Context(), 8*time.Minute)
		v := &logView{stagetest.View{TB: t, OnStep: func(step int) {
			if step == n {
				time.AfterFunc(500*time.Millisecond, cancel)
			}
		}}}
		cfg := small(t, v)
		if _, err := Run(ctx, cfg); !errors.Is(err, context.Canceled) {
			t.Errorf("interrupted at step %d: %v, want context.Canceled", n, err)
		}
		cancel()
		stagetest.NoChildren(t, cfg.Binary)
	}
}

func TestChildThatDies(t *testing.T) {
	cfg := small(t, &logView{stagetest.View{TB: t}})
	cfg.Memory = "nonsense" // the Go runtime refuses to start with it
	_, err := Run(t.Context(), cfg)
	if err == nil || !strings.Contains(err.Error(), "the gateway did not start") ||
		!strings.Contains(err.Error(), "fatal error: ") {
		t.Errorf("error is %v, want the gateway's last words in it", err)
	}
	stagetest.NoChildren(t, cfg.Binary)
}

func TestConfig(t *testing.T) {
	for name, cfg := range map[string]Config{
		"entries is 5":  {Entries: 5},
		"rate is -1":    {Rate: -1},
		"measure is 1s": {Measure: time.Second},
	} {
		if _, err := Run(t.Context(), cfg); err == nil || !strings.Contains(err.Error(), name) {
			t.Errorf("error is %v, want %q in it", err, name)
		}
	}
}
