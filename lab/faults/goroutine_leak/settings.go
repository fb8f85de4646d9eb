package goroutine_leak

import (
	"fmt"
	"net/http"
	"sync"
	"sync/atomic"

	"github.com/gocasebook/casebook/lab/faults"
)

// Settings are loaded anew on demand, and followed by whoever needs them.
type Settings struct {
	closes bool
	seen   atomic.Int64

	mu      sync.Mutex
	changes chan int // of the settings that are in force; guarded by mu
}

// follow notes the changes of settings until they are replaced.
func (s *Settings) follow(changes <-chan int) {
	for range changes {
		s.seen.Add(1)
	}
}

// reload replaces the settings. The fault: who follows the old ones is not told, and waits for ever.
func (s *Settings) reload() {
	changes := make(chan int, 1)
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.closes && s.changes != nil {
		close(s.changes)
	}
	s.changes = changes
	go s.follow(changes)
}

// ServeHTTP loads the settings anew.
func (s *Settings) ServeHTTP(w http.ResponseWriter, _ *http.Request) {
	s.reload()
	fmt.Fprint(w, s.seen.Load())
}

func settings(closes bool, perSecond float64) faults.Service {
	return faults.Service{Handler: &Settings{closes: closes},
		Load: []faults.Call{{Path: "/reload", PerSecond: perSecond}}}
}

// Proved is a leak in a program that has the runtime's own leak profile.
func Proved() faults.Fault {
	return faults.Fault{
		Kind: "goroutine-leak", Name: "goroutine-leak-proved",
		Text:       "whoever follows settings is not told when they are replaced",
		Culprit:    "goroutine_leak.(*Settings).follow",
		Faulty:     func() faults.Service { return settings(false, 50) },
		Repaired:   func() faults.Service { return settings(true, 50) },
		Limit:      func() faults.Service { return settings(false, 1) },
		Experiment: "goroutineleakprofile",
	}
}
