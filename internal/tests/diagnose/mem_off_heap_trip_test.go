package diagnose_test

import (
	"slices"
	"testing"
	"time"

	"github.com/gocasebook/casebook/casefile"
	"github.com/gocasebook/casebook/diagnose"
	"github.com/gocasebook/casebook/vitals"
)

// TestOffHeapTrip: a rule that tripped by memory outside of the heap, or by all that is resident, proves its growth,
// whichever of the signals for that it looked at. One that looked at goroutines proves nothing of it.
func TestOffHeapTrip(t *testing.T) {
	rising := func(from float64) func(int) float64 {
		return func(i int) float64 { return from + float64(i)*4*mib }
	}
	for signal, want := range map[vitals.ID]bool{vitals.OffHeap: true, vitals.OffHeapAnon: true, vitals.RSS: true,
		vitals.RSSAnon: true, vitals.Goroutines: false} {
		at := noon.Add(20 * time.Second)
		rep := diagnose.Run(t.Context(), diagnose.Input{Triggers: []casefile.Trigger{{Rule: "a rule", Time: at,
			Signal: signal.String()}},
			Evidence: []diagnose.Evidence{history(t, at, map[vitals.ID]func(int) float64{vitals.OffHeap: rising(200 * mib),
				vitals.RSS: rising(240 * mib)})}}, diagnose.Options{})
		found := slices.ContainsFunc(rep.Findings, func(f casefile.Finding) bool {
			return f.Kind == "mem-off-heap" && f.Score > capNotice
		})
		if found != want {
			t.Errorf("tripped by %s: mem-off-heap above a notice is %t in %v, want %t", signal, found, kinds(rep.Findings), want)
		}
	}
}
