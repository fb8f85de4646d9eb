package wait_test

import (
	"bytes"
	"fmt"
	"runtime"
	"runtime/debug"
	"slices"
	"testing"
	"time"

	"github.com/gocasebook/casebook/diagnose/stacks"
	"github.com/gocasebook/casebook/diagnose/wait"
	"github.com/gocasebook/casebook/internal/cputime"
)

// A crowded dump: so many goroutines at a hundred lines, most of them requests, each with a lock of its own kind.
func crowded(goroutines int) []byte {
	var b bytes.Buffer
	states := [...]string{"select", "chan receive, 3 minutes", "sync.Mutex.Lock", "IO wait", "semacquire"}
	for i := range goroutines {
		fmt.Fprintf(&b, "goroutine %d [%s]:\n", i+1, states[i%len(states)])
		if i%len(states) == 2 {
			fmt.Fprintf(&b, "sync.(*Mutex).Lock(0xc000%06x)\n\t/usr/local/go/src/sync/mutex.go:46 +0x1d\n", i%7)
		}
		fmt.Fprintf(&b, "main.(*shop).step%d(0x1)\n\t/srv/shop/main.go:%d +0x1d\n", i%100, i%100+10)
		for k := range 12 {
			fmt.Fprintf(&b, "main.layer%d(0x1, 0x2)\n\t/srv/shop/layers.go:%d +0x1d\n", k, k*20+i%(k+3))
		}
		b.WriteString("net/http.HandlerFunc.ServeHTTP(0x1)\n\t/usr/local/go/src/net/http/server.go:2322 +0x1d\n" +
			"net/http.(*conn).serve(0x1)\n\t/usr/local/go/src/net/http/server.go:2067 +0x1d\n" +
			"created by net/http.(*Server).Serve in goroutine 1\n\t/usr/local/go/src/net/http/server.go:3454 +0x1d\n\n")
	}
	return b.Bytes()
}

// TestLargeDump: a dump of 100,000 goroutines is read and joined within a second of CPU and 200 MB.
func TestLargeDump(t *testing.T) {
	const goroutines, most, room = 100_000, time.Second, 200 << 20
	data := crowded(goroutines)
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	began, known := cputime.Process()
	g := graphOf(t, data)
	queues := len(g.Queues())
	ended, _ := cputime.Process()
	runtime.ReadMemStats(&after)
	took, bytes := ended-began, after.TotalAlloc-before.TotalAlloc
	t.Logf("%d goroutines, %d MB: %v of CPU, %d MB allocated, %d piles, %d queues", goroutines, len(data)>>20, took,
		bytes>>20, len(g.Piles), queues)
	if g.InProgress() != goroutines || queues == 0 {
		t.Errorf("%d requests in progress and %d queues, want %d and some", g.InProgress(), queues, goroutines)
	}
	if bytes > room {
		t.Errorf("it allocates %d MB, want %d at most", bytes>>20, room>>20)
	}
	if known && !raced() && took > most {
		t.Errorf("it takes %v of CPU, want %v at most", took, most)
	}
}

// raced reports whether the test is built with the race detector, which takes several times the CPU.
func raced() bool {
	info, ok := debug.ReadBuildInfo()
	return ok && slices.Contains(info.Settings, debug.BuildSetting{Key: "-race", Value: "true"})
}

func graphOf(t testing.TB, data []byte) *wait.Graph {
	t.Helper()
	tab := stacks.NewTable("")
	set, err := tab.Read(stacks.Source{Name: "goroutine.txt"}, data)
	if err != nil {
		t.Fatal(err)
	}
	return wait.New(tab, []*stacks.Set{set})
}

func BenchmarkWaits(b *testing.B) {
	data := crowded(100_000)
	for b.Loop() {
		graphOf(b, data).Queues()
	}
	b.ReportAllocs()
}
