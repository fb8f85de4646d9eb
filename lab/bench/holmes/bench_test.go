package main

import (
	"context"
	"flag"
	"io"
	"os"
	"strings"
	"sync"
	"testing"
	"time"
)

// TestMain also makes the test binary a child: startChild starts this very program.
func TestMain(m *testing.M) {
	if len(os.Args) > 1 && os.Args[1] == childArg {
		os.Exit(child(os.Args[2:]))
	}
	os.Exit(m.Run())
}

// small is a run of a minute that shows that everything works, and measures nothing.
func small() config {
	return config{
		spikes: 1, lengths: []time.Duration{2 * time.Second},
		blocks: 1, round: 150 * time.Millisecond, turn: time.Second, idle: 500 * time.Millisecond, fresh: 1,
		log: io.Discard,
	}
}

func TestEveryWatcherHasARow(t *testing.T) {
	benchtime := flag.Lookup("test.benchtime")
	was := benchtime.Value.String()
	defer benchtime.Value.Set(was)
	if err := benchtime.Value.Set("10ms"); err != nil {
		t.Fatal(err)
	}
	for _, p := range [...]part{{"http", httpPart}, {"memory", memoryPart}, {"tick", tickPart}} {
		t.Run(p.name, func(t *testing.T) {
			var out strings.Builder
			if err := p.run(t.Context(), small(), &out); err != nil {
				t.Fatal(err)
			}
			var rows []string
			for _, w := range watchers {
				rows = append(rows, w.name)
			}
			if p.name == "tick" {
				rows = []string{ticks[0].name, ticks[1].name, ticks[2].name}
			}
			for _, row := range rows {
				if !strings.Contains(out.String(), "  "+row+"\n") {
					t.Errorf("no row of %q in\n%s", row, out.String())
				}
			}
			if strings.Contains(out.String(), "NaN") {
				t.Errorf("a figure is missing in\n%s", out.String())
			}
		})
	}
}

// TestCulpritIsFound has a service that burns all cores for 2 s. On a shared machine, a spike may not get the share of
// the CPU that the rule asks for. Then another spike is tried.
func TestCulpritIsFound(t *testing.T) {
	p, err := startChild(t.Context(), defaultName, t.TempDir(), role{spikes: true})
	if err != nil {
		t.Fatal(err)
	}
	defer p.stop()
	var best trial // of those that got the CPU
	for number := 1; number <= 4; number++ {
		last, err := spikers[0].try(t.Context(), p, new(sync.Mutex), number, 2*time.Second)
		if err != nil {
			t.Fatal(err)
		}
		if last.tripped && last.hits >= 50 && last.evidence > 0 {
			return
		}
		if last.share > best.share {
			best = last
		}
	}
	if best.share <= 0.8 {
		t.Skipf("the spike got %.0f %% of the CPU: this machine is too busy to tell", 100*best.share)
	}
	t.Errorf("of four spikes of 2 s, of which one got %.0f %% of the CPU: %+v; want a trip and 400 samples, at "+
		"least 50",
		100*best.share, best)
}

func TestEvidenceOfAnotherSpikeDoesNotCount(t *testing.T) {
	dir := t.TempDir()
	w, _ := lookup(defaultName)
	cases := make(chan string, 4)
	watching, err := w.start(dir, true, func(e event) {
		if e.Kind == evCase {
			cases <- e.Path
		}
	})
	if err != nil {
		t.Fatal(err)
	}
	defer watching.stop()
	spike("7", time.Second)
	ctx, cancel := context.WithTimeout(t.Context(), 30*time.Second)
	defer cancel()
	select {
	case path := <-cases:
		own, err := countCulprit(path, 7)
		if err != nil {
			t.Fatal(err)
		}
		other, err := countCulprit(path, 8)
		if err != nil {
			t.Fatal(err)
		}
		if own == 0 || other != 0 {
			t.Errorf("%d samples of spike 7 and %d of spike 8; only the first was", own, other)
		}
	case <-ctx.Done():
		t.Skip("no case: this machine is too busy for a spike of a second")
	}
}

func TestSummarize(t *testing.T) {
	r := summarize([]float64{1.00, 1.02, 1.04})
	if got, want := r.percent(), "+2.0 % ± 5.0"; got != want { // 4.30 · 0.02 / √3
		t.Errorf("the summary is %q, want %q", got, want)
	}
	if got, want := r.span(), "+0.0 … +4.0"; got != want {
		t.Errorf("the span is %q, want %q", got, want)
	}
}
