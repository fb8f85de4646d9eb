package heat

import (
	"bytes"
	"iter"
	"math"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/pprof/profile"

	"github.com/gocasebook/casebook/casefile"
	"github.com/gocasebook/casebook/diagnose"
	"github.com/gocasebook/casebook/diagnose/stacks"
	"github.com/gocasebook/casebook/internal/checkout"
)

// A stack is a sample of a made-up profile: frames "function file:line" from the leaf, and its values.
type stack struct {
	frames []string
	values []int64
}

// profileOf makes a profile; types are "type unit".
func profileOf(t *testing.T, at time.Time, types []string, samples ...stack) []byte {
	t.Helper()
	p := &profile.Profile{TimeNanos: at.UnixNano()}
	for _, s := range types {
		typ, unit, _ := strings.Cut(s, " ")
		p.SampleType = append(p.SampleType, &profile.ValueType{Type: typ, Unit: unit})
	}
	p.PeriodType, p.Period = p.SampleType[0], 1
	funcs, locs := map[string]*profile.Function{}, map[string]*profile.Location{}
	for _, s := range samples {
		sample := &profile.Sample{Value: s.values}
		for _, frame := range s.frames {
			if locs[frame] == nil {
				name, place, _ := strings.Cut(frame, " ")
				file, line, _ := strings.Cut(place, ":")
				if funcs[name] == nil {
					funcs[name] = &profile.Function{ID: uint64(len(funcs) + 1), Name: name, SystemName: name,
						Filename: file, StartLine: 10}
					p.Function = append(p.Function, funcs[name])
				}
				l := &profile.Location{ID: uint64(len(locs) + 1), Line: []profile.Line{{Function: funcs[name],
					Line: number(t, line)}}}
				locs[frame], p.Location = l, append(p.Location, l)
			}
			sample.Location = append(sample.Location, locs[frame])
		}
		p.Sample = append(p.Sample, sample)
	}
	var b bytes.Buffer
	if err := p.Write(&b); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

func number(t *testing.T, s string) (n int64) {
	t.Helper()
	for _, r := range s {
		if r < '0' || r > '9' {
			t.Fatalf("%q is no line", s)
		}
		n = 10*n + int64(r-'0')
	}
	return n
}

// Frames of a made-up program.
const (
	root   = "runtime.goexit runtime/asm.s:1"
	serve  = "example.com/shop.serve /shop/a.go:12"
	parse  = "example.com/shop.parse /shop/a.go:40"
	again  = "example.com/shop.parse /shop/a.go:42"
	alloc  = "runtime.mallocgc runtime/malloc.go:9"
	worker = "example.com/shop.worker /shop/b.go:7"
	unlock = "sync.(*Mutex).Unlock sync/mutex.go:3"
	recv   = "runtime.chanrecv1 runtime/chan.go:3"
)

var (
	cpu    = []string{"samples count", "cpu nanoseconds"}
	heap   = []string{"alloc_objects count", "alloc_space bytes", "inuse_objects count", "inuse_space bytes"}
	waited = []string{"contentions count", "delay nanoseconds"}
)

// mapOf reads profiles as evidence of a kind each.
func mapOf(t *testing.T, locate Locate, evidence ...diagnose.Evidence) *Map {
	t.Helper()
	sets, problems := Read(diagnose.Input{Build: casefile.Build{Module: "example.com/shop"}, Evidence: evidence})
	if len(problems) > 0 {
		t.Fatal(problems[0])
	}
	return Of(sets, locate)
}

func ev(name, kind string, data []byte) diagnose.Evidence {
	return diagnose.Evidence{Name: name, Kind: kind, Data: data}
}

func near(a, b float64) bool { return math.Abs(a-b) < 1e-9 }

// TestLines: a sample counts once for some lines, whatever its stack looks like.
func TestLines(t *testing.T) {
	at := time.Unix(1000, 0)
	m := mapOf(t, nil, ev("cpu", casefile.CPU, profileOf(t, at, cpu,
		stack{[]string{alloc, parse, serve, root}, []int64{60, 60}},
		stack{[]string{parse, again, again, parse, serve, root}, []int64{30, 30}}, // recursion
		stack{[]string{worker, root}, []int64{10, 10}},
	)))
	for _, c := range []struct {
		name     string
		file     string
		from, to int
		want     float64
	}{
		{"one line and what it calls", "/shop/a.go", 12, 12, .9},
		{"a line of a recursion", "/shop/a.go", 42, 42, .3},
		{"a function whose lines are all on a stack", "/shop/a.go", 38, 45, .9},
		{"the whole file", "/shop/a.go", 1, 1000, .9},
		{"another file", "/shop/b.go", 7, 7, .1},
		{"a line without samples", "/shop/a.go", 13, 39, 0},
		{"a file without samples", "/shop/c.go", 1, 99, 0},
		{"lines the wrong way round", "/shop/a.go", 42, 12, 0},
		{"a name that is not clean", "/shop/x/../a.go", 12, 12, .9},
	} {
		t.Run(c.name, func(t *testing.T) {
			if got := m.Lines(c.file, c.from, c.to)[CPU]; !near(got, c.want) {
				t.Errorf("%.3f of the CPU, want %.3f", got, c.want)
			}
		})
	}
	if got := m.Total(CPU); got.Value != 100 || got.Samples != 100 {
		t.Errorf("the total is %+v, want 100 ns of 100 samples", got)
	}
	if m.Has(AllocBytes) || m.Has(Wait) || !m.Has(CPU) {
		t.Error("something was measured that no profile measures")
	}
}

// TestBelow: what a function makes is charged to the lines that lead to it, however deep; to those beside it not.
func TestBelow(t *testing.T) {
	m := mapOf(t, nil, ev("cpu", casefile.CPU, profileOf(t, time.Unix(1000, 0), cpu,
		stack{[]string{alloc, parse, serve, root}, []int64{60, 60}},
		stack{[]string{parse, worker, root}, []int64{30, 30}},
		stack{[]string{serve, root}, []int64{10, 10}},
	)))
	parses := func(name string, _ iter.Seq[string]) bool { return name == "example.com/shop.parse" }
	allocates := func(name string, below iter.Seq[string]) bool {
		return name == "example.com/shop.parse" && len(slices.Collect(below)) > 0
	}
	for _, c := range []struct {
		name string
		got  Cost
		want float64
	}{
		{"below a line", m.Below("/shop/a.go", 12, 12, parses), .6},
		{"of that, what calls something", m.Below("/shop/a.go", 12, 12, allocates), .6},
		{"the function is not below itself", m.Below("/shop/a.go", 40, 40, parses), 0},
		{"below another line", m.Below("/shop/b.go", 7, 7, parses), .3},
		{"anywhere", m.Anywhere(parses), .9},
		{"anywhere, what calls something", m.Anywhere(allocates), .6},
	} {
		if !near(c.got[CPU], c.want) {
			t.Errorf("%s: %.2f of the CPU, want %.2f", c.name, c.got[CPU], c.want)
		}
	}
}

// TestLive: what is in use is charged by the last heap profile, what was allocated by the difference of two.
func TestLive(t *testing.T) {
	at := time.Unix(1000, 0)
	one := ev("heap-1", casefile.Heap, profileOf(t, at, heap, stack{[]string{parse, root}, []int64{100, 800, 100, 800}},
		stack{[]string{worker, root}, []int64{100, 800, 100, 800}}))
	two := ev("heap-2", casefile.Heap, profileOf(t, at.Add(time.Minute), heap,
		stack{[]string{parse, root}, []int64{400, 3200, 10, 100}}, stack{[]string{worker, root}, []int64{100, 800, 90, 300}}))
	one.Taken, two.Taken = at, at.Add(time.Minute)
	m := mapOf(t, nil, one, two)
	if got := m.Lines("/shop/a.go", 40, 40); !near(got[LiveBytes], .25) {
		t.Errorf("the line has %.2f of what is live, want 0.25", got[LiveBytes])
	}
	if got := m.Lines("/shop/b.go", 7, 7); !near(got[LiveBytes], .75) || !m.Has(LiveBytes) {
		t.Errorf("the other has %.2f of what is live, want 0.75", got[LiveBytes])
	}
	if total := m.Total(LiveBytes); total.Value != 400 {
		t.Errorf("live are %v bytes, want 400", total.Value)
	}
}

// TestHottest: what the runtime does counts for the line that made it do so.
func TestHottest(t *testing.T) {
	m := mapOf(t, nil, ev("cpu", casefile.CPU, profileOf(t, time.Unix(1000, 0), cpu,
		stack{[]string{alloc, parse, serve, root}, []int64{60, 60}},
		stack{[]string{serve, root}, []int64{25, 25}},
		stack{[]string{alloc}, []int64{15, 15}},
	)))
	lines := m.Hottest(CPU, 0)
	if len(lines) != 2 || lines[0].Line != 40 || !near(lines[0].Own[CPU], .6) || !near(lines[0].Cost[CPU], .6) ||
		lines[1].Line != 12 || !near(lines[1].Own[CPU], .25) || !near(lines[1].Cost[CPU], .85) {
		t.Errorf("the hottest lines are %+v", lines)
	}
	if got := m.Hottest(CPU, 1); len(got) != 1 || lines[0].Owner != stacks.User {
		t.Errorf("one of %+v was asked for", got)
	}
	fs := m.Functions(CPU)
	i := slices.IndexFunc(fs, func(f Function) bool { return f.Name == "example.com/shop.serve" })
	if i < 0 || !near(fs[i].Cost[CPU], .85) || !near(fs[i].Own[CPU], .25) || fs[i].Start != 10 {
		t.Errorf("the functions are %+v", fs)
	}
}

// TestWait: a worker that waits for work costs nothing; mutex and block profiles see the same waits.
func TestWait(t *testing.T) {
	at := time.Unix(1000, 0)
	m := mapOf(t, nil,
		ev("mutex", casefile.Mutex, profileOf(t, at, waited,
			stack{[]string{unlock, parse, serve, root}, []int64{5, 800}},
			stack{[]string{unlock, worker, root}, []int64{5, 200}})),
		ev("block", casefile.Block, profileOf(t, at, waited,
			stack{[]string{recv, worker, root}, []int64{9, 1e9}},
			stack{[]string{recv, parse, serve, root}, []int64{1, 50}},
			stack{[]string{recv, again, serve, root}, []int64{1, 50}})))
	for line, want := range map[int]float64{40: .8, 42: .5, 12: 1} {
		if got := m.Lines("/shop/a.go", line, line)[Wait]; !near(got, want) {
			t.Errorf("line %d: %.3f of the waiting, want %.3f", line, got, want)
		}
	}
	if got := m.Lines("/shop/b.go", 7, 7)[Wait]; !near(got, .2) {
		t.Errorf("the worker has %.3f of the waiting, want what it holds a lock for: 0.2", got)
	}
}

// TestWaiters: how many wait is known between two profiles, and not from one.
func TestWaiters(t *testing.T) {
	taken := func(second, ns int64) []byte {
		return profileOf(t, time.Unix(second, 0), waited, stack{[]string{unlock, parse, serve, root}, []int64{5, ns}})
	}
	m := mapOf(t, nil, ev("mutex", casefile.Mutex, taken(1000, 1e9)), ev("after", casefile.Mutex, taken(1010, 6e9)))
	if n, known := m.Waiters("/shop/a.go", 40, 40); !known || !near(n, .5) {
		t.Errorf("%v wait, known %v; want 5 s in 10 s: 0.5", n, known)
	}
	if n, _ := m.Waiters("/shop/a.go", 1, 5); n != 0 {
		t.Errorf("%v wait on lines without samples", n)
	}
	m = mapOf(t, nil, ev("mutex", casefile.Mutex, taken(1000, 1e9)))
	if n, known := m.Waiters("/shop/a.go", 40, 40); known || n != 0 {
		t.Errorf("%v wait, known %v, of a profile since the start", n, known)
	}
}

// TestAllocated: what was allocated between two snapshots counts if there is enough of it, otherwise all.
func TestAllocated(t *testing.T) {
	start := stack{[]string{alloc, worker, root}, []int64{1e6, 1e9, 0, 0}}
	for _, c := range []struct {
		name   string
		gained int64
		want   float64 // of the line that gained
	}{{"much", 1e9, 1}, {"too little to tell", 500, 500 / (1e9 + 500)}} {
		t.Run(c.name, func(t *testing.T) {
			m := mapOf(t, nil,
				ev("heap-after", casefile.Heap, profileOf(t, time.Unix(1010, 0), heap, start,
					stack{[]string{alloc, parse, serve, root}, []int64{c.gained / 10, c.gained, 0, 0}})),
				ev("heap", casefile.Heap, profileOf(t, time.Unix(1000, 0), heap, start)))
			if got := m.Lines("/shop/a.go", 40, 40)[AllocBytes]; math.Abs(got-c.want) > 1e-6 {
				t.Errorf("%.6f of the bytes, want %.6f", got, c.want)
			}
		})
	}
}

// TestLocate: files are those of this machine where they are here.
func TestLocate(t *testing.T) {
	m := mapOf(t, func(f *stacks.Func) string {
		if f.File == "/shop/a.go" {
			return "/home/me/shop/a.go"
		}
		return ""
	}, ev("cpu", casefile.CPU, profileOf(t, time.Unix(1000, 0), cpu,
		stack{[]string{parse, worker, root}, []int64{1, 1}})))
	if m.Lines("/home/me/shop/a.go", 40, 40)[CPU] != 1 || m.Lines("/shop/b.go", 7, 7)[CPU] != 1 ||
		len(m.lines["/shop/a.go"]) > 0 {
		t.Errorf("the files are %v", m.files)
	}
}

// TestRecorded: shares of recorded evidence are shares, and what goroutine dumps and vitals say costs nothing.
func TestRecorded(t *testing.T) {
	var evidence []diagnose.Evidence
	files := checkout.Case(t, "foreign/coredns-dnssec")
	for _, name := range files.Names() {
		if data := files[name]; diagnose.LooksLikeEvidence(data) {
			evidence = append(evidence, diagnose.Evidence{Name: name, Data: data})
		}
	}
	sets, problems := Read(diagnose.Input{Evidence: evidence})
	if len(sets) < 2 || len(problems) > 0 {
		t.Fatalf("%d profiles, %v", len(sets), problems)
	}
	m := Of(sets, nil)
	for _, by := range []Measure{CPU, AllocBytes, AllocObjects} {
		own := 0.0
		for _, l := range m.Hottest(by, 0) {
			own += l.Own[by]
			if l.Cost[by] > 1 || l.Own[by] > l.Cost[by]+1e-9 {
				t.Fatalf("%s: %+v", by, l)
			}
		}
		if own > 1+1e-9 || own < .5 {
			t.Errorf("%s: the lines sum up to %.3f", by, own)
		}
	}
}

// TestNothing: no evidence is no heat.
func TestNothing(t *testing.T) {
	m := Of(nil, nil)
	if m.Lines("a.go", 1, 2) != (Cost{}) || m.Hottest(CPU, 3) != nil || m.Functions(CPU) != nil || m.Has(CPU) {
		t.Error("something costs something")
	}
	sets, problems := Read(diagnose.Input{Evidence: []diagnose.Evidence{ev("cpu", casefile.CPU, []byte("<html>"))}})
	if len(sets) != 0 || len(problems) != 1 {
		t.Errorf("%d sets, %v; want one problem", len(sets), problems)
	}
	whole := profileOf(t, time.Unix(1000, 0), cpu, stack{[]string{parse, root}, []int64{1, 1}})
	sets, problems = Read(diagnose.Input{Evidence: []diagnose.Evidence{ev("cpu", "", whole[:len(whole)-9])}})
	if len(sets) != 0 || len(problems) != 1 {
		t.Errorf("%d sets, %v; want that a truncated profile is a problem", len(sets), problems)
	}
}
