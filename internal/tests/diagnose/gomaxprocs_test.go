package diagnose_test

import (
	"bytes"
	"strings"
	"testing"
	"time"

	"github.com/gocasebook/casebook/casefile"
	"github.com/gocasebook/casebook/diagnose"
	"github.com/gocasebook/casebook/diagnose/traces"
	"github.com/gocasebook/casebook/vitals"
)

// crowded is the trace of a server whose requests keep its processors busy and wait for them, as lab/holdout2/turbine's
// do: 2,000 requests in 10 s that take 240 ms each.
func crowded(procs int) *traces.Summary {
	const span, n = 10 * time.Second, 2000
	busy := span * time.Duration(procs)
	at := traces.Stack{{Function: "main.power", File: "shop/main.go", Line: 46}}
	conn := traces.GoroutineType{Name: "net/http.(*conn).serve", Number: 60, Alive: 60,
		Spent:   traces.Spent{Running: busy, Runnable: 50 * span, Network: 3 * span},
		Latency: traces.Times{Count: 4600, Total: 46 * span, P99: 350 * time.Millisecond},
		Runs:    traces.Times{Count: 11_000, Total: busy, P99: 9 * time.Millisecond, Max: 24 * time.Millisecond},
		Delayed: 50 * span, RunsStack: at}
	return &traces.Summary{Span: span, Procs: procs, Events: 1e5,
		Use: traces.Use{Busy: busy, Waited: 50 * span},
		Kinds: []traces.Kind{{Name: "net/http server",
			Times: traces.Times{Count: n, Total: n * 240 * time.Millisecond, P99: 550 * time.Millisecond},
			Spent: traces.Spent{Running: busy, Runnable: n*240*time.Millisecond - busy}}},
		Goroutines: []traces.GoroutineType{conn},
		Preempted:  []traces.Site{{Stack: at, Times: traces.Times{Count: 900, Total: busy / 2}}},
	}
}

// traced judges a trace's summary, with samples of vitals.
func traced(t *testing.T, s *traces.Summary, limits casefile.Limits, more ...diagnose.Evidence) diagnose.Report {
	t.Helper()
	more = append(more, diagnose.Evidence{Name: "trace.out", Kind: traces.KindSummary, Value: s})
	return diagnose.Run(t.Context(), diagnose.Input{Evidence: more, Limits: limits, Build: casefile.Build{Module: "shop"}},
		diagnose.Options{})
}

// sameVitals is ten samples of vitals with the same values.
func sameVitals(t *testing.T, values map[vitals.ID]float64) diagnose.Evidence {
	t.Helper()
	var samples []vitals.Sample
	for i := range 10 {
		s := vitals.NewSample(time.Date(2026, 11, 24, 1, 0, i, 0, time.UTC))
		for id, v := range values {
			s.Set(id, v)
		}
		samples = append(samples, s)
	}
	var b bytes.Buffer
	if err := vitals.WriteJSONL(&b, samples, nil, nil); err != nil {
		t.Fatal(err)
	}
	return diagnose.Evidence{Name: "vitals.jsonl", Kind: casefile.Vitals, Data: b.Bytes()}
}

func variables(text string) diagnose.Evidence {
	return diagnose.Evidence{Name: "runtime.json", Kind: casefile.Runtime, Data: []byte(text)}
}

// ofKind is the finding of a kind.
func ofKind(rep diagnose.Report, kind string) (casefile.Finding, bool) {
	for _, f := range rep.Findings {
		if f.Kind == kind {
			return f, true
		}
	}
	return casefile.Finding{}, false
}

