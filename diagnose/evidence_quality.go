package diagnose

import (
	"context"
	"fmt"

	"github.com/gocasebook/casebook/casefile"
	"github.com/gocasebook/casebook/diagnose/stacks"
	"github.com/gocasebook/casebook/vitals"
)

// These detectors judge the evidence, not the process. They answer "undecided": nothing is wrong with the service, but
// readers of the other findings, or of none, should know.

const (
	fewSamples  = 200 // CPU samples: a share of 10 % has an error of ±4.2 points at 95 %
	shortCPU    = 5.0 // seconds of a CPU profile; a ticker, a batch or a collection may not happen in less
	shortGrowth = 5.0 // seconds between two snapshots
	cutShare    = 0.10
	namelessMax = 0.10
	staleAfter  = 180 // seconds: the runtime collects every two minutes at the latest (forcegcperiod, runtime/proc.go)
)

func evidenceFewSamples() Detector {
	return Detector{
		ID: "EV001", Kind: "evidence-few-samples", Title: "The CPU profile has few samples",
		Text: `Shares estimated from n samples have an error: 10 % of 200 is 5.8 to 14.2 %. Reported when a CPU profile
of a process that uses a quarter of a core or more has fewer than 200 samples, not counting idle marking; a process
that uses less has little to gain. Findings made in spite of that were significant enough; others may have been missed.
A longer profile, or one taken under load, settles it.`,
		Needs: needCPU("samples cannot be counted"),
		Run: func(_ context.Context, r *Reading) Answer {
			v := r.cpu()
			if v == nil || v.samples >= fewSamples || v.level.known && v.level.cores < lightCores && !v.level.tight() {
				return Answer{}
			}
			return undecided(fmt.Sprintf("the CPU profile %s has %s samples: shares below 10 %% are guesses, and the "+
				"others have an error of a few points",
				v.set.Name, count(v.samples)), captureCPU)
		},
	}
}

func evidenceTruncated() Detector {
	return Detector{
		ID: "EV002", Kind: "evidence-truncated", Title: "Stacks have lost their outer frames",
		Text: `The runtime records 64 frames of a stack in CPU profiles and 128 in others (32 before Go 1.23), and drops
the outer ones, so the caller is lost. Many can be restored from whole stacks, if those agree on the caller. Reported
when a tenth of a profile's weight or more remains cut, and when a file was cut: while reading, while copying, or by Go
itself, which ends a goroutine dump at 64 MiB.`,
		Needs: anyStacks(),
		Run: func(_ context.Context, r *Reading) Answer {
			var a Answer
			for _, s := range r.Sets {
				if s.Cut != "" {
					a.Undecided = append(a.Undecided, casefile.Undecided{Reason: fmt.Sprintf("%s is not complete: %s",
						s.Name, s.Cut), CaptureNext: wholeNext(s.Set)})
					continue
				}
				if share := cutWeight(s.Set); share >= cutShare {
					a.Undecided = append(a.Undecided, casefile.Undecided{
						Reason: fmt.Sprintf("%s of %s is in stacks that lost their outer frames: the findings "+
							"may not show the code that asked for that work", percent(share), s.Name),
						CaptureNext: "GODEBUG=profstackdepth=512 (Go 1.23 and later, for all but CPU profiles), then " +
							"capture again; for CPU profiles only less recursion helps"})
				}
			}
			return a
		},
	}
}

// wholeNext is how to get complete evidence instead of truncated evidence: a profile counts the goroutines that a dump
// prints one by one.
func wholeNext(s *stacks.Set) string {
	if s.Goroutines != nil {
		return captureGoroutine
	}
	return "give a smaller capture"
}

// anyStacks is met by any evidence that consists of stacks.
func anyStacks() []Need {
	return []Need{{Kinds: []string{casefile.CPU, casefile.Heap, casefile.Allocs, casefile.Goroutine, casefile.Mutex,
		casefile.Block, stacks.GoroutineLeak, stacks.Fgprof},
		Reason: "no profile at all", Capture: captureCPU}}
}

// cutWeight is the share of a set's weight in stacks that are truncated.
func cutWeight(s *stacks.Set) float64 {
	i := mainValue(s)
	if i < 0 || s.Goroutines != nil {
		return 0
	}
	w := stacks.ByValue(i)
	if all := float64(s.Total(w)); all > 0 {
		return float64(s.CutWeight(w)) / all
	}
	return 0
}

func evidenceStaleHeap() Detector {
	return Detector{
		ID: "EV003", Kind: "evidence-stale-heap", Title: "The heap profile is older than it looks",
		Text: `A heap profile shows what was live at the end of the last finished collection, not now. Reported when
the last collection was more than three minutes ago, when there was none, and when the vitals show a heap twice as
large as the profile and no collection. The runtime collects at least every two minutes, so this is rare in a service,
and common in a program that has just started.`,
		Needs: needHeap("there is no heap profile that could be old"),
		Run:   runStaleHeap,
	}
}

