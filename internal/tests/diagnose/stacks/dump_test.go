package stacks_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/gocasebook/casebook/diagnose/stacks"
	"github.com/gocasebook/casebook/internal/race"
)

// What the package does not export, and promises by its files or limits.
const (
	fieldFunction   = 5
	fieldLocation   = 4
	fieldLocations  = 1
	fieldSample     = 2
	fieldSampleType = 1
	fieldString     = 6
	fieldValues     = 2
	maxLabelFrames  = 10_000
	maxLabelKeys    = 100
	maxLabelText    = 500
	maxName         = 4 << 10
	maxParts        = 8_000_000
	maxTable        = 4_000_000
	otherValues     = "(other values)"
	runtimeDump     = 64 << 20
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

func TestDump(t *testing.T) {
	s := mustRead(t, "dump.txt", []byte(dumpText))
	if len(s.Samples) != 2 || len(s.Goroutines) != 2 {
		t.Fatalf("%d samples, %d goroutine records; want 2 of each", len(s.Samples), len(s.Goroutines))
	}
	g, work := s.Goroutines[1], s.Samples[1]
	if work.Values[0] != 2 || g.State != "chan send" || g.Minutes != 12 || g.Longest != 7 || g.Waiting != 2 {
		t.Errorf("got %d goroutines, %+v; want 2 in chan send, 12 minutes in total, 7 at most", work.Values[0], g)
	}
	frame := work.Stack[1]
	if f := s.Table.Func(frame); f.Name != "main.(*Pool[...]).work" || f.File != "/src/app dir/pool.go" ||
		s.Table.Line(frame) != 22 {
		t.Errorf("frame %s %s:%d, want main.(*Pool[...]).work /src/app dir/pool.go:22", f.Name, f.File,
			s.Table.Line(frame))
	}
	if f := s.Table.Func(g.CreatedBy); f.Name != "main.start" || s.Table.Line(g.CreatedBy) != 14 {
		t.Errorf("created by %s:%d, want main.start:14", f.Name, s.Table.Line(g.CreatedBy))
	}
	if s.Wait(1) != stacks.WaitSend || s.Wait(0) != stacks.WaitNothing {
		t.Errorf("waits %v and %v, want %v and %v", s.Wait(1), s.Wait(0), stacks.WaitSend, stacks.WaitNothing)
	}
	if len(s.Observed) != 1 || s.Observed[0] != 1 {
		t.Errorf("observed %v, want one goroutine of net/http/pprof", s.Observed)
	}
	if s.Cut == "" {
		t.Error("Cut is empty, want a word on the elided frames")
	}
}

// TestDumpLocks: goroutines at one line that wait for different locks are told apart, as far as the dump says which
// lock it is.
func TestDumpLocks(t *testing.T) {
	wait := func(args string) string {
		return "goroutine 7 [sync.Mutex.Lock]:\ninternal/sync.(*Mutex).lockSlow" + args +
			"\n\t/go/src/internal/sync/mutex.go:149 +0x15d\n" +
			"internal/sync.(*Mutex).Lock(...)\n\t/go/src/internal/sync/mutex.go:70\nmain.f(0x5)\n\t/src/main.go:5 " +
			"+0x1\n\n"
	}
	s := mustRead(t, "dump.txt",
		[]byte(wait("(0xaa)")+wait("(0xbb)")+wait("(0xaa, 0x1)")+wait("(0xcc?)")+wait("(...)")+
			wait("(0xfffffffffffffffff)")))
	got := make(map[uint64]int64)
	for i, g := range s.Goroutines {
		got[g.Lock] += s.Samples[i].Values[0]
	}
	if len(got) != 3 || got[0xaa] != 2 || got[0xbb] != 1 || got[0] != 3 {
		t.Errorf("got %v, want two for 0xaa, one for 0xbb, three unknown", got)
	}
}

// TestDumpCut: a dump beyond the limit is read up to the limit, and the result says so.
func TestDumpCut(t *testing.T) {
	race.Skip(t)
	one := "goroutine 7 [select, 3 minutes]:\nmain.wait(0x1)\n\t/src/main.go:5 +0x1\n" +
		strings.Repeat("main.deep(0x1)\n\t/src/main.go:9 +0x1\n", 20) + "\n"
	n := stacks.MaxDump/len(one) + 1000
	s := mustRead(t, "dump.txt", []byte(strings.Repeat(one, n)))
	got := s.Samples[0].Values[0]
	if want := int64(stacks.MaxDump / len(one)); got < want-2 || got > want+2 {
		t.Errorf("%d goroutines, want about %d", got, want)
	}
	if !strings.Contains(s.Cut, fmt.Sprint(stacks.MaxDump>>20)) {
		t.Errorf("Cut is %q, want the limit in it", s.Cut)
	}
}

// TestStackUnavailable: every crash of a busy process has goroutines that run on other threads. The runtime cannot
// print their stacks. They are counted, and nothing indexes their empty stacks.
func TestStackUnavailable(t *testing.T) {
	const text = "goroutine 1 [running]:\nmain.main()\n\t/src/main.go:9 +0x1\n\n" +
		"goroutine 5 [running]:\n\tgoroutine running on other thread; stack unavailable\ncreated by main.start in " +
		"goroutine 1\n\t/src/main.go:14 +0x25\n"
	s, err := stacks.NewTable("").Read(stacks.Source{Name: "crash.txt"}, []byte(text))
	if err != nil {
		t.Fatal(err)
	}
	if len(s.Samples) != 2 || len(s.Samples[1].Stack) != 0 || s.Wait(1) != stacks.WaitNothing {
		t.Fatalf("%d samples, the second %+v: want one that runs, without a stack", len(s.Samples), s.Samples)
	}
	if f := s.Table.Func(stacks.NoFrame); f.Name != "" || s.Table.FuncID(stacks.NoFrame) != stacks.NoFunc ||
		s.Table.Line(stacks.NoFrame) != 0 {
		t.Errorf("no frame is %+v", f)
	}
	if by := s.Goroutines[1].CreatedBy; s.Table.Func(by).Name != "main.start" {
		t.Errorf("it was started by %q, want main.start", s.Table.Func(by).Name)
	}
}

// TestDumpNotWhole: the result says when a dump is incomplete, whoever cut it.
func TestDumpNotWhole(t *testing.T) {
	const one = "goroutine 7 [chan receive]:\nmain.worker(0x1)\n\t/src/main.go:22 +0x1d\ncreated by main.start in " +
		"goroutine 1\n\t/src/main.go:14 +0x25\n\n"
	filled := strings.Repeat(one, runtimeDump/len(one)+1)[:runtimeDump]
	for _, c := range []struct{ name, text, want string }{
		{"whole", one + one, ""},
		{"whole, without its last line break", strings.TrimRight(one+one, "\n"), ""},
		{"copied in part", one + one[:strings.Index(one, "\n\t/src")], "ends within a stack"},
		{"behind go run or go test", strings.TrimRight(one+one, "\n") +
			"\nexit status 2\nFAIL\texample.com/app\t0.1s\nFAIL\n", ""},
		{"copied in part, within a name", one + one[:strings.Index(one, "er(0x1)")], "ends within a stack"},
		{"as large as Go makes it", filled, "Go ends a dump at 64 MiB"},
	} {
		t.Run(c.name, func(t *testing.T) {
			if got := mustRead(t, "goroutine.txt", []byte(c.text)).Cut; !strings.Contains(got, c.want) ||
				(got == "") != (c.want == "") {
				t.Errorf("cut: %q, want %q", got, c.want)
			}
		})
	}
}

// Both what a dump says about the wait and what its frames say are used: each knows what the other leaves out.
func TestWaitsOfADump(t *testing.T) {
	for _, c := range []struct {
		name, state, fn string
		want            stacks.Wait
	}{
		{"a wait group", "sync.WaitGroup.Wait", "sync.(*WaitGroup).Wait", stacks.WaitGroup},
		{"a wait group before Go 1.24", "semacquire", "sync.(*WaitGroup).Wait", stacks.WaitGroup},
		{"another semaphore", "semacquire", "main.f", stacks.WaitSemaphore},
		{"a mutex before Go 1.20", "semacquire", "sync.(*Mutex).Lock", stacks.WaitMutex},
		{"a channel", "chan receive", "main.f", stacks.WaitReceive},
		{"a channel while the collector scans", "chan send (scan)", "main.f", stacks.WaitSend},
		{"a channel in a bubble of synctest", "select (durable)", "main.f", stacks.WaitSelect},
		{"a leak", "chan receive (nil chan) (leaked)", "main.f", stacks.WaitNilChan},
		{"a state of a later Go", "something new", "time.Sleep", stacks.WaitSleep},
	} {
		t.Run(c.name, func(t *testing.T) {
			file := "example.com/app/main.go"
			if pkg, _, _ := strings.Cut(c.fn, "."); pkg != "main" {
				file = pkg + "/x.go"
			}
			s := mustRead(t, "dump.txt",
				[]byte("goroutine 7 ["+c.state+", 3 minutes]:\n"+c.fn+"(0x1)\n\t"+file+
					":5 +0x1\nmain.main()\n\t/src/main.go:9 +0x1\n"))
			if got := s.Wait(0); got != c.want {
				t.Errorf("got %v, want %v", got, c.want)
			}
		})
	}
}