func TestGOMAXPROCSTooFew(t *testing.T) {
	quick := func(s *traces.Summary) {
		s.Goroutines[0].Latency.P99 = 60 * time.Millisecond
	}
	for _, tt := range []struct {
		name   string
		cpus   float64
		change func(*traces.Summary)
		with   []diagnose.Evidence
		score  int    // 0: it is not found
		says   string // in the summary
		value  string
	}{
		{"half of the CPUs", 2, nil, nil, 98, "or a call", "GOMAXPROCS=2"},
		{"a sixteenth", 16, nil, nil, 98, "", "GOMAXPROCS=16"},
		{"a quota between", 2.5, nil, nil, 98, "", "GOMAXPROCS=3"},
		{"all of them", 1, nil, nil, 0, "", ""},
		{"a quota above", 1.5, nil, nil, 0, "", ""},
		{"CPUs not known", 0, nil, nil, 0, "", ""},
		{"short waits", 2, quick, nil, capUnsure, "60 ms", "GOMAXPROCS=2"},
		{"short waits of short requests", 2, func(s *traces.Summary) {
			s.Goroutines[0].Latency.P99 = 9 * time.Millisecond
		}, nil, capNotice, "9 ms", "GOMAXPROCS=2"},
		{"waits that nobody notices", 2, func(s *traces.Summary) {
			s.Goroutines[0].Latency.P99 = 9 * time.Millisecond
			s.Use.Busy, s.Use.Idle = s.Span/2, s.Span/2
		}, nil, 0, "", ""},
		{"waits that are a small part", 2, func(s *traces.Summary) {
			s.Kinds[0].Spent.Runnable = s.Kinds[0].Times.Total / 20
		}, nil, 0, "", ""},
		{"nobody waits", 2, func(s *traces.Summary) { s.Use.Waited = s.Span / 10 }, nil, 0, "", ""},
		{"the collector", 2, func(s *traces.Summary) {
			s.Goroutines = append(s.Goroutines, traces.GoroutineType{Name: "runtime.gcBgMarkWorker",
				Delayed: 2 * s.Goroutines[0].Delayed})
		}, nil, 0, "", ""},
		{"a job", 2, func(s *traces.Summary) {
			s.Kinds, s.Goroutines[0].Name = nil, "main.work"
		}, nil, capNotice, "", ""},
		{"others want the CPUs", 2, nil, []diagnose.Evidence{sameVitals(t, map[vitals.ID]float64{vitals.CPU: 1,
			vitals.CPUPressure: 0.9})}, capUnsure, "Others want", ""},
		{"others have the CPUs", 2, nil, []diagnose.Evidence{sameVitals(t, map[vitals.ID]float64{vitals.CPU: 0.4})}, 0, "",
			""},
		{"by a variable", 2, nil, []diagnose.Evidence{variables(`{"settings": {}, "environment": {"GOMAXPROCS": "1"}}`)}, 98,
			"The environment sets GOMAXPROCS=1", "GOMAXPROCS=2"},
		{"by a call", 2, nil, []diagnose.Evidence{variables(`{"settings": {}}`)}, 98, "the program calls", "GOMAXPROCS=2"},
		{"variables that could not be read", 2, nil,
			[]diagnose.Evidence{variables(`{"settings": {}, "rlimits": {}, "absent": {"environment": "denied"}}`)}, 98,
			"or a call", "GOMAXPROCS=2"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			s := crowded(1)
			if tt.change != nil {
				tt.change(s)
			}
			rep := traced(t, s, casefile.Limits{CPUs: tt.cpus}, tt.with...)
			f, _ := ofKind(rep, "gomaxprocs-mismatch")
			if f.Score != tt.score || !strings.Contains(f.Summary, tt.says) {
				t.Errorf("score %d, %q; want %d, with %q", f.Score, f.Summary, tt.score, tt.says)
			}
			if tt.value != "" && f.Remedies[0].Title != tt.value {
				t.Errorf("remedy %q, want %s", f.Remedies[0].Title, tt.value)
			}
			if tt.score > capNotice && rep.Findings[0].Kind != f.Kind {
				t.Errorf("%s comes before it", rep.Findings[0].Kind)
			}
		})
	}
}

// TestGOMAXPROCSSampled: without a trace the vitals of a process that watches itself say how long goroutines wait.
func TestGOMAXPROCSSampled(t *testing.T) {
	for _, tt := range []struct {
		name             string
		procs, cpu, wait float64
		score            int
	}{
		{"too few", 1, 0.95, 0.05, 47},
		{"hurts", 1, 1, 0.3, capUnsure},
		{"idle", 1, 0.3, 0.05, 0},
		{"no waits", 1, 0.95, 0.001, 0},
		{"all CPUs", 4, 3.9, 0.05, 0},
	} {
		t.Run(tt.name, func(t *testing.T) {
			rep := diagnose.Run(t.Context(), diagnose.Input{Limits: casefile.Limits{CPUs: 4},
				Evidence: []diagnose.Evidence{sameVitals(t,
					map[vitals.ID]float64{vitals.GoMaxProcs: tt.procs, vitals.CPU: tt.cpu, vitals.HTTPRate: 50,
						vitals.SchedLatencyP99: tt.wait})}}, diagnose.Options{})
			if f, _ := ofKind(rep, "gomaxprocs-mismatch"); f.Score != tt.score {
				t.Errorf("score %d, want %d: %s", f.Score, tt.score, f.Summary)
			}
		})
	}
}

func TestGOMAXPROCSTooMany(t *testing.T) {
	at := func(levels ...time.Duration) []time.Duration {
		for i := range levels {
			levels[i] *= time.Millisecond
		}
		return levels
	}
	for _, tt := range []struct {
		name    string
		procs   int
		limits  casefile.Limits
		running []time.Duration
		score   int
	}{
		{"most of the time beyond", 32, casefile.Limits{CPUs: 2},
			at(5000, 1000, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 4000), capNotice},
		{"some of it", 8, casefile.Limits{CPUs: 2}, at(5000, 1000, 1000, 1000, 2000), 44},
		{"never beyond", 32, casefile.Limits{CPUs: 2}, at(5000, 3000, 2000), 0},
		{"one beyond, now and then", 32, casefile.Limits{CPUs: 2}, at(5000, 3000, 1500, 500), 0},
		{"nearly as many CPUs", 8, casefile.Limits{CPUs: 6}, at(0, 0, 0, 0, 0, 0, 0, 0, 10000), 0},
		{"a quota, which is another kind's", 32, casefile.Limits{CPUs: 2, CPUQuota: 2}, at(0, 0, 0, 0, 10000), 0},
		{"idle", 32, casefile.Limits{CPUs: 2}, at(9980, 0, 0, 0, 0, 0, 0, 20), 0},
		{"not recorded", 32, casefile.Limits{CPUs: 2}, nil, 0},
	} {
		t.Run(tt.name, func(t *testing.T) {
			s := crowded(tt.procs)
			s.Use.Running = tt.running
			f, _ := ofKind(traced(t, s, tt.limits), "gomaxprocs-mismatch")
			if f.Score != tt.score {
				t.Errorf("score %d, want %d: %s", f.Score, tt.score, f.Summary)
			}
			if tt.score > 0 && f.Remedies[0].Title != "GOMAXPROCS=2" {
				t.Errorf("remedy %q, want GOMAXPROCS=2", f.Remedies[0].Title)
			}
		})
	}
}
