package cache

import (
	"fmt"
	"math/rand/v2"
	"testing"
	"testing/synctest"
	"time"
)

// TestInvariants checks the whole structure again and again under random operations, in every mode.
func TestInvariants(t *testing.T) {
	for m, name := range modeNames() {
		for _, bytes := range []int64{64 << 10, 300 << 10} {
			t.Run(fmt.Sprintf("mode=%s/bytes=%d", name, bytes), func(t *testing.T) {
				t.Parallel()
				synctest.Test(t, func(t *testing.T) { playInvariants(t, m, bytes) })
			})
		}
	}
}

func playInvariants(t *testing.T, m int, bytes int64) {
	c, err := New(Config[string, []byte]{MaxBytes: bytes, TTL: time.Minute})
	if err != nil {
		t.Fatal(err)
	}
	r := rand.New(rand.NewPCG(uint64(m), uint64(bytes)))
	for i := range 15_000 {
		c.tuner.current.Store(int32(m)) // whatever the tuner wants
		key := fmt.Sprint(int(20_000 * r.Float64() * r.Float64() * r.Float64()))
		switch r.IntN(12) {
		case 0, 1, 2, 3, 4:
			if err := c.Set(key, make([]byte, r.IntN(40)*(1+r.IntN(40)/39*40))); err != nil {
				t.Fatal(err)
			}
		case 5:
			c.Delete(key)
		case 6:
			time.Sleep(time.Duration(r.IntN(200)) * time.Millisecond)
		case 7:
			if i%2500 < 12 {
				c.DeleteExpired()
			}
			if i%8_000 < 12 {
				c.Clear()
			}
		default:
			c.Get(key)
		}
		if i%499 == 0 {
			c.check(t)
		}
	}
	c.check(t)
	c.Clear()
	c.check(t)
	if n := c.Len(); n != 0 {
		t.Errorf("Len() after Clear = %d, want 0", n)
	}
}
