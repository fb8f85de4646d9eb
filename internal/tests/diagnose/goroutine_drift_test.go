package diagnose_test

import (
	"bytes"
	"testing"
	"time"

	"github.com/gocasebook/casebook/casefile"
	"github.com/gocasebook/casebook/diagnose"
	"github.com/gocasebook/casebook/vitals"
)

// countHistory is 11 s of vitals from noon on, one per second, with a number of goroutines that rises by so many per
// second, and by more or less from step to step.
func countHistory(t *testing.T, start, rate float64, more ...float64) diagnose.Evidence {
	t.Helper()
	var samples []vitals.Sample
	n := start
	for i := range 12 {
		if i > 0 {
			n += rate
			if len(more) > 0 {
				n += more[(i-1)%len(more)]
			}
		}
		s := vitals.Sample{Time: noon.Add(time.Duration(i) * time.Second)}
		s.Set(vitals.Goroutines, n)
		samples = append(samples, s)
	}
	var b bytes.Buffer
	if err := vitals.WriteJSONL(&b, samples, nil, nil); err != nil {
		t.Fatal(err)
	}
	return diagnose.Evidence{Name: "vitals.jsonl", Kind: casefile.Vitals, Data: b.Bytes()}
}
