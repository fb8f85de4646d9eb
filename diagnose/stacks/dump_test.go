package stacks

import (
	"errors"
	"math"
	"slices"
	"testing"
	"time"

	"github.com/gocasebook/casebook/casefile"
	"github.com/gocasebook/casebook/internal/checkout"
	"github.com/gocasebook/casebook/internal/profiletest"
	"github.com/google/pprof/profile"
)

const dumpText = `panic: boom

goroutine 1 [running]:
main.main()
	/src/app/main.go:10 +0x1d

goroutine 18 gp=0xc000 m=nil [chan send, 5 minutes, locked to thread]:
runtime.gopark(0x1, 0x2)
	/go/src/runtime/proc.go:402 +0xce
main.(*Pool[...]).work(0xc000012345, {0x1, 0x2}, 0x2)
	/src/app dir/pool.go:22 +0x1d
created by main.start in goroutine 1
	/src/app/main.go:14 +0x25

goroutine 19 [chan send, 7 minutes]:
runtime.gopark(0x1, 0x2)
	/go/src/runtime/proc.go:402 +0xce
main.(*Pool[...]).work(0xc000012345, {0x1, 0x2}, 0x2)
	/src/app dir/pool.go:22 +0x1d
created by main.start in goroutine 1
	/src/app/main.go:14 +0x25

goroutine 20 [IO wait]:
...additional frames elided...
net/http/pprof.Index({0x1, 0x2}, 0x3)
	/go/src/net/http/pprof/pprof.go:383 +0x25
`

func TestWaits(t *testing.T) {
	tests := []struct {
		name   string
		frames []string // the leaf first
		want   Wait
	}{
		{"mutex", []string{"runtime.gopark", "runtime.semacquire1", "internal/sync.runtime_SemacquireMutex",
			"internal/sync.(*Mutex).lockSlow", "internal/sync.(*Mutex).Lock", "sync.(*Mutex).Lock", "main.f"},
			WaitMutex},
		{"mutex before 1.24", []string{"runtime.gopark", "runtime.semacquire1", "sync.runtime_SemacquireMutex",
			"sync.(*Mutex).lockSlow", "main.f"}, WaitMutex},
		{"read lock", []string{"runtime.gopark", "runtime.semacquire1", "sync.runtime_SemacquireRWMutexR",
			"sync.(*RWMutex).RLock", "main.f"}, WaitRLock},
		{"write lock over a mutex", []string{"runtime.gopark", "sync.(*Mutex).Lock", "sync.(*RWMutex).Lock", "main.f"},
			WaitRWLock},
		{"receive", []string{"runtime.gopark", "runtime.chanrecv", "runtime.chanrecv1", "main.f"}, WaitReceive},
		{"select", []string{"runtime.gopark", "runtime.selectgo", "main.f"}, WaitSelect},
		{"network", []string{"runtime.gopark", "runtime.netpollblock", "internal/poll.runtime_pollWait",
			"internal/poll.(*pollDesc).wait", "main.f"}, WaitNetwork},
		{"sleep", []string{"runtime.gopark", "time.Sleep", "main.f"}, WaitSleep},
		{"a caller's lock is not the wait", []string{"runtime.gopark", "runtime.chanrecv1", "main.f",
			"sync.(*Mutex).Lock"}, WaitReceive},
		{"debug=1 hides the runtime", []string{"main.f"}, WaitUnknown},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			tab := NewTable("")
			var stack []FrameID
			for _, f := range tt.frames {
				stack = append(stack, tab.intern(f, fileOf(f), 1))
			}
			if got := tab.waitOf(stack); got != tt.want {
				t.Errorf("got %v, want %v", got, tt.want)
			}
		})
	}
}

