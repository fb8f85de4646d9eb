package diagnose_test

import (
	"bytes"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/google/pprof/profile"

	"github.com/gocasebook/casebook/casefile"
	"github.com/gocasebook/casebook/diagnose"
	"github.com/gocasebook/casebook/diagnose/stacks"
	"github.com/gocasebook/casebook/vitals"
)

// A heapLine is one line of a heap profile: objects and bytes, live and in all.
type heapLine struct {
	stack       string // the leaf first; "name:line"
	live, bytes int64
	made        int64 // objects in all; 0: as many as live
}

// liveHeap is a heap profile at the default rate.
func liveHeap(t *testing.T, lines ...heapLine) []byte {
	t.Helper()
	p := &profile.Profile{
		SampleType: []*profile.ValueType{{Type: "alloc_objects", Unit: "count"}, {Type: "alloc_space", Unit: "bytes"},
			{Type: "inuse_objects", Unit: "count"}, {Type: "inuse_space", Unit: "bytes"}},
		PeriodType: &profile.ValueType{Type: "space", Unit: "bytes"}, Period: stacks.DefaultRate,
	}
	locations := make(map[string]*profile.Location)
	for _, a := range lines {
		made := max(a.made, a.live)
		each := a.bytes / max(a.live, 1)
		if a.live == 0 {
			each = a.bytes / max(made, 1)
			a.bytes = 0
		}
		s := &profile.Sample{Value: []int64{made, made * each, a.live, a.bytes}}
		for _, f := range strings.Fields(a.stack) {
			if locations[f] == nil {
				name, line, _ := strings.Cut(f, ":")
				var n int64
				fmt.Sscan(line, &n)
				fn := &profile.Function{ID: uint64(len(locations) + 1), Name: name, Filename: goFile(name)}
				locations[f] = &profile.Location{ID: fn.ID, Line: []profile.Line{{Function: fn, Line: n}}}
				p.Function, p.Location = append(p.Function, fn), append(p.Location, locations[f])
			}
			s.Location = append(s.Location, locations[f])
		}
		p.Sample = append(p.Sample, s)
	}
	var b bytes.Buffer
	if err := p.Write(&b); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

const (
	mib      = 1 << 20
	mapStack = "internal/runtime/maps.newarray internal/runtime/maps.(*table).rehash runtime.mapassign_faststr " +
		"main.(*Sessions).add:20 main.serve:9"
)

// with adds evidence and limits.
func with(in diagnose.Input, more ...diagnose.Evidence) diagnose.Input {
	in.Evidence = append(in.Evidence, more...)
	return in
}

func flatHistory(t *testing.T, values map[vitals.ID]float64) diagnose.Evidence {
	t.Helper()
	fs := make(map[vitals.ID]func(int) float64)
	for id, v := range values {
		fs[id] = constant(v)
	}
	return history(t, noon.Add(20*time.Second), fs)
}

// TestMemory: what heap profiles and vitals show.
func TestMemory(t *testing.T) {
	base := heapLine{"main.load:3 main.main:9", 100_000, 40 * mib, 0}
	kept := func(n, size int64) heapLine {
		return heapLine{"main.(*Audit).remember:12 main.serve:4", n, n * size, 0}
	}
	grows := func(seconds int, mibs int64) diagnose.Input {
		return apart(seconds, liveHeap(t, base, kept(1000, 4096)), liveHeap(t, base, kept(1000+mibs*256, 4096)))
	}
	read := func(n, made int64) heapLine {
		return heapLine{"io.ReadAll main.(*Feed).load:8 main.serve:4", n, n * 64 << 10, made}
	}
	logs := func(live, mibs int64) heapLine {
		return heapLine{"main.(*Log).add:7 main.main:9", live, mibs * mib, 1}
	}
	busyCPU := cpuProfile(t, 10, map[string]int64{gcStack: 500, workStack: 500})
	tests := []struct {
		name      string
		in        diagnose.Input
		kind      string
		low, high int
	}{
		{"24 MiB more in 20 s may be a cache that fills", grows(20, 24), "mem-leak", 25, capNotice},
		{"in 70 s", grows(70, 24), "mem-leak", 50, capUnsure},
		{"in 400 s", grows(400, 240), "mem-leak", 75, 100},
		{"a cache whose entries change", apart(70, liveHeap(t, base,
			heapLine{"main.put:3 main.serve:4", 10_000, 40 * mib, 100_000}),
			liveHeap(t, base, heapLine{"main.put:3 main.serve:4", 12_000, 48 * mib, 1_000_000})), "mem-leak", 0, 0},
		{"the same growth where nothing goes", apart(70,
			liveHeap(t, base, heapLine{"main.put:3 main.serve:4", 10_000, 40 * mib, 10_000}),
			liveHeap(t, base, heapLine{"main.put:3 main.serve:4", 12_000, 48 * mib, 12_000})), "mem-leak", 25,
			capUnsure},
		{"24 MiB more in 20 s, the first profile of long before",
			with(grows(20, 24), history(t, noon, map[vitals.ID]func(int) float64{vitals.GCRate: constant(0)})),
			"mem-leak", 0, 0},
		{"24 MiB more in 20 s, collected just before",
			with(grows(20, 24), history(t, noon, map[vitals.ID]func(int) float64{vitals.GCRate: constant(1)})),
			"mem-leak", 25, capNotice},
		{"3 MiB more", grows(400, 3), "mem-leak", 0, 0},
		{"less than before", apart(400, liveHeap(t, base, kept(9000, 4096)), liveHeap(t, base, kept(1000, 4096))),
			"mem-leak", 0, 0},
		{"it stopped", apart(200, liveHeap(t, base, kept(1000, 4096)), liveHeap(t, base, kept(70_000, 4096)),
			liveHeap(t, base, kept(70_000, 4096))), "mem-leak", 0, 0},
		{"everything grows a little", apart(400, liveHeap(t, base),
			liveHeap(t, heapLine{"main.a:1", 1000, 2 * mib, 0}, heapLine{"main.b:1", 1000, 2 * mib, 0},
				heapLine{"main.c:1", 1000, 2 * mib, 0}, heapLine{"main.d:1", 1000, 2 * mib, 0}, base)), "mem-leak", 0,
			0},

		{"a slice that grew to 300 MiB", apart(0, liveHeap(t, base,
			heapLine{"runtime.growslice main.(*Log).add:7 main.main:9", 1, 300 * mib, 0})), "mem-giant", 50, capUnsure},
		{"caught while append copies", apart(0, liveHeap(t, base, logs(1, 320), logs(1, 200), logs(0, 128), logs(0, 96),
			logs(0, 64), logs(0, 40))), "mem-giant", 50, capUnsure},
		{"two tables of different sizes", apart(0, liveHeap(t, base, logs(1, 320), logs(1, 200))), "mem-giant", 0, 0},
		{"whose trail shows", apart(0, liveHeap(t, base, heapLine{"main.(*Log).add:7 main.main:9", 1, 300 * mib, 0},
			heapLine{"main.(*Log).add:7 main.main:9", 0, 240 * mib, 1},
			heapLine{"main.(*Log).add:7 main.main:9", 0, 190 * mib, 1},
			heapLine{"main.(*Log).add:7 main.main:9", 0, 150 * mib, 1})), "mem-giant", 50, capUnsure},
		{"a table made in its size", apart(0, liveHeap(t, base,
			heapLine{"main.newTable:7 main.main:9", 1, 300 * mib, 0})), "mem-giant", 0, 0},
		{"uploads of 20 MiB", apart(30, liveHeap(t, base),
			liveHeap(t, base, heapLine{"io.ReadAll main.upload:7 main.serve:9", 0, 60 * 20 * mib, 60})), "mem-giant",
			50, capUnsure},

		{"as a profile of Go shows it", apart(0, liveHeap(t, heapLine{"other.load:1", 100_000, 40 * mib, 0},
			heapLine{"main.(*Sessions).add:20 main.serve:9", 800, 80 * mib, 1599},
			heapLine{"fmt.Sprint main.newUser:5 main.serve:9", 200, 200 * 64, 2_000_000})), "mem-map-never-shrinks", 25,
			capNotice},
		{"and a pool of buffers", apart(0, liveHeap(t, heapLine{"other.load:1", 100_000, 40 * mib, 0},
			heapLine{"main.(*Pool).get:20 main.serve:9", 800, 80 * mib, 0},
			heapLine{"fmt.Sprint main.newUser:5 main.serve:9", 200, 200 * 64, 2_000_000})), "mem-map-never-shrinks", 0,
			0},
		{"beside objects of other things in its package",
			apart(0, liveHeap(t, base, heapLine{mapStack, 800, 400 * mib, 0},
				heapLine{"main.newUser:5 main.serve:9", 200, 200 * 64, 2_000_000})), "mem-map-never-shrinks", 50,
			capUnsure},
		{"a map that was emptied", apart(0, liveHeap(t, heapLine{"other.load:1", 100_000, 40 * mib, 0},
			heapLine{mapStack, 800, 400 * mib, 0},
			heapLine{"main.newUser:5 main.serve:9", 200, 200 * 64, 2_000_000})), "mem-map-never-shrinks", 50,
			capUnsure},
		{"a map without pointers, of whose entries most have gone since", apart(300,
			liveHeap(t, heapLine{"other.load:1", 100_000, 40 * mib, 0}, heapLine{mapStack, 800, 80 * mib, 0},
				heapLine{"main.newUser:5 main.serve:9", 400_000, 400_000 * 64, 0}),
			liveHeap(t, heapLine{"other.load:1", 100_000, 40 * mib, 0}, heapLine{mapStack, 800, 80 * mib, 0},
				heapLine{"main.newUser:5 main.serve:9", 90_000, 90_000 * 64, 400_000})), "mem-map-never-shrinks", 25, capUnsure},
		{"a map that is full", apart(0, liveHeap(t, heapLine{mapStack, 800, 400 * mib, 0},
			heapLine{"main.newUser:5 main.serve:9", 4_000_000, 256 * mib, 0})), "mem-map-never-shrinks", 0, 0},

		{"whole bodies", apart(0, liveHeap(t, base, read(4000, 0))), "mem-subslice-retained", 25, capNotice},
		{"more and more of them", apart(30, liveHeap(t, base, read(3000, 0)), liveHeap(t, base, read(4000, 0))),
			"mem-subslice-retained", 50, capUnsure},
		{"of requests under way", apart(0, liveHeap(t, base, read(30, 100_000))), "mem-subslice-retained", 0, 0},

		{"contexts that are not cancelled", apart(0, liveHeap(t, base,
			heapLine{"time.newTimer time.AfterFunc context.WithDeadlineCause context.WithTimeout main.(*Jobs).run:9 " +
				"main.serve:4",
				600_000, 600_000 * 240, 0})), "timer-leak", 40, capUnsure},
		{"a few thousand", apart(0, liveHeap(t, base,
			heapLine{"time.newTimer time.AfterFunc main.(*Jobs).run:9 main.serve:4", 5000, 5000 * 240, 0})),
			"timer-leak", 0, 0},

		{"a ballast that was never touched", with(apart(0, liveHeap(t, base, heapLine{"main.main:9", 1, 500 * mib, 0})),
			flatHistory(t, map[vitals.ID]float64{vitals.RSS: 80 * mib})), "gc-ballast", 25, capNotice},
		{"and one that is used", with(apart(0, liveHeap(t, base, heapLine{"main.main:9", 1, 500 * mib, 0})),
			flatHistory(t, map[vitals.ID]float64{vitals.RSS: 700 * mib})), "gc-ballast", 0, 0},
		{"one beside garbage that fills the room it makes",
			with(apart(0, liveHeap(t, base, heapLine{"main.main:9", 1, 500 * mib, 0})),
				flatHistory(t, map[vitals.ID]float64{vitals.RSS: 560 * mib, vitals.GoMemory: 1000 * mib})),
			"gc-ballast",
			25, capNotice},
		{"one that is made far below main", with(apart(0,
			liveHeap(t, base, heapLine{"main.newCache:5 main.newServer:7 main.run:8 main.main:9", 1, 500 * mib, 0})),
			flatHistory(t, map[vitals.ID]float64{vitals.RSS: 80 * mib, vitals.GoMemory: 560 * mib})), "gc-ballast", 25,
			ballastUnsure},
		{"a table that is made far below main", apart(0,
			liveHeap(t, base, heapLine{"main.newCache:5 main.newServer:7 main.run:8 main.main:9", 1, 500 * mib, 0})),
			"gc-ballast", 0, 0},

		{"memory of C", with(apart(0, liveHeap(t, base)),
			cpuProfile(t, 10, map[string]int64{"runtime.cgocall main._Cfunc_resize main.thumb main.main": 50,
				workStack: 400}), flatHistory(t, map[vitals.ID]float64{vitals.RSS: 500 * mib,
				vitals.OffHeap: 400 * mib})),
			"mem-off-heap", 50, capUnsure},
		{"the binary", with(apart(0, liveHeap(t, base)),
			flatHistory(t, map[vitals.ID]float64{vitals.RSS: 60 * mib, vitals.OffHeap: 30 * mib})), "mem-off-heap", 0,
			0},

		{"stacks", with(apart(0, dumpOf(crowd{900, "select", "main.walk:4 main.walk:5 main.serve:9", ""})),
			flatHistory(t, map[vitals.ID]float64{vitals.Stacks: 300 * mib, vitals.GoMemory: 500 * mib})), "mem-stacks",
			74, 100},
		{"small stacks", with(apart(0, dumpOf(crowd{900, "select", "main.walk:4 main.serve:9", ""})),
			flatHistory(t, map[vitals.ID]float64{vitals.Stacks: 3 * mib, vitals.GoMemory: 9 * mib})), "mem-stacks", 0,
			0},

		{"a limit that leaves no room", with(apart(0,
			liveHeap(t, heapLine{"main.(*Cache).put:9 main.serve:4", 1_000_000, 140 * mib, 0})), busyCPU,
			flatHistory(t, map[vitals.ID]float64{vitals.HeapGoal: 150 * mib})), "gc-death-spiral", 75, 100},
		{"room enough", with(apart(0, liveHeap(t, heapLine{"main.(*Cache).put:9 main.serve:4", 1_000_000, 140 * mib,
			0})), busyCPU,
			flatHistory(t, map[vitals.ID]float64{vitals.HeapGoal: 280 * mib})), "gc-death-spiral", 0, 0},

		{"50 cycles a second beside 8 MiB", with(apart(0,
			liveHeap(t, heapLine{"main.load:3 main.main:9", 20_000, 8 * mib, 0},
				heapLine{"main.render:3 main.main:9", 0, 900 * mib, 900_000})), busyCPU,
			flatHistory(t, map[vitals.ID]float64{vitals.GCRate: 50})), "gc-frequency", 75, 100},
		{"2 a second", with(apart(0, liveHeap(t, heapLine{"main.load:3 main.main:9", 20_000, 8 * mib, 0})), busyCPU,
			flatHistory(t, map[vitals.ID]float64{vitals.GCRate: 2})), "gc-frequency", 0, 0},
		{"50 that cost nothing", with(apart(0, liveHeap(t, heapLine{"main.load:3 main.main:9", 20_000, 8 * mib, 0})),
			cpuProfile(t, 10, map[string]int64{gcStack: 20, workStack: 980}),
			flatHistory(t, map[vitals.ID]float64{vitals.GCRate: 50})), "gc-frequency", 0, 0},
	}
	for _, tt := range tests {
		t.Run(tt.kind+"/"+tt.name, func(t *testing.T) {
			if f, got := scoreOf(t, tt.in, tt.kind); got < tt.low || got > tt.high {
				t.Errorf("%s scores %d, want %d to %d (%s)", tt.kind, got, tt.low, tt.high, f.Summary)
			}
		})
	}
}

// Stacks of a CPU profile, the leaf first.
const (
	assistStack = "runtime.scanobject runtime.gcDrainN runtime.gcAssistAlloc1 runtime.systemstack " +
		"runtime.gcAssistAlloc runtime.mallocgc runtime.newobject main.render main.main"
	forcedStack = "runtime.sweepone runtime.GC runtime/debug.freeOSMemory runtime/debug.FreeOSMemory main.finish " +
		"main.main"
	finStack   = "runtime.(*mspan).ensureSwept runtime.addspecial runtime.SetFinalizer main.newBuffer main.main"
	rlockStack = "sync.(*RWMutex).RLock main.get main.main"
	wlockStack = "sync.(*RWMutex).Lock main.set main.main"
	storeStack = "internal/sync.(*HashTrieMap[...]).Swap sync.(*Map).Store main.touch main.main"
	loadStack  = "internal/sync.(*HashTrieMap[...]).Load sync.(*Map).Load main.find main.main"
	dialStack  = "internal/runtime/syscall.Syscall6 syscall.connect net.(*netFD).connect " +
		"net/http.(*Transport).dialConn net/http.(*Transport).dialConnFor"
	tlsStack  = "crypto/internal/fips140/nistec.p256Mul crypto/tls.(*Conn).clientHandshake main.connect main.main"
	growStack = "runtime.copystack runtime.newstack runtime.morestack main.walk main.main"
)

// TestBelowCalls: kinds whose CPU shows below a call of the runtime or the standard library.
func TestBelowCalls(t *testing.T) {
	for _, tt := range []struct {
		kind, stack string
		share       int64 // percent
		low, high   int
		at          string
	}{
		{"gc-assist", assistStack, 12, 50, 75, "main.render"}, {"gc-assist", assistStack, 3, 0, 0, ""},
		{"gc-forced", forcedStack, 20, 25, capUnsure, "main.finish"},
		{"gc-finalizers", finStack, 25, 75, 100, "main.newBuffer"}, {"gc-finalizers", finStack, 2, 0, 0, ""},
		{"lock-rwmutex", rlockStack, 30, capUnsure, capUnsure, "main.get"},
		{"lock-rwmutex", rlockStack, 15, capNotice, capNotice, "main.get"},
		{"lock-rwmutex", rlockStack, 3, 0, 0, ""},
		{"lock-rwmutex", wlockStack, 30, 0, 0, ""},
		{"lock-syncmap", storeStack, 30, 50, capUnsure, "main.touch"}, {"lock-syncmap", loadStack, 30, 0, 0, ""},
		{"net-no-keepalive", dialStack, 30, 50, capUnsure, ""}, {"net-no-keepalive", dialStack, 2, 0, 0, ""},
		{"net-dns-tls", tlsStack, 40, 75, 100, "main.connect"}, {"net-dns-tls", tlsStack, 5, 0, 0, ""},
		{"mem-stacks", growStack, 30, 75, 100, "main.walk"}, {"mem-stacks", growStack, 11, 0, 0, ""},
		{"mem-stacks", growStack, 15, 25, 50, "main.walk"},
	} {
		t.Run(fmt.Sprint(tt.kind, " ", tt.share), func(t *testing.T) {
			in := diagnose.Input{Evidence: []diagnose.Evidence{cpuProfile(t, 10,
				map[string]int64{tt.stack: 10 * tt.share, workStack: 1000 - 10*tt.share})}}
			f, got := scoreOf(t, in, tt.kind)
			if got < tt.low || got > tt.high || tt.at != "" && f.Where[0].Function != tt.at {
				t.Errorf("%s with %d %% of the CPU scores %d at %v, want %d to %d at %s", tt.kind, tt.share, got,
					f.Where, tt.low, tt.high, tt.at)
			}
		})
	}
}

// TestForcedCount: the runtime's counter of forced cycles between two captures.
func TestForcedCount(t *testing.T) {
	at := func(seconds, forced, all int) diagnose.Evidence {
		return diagnose.Evidence{Name: fmt.Sprint(seconds), Kind: casefile.Metrics,
			Taken: noon.Add(time.Duration(seconds) * time.Second),
			Data:  fmt.Appendf(nil, `{"memstats": {"NumGC": %d, "NumForcedGC": %d}}`, all, forced)}
	}
	cpu := cpuProfile(t, 10, map[string]int64{forcedStack: 100, gcStack: 200, workStack: 700})
	f, got := scoreOf(t, diagnose.Input{Evidence: []diagnose.Evidence{cpu, at(0, 5, 10), at(60, 95, 110)}}, "gc-forced")
	if got < 75 || !strings.Contains(f.Summary, "90 forced cycles a minute") {
		t.Errorf("90 forced of 100 cycles in a minute, 28 %% of the CPU: %d, %q; want 75 or more, with the count", got,
			f.Summary)
	}
}

// TestReadLocks: the lock that costs is named, and none that is written as often as read.
func TestReadLocks(t *testing.T) {
	const pooled = "sync.(*RWMutex).RLock example.com/m/intern.(*pool).Release example.com/m/scrape.run"
	for _, tt := range []struct {
		name  string
		ticks map[string]int64
		at    string // "": nothing is said
	}{
		{"readers", map[string]int64{rlockStack: 300, wlockStack: 20, workStack: 680}, "main.get"},
		{"writers as often", map[string]int64{rlockStack: 300, wlockStack: 350, workStack: 350}, ""},
		{"a dependency's own, beside one of the program's", map[string]int64{rlockStack: 10, pooled: 300, workStack: 690},
			"example.com/m/intern.(*pool).Release"},
	} {
		at := ""
		in := diagnose.Input{Evidence: []diagnose.Evidence{cpuProfile(t, 10, tt.ticks)}}
		if f, score := scoreOf(t, in, "lock-rwmutex"); score > 0 {
			at = f.Where[0].Function
		}
		if at != tt.at {
			t.Errorf("%s: %q is named, want %q", tt.name, at, tt.at)
		}
	}
}
