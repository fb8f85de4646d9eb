package stacks

import (
	"strings"
	"testing"
)

func TestOwner(t *testing.T) {
	tests := []struct {
		name, file, module string
		want               Owner
	}{
		{"main.main", "/home/me/app/main.go", "", User},
		{"example.com/app/store.(*Store).Get", "/home/me/app/store/store.go", "example.com/app", User},
		{"example.com/app/store.(*Store).Get", "/home/me/app/store/store.go", "", User},
		{"example.com/apple.F", "/root/go/pkg/mod/example.com/apple@v1.0.0/a.go", "example.com/app", Dependency},
		{"github.com/bluele/gcache.(*LRUCache).set", "/root/go/pkg/mod/github.com/bluele/gcache@v0.0.2/lru.go", "", Dependency},
		{"github.com/bluele/gcache.(*LRUCache).set", "github.com/bluele/gcache@v0.0.2/lru.go", "", Dependency},
		{"github.com/x/y.F", "/src/app/vendor/github.com/x/y/y.go", "", Dependency},
		{"github.com/x/y.F", "/src/y/y.go", "example.com/app", User}, // a workspace's other module
		{"github.com/x/y.F", "", "example.com/app", Dependency},
		{"net/http.(*conn).serve", "/usr/local/go/src/net/http/server.go", "", Std},
		{"net/http.(*conn).serve", "net/http/server.go", "", Std},
		{"vendor/golang.org/x/net/http2/hpack.F", "/usr/local/go/src/vendor/golang.org/x/net/http2/hpack/e.go", "", Std},
		{"log/handlers.F", "/home/me/log/handlers/h.go", "", User}, // a module with a first element of the library's
		{"internal/sync.runtime_SemacquireMutex", "runtime/sema.go", "", Std},
		{"internal/poll.runtime_pollWait", "/usr/local/go/src/runtime/netpoll.go", "", Std},
		{"runtime.mallocgc", "/usr/local/go/src/runtime/malloc.go", "", Runtime},
		{"internal/runtime/maps.(*Map).Get", "internal/runtime/maps/map.go", "", Runtime},
		{"runtime/pprof.profileWriter", "runtime/pprof/pprof.go", "", Std},
		{"memeqbody", "/usr/local/go/src/internal/bytealg/equal_amd64.s", "", Runtime},
		{"__vdso_clock_gettime", "", "", Dependency},
		{"gopkg.in/yaml%2ev3.(*T).F", "/root/go/pkg/mod/gopkg.in/yaml.v3@v3.0.1/y.go", "gopkg.in/yaml.v3", User},
		{"main.Map[go.shape.string,example.com/x.T].Get", "/home/me/m.go", "", User},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			tab := NewTable(tt.module)
			if got := tab.Func(tab.intern(tt.name, tt.file, 1)).Owner; got != tt.want {
				t.Errorf("in %q with module %q: %v, want %v", tt.file, tt.module, got, tt.want)
			}
		})
	}
}

// TestInstalledProgram: a program installed with `go install path@version` has its own code in the module cache.
func TestInstalledProgram(t *testing.T) {
	tab := NewTable("")
	own := tab.intern("github.com/Foo/bar/server.Serve", "/root/go/pkg/mod/github.com/!foo/bar@v1.2.3/server/s.go", 1)
	dep := tab.intern("github.com/x/y.F", "/root/go/pkg/mod/github.com/x/y@v1.0.0/y.go", 1)
	if got := tab.Func(own).Owner; got != Dependency {
		t.Fatalf("before package main was seen: %v, want %v", got, Dependency)
	}
	tab.intern("main.main", "/root/go/pkg/mod/github.com/!foo/bar@v1.2.3/cmd/bar/main.go", 1)
	if got := tab.Func(own).Owner; got != User {
		t.Errorf("the program's own package: %v, want %v", got, User)
	}
	if got := tab.Func(dep).Owner; got != Dependency {
		t.Errorf("a dependency: %v, want %v", got, Dependency)
	}
}

