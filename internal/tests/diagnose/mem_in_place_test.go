package diagnose_test

import (
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/gocasebook/casebook/casefile"
	"github.com/gocasebook/casebook/diagnose"
	"github.com/gocasebook/casebook/vitals"
)

// A slice or buffer that is only added to is one object, and a leak. What is read as a whole, written out when full,
// built again, or loaded once is none, though its blocks are as large. testdata/blocks says how they are written.
func TestGrowthInPlace(t *testing.T) {
	eachRecording(t, "forms/blocks", ".1.pb.gz", 10, func(t *testing.T, way string) {
		in := diagnose.Input{Evidence: recordings(t, 2, "forms/blocks", way+".?.pb.gz")}
		f, score := scoreOf(t, in, "mem-leak")
		switch adds := strings.HasPrefix(way, "adds-"); {
		case !adds && score > 0:
			t.Errorf("scores %d: %s", score, f.Summary)
		case adds && (score != capNotice || f.Remedies[0].Title != "Bound it"): // seconds apart: it may be filling
			t.Errorf("scores %d, %s", score, f.Summary)
		case adds && !strings.Contains(f.Summary, "one block that append makes larger"):
			t.Errorf("says %q", f.Summary)
		}
		if f, score := scoreOf(t, in, "gc-ballast"); score > 0 {
			t.Errorf("called a ballast, %d: %s", score, f.Summary)
		}
		// the first profile alone: whether it grows cannot be known
		alone := diagnose.Input{Evidence: in.Evidence[1:]}
		if f, score := scoreOf(t, alone, "mem-giant"); strings.HasPrefix(way, "adds-") && score > 0 &&
			!strings.Contains(f.Remedies[0].Text, "limit their number") {
			t.Errorf("alone it advises %q", f.Remedies[0].Text)
		}
	})
}

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
