package casebook

import (
	"context"
	"fmt"
	"log/slog"
	"sync"
	"sync/atomic"
	"time"

	"github.com/gocasebook/casebook/internal/own"
)

// A mailbox queues messages for a function of the host and calls it, one at a time, on a separate goroutine: a slow
// reader delays neither a sample nor a case. Messages beyond its size are dropped and counted.
type mailbox[T any] struct {
	doing string
	call  func(T)
	fail  func(error)  // gets panics
	apart func(func()) // calls what calls the host

	mu    sync.Mutex // guards what follows
	ring  []T        // grows with what waits: most hosts keep up, and a message is a kilobyte
	first int        // in ring, of what waits longest
	n     int        // how many wait

	more    chan struct{} // has room for one: something waits
	quit    chan struct{} // closed: nothing more will be put
	ended   chan struct{} // closed: nothing more will be called
	left    atomic.Bool   // it was left running
	caller  atomic.Pointer[own.Goroutine]
	handled atomic.Uint64
	dropped atomic.Uint64
}

// mailboxSize is how many events, or lines of the log, wait for a slow host.
const mailboxSize = 256

func newMailbox[T any](doing string, call func(T), fail func(error), apart func(func())) *mailbox[T] {
	return &mailbox[T]{
		doing: doing, call: call, fail: fail, apart: apart,
		more: make(chan struct{}, 1), quit: make(chan struct{}), ended: make(chan struct{}),
	}
}

// put never waits. Dispensable messages use no more than half of the room. A nil mailbox has no reader.
func (m *mailbox[T]) put(v T, spare bool) {
	if m == nil {
		return
	}
	if !m.add(v, spare) {
		m.dropped.Add(1)
		return
	}
	select {
	case m.more <- struct{}{}:
	default: // the reader has been told
	}
}

// add appends a message if there is room.
func (m *mailbox[T]) add(v T, spare bool) bool {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.n >= mailboxSize || spare && m.n >= mailboxSize/2 {
		return false
	}
	if m.n == len(m.ring) {
		ring := make([]T, min(max(2*m.n, 2), mailboxSize))
		k := copy(ring, m.ring[m.first:])
		copy(ring[k:], m.ring[:m.first])
		m.ring, m.first = ring, 0
	}
	m.ring[(m.first+m.n)%len(m.ring)] = v
	m.n++
	return true
}

// take returns what waits longest; false if nothing does.
func (m *mailbox[T]) take() (v T, ok bool) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.n == 0 {
		return v, false
	}
	var none T
	v, m.ring[m.first] = m.ring[m.first], none
	m.first = (m.first + 1) % len(m.ring)
	m.n--
	return v, true
}

// waiting is how many messages wait.
func (m *mailbox[T]) waiting() int {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.n
}

func (m *mailbox[T]) lost() uint64 {
	if m == nil {
		return 0
	}
	return m.dropped.Load()
}

// start calls in the background, until finish.
func (m *mailbox[T]) start() { m.caller.Store(own.Go(m.run)) }

// run calls until finish. A call that ends its goroutine gets a new one.
func (m *mailbox[T]) run() {
	over := false
	defer func() {
		if over {
			close(m.ended)
			return
		}
		m.fail(fmt.Errorf("%s ended its goroutine instead of returning", m.doing))
		m.start()
	}()
	all := m.handleAll // made once: a guest makes no garbage
	for !m.left.Load() {
		if m.waiting() > 0 {
			m.apart(all)
			continue
		}
		select {
		case <-m.more:
		case <-m.quit:
			if m.waiting() == 0 {
				over = true
				return
			}
		}
	}
	over = true
}

// handleAll delivers what waits.
func (m *mailbox[T]) handleAll() {
	for !m.left.Load() {
		v, ok := m.take()
		if !ok {
			return
		}
		m.handle(v)
	}
}

func (m *mailbox[T]) handle(v T) {
	defer func() {
		m.handled.Add(1)
		if p := recover(); p != nil {
			m.fail(fmt.Errorf("%s panicked: %v", m.doing, p))
		}
	}()
	callHost(func() { m.call(v) })
}

// mostPatience limits the wait for a reader that is slow but keeps reading.
const mostPatience = 30 * time.Second

// finish delivers the waiting messages to the host. A host that stops reading is left running, without the rest.
func (m *mailbox[T]) finish() {
	if m == nil {
		return
	}
	close(m.quit)
	look := time.NewTicker(hostPatience)
	defer look.Stop()
	for before, begun := m.handled.Load(), time.Now(); ; {
		select {
		case <-m.ended:
			return
		case <-look.C:
		}
		now := m.handled.Load()
		if now == before || time.Since(begun) > mostPatience {
			m.left.Store(true)
			m.caller.Load().GiveUp()
			m.dropped.Add(uint64(m.waiting()))
			m.fail(fmt.Errorf("%s: %w", m.doing, errAbandoned))
			return
		}
		before = now
	}
}

// A lateLine is a line of the log that waits for the host's handler.
type lateLine struct {
	to   slog.Handler
	line slog.Record
}

// write gives the line to the handler. If the handler cannot write it, that is the handler's problem.
func (l lateLine) write() {
	ctx := context.Background()
	if l.to.Enabled(ctx, l.line.Level) {
		_ = l.to.Handle(ctx, l.line)
	}
}

// A lateHandler is a handler whose lines go through a mailbox.
type lateHandler struct {
	to  slog.Handler
	box *mailbox[lateLine]
}

func (h lateHandler) Enabled(context.Context, slog.Level) bool { return true } // the host's is asked by the mailbox

func (h lateHandler) Handle(_ context.Context, r slog.Record) error {
	h.box.put(lateLine{h.to, r.Clone()}, false)
	return nil
}

func (h lateHandler) WithAttrs(attrs []slog.Attr) slog.Handler {
	return lateHandler{h.to.WithAttrs(attrs), h.box}
}
func (h lateHandler) WithGroup(name string) slog.Handler {
	return lateHandler{h.to.WithGroup(name), h.box}
}
