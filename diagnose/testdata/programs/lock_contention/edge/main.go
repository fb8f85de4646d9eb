// The same store under a load that keeps its lock taken about two thirds of the time.
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

// get fetches what is missing while everyone waits.
func (s *store) get(k int) int {
	s.mu.Lock()
	defer s.mu.Unlock()
	v := fetch(k)
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
	for g := range 40 {
		go func() {
			time.Sleep(time.Duration(g) * 2 * time.Millisecond) // requests do not come all at once
			service.Load(12, func(i int) { s.get(g*1000 + i%1000) })
		}()
	}
	service.Run()
}
