package report

import (
	"math"
	"strings"
	"testing"
	"time"

	"github.com/gocasebook/casebook/casefile"
	"github.com/gocasebook/casebook/vitals"
)

// The case decides which charts are beside the findings: its rule, what the findings move, what moved alike.
func TestRelatedCharts(t *testing.T) {
	catalog, err := vitals.NewCatalog(vitals.Signal{Name: "queue_depth", Unit: vitals.Count},
		vitals.Signal{Name: "lag", Unit: vitals.Seconds})
	if err != nil {
		t.Fatal(err)
	}
	depth, lag := vitals.ID(vitals.NumSignals), vitals.ID(vitals.NumSignals+1)
	tests := []struct {
		name string
		c    casefile.Case
		want string
	}{
		{"the rule's signals", casefile.Case{Trigger: casefile.Trigger{Signal: "lag",
			Signals: []string{"lag", "queue_depth", "open_files", "threads"}}},
			"lag, queue_depth, open_files"},
		{"of what tripped meanwhile", casefile.Case{Trigger: casefile.Trigger{Signal: "lag"},
			Also: []casefile.Trigger{{Signal: "rss"}}}, "lag, rss"},
		{"what a finding moves", casefile.Case{Trigger: casefile.Trigger{Signal: "lag"},
			Diagnosis: casefile.Diagnosis{Causes: moves("mutex_wait")}}, "lag, mutex_wait"},
		{"what a finding costs", casefile.Case{Trigger: casefile.Trigger{Signal: "lag"},
			Diagnosis: casefile.Diagnosis{Findings: []casefile.Finding{
				{Impact: casefile.Impact{Resource: "goroutines"}}}}},
			"lag, goroutines"},
		{"what moved alike", casefile.Case{Trigger: casefile.Trigger{Signal: "lag"}}, "lag, queue_depth"},
		{"the step of a case by hand", casefile.Case{Trigger: casefile.Trigger{Rule: "manual"}}, "rss, goroutines"},
		{"a finding of a case by hand",
			casefile.Case{Diagnosis: casefile.Diagnosis{Causes: moves("open_files")}},
			"open_files, rss"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			in := Input{Case: tt.c, VitalsHeader: vitals.Header{Catalog: catalog}}
			in.Case.Trigger.Time = tripped
			for i := range 60 {
				s := vitals.NewSample(tripped.Add(time.Duration(i-30) * time.Second))
				wave := math.Sin(float64(i) / 3)
				s.Set(lag, 2+wave)
				s.Set(depth, 9+3*wave+float64(i%2)/4)
				s.Set(vitals.RSS, float64(100+btoi(i >= 30)*50))
				s.Set(vitals.Goroutines, float64(20+btoi(i >= 30)*3+i%7/5))
				s.Set(vitals.MutexWait, float64(i%5))
				s.Set(vitals.OpenFiles, float64(i%3))
				s.Set(vitals.Threads, 9)
				in.Vitals = append(in.Vitals, s)
			}
			var got []string
			tl := newTimeline(in, tripped)
			for _, c := range tl.Shown {
				got = append(got, c.Signals[0].Name)
			}
			if s := strings.Join(got, ", "); s != tt.want {
				t.Errorf("shown are %s, want %s", s, tt.want)
			}
			if n := len(tl.Shown) + len(tl.Folded); n != 7 {
				t.Errorf("%d charts in total, want 7: none is lost", n)
			}
		})
	}
}

func moves(signal string) []casefile.Cause {
	return []casefile.Cause{{Links: []casefile.Link{{ID: "MEM001"}, {Signal: signal}}}}
}

func TestRankCorrelation(t *testing.T) {
	for _, tt := range []struct {
		name   string
		xs, ys []float64
		want   float64
	}{
		{"same order", []float64{1, 2, 3, 4}, []float64{10, 20, 300, 4000}, 1},
		{"reverse", []float64{1, 2, 3}, []float64{3, 2, 1}, -1},
		{"constant", []float64{1, 2, 3}, []float64{5, 5, 5}, 0},
		{"ties, by hand", []float64{1, 2, 2, 3}, []float64{1, 2, 3, 4}, 0.9486832980505138}, // 4.5/√(4.5·5)
		{"nothing", nil, nil, 0},
	} {
		if got := rankCorrelation(tt.xs, tt.ys); math.Abs(got-tt.want) > 1e-12 {
			t.Errorf("%s: %v, want %v", tt.name, got, tt.want)
		}
	}
}
