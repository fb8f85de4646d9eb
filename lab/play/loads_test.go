package play

import (
	"strings"
	"testing"

	"github.com/gocasebook/casebook/lab"
)

// TestCheckLoads: a load has a rate, or is in times of a limit that is searched.
func TestCheckLoads(t *testing.T) {
	for _, tt := range []struct {
		name  string
		limit string
		load  lab.Load
		want  string // part of the complaint; "" for none
	}{
		{"a rate", "", lab.Load{Rate: 500}, ""},
		{"times of a limit", "p90 < 50ms", lab.Load{Times: 2}, ""},
		{"a rate beside a limit", "p90 < 50ms", lab.Load{Rate: 500}, ""},
		{"times of no limit", "", lab.Load{Times: 2}, "which has none"},
		{"neither", "", lab.Load{}, "want one of them"},
		{"both", "p90 < 50ms", lab.Load{Rate: 1, Times: 2}, "want one of them"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			err := checkLoads(lab.Disease{Limit: tt.limit}, []lab.Load{{Rate: 1}, tt.load})
			if (err == nil) != (tt.want == "") || err != nil && !strings.Contains(err.Error(), tt.want) {
				t.Errorf("%v, want %q", err, tt.want)
			}
		})
	}
}

// TestGoroutines: their number is shown where the cure changed it, and only where both forms were sampled.
func TestGoroutines(t *testing.T) {
	for _, tt := range []struct {
		name        string
		sick, cured []float64
		want        bool
	}{
		{"far fewer", []float64{3, 900, 1000}, []float64{30, 28}, true},
		{"more", []float64{10}, []float64{200}, true},
		{"about as many", []float64{60, 62}, []float64{40}, false},
		{"few of both", []float64{15}, []float64{4}, false},
		{"of one form", []float64{900}, nil, false},
		{"of none", nil, nil, false},
	} {
		t.Run(tt.name, func(t *testing.T) {
			var r Result
			r.keepGoroutines(tt.sick, tt.cured)
			if got := r.Goroutines.notable(); got != tt.want {
				t.Errorf("%+v is shown: %v, want %v", r.Goroutines, got, tt.want)
			}
		})
	}
}
