package diagnose

import (
	"bytes"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/gocasebook/casebook/casefile"
	"github.com/gocasebook/casebook/vitals"
)

// history writes 40 samples, one per second, that end at a given time. A signal's value is value(i).
func history(t *testing.T, end time.Time, values map[vitals.ID]func(i int) float64) Evidence {
	t.Helper()
	var samples []vitals.Sample
	for i := range 40 {
		s := vitals.NewSample(end.Add(time.Duration(i-40) * time.Second))
		for id, value := range values {
			s.Set(id, value(i))
		}
		samples = append(samples, s)
	}
	var b bytes.Buffer
	if err := vitals.WriteJSONL(&b, samples, nil, nil); err != nil {
		t.Fatal(err)
	}
	return Evidence{Name: "vitals.jsonl", Data: b.Bytes()}
}

func constant(v float64) func(int) float64 { return func(int) float64 { return v } }

// scoreOf is what a detector gives on its own. Among all others its finding may become part of a more exact one.
func scoreOf(t *testing.T, in Input, kind string) (casefile.Finding, int) {
	t.Helper()
	alone := slices.DeleteFunc(Detectors(), func(d Detector) bool { return d.Kind != kind })
	if len(alone) != 1 {
		t.Fatalf("%d detectors of kind %s, want one", len(alone), kind)
	}
	for _, f := range Run(t.Context(), in, Options{Detectors: alone}).Findings {
		if f.Kind == kind {
			return f, f.Score
		}
	}
	return casefile.Finding{}, 0
}

// TestSqueezedHeap: where the heap's goal is close to what is live, the remedy is a higher limit, not more GOGC.
func TestSqueezedHeap(t *testing.T) {
	in := loadCase(t, "gc_pointer_heap/gcache")
	r, _ := read(t.Context(), in)
	heap := r.heap()
	if heap == nil {
		t.Fatal("the case has no heap profile")
	}
	for _, tt := range []struct {
		name   string
		limits casefile.Limits
		goal   float64 // times what is live
		want   string
	}{
		{"no squeeze", casefile.Limits{}, 2, "Collect less often"},
		{"a limit that can be raised", casefile.Limits{}, 1.1, "GOMEMLIMIT="},
		{"a full container", casefile.Limits{MemoryBytes: int64(1.2 * heap.liveBytes)}, 1.1,
			"Give the process more memory"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			v := history(t, heap.set.Taken,
				map[vitals.ID]func(int) float64{vitals.HeapGoal: constant(tt.goal * heap.liveBytes)})
			f, _ := scoreOf(t, Input{Evidence: append(slices.Clone(in.Evidence), v), Limits: tt.limits},
				"gc-pointer-heap")
			if len(f.Remedies) != 3 || !strings.HasPrefix(f.Remedies[2].Title, tt.want) {
				t.Errorf("remedies %q, want %q third", remedyTexts(f), tt.want)
			}
		})
	}
}
