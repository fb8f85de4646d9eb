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
// Several replicas of a watch have turns of their own: so many cases at a time each.
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

// Take waits for the turn of a case. The caller ends it.
func (t *Turns) Take(ctx context.Context, node, service string) (end func(), err error) {
	timeout := time.NewTimer(t.limits.Wait)
	defer timeout.Stop()
	for {
		freed, err := t.try(node, service)
		if err != nil {
			return nil, err
		}
		if freed == nil {
			return sync.OnceFunc(func() { t.end(node, service) }), nil
		}
		select {
		case <-freed:
		case <-timeout.C:
			return nil, fmt.Errorf("its turn did not come within %s: %s", t.limits.Wait, t.busy(node))
		case <-ctx.Done():
			return nil, ctx.Err()
		}
	}
}

// try takes a turn, or returns what to wait for.
func (t *Turns) try(node, service string) (wait <-chan struct{}, err error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.forget()
	switch {
	case t.services[service]:
		return nil, fmt.Errorf("a case of %s is being taken", service)
	case len(t.taken[service]) >= t.limits.Service:
		return nil, fmt.Errorf("%s had its %d cases of this hour", service, t.limits.Service)
	case t.all >= t.limits.All || t.nodes[node] >= t.limits.Node:
		return t.freed, nil
	}
	t.all++
	t.nodes[node]++
	t.services[service] = true
	t.taken[service] = append(t.taken[service], t.now())
	return nil, nil
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

func (t *Turns) end(node, service string) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.all--
	if t.nodes[node]--; t.nodes[node] == 0 {
		delete(t.nodes, node)
	}
	delete(t.services, service)
	close(t.freed)
	t.freed = make(chan struct{})
}
