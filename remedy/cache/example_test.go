package cache_test

import (
	"fmt"
	"time"

	"github.com/gocasebook/casebook/remedy/cache"
)

func Example() {
	phones, err := cache.New(cache.Config[string, string]{
		MaxBytes: 64 << 20,
		TTL:      15 * time.Minute,
	})
	if err != nil {
		fmt.Println(err)
		return
	}
	if err := phones.Set("user 1", "79990000001"); err != nil {
		fmt.Println(err)
	}
	phone, ok := phones.Get("user 1")
	fmt.Println(phone, ok)
	_, ok = phones.Get("user 2")
	fmt.Println(ok)
	s := phones.Stats()
	fmt.Println(s.Hits, "hit,", s.Misses, "miss")
	// Output:
	// 79990000001 true
	// false
	// 1 hit, 1 miss
}
