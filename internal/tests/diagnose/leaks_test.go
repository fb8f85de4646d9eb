package diagnose_test

import (
	"path"
	"slices"
	"strings"
	"testing"

	"github.com/gocasebook/casebook/diagnose"
	"github.com/gocasebook/casebook/internal/checkout"
)

// leakWays are the ways of lab/leaks whose goroutines never end, with the function that leaks them. The goroutines of
// the other ways wait on purpose.
func leakWays() map[string]string {
	return map[string]string{
		"timeout": "main.timeout.func1.1", "fanin": "main.fanin.func2.1", "range": "main.unclosed.func1",
		"waitgroup": "main.waitgroup.func1.2", "cond": "main.cond.func1", "errgroup": "main.group.func1.1",
		"poll":  "main.poll.func1.1",
		"sleep": "main.sleeper.func1.1", "context": "main.forgotten.func1.1", "audit": "main.audit.func2.1",
	}
}

// TestLeaks: real services with 100 to 200,000 leaked goroutines, fast and slow. Each leak is the first finding and
// names its function. The pools, queues, long polls and sockets of other services are not reported.
func TestLeaks(t *testing.T) {
	dirs, err := checkout.Evidence(t).Cases("leaks/*")
	if err != nil || len(dirs) < 20 {
		t.Fatalf("%d recordings (%v), want 20 or more", len(dirs), err)
	}
	ways := leakWays()
	for _, dir := range dirs {
		t.Run(path.Base(dir), func(t *testing.T) {
			way, _, _ := strings.Cut(path.Base(dir), "-")
			rep := judged(t, dir)
			culprit, leaks := ways[way]
			if leaks {
				if len(rep.Findings) == 0 || rep.Findings[0].Kind != "goroutine-leak" || rep.Findings[0].Score < 50 ||
					rep.Findings[0].Where[0].Function != culprit {
					t.Errorf("found %v, want goroutine-leak at %s first, as a warning or worse", kindsOf(rep), culprit)
				}
				if slices.Contains(kindsOf(rep), "chan-bottleneck") {
					t.Errorf("found %v, and nothing is there to read faster", kindsOf(rep))
				}
				return
			}
			for _, f := range rep.Findings {
				if strings.HasSuffix(f.Kind, "-leak") || f.Score >= 50 {
					t.Errorf("found %s %d: %s", f.Kind, f.Score, f.Summary)
				}
			}
		})
	}
}

func kindsOf(rep diagnose.Report) (kinds []string) {
	for _, f := range rep.Findings {
		kinds = append(kinds, f.Kind)
	}
	return kinds
}
