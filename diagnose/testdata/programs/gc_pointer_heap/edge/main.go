// The same cache with 250,000 entries: little more than a million objects.
package main

import (
	"strconv"

	"github.com/gocasebook/casebook/diagnose/testdata/programs/lru"
	"github.com/gocasebook/casebook/diagnose/testdata/programs/service"
)

const users = 250_000

// remember caches the phone number of a user.
func remember(c *lru.Cache, user int) {
	key := "user:" + strconv.Itoa(user)
	phone := strconv.Itoa(79160000000 + user)
	c.Set(key, phone)
}

// answer looks a number up and writes the answer.
func answer(c *lru.Cache, i int) []byte {
	v, _ := c.Get("user:" + strconv.Itoa(i*7919%users))
	phone, _ := v.(string)
	out := make([]byte, 0, 8<<10)
	return append(append(append(out, "{\"phone\":\""...), phone...), "\"}"...)
}

func main() {
	cache := lru.New(users)
	for u := range users {
		remember(cache, u)
	}
	go service.Load(20_000, func(i int) { sink(answer(cache, i)) })
	service.Run()
}

//go:noinline
func sink([]byte) {}
