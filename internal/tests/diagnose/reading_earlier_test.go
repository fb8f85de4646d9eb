package diagnose_test

import (
	"testing"
	"time"

	"github.com/gocasebook/casebook/diagnose"
)

// TestEarlier: growth is measured from the evidence that this is compared with, if that is of the same run.
func TestEarlier(t *testing.T) {
	start := heapLine{"main.load:3 main.main:9", 100_000, 40 * mib, 0}
	settings := heapLine{"main.settings:12 main.main:10", 1, mib, 0} // once, at the start
	kept := func(mibs int64) heapLine {
		return heapLine{"main.(*Audit).remember:12 main.serve:4", mibs * 256, mibs * mib, 0}
	}
	entries := func(live, made int64) heapLine { // of a cache of constant size
		return heapLine{"main.(*cache).put:7 main.serve:4", live, live * 4096, made}
	}
	against := func(before, now []byte) diagnose.Input {
		in := apart(0, now)
		in.Earlier = []diagnose.Evidence{{Name: "before.pb.gz", Taken: noon.Add(-22 * time.Minute), Data: before}}
		return in
	}
	crowded := against(liveHeap(t, start, kept(11)), liveHeap(t, start, kept(120)))
	crowded.Earlier = append(crowded.Earlier, diagnose.Evidence{Name: "g1.txt", Taken: noon.Add(-22 * time.Minute),
		Data: goroutines(2, "main.(*Audit).remember")})
	crowded.Evidence = append(crowded.Evidence, diagnose.Evidence{Name: "g2.txt", Taken: noon,
		Data: goroutines(3000, "main.(*Audit).remember")})
	for _, tt := range []struct {
		name  string
		in    diagnose.Input
		place string
	}{
		{"109 MiB in 22 minutes", against(liveHeap(t, start, kept(11)), liveHeap(t, start, kept(120))),
			"main.(*Audit).remember"},
		{"beside a cache that shrank by more", against(liveHeap(t, start, kept(11), entries(100_000, 100_000)),
			liveHeap(t, start, kept(120), entries(20_000, 100_000))), "main.(*Audit).remember"},
		{"of another run, which lasted longer", against(liveHeap(t, start, settings, kept(11)),
			liveHeap(t, start, kept(120))), ""},
		{"a cache of constant size", against(liveHeap(t, start, entries(10_000, 100_000)),
			liveHeap(t, start, entries(12_000, 1_000_000))), ""},
		{"more requests in progress", crowded, ""},
		{"the same collection", against(liveHeap(t, start, kept(120)), liveHeap(t, start, kept(120))), ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			f, score := scoreOf(t, tt.in, memLeakKind)
			if (score > 0) != (tt.place != "") {
				t.Fatalf("scores %d (%s), want a place: %q", score, f.Summary, tt.place)
			}
			if score > 0 && f.Where[0].Function != tt.place {
				t.Errorf("names %s, want %s", f.Where[0].Function, tt.place)
			}
		})
	}
}
