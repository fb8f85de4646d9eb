package report

import (
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/gocasebook/casebook/casefile"
	"github.com/gocasebook/casebook/vitals"
)

// tripped is when the sample case's rule tripped.
var tripped = time.Date(2026, 11, 21, 13, 25, 12, 0, time.UTC)

// sampleInput is a whole case: real profiles, handmade vitals, a diagnosis and a proof.
func sampleInput(t testing.TB) Input {
	t.Helper()
	in := Input{Case: sampleCase(), Vitals: sampleVitals(420, time.Second)}
	in.VitalsHeader.Absent = map[string]string{
		"throttled":        "the process has no CPU quota",
		"memory_limit":     "the process's cgroup has no memory limit",
		"memory_share":     "the process's cgroup has no memory limit",
		"open_files_share": "/proc/4711/limits: permission denied",
	}
	for _, e := range in.Case.Evidence {
		if !e.GoFormat {
			continue
		}
		data, err := os.ReadFile(filepath.Join("testdata/gateway", filepath.Base(e.File)))
		if err != nil {
			t.Fatal(err)
		}
		in.Profiles = append(in.Profiles, Profile{File: e.File, Kind: e.Kind, Phase: string(e.Phase), Data: data})
	}
	return in
}

// sampleVitals is a service that gets ill some 40 s before the trigger.
func sampleVitals(n int, every time.Duration) []vitals.Sample {
	start := tripped.Add(-time.Duration(n) * every * 2 / 3)
	var out []vitals.Sample
	for i := range n {
		s := vitals.NewSample(start.Add(time.Duration(i) * every))
		at := s.Time.Sub(tripped).Seconds()
		ill := 1 / (1 + math.Exp(-(at+38)/7)) // 0 healthy, 1 ill
		wave := math.Sin(at/3.1)*0.6 + math.Sin(at/0.9)*0.4
		tooth := math.Mod(at+1000, 14-9*ill) / (14 - 9*ill)
		live := (0.3 + 1.25*ill) * (1 << 30)
		s.Set(vitals.CPU, 0.62+0.98*ill+0.05*wave)
		s.Set(vitals.CPUShare, (0.62+0.98*ill+0.05*wave)/2)
		s.Set(vitals.GCCPU, 0.021+0.29*ill+0.006*wave)
		s.Set(vitals.GCRate, 0.07+0.13*ill)
		s.Set(vitals.GCPause, 90e-6+210e-6*ill*(1+wave/3))
		s.Set(vitals.HeapAlloc, live*(1+0.9*tooth))
		s.Set(vitals.HeapGoal, live*1.95)
		s.Set(vitals.HeapObjects, (4.1e6+29e6*ill)*(1+0.08*tooth))
		s.Set(vitals.AllocRate, (84+12*wave)*(1<<20))
		s.Set(vitals.AllocObjectRate, 1.1e6+1e5*wave)
		s.Set(vitals.GoMemory, live*2.05)
		s.Set(vitals.RSS, live*2.2)
		s.Set(vitals.OffHeap, live*0.15)
		s.Set(vitals.Stacks, (2+3*ill)*(1<<20))
		s.Set(vitals.Goroutines, math.Round(140+620*ill+30*wave))
		s.Set(vitals.Threads, 9)
		s.Set(vitals.OpenFiles, math.Round(88+210*ill+9*wave))
		s.Set(vitals.SchedLatencyP99, 180e-6+9e-3*ill*(1+wave/2))
		s.Set(vitals.MutexWait, 0.004+0.21*ill*(1+wave/3))
		s.Set(vitals.ProbeTime, 0.4e-3+7e-3*ill*(1+wave/2))
		out = append(out, s)
	}
	return out
}

