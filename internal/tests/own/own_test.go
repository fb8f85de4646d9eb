package own_test

import (
	"runtime"
	"sync"
	"testing"

	"github.com/gocasebook/casebook/internal/own"
)

// settled is what Others is once goroutines that are about to end have ended.
func settled(t *testing.T, want int) {
	t.Helper()
	for range 1_000_000 {
		if own.Others() == want {
			return
		}
		runtime.Gosched()
	}
	t.Errorf("%d goroutines are others', want %d", own.Others(), want)
}

// atRest is what Others is once goroutines of earlier tests have ended: the test's own and that of main.
func atRest(t *testing.T) int {
	t.Helper()
	settled(t, 2)
	return 2
}

func TestOthers(t *testing.T) {
	before := atRest(t)
	release := make(chan struct{})
	var group sync.WaitGroup
	for range 100 {
		own.In(&group, func() { <-release })
	}
	if n := own.Others(); n != before {
		t.Errorf("%d goroutines are others' while 100 of ours run, want %d", n, before)
	}
	group.Go(func() { <-release })
	if n := own.Others(); n != before+1 {
		t.Errorf("%d goroutines are others' after one more of theirs, want %d", n, before+1)
	}
	close(release)
	group.Wait()
	settled(t, before)
}

func TestGiveUp(t *testing.T) {
	before := atRest(t)
	release, ended := make(chan struct{}), make(chan struct{})
	g := own.Go(func() { defer close(ended); <-release })
	g.GiveUp()
	g.GiveUp()
	if n := own.Others(); n != before+1 {
		t.Errorf("%d goroutines are others' after one was given up, want %d", n, before+1)
	}
	close(release)
	<-ended
	settled(t, before) // its end takes nothing from the count again
	var none *own.Goroutine
	none.GiveUp()
}

// A goroutine that ends by Goexit, and one that panics and recovers, are counted as ended.
func TestEndings(t *testing.T) {
	before := atRest(t)
	var group sync.WaitGroup
	own.In(&group, runtime.Goexit)
	own.In(&group, func() {
		defer func() { _ = recover() }()
		panic("a detector")
	})
	group.Wait()
	settled(t, before)
}

func TestHold(t *testing.T) {
	before := atRest(t)
	release := make(chan struct{})
	g := own.Hold()
	go func() { <-release }() // what a package calls on our behalf
	if n := own.Others(); n != before {
		t.Errorf("%d goroutines are others' while one is held for us, want %d", n, before)
	}
	close(release)
	g.GiveUp()
	settled(t, before)
}

// While goroutines of ours begin and end, those of others are never counted as ours.
func TestOthersIsNeverTooLow(t *testing.T) {
	before := atRest(t)
	var group sync.WaitGroup
	group.Go(func() {
		for range 200 {
			var detectors sync.WaitGroup
			for range 75 {
				own.In(&detectors, func() {})
			}
			detectors.Wait()
		}
	})
	for range 20_000 {
		if n := own.Others(); n < before {
			t.Fatalf("%d goroutines are others', and %d are", n, before)
		}
	}
	group.Wait()
}

func BenchmarkOthers(b *testing.B) {
	b.ReportAllocs()
	for b.Loop() {
		own.Others()
	}
}

func BenchmarkGo(b *testing.B) {
	b.ReportAllocs()
	var group sync.WaitGroup
	for b.Loop() {
		own.In(&group, func() {})
	}
	group.Wait()
}
