package store

import (
	"maps"
	"slices"
	"sync"
	"testing"
	"time"
)

// Of several processes one has each target, until it leaves, dies or says nothing for longer than it may.
func TestHoldTargets(t *testing.T) {
	eachStore(t, func(t *testing.T, cfg Config) {
		a, b := openStore(t, cfg), openStore(t, cfg)
		now := time.Date(2026, 11, 28, 9, 0, 0, 0, time.UTC)
		a.now = func() time.Time { return now }
		b.now = a.now
		want := func(what string, s *Store, holder string, dead func(string) bool, targets []string, want ...string) {
			t.Helper()
			held, err := s.HoldTargets(t.Context(), holder, targets, time.Minute, dead)
			if err != nil {
				t.Fatal(err)
			}
			if got := slices.Sorted(maps.Keys(held)); !slices.Equal(got, want) {
				t.Errorf("%s: %s has %q, want %q", what, holder, got, want)
			}
		}
		want("the first", a, "a", nil, []string{"y", "x"}, "x", "y")
		want("the second", b, "b", nil, []string{"x", "y", "z"}, "z")
		now = now.Add(40 * time.Second)
		want("the first again", a, "a", nil, []string{"x"}, "x")
		now = now.Add(40 * time.Second)
		want("one that the first left out is free after its time", b, "b", nil, []string{"x", "y"}, "y")
		want("the first comes back too late", a, "a", nil, []string{"x", "y"}, "x")
		want("others are alive", b, "b", func(holder string) bool { return holder == "c" }, []string{"x", "y"}, "y")
		want("the first has died", b, "b", func(holder string) bool { return holder == "a" }, []string{"x", "y"}, "x", "y")
		if err := b.FreeTargets(t.Context(), "b"); err != nil {
			t.Fatal(err)
		}
		want("the second left", a, "a", nil, []string{"x", "y", "z"}, "x", "y", "z")
	})
}

// However many ask at once, each target has one holder.
func TestHoldTargetsAtOnce(t *testing.T) {
	eachStore(t, func(t *testing.T, cfg Config) {
		targets := []string{"a", "b", "c", "d", "e"}
		var mu sync.Mutex
		holders := make(map[string]int)
		var all sync.WaitGroup
		for _, holder := range []string{"1", "2", "3", "4"} {
			s := openStore(t, cfg)
			all.Go(func() {
				for range 5 {
					held, err := s.HoldTargets(t.Context(), holder, targets, time.Hour, nil)
					if err != nil {
						t.Errorf("holder %s: %v", holder, err)
						return
					}
					mu.Lock()
					for target := range held {
						holders[target+" "+holder]++
					}
					mu.Unlock()
				}
			})
		}
		all.Wait()
		if len(holders) != len(targets) {
			t.Errorf("targets and their holders are %v, want one of each", holders)
		}
	})
}
