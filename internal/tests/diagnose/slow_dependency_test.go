package diagnose_test

import (
	"testing"
	"time"

	"github.com/gocasebook/casebook/casefile"
	"github.com/gocasebook/casebook/diagnose"
	"github.com/gocasebook/casebook/vitals"
)

// TestSlowDependency: a tail, requests that wait for another service, and no other reason.
func TestSlowDependency(t *testing.T) {
	at := time.Date(2026, 11, 23, 12, 4, 58, 0, time.UTC)
	// 2,500 requests a second of 0.7 ms, and 3 in 100 of 40 ms: five are there at any moment.
	usual := world{vitals.HTTPLatencyP50: always(0.0007), vitals.HTTPLatencyP99: always(0.040),
		vitals.HTTPRate: always(2500), vitals.HTTPErrors: always(0.0026), vitals.WriteCalls: always(5000)}
	with := func(id vitals.ID, v float64) world {
		w := world{}
		for i, of := range usual {
			w[i] = of
		}
		w[id] = always(v)
		return w
	}
	const selects = "#\t0x1\truntime.selectgo+0x1\t/go/src/runtime/select.go:300\n"
	const query = selects + "#\t0x1\tdatabase/sql.(*DB).QueryContext+0x1\t/go/src/database/sql/sql.go:1700\n" +
		"#\t0x1\tmain.(*shop).price+0x1\t/src/app/main.go:40\n"
	const lock = "#\t0x1\tsync.(*Mutex).Lock+0x1\t/go/src/sync/mutex.go:90\n" +
		"#\t0x1\tmain.(*shop).price+0x1\t/src/app/main.go:40\n"
	for _, c := range []struct {
		name        string
		world       world
		goroutines  []byte
		least, most int
	}{
		{"three of a hundred calls are slow, and some fail", usual, requestsAt(5, selects+callStack), 50, 74},
		{"twenty times, and some fail", with(vitals.HTTPLatencyP99, 0.022), requestsAt(5, query), 25, 74},
		{"what is written is not known", with(vitals.WriteCalls, 0), requestsAt(5, selects+callStack), 50, 74},

		{"none fails", with(vitals.HTTPErrors, 0), requestsAt(5, selects+callStack), 0, 0},
		{"an upstream always takes its timeout", with(vitals.HTTPErrors, 0.069), requestsAt(5, selects+callStack), 0, 0},
		{"a cache answers most", with(vitals.WriteCalls, 2600), requestsAt(5, selects+callStack), 0, 0},
		{"five times the median", with(vitals.HTTPLatencyP99, 0.0035), requestsAt(5, selects+callStack), 0, 0},
		{"slow ones wait for a lock", usual, requestsAt(5, lock), 0, 0},
		{"no more at the line than the median explains", usual, requestsAt(1, selects+callStack), 0, 0},
		{"few requests", with(vitals.HTTPRate, 20), requestsAt(5, selects+callStack), 0, 0},
	} {
		t.Run(c.name, func(t *testing.T) {
			in := diagnose.Input{Limits: casefile.Limits{CPUs: 2}, Evidence: []diagnose.Evidence{minutesOf(t, c.world),
				{Name: "goroutine.txt", Kind: casefile.Goroutine, Taken: at, Phase: casefile.During,
					Data: c.goroutines}}}
			f, score := scoreOf(t, in, "slow-dependency")
			if score < c.least || score > c.most {
				t.Errorf("%d, want %d to %d: %s", score, c.least, c.most, f.Summary)
			}
		})
	}
}