// TestNilChannel: the runtime parks for a nil channel in the first lines of a send or receive, for others far below.
func TestNilChannel(t *testing.T) {
	for line, want := range map[int64]Wait{181: WaitNilChan, 283: WaitSend} {
		tab := NewTable("")
		send := tab.intern("runtime.chansend", "/usr/local/go/src/runtime/chan.go", line)
		stack := []FrameID{tab.intern("runtime.gopark", fileOf("runtime.gopark"), 1), send,
			tab.intern("runtime.chansend1", fileOf("runtime.chansend1"), 1), tab.intern("main.f", fileOf("main.f"), 1)}
		if got := tab.waitOf(stack); got != WaitSend {
			t.Errorf("line %d of a function that begins nobody knows where: %v, want %v", line, got, WaitSend)
		}
		tab.Funcs[tab.FuncID(send)].Start = 176
		if got := tab.waitOf(stack); got != want {
			t.Errorf("line %d: %v, want %v", line, got, want)
		}
	}
}

// fileOf makes up the file of a function of this package in a build with -trimpath.
func fileOf(name string) string {
	if pkg := packageOf(name); pkg != "main" {
		return pkg + "/x.go"
	}
	return "example.com/app/main.go"
}

// FuzzRead: any bytes give a consistent set, or a *Problem with a reason and a next step. The seeds are one file of
// every kind and form, and files that people pass by mistake. Labels are read, and change nothing else.
func FuzzRead(f *testing.F) {
	for _, pattern := range []string{"cpu_hot_function/fault", "gc_pointer_heap/healthy", "goroutine_surge/*",
		"lock_contention/*"} {
		names, err := checkout.Evidence(f).Cases(pattern)
		if err != nil {
			f.Fatal(err)
		}
		for _, name := range names {
			files := checkout.Case(f, name)
			for _, file := range files.Names() {
				f.Add(files[file])
				if out, p := decompress(files[file], MaxProfile); p == nil && len(out) < 32<<10 {
					f.Add(out)
				}
			}
		}
	}
	for _, text := range []string{dumpText, "<html>", "goroutine profile: total 1\n1 @ " +
		"0x1\n#\t0x1\tmain.f+0x1\tm.go:1\n\n",
		"heap profile: 1: 32 [5: 160] @ heap/1048576\n1: 32 [5: 160] @ 0x1\n#\t0x1\tmain.f+0x1\tm.go:1\n\n# " +
			"runtime.MemStats\n# NumGC = 7\n",
		"--- mutex:\ncycles/second=1000\nsampling period=1\n12 3 @ 0x1\n#\t0x1\tsync.(*Mutex).Unlock+0x1\tm.go:1\n"} {
		f.Add([]byte(text))
	}
	f.Add(profiletest.Labelled(f, nil, profiletest.Label("endpoint", "/a", "/b"), numbers("bytes", "kb", 7),
		numbers("bytes", "", -512)))
	f.Fuzz(func(t *testing.T, b []byte) {
		plain, _ := NewTable("example.com/app").Read(Source{Name: "fuzz"}, b)
		s, err := NewTable("example.com/app").Read(Source{Name: "fuzz", Labels: &Labels{"bytes", "endpoint"}}, b)
		if (err == nil) != (plain != nil) || err == nil && len(s.Samples) != len(plain.Samples) {
			t.Fatalf("labels change what is read: %v", err)
		}
		if err != nil {
			var p *Problem
			if !errors.As(err, &p) || p.Reason == "" || p.Next == "" {
				t.Fatalf("error %v, want a *Problem with reason and next step", err)
			}
			return
		}
		for i := range s.Samples {
			sample := &s.Samples[i]
			if len(sample.Values) != len(s.Types) {
				t.Fatalf("sample %d has %d values for %d types", i, len(sample.Values), len(s.Types))
			}
			for _, id := range sample.Stack {
				s.Table.Func(id) // panics on an ID that is not in the table
			}
			s.Wait(i)
		}
		if s.Goroutines != nil && len(s.Goroutines) != len(s.Samples) {
			t.Fatalf("%d goroutine records for %d samples", len(s.Goroutines), len(s.Samples))
		}
	})
}

