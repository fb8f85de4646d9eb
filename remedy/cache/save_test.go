package cache_test

import (
	"bytes"
	"errors"
	"fmt"
	"strings"
	"testing"
	"testing/iotest"
	"testing/synctest"
	"time"

	"github.com/gocasebook/casebook/remedy/cache"
)

// saved is the file of a small cache, with every kind of entry.
func saved(t testing.TB) []byte {
	t.Helper()
	c := mustNew(t, cache.Config[string, string]{TTL: time.Hour})
	for i := range 20 {
		if err := c.Set(fmt.Sprint("key ", i), strings.Repeat("v", i*i)); err != nil {
			t.Fatal(err)
		}
	}
	if err := errors.Join(c.SetTTL("never", "x", cache.NoTTL), c.SetNegative("none")); err != nil {
		t.Fatal(err)
	}
	var b bytes.Buffer
	if err := c.Save(&b); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

func TestSaveLoad(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		a := mustNew(t, cache.Config[string, string]{TTL: time.Hour, Jitter: cache.NoJitter})
		for i := range 10_000 {
			if err := a.SetTTL(fmt.Sprint(i), strings.Repeat("v", i%300), time.Duration(1+i%2)*time.Hour); err != nil {
				t.Fatal(err)
			}
		}
		if err := errors.Join(a.SetNegative("none"), a.Set("large", strings.Repeat("l", 200_000))); err != nil {
			t.Fatal(err)
		}
		var file bytes.Buffer
		if err := a.Save(&file); err != nil {
			t.Fatal(err)
		}
		time.Sleep(30 * time.Minute)
		b := mustNew(t, cache.Config[string, string]{})
		if err := b.Load(iotest.HalfReader(&file)); err != nil {
			t.Fatal(err)
		}
		n := 0
		for k, v := range a.Range {
			if got, ok := b.Get(k); !ok || got != v {
				t.Fatalf("Get(%q) after Load = %.20q, %v, want %.20q", k, got, ok, v)
			}
			n++
		}
		if n != 10_001 || b.Len() != n { // the negative one has expired
			t.Errorf("Range met %d entries, Load brought %d, want 10001", n, b.Len())
		}
		time.Sleep(31 * time.Minute)
		if b.DeleteExpired(); b.Len() != 5000 {
			t.Errorf("after an hour %d are held, want the 5000 that live for two", b.Len())
		}
	})
}

func TestLoadOfDamagedFile(t *testing.T) {
	file := saved(t)
	load := func(b []byte) (*cache.Cache[string, string], error) {
		c := mustNew(t, cache.Config[string, string]{})
		if err := c.Set("before", "x"); err != nil {
			t.Fatal(err)
		}
		return c, c.Load(bytes.NewReader(b))
	}
	if c, err := load(file); err != nil || c.Len() != 23 {
		t.Fatalf("the whole file: %v, %d entries, want 23", err, c.Len())
	}
	for i := range file {
		flipped := bytes.Clone(file)
		flipped[i] ^= 0x10
		for name, b := range map[string][]byte{"cut": file[:i], "flipped": flipped} {
			if c, err := load(b); !errors.Is(err, cache.ErrBadFile) || c.Len() != 0 {
				t.Fatalf("%s at byte %d: %v, %d entries, want %v and none", name, i, err, c.Len(), cache.ErrBadFile)
			}
		}
	}
	other := mustNew(t, cache.Config[string, int]{})
	if err := other.Load(bytes.NewReader(file)); !errors.Is(err, cache.ErrBadFile) ||
		!strings.Contains(err.Error(), "int of") {
		t.Errorf("a cache of other types: %v, want %v that names int", err, cache.ErrBadFile)
	}
	if err := other.Load(iotest.ErrReader(errBackend)); !errors.Is(err, errBackend) {
		t.Errorf("a reader that fails: %v, want %v", err, errBackend)
	}
	if err := other.Save(failingWriter{}); !errors.Is(err, errBackend) {
		t.Errorf("a writer that fails: %v, want %v", err, errBackend)
	}
}

type failingWriter struct{}

func (failingWriter) Write([]byte) (int, error) { return 0, errBackend }

// FuzzLoad: whatever is loaded, there is no panic, and after an error the cache is empty.
func FuzzLoad(f *testing.F) {
	f.Add(saved(f))
	f.Add([]byte("CBCACHE1"))
	f.Fuzz(func(t *testing.T, b []byte) {
		c := mustNew(t, cache.Config[string, string]{MaxBytes: 64 << 10})
		if err := c.Load(bytes.NewReader(b)); err != nil && c.Len() != 0 {
			t.Errorf("Load: %v, and %d entries", err, c.Len())
		}
		for k, v := range c.Range {
			if got, ok := c.Get(k); !ok || got != v {
				t.Errorf("Range has %q, %q, Get %q, %v", k, v, got, ok)
			}
		}
	})
}
