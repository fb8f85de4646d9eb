package diagnose_test

import (
	"slices"
	"testing"
	"time"

	"github.com/gocasebook/casebook/casefile"
	"github.com/gocasebook/casebook/diagnose"
	"github.com/gocasebook/casebook/diagnose/traces"
	"github.com/gocasebook/casebook/vitals"
)

func TestOverload(t *testing.T) {
	two := casefile.Limits{CPUs: 2}
	for _, tt := range []struct {
		name   string
		limits casefile.Limits
		change func(*traces.Summary)
		with   []diagnose.Evidence
		score  int
	}{
		{"requests share two processors", two, nil, nil, 78},
		{"CPUs not known", casefile.Limits{}, nil, nil, 78},
		{"handlers start what runs", two, func(s *traces.Summary) {
			part := s.Goroutines[0]
			part.Name, s.Goroutines[0].Delayed = "main.search.func1", 0
			s.Goroutines = append(s.Goroutines, part)
			s.Created = []traces.GoroutinesFrom{{Starts: part.Name, Stack: traces.Stack{{Function: "main.search"},
				{Function: "net/http.serverHandler.ServeHTTP"}}}}
		}, nil, 78},
		{"handlers start a goroutine for each element", two, func(s *traces.Summary) {
			s.Goroutines = append(s.Goroutines, traces.GoroutineType{Name: "main.weigh.func1", Number: 2_000_000,
				Spent: traces.Spent{Running: 2 * time.Second}})
			s.Created = []traces.GoroutinesFrom{{Starts: "main.weigh.func1", Stack: traces.Stack{
				{Function: "main.weigh"}, {Function: "net/http.serverHandler.ServeHTTP"}}}}
		}, nil, 0},
		{"gRPC", two, func(s *traces.Summary) {
			s.Kinds[0].Name = "gRPC server"
			s.Goroutines[0].Name = "google.golang.org/grpc.(*Server).serveStreams.func2.1"
		}, nil, 78},
		{"one after the other, nearly", two, func(s *traces.Summary) {
			s.Kinds[0].Times.Total = s.Use.Busy * 3
		}, nil, 0},
		{"a few wait", two, func(s *traces.Summary) { s.Use.Waited = 7 * s.Span }, nil, 0},
		{"time to spare", two, func(s *traces.Summary) {
			s.Use.Busy, s.Use.Idle = 18*time.Second, 2*time.Second
		}, nil, 0},
		{"a job beside the requests", two, func(s *traces.Summary) {
			s.Goroutines = append(s.Goroutines, traces.GoroutineType{Name: "main.rank",
				Delayed: 2 * s.Goroutines[0].Delayed, Runs: traces.Times{P99: 10 * time.Millisecond}})
		}, nil, 0},
		{"short jobs beside the requests", two, func(s *traces.Summary) {
			s.Goroutines = append(s.Goroutines, traces.GoroutineType{Name: "main.rank",
				Delayed: 2 * s.Goroutines[0].Delayed, Runs: traces.Times{P99: time.Millisecond}})
		}, nil, 0},
		{"the collector", two, func(s *traces.Summary) {
			s.GC.Workers = map[string]time.Duration{"dedicated": s.Use.Busy / 3}
		}, nil, 0},
		{"a batch", two, func(s *traces.Summary) { s.Kinds, s.Goroutines[0].Name = nil, "main.work" }, nil, 0},
		{"more CPUs than GOMAXPROCS", casefile.Limits{CPUs: 4}, nil, nil, 0},
		{"others have the CPUs", two, nil, []diagnose.Evidence{sameVitals(t, map[vitals.ID]float64{vitals.CPU: 0.8})}, 0},
		{"a quota stops it", casefile.Limits{CPUs: 2, CPUQuota: 2}, nil,
			[]diagnose.Evidence{sameVitals(t, map[vitals.ID]float64{
				vitals.CPU: 1.9, vitals.Throttled: 0.4})}, 0},
		{"a quota that is not used up", casefile.Limits{CPUs: 2, CPUQuota: 2}, nil, []diagnose.Evidence{sameVitals(t,
			map[vitals.ID]float64{vitals.CPU: 1.9, vitals.Throttled: 0})}, 78},
	} {
		t.Run(tt.name, func(t *testing.T) {
			s := crowded(2)
			if tt.change != nil {
				tt.change(s)
			}
			rep := traced(t, s, tt.limits, tt.with...)
			f, _ := ofKind(rep, "overload")
			if f.Score != tt.score {
				t.Fatalf("score %d, want %d: %s", f.Score, tt.score, f.Summary)
			}
			if wait, ok := ofKind(rep, "sched-latency"); ok && f.Score > 0 && (rep.Findings[0].Kind != "overload" ||
				!slices.Contains(wait.CausedBy, f.ID)) {
				t.Errorf("first is %s, and the waiting follows from %v; want overload", rep.Findings[0].Kind,
					wait.CausedBy)
			}
		})
	}
}
