package trace

import (
	"bytes"
	"runtime"
	"testing"

	"github.com/gocasebook/casebook/diagnose/traces"
)

func TestPlantedBound(t *testing.T) { onceOf(t, boundIsKnown) }

const handed = 1000

func boundIsKnown(t testing.TB) {
	if runtime.GOMAXPROCS(0) < 2 {
		t.Skip("needs two Ps: with one nobody runs beside the one that makes room")
	}
	s := record(t, func() { plantedHandOver(plantedBound) })
	i := len(s.Bound)
	for k, b := range s.Bound {
		if has(b.Stack, ".plantedBound") {
			i = k
		}
	}
	if i == len(s.Bound) {
		t.Errorf("bound are %q, want plantedBound", boundNames(s.Bound))
		return
	}
	b := s.Bound[i]
	if b.Number != 1 || b.Wakes.Count < handed/2 || b.Wakes.Count > handed || b.Returns.Count < handed/2 ||
		b.Beside > b.Wakes.Total+b.Returns.Total || b.Beside <= 0 {
		t.Errorf("of %d hand-overs %+v", handed, b)
	}
}

// TestPlantedFree: the same without LockOSThread.
func TestPlantedFree(t *testing.T) {
	s := record(t, func() { plantedHandOver(plantedFree) })
	for _, b := range s.Bound {
		t.Errorf("%s is bound: %+v", b.Goroutine, b)
	}
}

func plantedHandOver(to func(chan int, chan int)) {
	there, back := make(chan int), make(chan int)
	go to(there, back)
	for i := range handed {
		there <- i
		<-back
	}
	close(there)
	<-back
}

func plantedBound(there, back chan int) {
	runtime.LockOSThread() // its thread ends with it
	plantedFree(there, back)
}

func plantedFree(there, back chan int) {
	defer close(back)
	for i := range there {
		back <- i
	}
}

// TestBoundRecorded: in recordings of programs that bind no goroutine none is bound, and boundRuns is far from what they
// do by chance.
func TestBoundRecorded(t *testing.T) {
	all := recorded(t)
	all["grpc"] = readTrace(t, "testdata/grpc/grpc.trace.gz")
	most := 0
	for name, data := range all {
		got, err := Read(t.Context(), name, bytes.NewReader(data))
		if err != nil {
			t.Fatal(err)
		}
		if found := got.Summary().Bound; len(found) > 0 {
			t.Errorf("%s: %+v", name, boundNames(found))
		}
		most = max(most, got.tables.bound.most)
	}
	t.Logf("at most %d times in a row", most)
	if most == 0 || most*2 > boundRuns {
		t.Errorf("a goroutine ran %d times in a row where it was not woken; want some, and at most half of %d", most,
			boundRuns)
	}
}

func boundNames(bs []traces.Bound) (names []string) {
	for _, b := range bs {
		names = append(names, b.Goroutine)
	}
	return names
}
