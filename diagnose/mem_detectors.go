package diagnose

import (
	"context"
	"strings"

	"github.com/gocasebook/casebook/casefile"
)

// runtimeDetectors lists the detectors of memory, the collector, goroutines, locks, channels, connections, and of the
// evidence itself.
func runtimeDetectors() []Detector {
	all := []Detector{
		gcAssist(), gcFrequency(), gcDeathSpiral(), gcForced(), gcFinalizers(), gcBallast(), allocProfiler(),
		memLeak(), memGiant(), memMapNeverShrinks(), memStacks(), memOffHeap(), memFragmentation(), memSubsliceRetained(),
		goroutineLeak(), goroutineStuck(), goroutineDeadlock(), threadSurge(), timerLeak(), connectionLeak(),
		lockRWMutex(), lockSyncMap(), lockHeldIO(), chanBottleneck(), netNoKeepAlive(), netDNSTLS(), netRoundTrips(),
		evidenceFewSamples(), evidenceTruncated(), evidenceStaleHeap(), evidenceShort(), evidenceSymbols(),
	}
	for i := range all {
		all[i].Run = placed(all[i].Run)
	}
	return all
}

// placed makes a finding without a place undecided: some of these kinds are based on numbers of the whole process, and
// only a profile shows where to change something.
func placed(run func(context.Context, *Reading) Answer) func(context.Context, *Reading) Answer {
	return func(ctx context.Context, r *Reading) Answer {
		a := run(ctx, r)
		var kept []casefile.Finding
		for _, f := range a.Findings {
			switch {
			case f.Score < worthKnowing:
			case len(f.Where) > 0:
				kept = append(kept, f)
			default:
				a.Undecided = append(a.Undecided, casefile.Undecided{
					Reason: strings.TrimSuffix(f.Summary, ".") + ": this evidence does not show where that " +
						"comes from",
					CaptureNext: captureCPU + "; " + captureHeap})
			}
		}
		a.Findings = kept
		return a
	}
}

func needHeap(why string) []Need {
	return []Need{{Kinds: []string{casefile.Heap, casefile.Allocs}, Reason: "no heap profile: " + why, Capture: captureHeap}}
}

func needCPU(why string) []Need {
	return []Need{{Kinds: []string{casefile.CPU}, Reason: "no CPU profile: " + why, Capture: captureCPU}}
}

func needGoroutines(kinds ...string) []Need {
	return []Need{{Kinds: append(kinds, casefile.Goroutine), Reason: "no goroutine profile or dump", Capture: captureGoroutine}}
}

// More commands that get evidence.
const (
	captureDump = "curl -fo goroutines.txt 'http://HOST/debug/pprof/goroutine?debug=2' (below 1,000 goroutines; " +
		"it stops the program for up to 0.2 s at 10,000)"
	captureLaterHeap = "curl -fo heap1.pb.gz 'http://HOST/debug/pprof/heap'; sleep 300; curl -fo heap2.pb.gz " +
		"'http://HOST/debug/pprof/heap' under the same load; casebook diagnose heap1.pb.gz heap2.pb.gz: a store that " +
		"fills up has stopped growing, a leak has not"
	captureTwoCollected = "curl -fo heap1.pb.gz 'http://HOST/debug/pprof/heap?gc=1'; sleep 60; curl -fo heap2.pb.gz 'http://HOST/debug/pprof/heap?gc=1' (each runs a collection first); casebook diagnose heap1.pb.gz heap2.pb.gz"
	captureTimes        = "curl -fo /dev/null 'http://HOST/debug/pprof/heap?gc=1' (a collection records when " +
		"goroutines began to wait); sleep 70; curl -fo goroutines.txt 'http://HOST/debug/pprof/goroutine?debug=2'"
	captureTwoGo = "curl -fo g1.pb.gz 'http://HOST/debug/pprof/goroutine'; sleep 60; curl -fo g2.pb.gz " +
		"'http://HOST/debug/pprof/goroutine'; casebook diagnose g1.pb.gz g2.pb.gz"
	captureNumbers = "curl -fo heap.txt 'http://HOST/debug/pprof/heap?debug=1' (its end has the runtime's numbers)"
	captureWatch   = "casebook watch http://HOST/debug/pprof/ for five minutes, or casebook capture, which takes the " +
		"vitals too"
)

func doChange(title, text, price string) casefile.Remedy {
	return casefile.Remedy{Kind: casefile.Change, Title: title, Text: text, Price: price}
}

func setValue(title, text, price string) casefile.Remedy {
	return casefile.Remedy{Kind: casefile.Value, Title: title, Text: text, Price: price}
}

func takePackage(title, text, price string) casefile.Remedy {
	return casefile.Remedy{Kind: casefile.Package, Title: title, Text: text, Price: price}
}
