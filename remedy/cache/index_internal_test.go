package cache

import (
	"bytes"
	"fmt"
	"testing"
)

// TestEqualHashes: keys with the same hash are told apart by their bytes.
func TestEqualHashes(t *testing.T) {
	c, err := New(Config[string, string]{})
	if err != nil {
		t.Fatal(err)
	}
	s, key := &c.shards[0], func(i int) []byte { return fmt.Appendf(nil, "key %d", i) }
	const n, hash = 100, 12345
	for i := range n {
		if !s.put(hash, &draft{key: key(i), value: key(i * i)}, 1, c.tuner.mode()) {
			t.Fatal("put refused a small entry")
		}
	}
	for i := 0; i < n; i += 3 {
		if !s.delete(hash, key(i), Deleted) {
			t.Errorf("delete did not find %s", key(i))
		}
	}
	for i := range n + 1 {
		r, ok := s.lookup(hash, key(i))
		if want := i%3 != 0 && i < n; ok != want || ok && !bytes.Equal(r.value(), key(i*i)) {
			t.Errorf("lookup of %s: %v, want %v", key(i), ok, want)
		}
	}
}
