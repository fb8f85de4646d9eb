package stacks

import (
	"strings"
	"testing"
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

// Both what a dump says about the wait and what its frames say are used: each knows what the other leaves out.
func TestWaitsOfADump(t *testing.T) {
	for _, c := range []struct {
		name, state, fn string
		want            Wait
	}{
		{"a wait group", "sync.WaitGroup.Wait", "sync.(*WaitGroup).Wait", WaitGroup},
		{"a wait group before Go 1.24", "semacquire", "sync.(*WaitGroup).Wait", WaitGroup},
		{"another semaphore", "semacquire", "main.f", WaitSemaphore},
		{"a mutex before Go 1.20", "semacquire", "sync.(*Mutex).Lock", WaitMutex},
		{"a channel", "chan receive", "main.f", WaitReceive},
		{"a channel while the collector scans", "chan send (scan)", "main.f", WaitSend},
		{"a channel in a bubble of synctest", "select (durable)", "main.f", WaitSelect},
		{"a leak", "chan receive (nil chan) (leaked)", "main.f", WaitNilChan},
		{"a state of a later Go", "something new", "time.Sleep", WaitSleep},
	} {
		t.Run(c.name, func(t *testing.T) {
			s := mustRead(t, "dump.txt",
				[]byte("goroutine 7 ["+c.state+", 3 minutes]:\n"+c.fn+"(0x1)\n\t"+fileOf(c.fn)+
					":5 +0x1\nmain.main()\n\t/src/main.go:9 +0x1\n"))
			if got := s.Wait(0); got != c.want {
				t.Errorf("got %v, want %v", got, c.want)
			}
		})
	}
}

// fileOf makes up the file of a function of this package in a build with -trimpath.
func fileOf(name string) string {
	if pkg := packageOf(name); pkg != "main" {
		return pkg + "/x.go"
	}
	return "example.com/app/main.go"
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
