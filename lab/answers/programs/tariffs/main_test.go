package main

import (
	"errors"
	"sync"
	"sync/atomic"
	"testing"
	"time"
)

func TestKept(t *testing.T) {
	asked := 0
	x := &tariffs{fresh: time.Hour, kept: map[string]kept{}, ask: func(string) (int, error) { asked++; return 7, nil }}
	for range 3 {
		if cents, err := x.rate("a"); cents != 7 || err != nil {
			t.Fatalf("the rate is %d, %v; wanted 7", cents, err)
		}
	}
	if asked != 1 {
		t.Errorf("the server was asked %d times, wanted once", asked)
	}
}

// TestOnce holds that many who want the same at a time ask once.
func TestOnce(t *testing.T) {
	var asked atomic.Int64
	x := &tariffs{fresh: time.Hour, kept: map[string]kept{}, ask: func(string) (int, error) {
		asked.Add(1)
		time.Sleep(20 * time.Millisecond)
		return 7, nil
	}}
	var wg sync.WaitGroup
	for range 8 {
		wg.Go(func() {
			if cents, err := x.rate("a"); cents != 7 || err != nil {
				t.Errorf("the rate is %d, %v; wanted 7", cents, err)
			}
		})
	}
	wg.Wait()
	if n := asked.Load(); n != 1 {
		t.Errorf("the server was asked %d times, wanted once for all", n)
	}
}

func TestErrorIsNotKept(t *testing.T) {
	down := errors.New("down")
	fails := true
	x := &tariffs{fresh: time.Hour, kept: map[string]kept{}, ask: func(string) (int, error) {
		if fails {
			return 0, down
		}
		return 7, nil
	}}
	if _, err := x.rate("a"); !errors.Is(err, down) {
		t.Errorf("the error is %v, wanted %v", err, down)
	}
	fails = false
	if cents, err := x.rate("a"); cents != 7 || err != nil {
		t.Errorf("afterwards the rate is %d, %v; wanted 7", cents, err)
	}
}