func TestSampleClass(t *testing.T) {
	tests := []struct {
		stack string // the leaf first
		want  Class
	}{
		{"runtime.scanobject runtime.gcDrain runtime.gcDrainMarkWorkerDedicated runtime.gcBgMarkWorker.func2 runtime.systemstack runtime.gcBgMarkWorker runtime.goexit", GCMark},
		{"runtime.scanSpan runtime.gcDrain runtime.gcDrainMarkWorkerIdle runtime.gcBgMarkWorker.func2 runtime.systemstack runtime.gcBgMarkWorker", GCIdle},
		{"runtime.tryDeferToSpanScan runtime.scanobject runtime.gcDrain runtime.gcDrainMarkWorkerFractional runtime.gcBgMarkWorker.func2", GCMark},
		{"runtime.scanobject runtime.gcDrainN runtime.gcAssistAlloc1 runtime.gcAssistAlloc.func2 runtime.systemstack runtime.gcAssistAlloc runtime.deductAssistCredit runtime.mallocgc main.f", GCAssist},
		{"runtime.(*sweepLocked).sweep runtime.(*mcentral).cacheSpan runtime.(*mcache).refill runtime.(*mcache).nextFree runtime.mallocgc main.f", GCSweep},
		{"runtime.sweepone runtime.bgsweep", GCSweep},
		{"runtime.memclrNoHeapPointers runtime.mallocgcSmallScanNoHeader runtime.mallocgc runtime.makeslice main.f", Malloc},
		{"runtime.memmove main.f", Memmove},
		{"runtime.mapaccess2_faststr main.f", Map},
		{"internal/runtime/maps.ctrlGroup.matchH2 internal/runtime/maps.(*Map).getWithoutKey runtime.mapaccess2 main.f", Map},
		{"internal/runtime/syscall/linux.Syscall6 syscall.RawSyscall6 syscall.Syscall syscall.write internal/poll.(*FD).Write net.(*netFD).Write", Syscall},
		{"internal/runtime/syscall.Syscall6 syscall.RawSyscall6 syscall.write", Syscall},
		{"runtime/internal/syscall.Syscall6 syscall.RawSyscall6 syscall.write", Syscall},
		{"runtime.futex runtime.futexsleep runtime.notesleep runtime.stopm runtime.findRunnable runtime.schedule runtime.park_m runtime.mcall", Scheduler},
		{"runtime.procyield sync.runtime_doSpin sync.(*Mutex).lockSlow sync.(*Mutex).Lock main.f", Lock},
		{"runtime.procyield internal/sync.(*Mutex).lockSlow internal/sync.(*Mutex).Lock sync.(*Mutex).Lock main.f", Lock},
		{"runtime.gcWriteBarrier2 main.f", GCOther},
		{"runtime.wbBufFlush1 runtime.wbBufFlush.func1 runtime.systemstack runtime.wbBufFlush runtime.gcWriteBarrier1 main.f", GCOther},
		{"runtime.copystack runtime.newstack runtime.morestack main.f", StackGrow},
		{"main.f runtime.main", None},
		{"main.f runtime.mallocgc", None}, // only what stands at the leaf counts: a finalizer's code is its own
		{"sort.insertionSort main.f", None},
	}
	for _, tt := range tests {
		first, _, _ := strings.Cut(tt.stack, " ")
		t.Run(first+"→"+tt.want.String(), func(t *testing.T) {
			tab := NewTable("")
			var stack []FrameID
			for _, f := range strings.Fields(tt.stack) {
				stack = append(stack, tab.intern(f, fileOf(f), 1))
			}
			if got := tab.sampleClass(stack); got != tt.want {
				t.Errorf("%s: %v, want %v", tt.stack, got, tt.want)
			}
		})
	}
}

func TestObserver(t *testing.T) {
	tests := []struct {
		name string
		want bool
	}{
		{"net/http/pprof.Profile", true},
		{"runtime/pprof.profileWriter", true},
		{"runtime/pprof.(*Profile).WriteTo", true},
		{"runtime/pprof.Do", false},
		{"runtime/pprof.Do.func1", false},
		{"runtime/pprof.SetGoroutineLabels", false},
		{"github.com/gocasebook/casebook/target.(*Self).Sample", true},
		{"github.com/gocasebook/casebook.(*Watcher).Run", true},
		{"github.com/gocasebook/casebook/app/lab/phones.(*gateway).phone", false},
		{"github.com/gocasebook/casebook/remedy/cache.(*Cache).Get", false},
		{"github.com/gocasebook/casebookish.F", false},
		{"main.main", false},
	}
	for _, tt := range tests {
		if got := isObserver(tt.name, packageOf(tt.name)); got != tt.want {
			t.Errorf("%s: %v, want %v", tt.name, got, tt.want)
		}
	}
}
