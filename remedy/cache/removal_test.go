package cache_test

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/gocasebook/casebook/remedy/cache"
)

func TestOnRemove(t *testing.T) {
	for _, memory := range []cache.Memory{cache.Heap, cache.Mapped} {
		t.Run(fmt.Sprint("memory=", memory), func(t *testing.T) {
			skipWithoutMapping(t, memory)
			synctest.Test(t, func(t *testing.T) { playOnRemove(t, memory) })
		})
	}
}

func playOnRemove(t *testing.T, memory cache.Memory) {
	var told []string
	var c *cache.Cache[string, string]
	c = mustNew(t, cache.Config[string, string]{TTL: time.Minute, Jitter: cache.NoJitter, Memory: memory,
		OnRemove: func(k, v string, cause cache.Cause) {
			told = append(told, fmt.Sprintf("%s=%.5s %v", k, v, cause))
			c.Get(k) // no lock is held
		}})
	defer c.Close()
	want := func(lines ...string) {
		t.Helper()
		if slices.Sort(told); !slices.Equal(told, lines) {
			t.Errorf("reported %q, want %q", told, lines)
		}
		told = nil
	}
	set := func(k, v string) {
		t.Helper()
		if err := c.Set(k, v); err != nil {
			t.Fatal(err)
		}
	}
	set("a", "1")
	want()
	set("a", "2")
	want("a=1 replaced")
	c.Delete("a")
	want("a=2 deleted")
	set("a", "3")
	if err := c.Set("a", strings.Repeat("x", 60<<20)); !errors.Is(err, cache.ErrTooLarge) {
		t.Errorf("Set of 60 MB: %v, want %v", err, cache.ErrTooLarge)
	}
	want("a=3 refused")
	set("a", "4")
	set("b", "5")
	c.Clear()
	want("a=4 cleared", "b=5 cleared")
	set("a", "6")
	set("b", "7")
	time.Sleep(time.Minute)
	set("a", "8")
	c.DeleteExpired()
	want("a=6 expired", "b=7 expired")
	if err := c.SetNegative("a"); err != nil {
		t.Fatal(err)
	}
	want("a=8 replaced")
	c.Delete("a")
	want() // a negative entry has no value
}

// TestEvictionIsTold: every entry that was set is either still there or was reported as evicted, once.
func TestEvictionIsTold(t *testing.T) {
	gone := make(map[int]int)
	c := mustNew(t, cache.Config[int, int]{MaxBytes: 64 << 10, OnRemove: func(k, _ int, cause cache.Cause) {
		if gone[k]++; cause != cache.Evicted {
			t.Errorf("%d was %v, want evicted", k, cause)
		}
	}})
	const n = 20_000
	for k := range n {
		if err := c.Set(k, k); err != nil {
			t.Fatal(err)
		}
		c.Get(k % 100)
	}
	for k := range n {
		_, held := c.Get(k)
		if times := gone[k]; held && times != 0 || !held && times != 1 {
			t.Fatalf("%d is held: %v, and went %d times", k, held, times)
		}
	}
	if s := c.Stats(); s.Removed[cache.Evicted] != uint64(len(gone)) || s.Entries != n-len(gone) || s.Sets != n {
		t.Errorf("Stats: %d evicted, %d held, %d set, want %d, %d, %d", s.Removed[cache.Evicted], s.Entries, s.Sets,
			len(gone), n-len(gone), n)
	}
}

func TestOnRemovePanics(t *testing.T) {
	c := mustNew(t, cache.Config[int, int]{OnRemove: func(int, int, cache.Cause) { panic("counted") }})
	if err := c.Set(1, 1); err != nil {
		t.Fatal(err)
	}
	if !c.Delete(1) || c.Stats().Panics != 1 {
		t.Errorf("%d panics are counted, want 1", c.Stats().Panics)
	}
}
