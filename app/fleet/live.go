package fleet

import "github.com/gocasebook/casebook/app/casework"

// An Event is something that happened at a target. One that has only Sampled says that Status has new numbers.
type Event struct {
	Sampled bool
	Line    *casework.Line // what `casebook watch --json` prints, without paths; nil if only the state changed
	State   *Target
}

// A Listener hears events of a target.
type Listener struct {
	// C is closed when the target is not watched any more. Who reads too slowly misses events.
	C <-chan Event

	c chan Event
	m *member
}

// listenerRoom is how many events wait for a reader.
const listenerRoom = 32

// maxListeners bounds who listens to one target.
const maxListeners = 200

// listen adds a listener; none where there are too many, or the target is gone.
func (m *member) listen() (*Listener, bool) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.listeners == nil || len(m.listeners) >= maxListeners {
		return nil, false
	}
	l := &Listener{c: make(chan Event, listenerRoom), m: m}
	l.C = l.c
	m.listeners[l] = true
	return l, true
}

// ID is the target's.
func (l *Listener) ID() string { return l.m.id }

// Close ends a listener. It may be called after the target is gone.
func (l *Listener) Close() {
	l.m.mu.Lock()
	defer l.m.mu.Unlock()
	delete(l.m.listeners, l)
}

// tell never waits: a browser that sleeps must not hold up a watch. m.mu is held.
func (m *member) tell(e Event) {
	for l := range m.listeners {
		select {
		case l.c <- e:
		default:
		}
	}
}
