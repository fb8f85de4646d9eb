package main

import (
	"testing"
	"time"
)

// TestPeers: every cache returns what was put in, as far as it has room, which should be enough for nearly all.
func TestPeers(t *testing.T) {
	const n = 20_000
	for _, m := range makers() {
		if m.name == noCache {
			continue
		}
		t.Run(m.name, func(t *testing.T) {
			p, err := m.make(n, time.Hour)
			if err != nil {
				t.Fatal(err)
			}
			if p.close != nil {
				defer p.close()
			}
			fill(p, n)
			get, found := p.reader(), 0
			var k, v [16]byte
			for i := range uint32(n) {
				if length, ok := get(phone(&k, i)); ok {
					found++
					if want := len(phone(&v, i^1)); length != want {
						t.Fatalf("the value of %d has %d bytes, want %d", i, length, want)
					}
				}
			}
			if found < n*95/100 {
				t.Errorf("%d of %d are found, want 95 %% at least", found, n)
			}
			if held := p.count(); held < found || held > n {
				t.Errorf("it says that it holds %d, %d were found", held, found)
			}
		})
	}
}
