//go:build unix

package diagnose_test

import (
	"bytes"
	"fmt"
	"os"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/google/pprof/profile"

	"github.com/gocasebook/casebook/diagnose"
	"github.com/gocasebook/casebook/internal/profiletest"
)

// manyStacks is how many distinct stacks of 25 frames the attack has.
const manyStacks = 300_000

// TestManyStacks prints what evidence with 300,000 distinct stacks costs, by its kind: `make attack` prints the
// figures.
func TestManyStacks(t *testing.T) {
	if os.Getenv("CASEBOOK_ATTACK") == "" {
		t.Skip("figures, which make attack prints")
	}
	data := profiletest.CPU(t, manyStacks, 25)
	heap := retyped(t, data, 1, "alloc_objects/count", "alloc_space/bytes", "inuse_objects/count", "inuse_space/bytes")
	later := retyped(t, data, 2, "alloc_objects/count", "alloc_space/bytes", "inuse_objects/count", "inuse_space/bytes")
	goroutines := retyped(t, data, 1, "goroutine/count")
	waits := retyped(t, data, 1, "contentions/count", "delay/nanoseconds")
	t0 := time.Unix(1e9, 0)
	for _, c := range []struct {
		name     string
		evidence []diagnose.Evidence
	}{
		{"a CPU profile", []diagnose.Evidence{{Name: "cpu", Data: data}}},
		{"two heap profiles", []diagnose.Evidence{{Name: "heap1", Data: heap, Taken: t0},
			{Name: "heap2", Data: later, Taken: t0.Add(time.Hour)}}},
		{"two goroutine profiles", []diagnose.Evidence{{Name: "g1", Data: goroutines, Taken: t0},
			{Name: "g2", Data: goroutines, Taken: t0.Add(time.Minute)}}},
		{"a mutex profile", []diagnose.Evidence{{Name: "mutex", Data: waits, Seconds: 60}}},
		{"a goroutine dump", []diagnose.Evidence{{Name: "dump", Data: manyGoroutines(), Taken: t0}}},
	} {
		t.Run(strings.ReplaceAll(c.name, " ", "_"), func(t *testing.T) {
			runtime.GC()
			var before, after runtime.MemStats
			runtime.ReadMemStats(&before)
			cpu, start := cpuTime(), time.Now()
			rep := diagnose.Run(t.Context(), diagnose.Input{Evidence: c.evidence}, diagnose.Options{})
			took, used := time.Since(start), cpuTime()-cpu
			runtime.ReadMemStats(&after)
			whole(t, rep)
			fmt.Printf("attack: %s of %d distinct stacks: %.1f s of CPU, %.1f s, %d MiB allocated, %d MiB held of "+
				"the system\n",
				c.name, manyStacks,
				used.Seconds(), took.Seconds(), (after.TotalAlloc-before.TotalAlloc)>>20,
				(after.Sys-after.HeapReleased)>>20)
		})
	}
}

// retyped is a profile with other sample types, each with the given value.
func retyped(t *testing.T, data []byte, value int64, types ...string) []byte {
	t.Helper()
	p, err := profile.ParseData(data)
	if err != nil {
		t.Fatal(err)
	}
	p.SampleType, p.DurationNanos = nil, 0
	for _, typ := range types {
		name, unit, _ := strings.Cut(typ, "/")
		p.SampleType = append(p.SampleType, &profile.ValueType{Type: name, Unit: unit})
	}
	for _, s := range p.Sample {
		s.Value = make([]int64, len(types))
		for i := range s.Value {
			s.Value[i] = value
		}
	}
	p.PeriodType, p.Period = &profile.ValueType{Type: "space", Unit: "bytes"}, 1
	var b bytes.Buffer
	if err := p.Write(&b); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// manyGoroutines is a dump in which every goroutine has its own stack, waits for its own lock, and holds another one.
func manyGoroutines() []byte {
	var b bytes.Buffer
	for i := range manyStacks {
		fmt.Fprintf(&b,
			"goroutine %d [sync.Mutex.Lock, 5 minutes]:\nsync.(*Mutex).Lock(0xc%06x)\n\t/go/src/sync/mutex.go:9 +0x1\n",
			i+1, i)
		fmt.Fprintf(&b,
			"main.(*T%d).take(0xc0)\n\t/src/main.go:%d +0x1\nmain.(*T%d).give(0xc0)\n\t/src/main.go:%d "+
				"+0x1\nmain.run%d()\n\t/src/main.go:%d +0x1\n",
			i%5000, i, (i+1)%5000, i+7, i%977, i)
		fmt.Fprintf(&b, "created by main.main in goroutine 1\n\t/src/main.go:%d +0x1\n\n", i%100)
	}
	return b.Bytes()
}
