package diagnose

import (
	"testing"

	"github.com/gocasebook/casebook/casefile"
	"github.com/gocasebook/casebook/vitals"
)

// TestStrain: work that may be what the service is for is a notice, until something shows that it hurts.
func TestStrain(t *testing.T) {
	work := map[string]int64{workStack: 900, otherStack: 100}
	tests := []struct {
		name    string
		seconds float64 // of the profile of 10 s of CPU
		limits  casefile.Limits
		sample  map[vitals.ID]float64
		strain  bool
	}{
		{"half of a CPU of two", 20, casefile.Limits{CPUs: 2}, nil, false},
		{"the CPU is used up", 12, casefile.Limits{CPUs: 1}, nil, true},
		{"a whole core of an unknown number", 10, casefile.Limits{}, nil, true},
		{"half a core of an unknown number", 20, casefile.Limits{}, nil, false},
		{"its quota stops it", 20, casefile.Limits{CPUs: 8}, map[vitals.ID]float64{vitals.Throttled: 0.2}, true},
		{"goroutines wait to run", 20, casefile.Limits{CPUs: 8}, map[vitals.ID]float64{vitals.SchedLatencyP99: 0.02},
			true},
		{"goroutines hardly wait to run", 20, casefile.Limits{CPUs: 8},
			map[vitals.ID]float64{vitals.SchedLatencyP99: 0.002}, false},
		{"more could run than there are CPUs", 20, casefile.Limits{CPUs: 8},
			map[vitals.ID]float64{vitals.GoroutinesRunnable: 9}, true},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			r, _ := read(t.Context(), Input{Evidence: []Evidence{cpuProfile(t, tt.seconds, work)}, Limits: tt.limits})
			if tt.sample != nil {
				s := vitals.Sample{Time: r.cpu().set.Taken}
				for id, v := range tt.sample {
					s.Set(id, v)
				}
				r.Vitals = append(r.Vitals, s)
			}
			if got := strain(r); (got != "") != tt.strain {
				t.Errorf("the strain is %q, want one: %v", got, tt.strain)
			}
		})
	}
}

// TestStrainAgainstBefore: what has grown since a profile taken before the trouble hurts, whatever it is for.
func TestStrainAgainstBefore(t *testing.T) {
	work := map[string]int64{workStack: 900, otherStack: 100}
	for _, tt := range []struct {
		name    string
		seconds float64 // of the profile taken before, of 10 s of CPU
		strain  bool
	}{{"a quarter of the use", 80, true}, {"as much", 20, false}, {"a little less", 26, false}} {
		t.Run(tt.name, func(t *testing.T) {
			before, during := cpuProfile(t, tt.seconds, work), cpuProfile(t, 20, work)
			before.Phase, during.Phase = casefile.Before, casefile.During
			r, _ := read(t.Context(), Input{Evidence: []Evidence{before, during}, Limits: casefile.Limits{CPUs: 2}})
			if got := strain(r); (got != "") != tt.strain {
				t.Errorf("the strain is %q, want one: %v", got, tt.strain)
			}
		})
	}
}

// TestWaitedFor: when goroutines wait for the work, at a queue that names it, it is more than a notice, but hurts no
// more than the waiting.
func TestWaitedFor(t *testing.T) {
	r, _ := read(t.Context(), Input{Evidence: []Evidence{cpuProfile(t, 20,
		map[string]int64{workStack: 900, otherStack: 100})}, Limits: casefile.Limits{CPUs: 8}})
	work := func() casefile.Finding {
		f := finding("CPU001", "cpu-hot-function", 74, "main.a", 1)
		f.Impact.Resource = "cpu"
		return f
	}
	for _, tt := range []struct {
		name string
		with []casefile.Finding
		want int
	}{
		{"nobody", nil, capNotice},
		{"a queue elsewhere", []casefile.Finding{finding("CH001", "chan-bottleneck", 60, "main.z", 9)}, capNotice},
		{"a queue that names it", []casefile.Finding{finding("CH001", "chan-bottleneck", 60, "main.a", 9)}, 60},
		{"one that hurts more", []casefile.Finding{finding("CH001", "chan-bottleneck", 80, "main.a", 9)}, 74},
		{"one that is worth knowing", []casefile.Finding{finding("CH001", "chan-bottleneck", 30, "main.a", 9)},
			capNotice},
		{"no queue at its place", []casefile.Finding{finding("AL001", "alloc-site", 60, "main.a", 9)}, capNotice},
	} {
		t.Run(tt.name, func(t *testing.T) {
			for _, f := range builtIn().weighPurposes(r, append(tt.with, work())) {
				if f.Kind == "cpu-hot-function" && f.Score != tt.want {
					t.Errorf("it scores %d, want %d", f.Score, tt.want)
				}
			}
		})
	}
}
