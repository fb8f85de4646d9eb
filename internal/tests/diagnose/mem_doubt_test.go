package diagnose_test

import (
	"strings"
	"testing"
	"time"

	"github.com/gocasebook/casebook/diagnose"
	"github.com/gocasebook/casebook/vitals"
)

// TestMemDoubts: growth that may end on its own is undecided, with the reason. After seconds of evidence, none is
// called a leak per hour.
func TestMemDoubts(t *testing.T) {
	base := heapLine{"main.load:3 main.main:9", 100_000, 40 * mib, 0}
	kept := func(live, made int64) heapLine {
		return heapLine{"main.(*Audit).remember:12 main.serve:4", live, live * 4096, made}
	}
	grown := func(seconds int) diagnose.Input {
		return apart(seconds, liveHeap(t, base, kept(1000, 1000)), liveHeap(t, base, kept(9000, 9000)))
	}
	rising := func(id vitals.ID, from, to float64) diagnose.Evidence {
		return history(t, noon.Add(22*time.Second), map[vitals.ID]func(int) float64{id: func(i int) float64 {
			if i < 26 {
				return from
			}
			return to
		}})
	}
	inside := func(n int) diagnose.Evidence {
		return diagnose.Evidence{Name: "g.txt", Taken: noon, Data: dumpOf(crowd{n, "select", "main.wait:3 " + conn, ""})}
	}
	later := func(e diagnose.Evidence, seconds int) diagnose.Evidence {
		e.Name, e.Taken = "g2.txt", noon.Add(time.Duration(seconds)*time.Second)
		return e
	}
	young := grown(70)
	young.Started = noon.Add(-time.Minute)
	slower := apart(20, liveHeap(t, base, kept(18_000, 18_000)), liveHeap(t, base, kept(19_500, 19_500)))
	slower.Started = noon.Add(-100 * time.Second)
	old := grown(70)
	old.Started = noon.Add(-time.Hour)
	// heap_live of a process that started 30 s before: each third second a collection
	started := func(live func(i int) float64) diagnose.Input {
		in := with(grown(20), history(t, noon.Add(20*time.Second), map[vitals.ID]func(int) float64{vitals.HeapLive: live}))
		in.Started = noon.Add(-10 * time.Second)
		return in
	}
	even := started(func(i int) float64 { return float64(40+i/3*2) * mib })
	fills := started(func(i int) float64 { return float64(40+min(i, 20)/3*6) * mib })
	wavy := started(func(i int) float64 { return float64(40+i/3*2+i/3%2*20) * mib })
	stale, fresh := grown(20), grown(20)
	// heap_live at collections: each job takes 32 MiB more and gives them back, or they stay
	job := func(last float64) diagnose.Evidence {
		return history(t, noon.Add(time.Second), map[vitals.ID]func(int) float64{vitals.HeapLive: func(i int) float64 {
			switch {
			case i > 30:
				return last * mib
			case i%10 > 6:
				return 72 * mib
			}
			return 40 * mib
		}})
	}
	noGC := history(t, noon, map[vitals.ID]func(int) float64{vitals.GCRate: constant(0)})
	for i := range fresh.Evidence {
		fresh.Evidence[i].Collected = true
	}
	for _, tt := range []struct {
		name string
		in   diagnose.Input
		why  string // what the undecided answer says; "": a finding
	}{
		{"both of one collection", apart(11, liveHeap(t, base), liveHeap(t, base)),
			"show the same collection, which left 40 MiB alive: none ended in the 11 s"},
		{"requests in flight from 1 to 545", with(grown(20), rising(vitals.HTTPInFlight, 1, 545)),
			"requests in flight rose from 1 to 545"},
		{"goroutines of the package from 1 to 545", with(grown(20), inside(1), later(inside(545), 20)),
			"goroutines in main rose from 1 to 545"},
		{"goroutines, of whom nobody knows where they are", with(grown(20), rising(vitals.Goroutines, 40, 600)),
			"goroutines rose from 40 to 600"},
		{"open files", with(grown(20), rising(vitals.OpenFiles, 40, 600)), "files and connections rose from 40 to 600"},
		{"a minute after a start, and as fast as before", young, ""},
		{"a minute after a start, and slower than before", slower, "the process started 120 s before"},
		{"half a minute after a start, as fast at the end", even, ""},
		{"half a minute after a start, and slower at the end", fills, "the process started 30 s before"},
		{"half a minute after a start, up and down", wavy, "the process started 30 s before"},
		{"an hour after", old, ""},
		{"most is gone again", apart(20, liveHeap(t, base, kept(1000, 1000)), liveHeap(t, base, kept(9000, 90_000))),
			"allocated there meanwhile, and most is gone"},
		{"of an earlier moment", with(stale, noGC), "none was seen to end before the first profile"},
		{"of this moment, for a collection was run", with(fresh, noGC), ""},
		{"a job that came and went before", with(grown(20), job(72)), "heap_live rose by 32 MiB before, to 72 MiB, and fell"},
		{"a job before, and the heap is larger now", with(grown(20), job(104)), ""},
		{"as many goroutines", with(grown(20), rising(vitals.Goroutines, 600, 610)), ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			rep := diagnose.Run(t.Context(), tt.in, diagnose.Options{})
			found, said := "", ""
			for _, f := range rep.Findings {
				if f.Kind == "mem-leak" {
					found = f.Summary + f.Impact.Text
					if young := !tt.in.Started.IsZero() && tt.in.Started.After(noon.Add(-youngAge)); young &&
						(f.Score > capNotice || !strings.Contains(found, "capture again in ten minutes")) {
						t.Errorf("score %d of a young process: %s; want a notice that says what to do", f.Score, found)
					}
				}
			}
			for _, u := range rep.Undecided {
				if u.Kind == "mem-leak" {
					said = u.Reason
				}
			}
			if (found != "") != (tt.why == "") || !strings.Contains(said, tt.why) {
				t.Errorf("found %q, undecided %q; want undecided with %q", found, said, tt.why)
			}
			if strings.Contains(found+said, "an hour") {
				t.Errorf("a rate an hour from less than five minutes: %q", found+said)
			}
		})
	}
}