func runStaleHeap(_ context.Context, r *Reading) Answer {
	h := r.heap()
	if h == nil {
		return Answer{}
	}
	if last, ok := h.set.Stats["LastGC"]; ok && !h.set.Taken.IsZero() {
		age := float64(h.set.Taken.UnixNano())/1e9 - last/1e9
		if last > 0 && age > staleAfter || last == 0 && h.set.Stats["NumGC"] == 0 {
			return undecided(fmt.Sprintf("the heap profile %s shows the heap of the last collection, which was %s ago",
				h.set.Name, ago(last, age)), captureHeapNow)
		}
	}
	rate, ok1 := r.Mean(vitals.GCRate)
	now, n := r.MeanNear(vitals.HeapAlloc, h.set)
	if ok1 && rate == 0 && n > 0 && now > 2*h.liveBytes+staleHeap && len(r.Vitals) >= 30 {
		return undecided(fmt.Sprintf("the heap has %s, the profile %s shows %s: no collection ran while the vitals "+
			"were taken, so the profile shows an earlier moment", size(now), h.set.Name, size(h.liveBytes)),
			captureHeapNow)
	}
	return Answer{}
}

// staleHeap is how much more than twice the profile the heap must be: small heaps wait for 4 MiB in any case.
const staleHeap = 16 << 20

func ago(last, age float64) string {
	if last == 0 {
		return "never"
	}
	return seconds(age)
}

func evidenceShort() Detector {
	return Detector{
		ID: "EV004", Kind: "evidence-short", Title: "The evidence spans little time",
		Text: `A profile of one second does not show work that runs every few seconds. Reported for CPU profiles below
5 s in all, if the process is not idle, and for two heap or goroutine captures less than 5 s apart: growth needs time.
A collection of a large heap, a batch or a ten-second ticker falls into a short profile by chance, and then looks like
all there is; or it is missing.`,
		Needs: anyStacks(),
		Run: func(_ context.Context, r *Reading) Answer {
			if v := r.cpu(); v != nil && v.set.Seconds > 0 && v.set.Seconds < shortCPU && !v.level.idle() &&
				!v.level.bench {
				return undecided(fmt.Sprintf("the CPU profile %s spans %s: it misses work that runs less often",
					v.set.Name, seconds(v.set.Seconds)), captureCPU)
			}
			if g, ok := r.Growth(); ok && g.Seconds < shortGrowth {
				return undecided(fmt.Sprintf("the heap profiles are %s apart: growth does not show in so little time",
					seconds(g.Seconds)), captureTwoHeaps)
			}
			if m := r.Moments(); len(m) > 1 && m[len(m)-1].Taken.Sub(m[0].Taken).Seconds() < shortGrowth {
				return undecided(fmt.Sprintf("the goroutine captures are %s apart: growth hardly shows in so "+
					"little time",
					seconds(m[len(m)-1].Taken.Sub(m[0].Taken).Seconds())), captureTwoGo)
			}
			return Answer{}
		},
	}
}

func evidenceSymbols() Detector {
	return Detector{
		ID: "EV005", Kind: "evidence-symbols", Title: "Functions have no names",
		Text: `A Go profile names its functions itself, except those of C code and those recorded by other tools.
Reported when a tenth of a profile's weight or more is in stacks without any name, or with an address at the leaf: the
code that takes that time cannot be named. go tool pprof finds names with the binary; Casebook reads the profile alone.
Goroutines of the runtime have no stack, and do not count.`,
		Needs: anyStacks(),
		Run: func(_ context.Context, r *Reading) Answer {
			var a Answer
			for _, s := range r.Sets {
				if share := namelessWeight(s.Set); share >= namelessMax {
					a.Undecided = append(a.Undecided, casefile.Undecided{
						Reason: fmt.Sprintf("%s of %s is in functions without a name (C code, or a stripped binary "+
							"of another language)", percent(share), s.Name),
						CaptureNext: "go tool pprof -proto BINARY PROFILE > named.pb.gz (it finds the names in the " +
							"binary), then diagnose named.pb.gz"})
				}
			}
			return a
		},
	}
}

// namelessWeight is the share of a set's weight whose leaf has no name.
func namelessWeight(s *stacks.Set) float64 {
	i := mainValue(s)
	if i < 0 || s.Kind == casefile.Goroutine || s.Kind == casefile.ThreadCreate {
		return 0 // the runtime's own have no stack in a profile
	}
	w := stacks.ByValue(i)
	all, nameless := 0.0, 0.0
	for k := range s.Samples {
		v := float64(max(w(&s.Samples[k]), 0))
		all += v
		if stack := s.Samples[k].Stack; len(stack) == 0 || stacks.IsNameless(s.Table.Func(stack[0]).Name) {
			nameless += v
		}
	}
	return nameless / max(all, 1)
}
