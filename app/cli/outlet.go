package cli

import (
	"io"
	"sync"
	"time"
)

// An outlet writes to two places, each in the order of the calls, and never waits for a reader: behind `watch | less`,
// and a terminal that Ctrl-S has stopped, the watch continues. What does not fit is dropped and counted.
type outlet struct {
	mu      sync.Mutex // guards what follows
	queue   []outletWrite
	bytes   int           // of queue
	idle    chan struct{} // closed when queue is written; nil while nothing is
	dropped int           // writes
	wrote   int           // writes, for code that waits to see that it goes on
}

type outletWrite struct {
	to   io.Writer
	data []byte
}

// maxOutlet bounds how much waits for a reader: hours of lines, and a few diagnoses.
const maxOutlet = 1 << 20

// A face is one of the places of an outlet.
type face struct {
	o  *outlet
	to io.Writer
}

// Under is where the lines go: its width counts.
func (f face) Under() io.Writer { return f.to }

func (f face) Write(p []byte) (int, error) {
	f.o.put(outletWrite{f.to, append([]byte(nil), p...)})
	return len(p), nil
}

func (o *outlet) put(w outletWrite) {
	o.mu.Lock()
	defer o.mu.Unlock()
	if o.bytes+len(w.data) > maxOutlet {
		o.dropped++
		return
	}
	o.queue, o.bytes = append(o.queue, w), o.bytes+len(w.data)
	if o.idle == nil {
		o.idle = make(chan struct{})
		go o.drain(o.idle)
	}
}

// drain writes until nothing waits. What cannot be written is lost: nobody could read an error either.
func (o *outlet) drain(idle chan struct{}) {
	defer close(idle)
	for {
		w, ok := o.next()
		if !ok {
			return
		}
		_, _ = w.to.Write(w.data)
	}
}

func (o *outlet) next() (w outletWrite, ok bool) {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.wrote++
	if len(o.queue) == 0 {
		o.idle = nil
		return w, false
	}
	w, o.queue = o.queue[0], o.queue[1:]
	o.bytes -= len(w.data)
	return w, true
}

// outletPatience is how long a command waits at its end for a reader that has stopped reading.
const outletPatience = 2 * time.Second

// flush waits until everything is written. It returns false if the reader has stopped reading.
func (o *outlet) flush() bool {
	for {
		o.mu.Lock()
		idle, before := o.idle, o.wrote
		o.mu.Unlock()
		if idle == nil {
			return true
		}
		select {
		case <-idle:
			continue
		case <-time.After(outletPatience):
		}
		o.mu.Lock()
		stalled := o.idle != nil && o.wrote == before
		o.mu.Unlock()
		if stalled {
			return false
		}
	}
}

// lost returns how many writes did not fit.
func (o *outlet) lost() int {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.dropped
}