func sampleCase() casefile.Case {
	sha := "9f2c4be1a7d0c3e58b6f1a2094d7e3c5b8a1f0e2d3c4b5a69788796a5b4c3d2e"
	file := func(name, kind string, phase casefile.Phase, after, seconds float64, bytes int64) casefile.Evidence {
		return casefile.Evidence{File: name, Kind: kind, Phase: phase, Seconds: seconds, Bytes: bytes, SHA256: sha,
			Taken: tripped.Add(time.Duration(after * float64(time.Second))), GoFormat: kind != casefile.Vitals}
	}
	return casefile.Case{
		Schema: 1, ID: "20261121T132512Z-gc-cpu-7f3a", Tool: "0.1.0", Opened: tripped,
		Closed: tripped.Add(14 * time.Second),
		Target: casefile.Target{
			Name: "phones", URL: "http://127.0.0.1:6060", PID: 4711, Started: tripped.Add(-9 * time.Minute),
			Build: casefile.Build{Path: "example.com/phones", Module: "example.com/phones", Version: "(devel)",
				Revision: "4be1a7d0c3e58b6f1a2094d7e3c5b8a1f0e2d3c4", GoVersion: "go1.26.8"},
			Limits: casefile.Limits{CPUs: 2, MemoryBytes: 6 << 30, OpenFiles: 65536},
		},
		Trigger: casefile.Trigger{Rule: "gc-cpu", Time: tripped, Text: "gc_cpu was 31.1 %, above 25 % for 5 s",
			Signal: "gc_cpu", Value: 0.311, Unit: "share"},
		Evidence: []casefile.Evidence{
			file("vitals.jsonl", casefile.Vitals, casefile.Before, -280, 420, 182_344),
			file("during/cpu.pb.gz", casefile.CPU, casefile.During, 0.4, 10, 34_095),
			file("during/heap.pb.gz", casefile.Heap, casefile.During, 10.6, 0, 8_760),
			file("during/goroutine.pb.gz", casefile.Goroutine, casefile.During, 10.8, 0, 2_168),
		},
		Missing: []casefile.Missing{{Kind: casefile.Mutex, Phase: casefile.During,
			Reason: "the profile is empty: the target has not called runtime.SetMutexProfileFraction"}},
		Diagnosis: sampleDiagnosis(),
		Proof:     sampleProof(),
		Opinions:  sampleOpinions(),
	}
}

// sampleOpinions are one that holds, with all that an opinion can have, and one that does not.
func sampleOpinions() []casefile.Opinion {
	return []casefile.Opinion{{
		ID: "O1", Author: "an agent", Given: tripped.Add(3 * time.Minute), Verdict: casefile.Supported,
		Where: []casefile.At{{Function: "github.com/bluele/gcache.(*LRUCache).set", Line: 54,
			File: "/root/go/pkg/mod/github.com/bluele/gcache@v0.0.2/lru.go"}, {Function: "main.(*gateway).lookup"}},
		Cause:  "`gcache` keeps every entry as an object of its own, in a list and in a map: 7.4 million of them.",
		Change: "Use a cache without pointers in `newGateway`.",
		Diff: "--- a/main.go\n+++ b/main.go\n@@ -62,3 +62,3 @@ func newGateway() *gateway {\n \tg := &gateway{}\n" +
			"-\tg.cache = gcache.New(5_000_000).LRU().Build()\n" +
			"+\tg.cache, _ = freelru.New[key, value](5_000_000, hash)\n" +
			" \treturn g\n",
		Rests: []string{"H1", "C2"}, Gain: &casefile.Claim{Resource: "cpu", Low: 0.15, High: 0.25},
		Reasons: []casefile.Reason{
			{Verdict: casefile.Supported, About: "place", Text: "H1 has it, with 41 % of what is held",
				Facts: []string{"H1"}},
			{Verdict: casefile.Supported, About: "gain", Text: "C2 allows up to 26 % of the CPU",
				Facts: []string{"C2"}},
		},
		Proof: &casefile.OpinionProof{Taken: tripped.Add(5 * time.Minute), Verdict: casefile.Better,
			Summary: "gc_cpu fell from 30.4 % to 1.2 %"},
	}, {
		ID: "O2", Author: "Ann", Given: tripped.Add(20 * time.Minute), Verdict: casefile.Contradicted,
		Where: []casefile.At{{File: "main.go", Line: 340}},
		Cause: strings.Repeat("The lock is held while the log is written. ", 40),
		Reasons: []casefile.Reason{
			{Verdict: casefile.Contradicted, About: "cure", Text: "W2 waits for memory, and for no lock",
				Facts: []string{"W2"}},
			{Verdict: casefile.Unsupported, About: "place", Text: "no stack of the evidence has main.go:340"},
		},
	}}
}

