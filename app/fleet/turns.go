package fleet

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"sync"
	"time"
)

// Turns let the cases of many targets be taken one after another: a release that makes a thousand pods ill must not
// have a thousand of them profiled at once. A case waits for its node and for a place among all. A service whose case
// is being taken, or that had its cases of this hour, gets none: the next one would say the same.
//
// Several replicas of a watch stay within the limits together without asking each other: a node is watched by one of
// them, and each knows which part of the other limits is its own (Share). Only that a service has one case at a time
// holds for each replica: several that watch a service may take one each.
type Turns struct {
	limits TurnLimits
	now    func() time.Time

	mu       sync.Mutex // guards what follows
	all      int        // cases that are being taken
	nodes    map[string]int
	services map[string]bool
	taken    map[string][]time.Time // of the last hour, by service
	freed    chan struct{}          // closed when a turn ends
}

// TurnLimits are how many cases there may be. Zero means the default.
type TurnLimits struct {
	Node    int           // at a time on one node; default 1
	Service int           // an hour of one service; default 6
	All     int           // at a time; default 8
	Wait    time.Duration // for a turn, at most: evidence that comes later is of something else; default 30 s
}

// Defaults of TurnLimits.
const (
	DefaultTurnsNode    = 1
	DefaultTurnsService = 6
	DefaultTurnsAll     = 8
	DefaultTurnsWait    = 30 * time.Second
)

// NewTurns checks the limits.
func NewTurns(l TurnLimits) (*Turns, error) {
	if l.Node < 0 || l.Service < 0 || l.All < 0 || l.Wait < 0 {
		return nil, errors.New("a limit on cases is negative; it must be positive")
	}
	l.Node, l.Service = cmp.Or(l.Node, DefaultTurnsNode), cmp.Or(l.Service, DefaultTurnsService)
	l.All, l.Wait = cmp.Or(l.All, DefaultTurnsAll), cmp.Or(l.Wait, DefaultTurnsWait)
	return &Turns{limits: l, now: time.Now, nodes: make(map[string]int), services: make(map[string]bool),
		taken: make(map[string][]time.Time), freed: make(chan struct{})}, nil
}

// A Share is the part of a limit that one of several replicas has: the Rank-th of so many, from 0. Its zero value is
// all.
type Share struct{ Rank, Of int }

// part is the replica's part of a limit: the parts of all are the limit.
func (s Share) part(limit int) int {
	if s.Of <= 1 {
		return limit
	}
	n := limit / s.Of
	if s.Rank < limit%s.Of {
		n++
	}
	return n
}

// A Turn is what a case would be of.
type Turn struct {
	Node, Service string
	Same          Share // of the service's cases an hour: among the replicas that watch it
	All           Share // of cases at a time: among all replicas
}

// Take waits for the turn of a case. The caller ends it.
func (t *Turns) Take(ctx context.Context, of Turn) (end func(), err error) {
	timeout := time.NewTimer(t.limits.Wait)
	defer timeout.Stop()
	for {
		freed, err := t.try(of)
		if err != nil {
			return nil, err
		}
		if freed == nil {
			return sync.OnceFunc(func() { t.end(of) }), nil
		}
		select {
		case <-freed:
		case <-timeout.C:
			return nil, fmt.Errorf("its turn did not come within %s: %s", t.limits.Wait, t.busy(of.Node))
		case <-ctx.Done():
			return nil, ctx.Err()
		}
	}
}

// try takes a turn, or returns what to wait for.
func (t *Turns) try(of Turn) (wait <-chan struct{}, err error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.forget()
	switch {
	case t.services[of.Service]:
		return nil, fmt.Errorf("a case of %s is being taken", of.Service)
	case len(t.taken[of.Service]) >= of.Same.part(t.limits.Service):
		return nil, t.spent(of)
	case t.all >= max(1, of.All.part(t.limits.All)) || t.nodes[of.Node] >= t.limits.Node:
		return t.freed, nil
	}
	t.all++
	t.nodes[of.Node]++
	t.services[of.Service] = true
	t.taken[of.Service] = append(t.taken[of.Service], t.now())
	return nil, nil
}

// spent says why a service gets no more cases in this hour.
func (t *Turns) spent(of Turn) error {
	part := of.Same.part(t.limits.Service)
	if of.Same.Of <= 1 {
		return fmt.Errorf("%s had its %d cases of this hour", of.Service, part)
	}
	return fmt.Errorf("%s had its %d cases of this hour at this replica: %d replicas that watch it share %d", of.Service,
		part, of.Same.Of, t.limits.Service)
}

// forget drops cases of more than an hour ago, so that the map has services of the last hour alone. t.mu is held.
func (t *Turns) forget() {
	since := t.now().Add(-time.Hour)
	for service, times := range t.taken {
		for len(times) > 0 && times[0].Before(since) {
			times = times[1:]
		}
		if t.taken[service] = times; len(times) == 0 {
			delete(t.taken, service)
		}
	}
}

func (t *Turns) busy(node string) string {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.nodes[node] >= t.limits.Node {
		return fmt.Sprintf("%d of node %s are being taken", t.nodes[node], node)
	}
	return fmt.Sprintf("%d are being taken", t.all)
}

func (t *Turns) end(of Turn) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.all--
	if t.nodes[of.Node]--; t.nodes[of.Node] == 0 {
		delete(t.nodes, of.Node)
	}
	delete(t.services, of.Service)
	close(t.freed)
	t.freed = make(chan struct{})
}
