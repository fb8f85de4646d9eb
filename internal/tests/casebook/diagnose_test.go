//go:build !casebook_nodiagnose

package casebook_test

import (
	"context"
	"testing"
	"time"

	"github.com/gocasebook/casebook"
	"github.com/gocasebook/casebook/casefile"
	"github.com/gocasebook/casebook/diagnose"
	"github.com/gocasebook/casebook/instance"
)

// TestDiagnoseWithOwnDetector: a watch diagnoses its cases with the detectors and derivers of its Config. The deriver
// reads an attachment of the service's own.
func TestDiagnoseWithOwnDetector(t *testing.T) {
	queue := diagnose.Deriver{Name: "queue", Kind: "queue",
		Run: func(_ context.Context, e diagnose.Evidence) ([]diagnose.Evidence, error) {
			return []diagnose.Evidence{{Name: e.Name, Kind: "queue-length", Value: len(e.Data)}}, nil
		}}
	full := diagnose.Detector{ID: "SHOP001", Kind: "shop-queue-full", Title: "The queue of orders is full",
		Needs: []diagnose.Need{{Kinds: []string{"queue-length"}, Reason: "no queue", Capture: "attach it"}},
		Run: func(_ context.Context, r *diagnose.Reading) (a diagnose.Answer) {
			if r.Values("queue-length")[0].Value == 5 {
				a.Findings = []casefile.Finding{{Score: 80, Summary: "Five orders wait."}}
			}
			return a
		}}
	w := running(t, casebook.Config{
		Target: instance.NewSelf(), Interval: 100 * time.Millisecond, Windows: -1, TraceCost: -1,
		Rules: when("goroutines", 1e9),
		Attachments: []casebook.Attachment{{Kind: "queue",
			Take: func(context.Context) ([]byte, error) { return []byte("12345"), nil }}},
		Diagnose: casebook.DiagnoseOptions{Detectors: append(diagnose.Detectors(), full),
			Derive: []diagnose.Deriver{queue}},
	})
	f, err := w.Capture(t.Context(), "test", casefile.Goroutine)
	if err != nil {
		t.Fatal(err)
	}
	own := 0
	for _, found := range f.Case.Findings {
		if found.ID == "SHOP001" && found.Summary == "Five orders wait." {
			own++
		}
	}
	if own != 1 || len(f.Case.Undecided) < 20 {
		t.Errorf("findings %+v, %d undecided; want SHOP001, and the built-in kinds judged too", f.Case.Findings,
			len(f.Case.Undecided))
	}
}