func sampleDiagnosis() casefile.Diagnosis {
	const lru = "/root/go/pkg/mod/github.com/bluele/gcache@v0.0.2/lru.go"
	return casefile.Diagnosis{
		Findings: []casefile.Finding{{
			ID: "GC003", Kind: "gc-pointer-heap", Title: "The cache's entries are small objects full of pointers",
			Score: 88, Confidence: 0.93,
			Summary: "7.4 million live objects of 67 bytes on average hold 494 MiB, and the collector visits every " +
				"one of them: 62 % were allocated in github.com/bluele/gcache.",
			Explanation: "The collector marks the heap by following pointers, object by object. What it costs grows " +
				"with the number of objects and pointers, not with their bytes: a million entries in one block " +
				"without pointers cost it nothing.",
			Where: []casefile.Frame{
				{Function: "github.com/bluele/gcache.(*LRUCache).set", File: lru, Line: 54, Share: 0.412,
					Role: "allocates"},
				{Function: "container/list.(*List).insertValue", File: "/usr/local/go/src/container/list/list.go",
					Line: 104, Share: 0.131, Role: "allocates"},
				{Function: "main.(*gateway).lookup", File: "/srv/phones/main.go", Line: 31, Share: 0.274,
					Role: "called from"},
			},
			Impact: casefile.Impact{Resource: "cpu", Share: 0.29, Text: "29 % of the CPU the process used",
				Gain: casefile.Gain{Low: 0.18, High: 0.26,
					Arithmetic: "62–90 % of the 29 % that marking takes: the share of objects that would go away"}},
			Remedies: []casefile.Remedy{
				{Kind: casefile.Package, Title: "Keep the entries in pointer-free memory",
					Text: "Replace `gcache.New(n).LRU()` at main.go:62 with `github.com/elastic/go-freelru` and " +
						"fixed-size keys and values: 60 objects instead of 35 million.",
					Price: "Keys and values must have a fixed size; a phone number fits in 16 bytes."},
				{Kind: casefile.Value, Title: "Collect less often", Text: "Set `GOGC=300` and `GOMEMLIMIT=5400MiB`.",
					Price: "About twice the memory; a cycle costs as much as before."},
			},
			Evidence: []casefile.Basis{
				{File: "during/heap.pb.gz", Kind: casefile.Heap, Text: "158 allocation sites, 705 MB in use"},
				{File: "during/cpu.pb.gz", Kind: casefile.CPU, Text: "1,038 samples over 10 s"},
			},
		}, {
			ID: "GC001", Kind: "gc-cpu", Title: "The garbage collector takes 31 % of the CPU", Score: 79,
			Confidence: 0.9,
			Summary: "Background marking took 27 % and assists 4 % of the CPU samples; a healthy service of this " +
				"kind stays below 5 %.",
			Explanation: "While it marks, the collector takes a quarter of the cores, and goroutines that allocate " +
				"must help it: requests wait.",
			Where: []casefile.Frame{
				{Function: "runtime.gcBgMarkWorker", File: "/usr/local/go/src/runtime/mgc.go", Line: 1454, Share: 0.27,
					Role: "marks"},
				{Function: "runtime.gcAssistAlloc", File: "/usr/local/go/src/runtime/mgcmark.go", Line: 535,
					Share: 0.04, Role: "assists"},
			},
			Impact: casefile.Impact{Resource: "cpu", Share: 0.31, Text: "31 % of the CPU the process used"},
			Evidence: []casefile.Basis{{File: "during/cpu.pb.gz", Kind: casefile.CPU,
				Text: "1,038 samples over 10 s"}},
			CausedBy: []string{"GC003"},
		}, {
			ID: "ALLOC001", Kind: "alloc-site", Title: "Parsing the query allocates a map for every request", Score: 34,
			Confidence: 0.55,
			Summary:    "`net/url.parseQuery` made 4.3 % of the live bytes and 9 % of the garbage.",
			Where: []casefile.Frame{{Function: "net/url.parseQuery", File: "/usr/local/go/src/net/url/url.go",
				Line: 990, Share: 0.09, Role: "allocates"}},
			Impact: casefile.Impact{Resource: "memory", Share: 0.09, Text: "9 % of the bytes allocated"},
			Remedies: []casefile.Remedy{{Kind: casefile.Change, Title: "Parse the query once a request",
				Text: "Keep the result of r.URL.Query() in a variable."}},
			Evidence: []casefile.Basis{{File: "during/heap.pb.gz", Kind: casefile.Heap, Text: "alloc_space, 2.1 GB"}},
		}},
		Undecided: []casefile.Undecided{{ID: "LOCK001", Kind: "lock-contention",
			Reason:      "mutex_wait is 0.21 cores, but the case holds no mutex profile that says where.",
			CaptureNext: "curl -o mutex.pb.gz 'http://127.0.0.1:6060/debug/pprof/mutex?seconds=10'"}},
	}
}

