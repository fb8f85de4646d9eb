// The repaired twin: the lock is held for a map access only.
package main

import (
	"runtime"
	"sync"
	"time"

	"github.com/gocasebook/casebook/diagnose/testdata/programs/service"
)

type store struct {
	mu     sync.Mutex
	values map[int]int
}

// get fetches what is missing without the lock.
func (s *store) get(k int) int {
	v := fetch(k)
	s.mu.Lock()
	defer s.mu.Unlock()
	s.values[k] = v
	return v
}

func fetch(k int) int {
	time.Sleep(time.Millisecond)
	return k
}

func main() {
	runtime.SetMutexProfileFraction(10)
	runtime.SetBlockProfileRate(10_000)
	s := &store{values: make(map[int]int)}
	for g := range 200 {
		go service.Load(10, func(i int) { s.get(g*1000 + i%1000) })
	}
	service.Run()
}
