package recorder

import (
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/gocasebook/casebook/internal/number"
)

const (
	// maxSnapshot bounds a snapshot: the rest of Casebook takes evidence of up to 64 MiB.
	maxSnapshot = 64 << 20
	// snapshotTimeout bounds the time of one. The worst that WriteTo took was 1.4 s, in a process that
	// saturated two cores (Go 1.26, 35 MB of trace a second; idle 0.2 ms).
	snapshotTimeout = 15 * time.Second
)

// An ask is somebody's wish for a snapshot.
type ask struct {
	ctx    context.Context // of the asking call: it lives no longer than that
	answer chan snapshot   // holds one
}

type snapshot struct {
	data []byte
	note string
	err  error
}

// Snapshot gives the execution trace of the last seconds, as runtime/trace writes it, and a note on how it was made. It
// is bounded: if it is above 64 MiB the oldest seconds are left out. An error says in words why there is none. The
// program keeps running meanwhile; the world is not stopped.
func (t *Trace) Snapshot(ctx context.Context) (data []byte, note string, err error) {
	t.mu.Lock()
	done, on := t.done, t.on
	t.mu.Unlock()
	if !on {
		return nil, "", fmt.Errorf("recorder: no execution trace: the flight recorder is %s", t.Status().Why)
	}
	ctx, cancel := context.WithTimeout(ctx, snapshotTimeout)
	defer cancel()
	a := &ask{ctx: ctx, answer: make(chan snapshot, 1)}
	ended := errors.New("recorder: no execution trace: the flight recorder was stopped")
	select {
	case t.asks <- a:
	case <-done:
		return nil, "", ended
	case <-ctx.Done():
		return nil, "", fmt.Errorf("recorder: waiting for the flight recorder: %w", ctx.Err())
	}
	select {
	case s := <-a.answer:
		return s.data, s.note, s.err
	case <-ctx.Done():
		return nil, "", fmt.Errorf("recorder: waiting for the snapshot: %w", ctx.Err())
	}
}

// write makes a snapshot. It is called by Run's goroutine only.
func (t *Trace) write(ctx context.Context, f flight) snapshot {
	s := t.Status()
	if s.Mode != On && s.Mode != Armed {
		return snapshot{err: fmt.Errorf("recorder: no execution trace: the flight recorder is %s", s.Why)}
	}
	c := collector{ctx: ctx, limit: maxSnapshot}
	if _, err := f.WriteTo(&c); err != nil {
		return snapshot{err: fmt.Errorf("recorder: writing the flight recorder's ring: %w", err)}
	}
	note := "flight recorder " + s.Why
	if age := time.Since(s.Since); age < t.cfg.Window {
		note = joinNotes(note, fmt.Sprintf("it had run for %s only", number.Duration(age)))
	}
	if c.dropped > 0 {
		note = joinNotes(note, fmt.Sprintf("the oldest %s are left out", number.Bytes(float64(c.dropped))))
	}
	return snapshot{data: c.bytes(), note: note}
}

// A collector takes a trace and keeps the newest generations that fit. Each generation of a trace can be read without
// those before it: that is what flight recording rests on.
type collector struct {
	ctx   context.Context
	limit int

	header  []byte
	gens    [][]byte // oldest first
	newest  uint64   // the number of the last
	size    int      // of gens
	dropped int
}

var errTooLarge = errors.New("a single second of the trace is larger than the limit for a trace")

// Write takes the header, and then one batch of events at a time, as FlightRecorder.WriteTo gives them.
func (c *collector) Write(b []byte) (int, error) {
	if err := c.ctx.Err(); err != nil {
		return 0, err
	}
	if c.header == nil {
		c.header = slices.Clone(b)
		return len(b), nil
	}
	if gen, ok := batchGeneration(b); len(c.gens) == 0 || ok && gen != c.newest {
		c.gens, c.newest = append(c.gens, nil), gen
	}
	last := len(c.gens) - 1
	c.gens[last] = append(c.gens[last], b...)
	c.size += len(b)
	for c.size > c.limit && len(c.gens) > 1 {
		c.size -= len(c.gens[0])
		c.dropped += len(c.gens[0])
		c.gens = slices.Delete(c.gens, 0, 1)
	}
	if c.size > c.limit {
		return 0, errTooLarge
	}
	return len(b), nil
}

func (c *collector) bytes() []byte { return slices.Concat(append([][]byte{c.header}, c.gens...)...) }

// batchGeneration reads a batch's generation: after one byte of type comes its number (internal/trace/tracev2). It is
// not ok for the single byte that ends a generation.
func batchGeneration(b []byte) (uint64, bool) {
	if len(b) < 2 {
		return 0, false
	}
	gen, n := binary.Uvarint(b[1:])
	return gen, n > 0
}

const (
	// maxBytes bounds one window. A usual one has 10 to 100 KB; one of 8 MiB gzipped would need hundreds of thousands
	// of distinct stacks, which 10 s at 100 Hz cannot have below some hundred busy cores.
	maxBytes = 8 << 20
	// maxRing and maxWindows bound all of them, however often windows are cut.
	maxRing    = 32 << 20
	maxWindows = 120
)

// A ring keeps the last windows.
type ring struct {
	reach   time.Duration // how much time is kept at least
	windows []Window      // oldest first
	bytes   int           // of all
}

// add keeps w, and drops the oldest windows as long as the others reach back far enough, or are too many.
func (r *ring) add(w Window) {
	r.windows = append(r.windows, w)
	r.bytes += len(w.Data)
	for len(r.windows) > 1 && (r.covered(1) >= r.reach || r.bytes > maxRing || len(r.windows) > maxWindows) {
		r.bytes -= len(r.windows[0].Data)
		r.windows = slices.Delete(r.windows, 0, 1)
	}
}

// covered is the time in the windows from the i-th on.
func (r *ring) covered(i int) (d time.Duration) {
	for _, w := range r.windows[i:] {
		d += w.Ended.Sub(w.Began)
	}
	return d
}

func (r *ring) copies() []Window {
	out := slices.Clone(r.windows)
	for i := range out {
		out[i].Data = slices.Clone(out[i].Data)
	}
	return out
}