func sampleProof() *casefile.Proof {
	fig := func(name, unit string, b, a float64, noise float64, v casefile.Verdict, p float64) casefile.Figure {
		stat := func(x float64) casefile.Stat {
			return casefile.Stat{Value: x, Low: x * (1 - noise), High: x * (1 + noise), N: 6}
		}
		return casefile.Figure{Name: name, Unit: unit, Better: "lower", Before: stat(b), After: stat(a), Verdict: v,
			P: p}
	}
	key := fig("gc_cpu", "share", 0.304, 0.012, 0.06, casefile.Better, 0.002)
	key.Key = true
	throttled := casefile.Figure{Name: "throttled", Unit: "share", Better: "lower", Verdict: casefile.CannotTell, P: 1,
		Note: "the process has no CPU quota"}
	return &casefile.Proof{
		Taken: tripped.Add(5 * time.Minute), Verdict: casefile.Better,
		Summary: "gc_cpu fell from 30.4 % to 1.2 %, p99 from 84 ms to 43 ms under the same load.",
		Method: "Six rounds of each side, interleaved, 20 s each after 5 s of warm-up; medians with 95 % intervals, " +
			"Mann-Whitney U test.",
		Load:    "1,500 req/s, open model, 20 s each",
		Machine: "2 × Intel Xeon, Linux 6.1, Go 1.26.8",
		Before:  casefile.Variant{Label: "gcache", Command: "phones -cache=gcache -cache-size=5000000"},
		After:   casefile.Variant{Label: "freelru", Command: "phones -cache=freelru -cache-size=5000000"},
		Figures: []casefile.Figure{
			fig("p50", "seconds", 0.0061, 0.0052, 0.03, casefile.Better, 0.004),
			fig("p99", "seconds", 0.0841, 0.0432, 0.12, casefile.Better, 0.002),
			fig("p99.9", "seconds", 0.312, 0.287, 0.3, casefile.CannotTell, 0.31),
			fig("cpu", "cores", 1.62, 0.94, 0.02, casefile.Better, 0.002),
			key,
			fig("heap_objects", "count", 35.1e6, 81_204, 0.001, casefile.Better, 0.002),
			fig("rss", "bytes", 2.9e9, 3.4e9, 0.01, casefile.Worse, 0.002),
			fig("errors", "share", 0, 0, 0, casefile.Same, 1),
			throttled,
		},
	}
}
