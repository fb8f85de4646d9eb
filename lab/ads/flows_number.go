package ads

import (
	"sync"
	"time"
)

// numberFlows finds what is known by the ad's id. The collector finds no pointers in it.
type numberFlows struct {
	mu  sync.RWMutex // guards all
	all map[int64]keptFlow
}

type keptFlow struct {
	flow
	until int64 // nanoseconds since 1970
}

func newNumberFlows(ads int) *numberFlows { return &numberFlows{all: make(map[int64]keptFlow, ads)} }

func (f *numberFlows) of(now time.Time, _ int, o *offer) flow {
	f.mu.RLock()
	kept, known := f.all[o.id]
	f.mu.RUnlock()
	if known && now.UnixNano() < kept.until {
		return kept.flow
	}
	fresh := askFlow(o.id)
	f.mu.Lock()
	f.all[o.id] = keptFlow{fresh, now.Add(flowLife).UnixNano()}
	f.mu.Unlock()
	return fresh
}