func numbers(key, unit string, values ...int64) profile.Sample {
	s := profile.Sample{NumLabel: map[string][]int64{key: values}}
	if unit != "" {
		s.NumUnit = map[string][]string{key: slices.Repeat([]string{unit}, len(values))}
	}
	return s
}

func readLabels(t testing.TB, table *Table, data []byte, want *Labels) *Set {
	t.Helper()
	s, err := table.Read(Source{Name: "cpu.pb.gz", Labels: want}, data)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// The value of a label is no function, whatever it is called, and stays one when the table learns whose code is whose.
func TestLabelFrameIsNoFunction(t *testing.T) {
	table := NewTable("")
	s := readLabels(t, table, profiletest.Labelled(t, nil, profiletest.Label("endpoint", "main.work")),
		&Labels{Root: "endpoint"})
	code, value := table.Func(s.Samples[0].Stack[0]), table.Func(s.Samples[0].Stack[2])
	if code == value || code.Owner != User || *value != (Func{Name: "main.work", File: "endpoint", Owner: LabelValue}) {
		t.Errorf("the function is %+v, the value %+v", code, value)
	}
	moved := profiletest.Labelled(t, func(p *profile.Profile) {
		p.Function[1].Filename = "/root/go/pkg/mod/example.com/tool@v1.2.3/main.go"
	}, profiletest.Label("endpoint", "/a"))
	readLabels(t, table, moved, nil)
	if table.module != "example.com/tool" || table.Func(s.Samples[0].Stack[2]).Owner != LabelValue {
		t.Errorf("in the module %q the value's owner is %v", table.module, table.Func(s.Samples[0].Stack[2]).Owner)
	}
}

// A label that makes no sense is passed over, and the sample is still one.
func TestDamagedLabel(t *testing.T) {
	p := &proto{strings: []string{"", "endpoint", "/a"}, types: []ValueType{{"cpu", unitNs}}}
	r := newLabelReader(NewTable(""), p, &Labels{Root: "endpoint"})
	good := []byte{1 << 3, 1, 2 << 3, 2} // key = 1, str = 2
	for _, bad := range [][]byte{{1 << 3, 9, 2 << 3, 2}, {1 << 3, 1, 2 << 3, 99}, {1 << 3, 1}, {0xff}, {2 << 3, 2}} {
		r.add([][]byte{bad}, []int64{1})
	}
	r.add([][]byte{{0xff}, good}, []int64{1})
	if len(r.keys) != 1 || r.keys["endpoint"].sums[0] != 1 || r.whole[0] != 6 || len(r.root[0].of) != 6 {
		t.Errorf("keys %v of %v, %d frames: want one label in six samples", r.keys, r.whole, len(r.root[0].of))
	}
}

func TestScaled(t *testing.T) {
	for _, c := range []struct {
		number int64
		unit   string
		want   string
	}{
		{0, "bytes", "0"}, {1, "bytes", "1B"}, {1023, "byte", "1023B"},
		{524288, "bytes", "512kB"}, {-2048, "B", "-2kB"},
		{3 << 50, "bytes", "3PB"}, {1 << 60, "b", "1024PB"}, {1500, "kilobytes", "1.46MB"}, {90, "seconds", "90s"},
		{7200, "s", "2hrs"}, {1, "ns", "1ns"}, {1500, "microseconds", "1.50ms"}, {42, "id", "42"}, {42, "", "42"},
		{math.MinInt64, "bytes", "-8192PB"},
	} {
		if got := scaled(c.number, c.unit); got != c.want {
			t.Errorf("%d %s is %s, want %s", c.number, c.unit, got, c.want)
		}
	}
}

// The labels of Go 1.26, which prints them where GODEBUG asks for it, are within the brackets.
func TestLabelsWithinBrackets(t *testing.T) {
	for header, want := range map[string]string{
		`goroutine 7 [select, 2 minutes labels:{"k": "v"}]:`:                     "select, 2 minutes",
		`goroutine 7 [chan receive labels:{"user": "a]: [b]", "x": "y"}]:`:       "chan receive",
		`goroutine 7 [chan send, 3 minutes, locked to thread] {k: v, "a b": c}:`: "chan send, 3 minutes, locked to thread",
		`goroutine 7 gp=0xc0 m=2 mp=0xc1 [running] {k: "]:`:                      "running",
	} {
		if got, ok := headerState([]byte(header)); !ok || string(got) != want {
			t.Errorf("%s: %q, %v; want %q", header, got, ok, want)
		}
	}
	for _, line := range []string{"goroutine 7 [select] k:", "goroutine 7 select {k: v}:", "goroutine running on [x]:",
		"goroutine 7 [select"} {
		if got, ok := headerState([]byte(line)); ok {
			t.Errorf("%s: taken for a header with state %q", line, got)
		}
	}
}

// TestNotFolded: texts with numbers at the end of lines are not stacks.
func TestNotFolded(t *testing.T) {
	for _, text := range []string{"BenchmarkSell-2 1000\nBenchmarkBuy-2 2000\n", "one 1\n", "a;b;c\nd;e;f\n",
		"notes; of today 5\nand more\n"} {
		if isFolded([]byte(text)) {
			t.Errorf("%q was taken for folded stacks", text)
		}
	}
}

// heapSet is a heap profile with one function per sample. Values are allocated and live bytes.
func heapSet(tab *Table, taken time.Time, bytes map[string][2]int64) *Set {
	s := &Set{Table: tab, Kind: casefile.Heap, Name: "heap", Taken: taken,
		Types: []ValueType{{"alloc_space", "bytes"}, {"inuse_space", "bytes"}}}
	for _, fn := range []string{"main.a", "main.b", "main.c"} {
		if v, ok := bytes[fn]; ok {
			tab.addSample(s, []FrameID{tab.intern(fn, "m.go", 1)}, []int64{v[0], v[1]})
		}
	}
	return s
}

func TestSubtract(t *testing.T) {
	tab := NewTable("")
	at := time.Unix(1000, 0)
	early := heapSet(tab, at, map[string][2]int64{"main.a": {100, 50}, "main.b": {10, 0}})
	late := heapSet(tab, at.Add(10*time.Second), map[string][2]int64{"main.a": {160, 20}, "main.b": {10, 0},
		"main.c": {5, 5}})
	d, ok := Subtract(late, early)
	if !ok {
		t.Fatal("the sets do not compare, want that they do")
	}
	if d.Seconds != 10 || len(d.Samples) != 2 {
		t.Fatalf("%v s, %d samples; want 10 s and the two that changed", d.Seconds, len(d.Samples))
	}
	if got := d.Samples[0].Values; got[0] != 60 || got[1] != -30 {
		t.Errorf("main.a gained %v, want 60 allocated and 30 fewer live", got)
	}
	if _, ok := Subtract(early, late); ok {
		t.Error("a total that falls compares, want that it is a restart")
	}
	if _, ok := Subtract(late, heapSet(NewTable(""), at, nil)); ok {
		t.Error("sets of two tables compare, want that they do not")
	}
}

func TestMerge(t *testing.T) {
	tab := NewTable("")
	a := heapSet(tab, time.Unix(1, 0), map[string][2]int64{"main.a": {1, 1}})
	b := heapSet(tab, time.Unix(2, 0), map[string][2]int64{"main.a": {2, 2}})
	a.Seconds, b.Seconds = 5, 6
	other := &Set{Table: tab, Types: []ValueType{{"x", "count"}}}
	m := Merge([]*Set{a, other, b})
	if m.Seconds != 11 || len(m.Parts) != 2 || m.Total(ByValue(0)) != 3 {
		t.Errorf("%v s, %d merged, total %d; want 11 s of 2 files and 3, without the one of another type", m.Seconds,
			len(m.Parts), m.Total(ByValue(0)))
	}
}
