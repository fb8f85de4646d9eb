package instance

import (
	"bytes"
	"context"
	"fmt"
	"runtime/trace"
	"time"

	"github.com/gocasebook/casebook/internal/own"
)

// traceExecution traces for d, until ctx ends, or until limit bytes have come. A flight recorder may run beside it.
func (p *Profile) traceExecution(ctx context.Context, d time.Duration, limit int) (err error) {
	b := newTraceBuffer(limit)
	shared := trace.IsEnabled() // then the goroutine that reads the trace is there already
	if err := p.acquire(ctx, func() error { return trace.Start(b) }); err != nil {
		return err
	}
	if !shared {
		defer own.Hold().GiveUp()
	}
	p.Taken = time.Now()
	p.span(ctx, d, b.full)
	trace.Stop() // returns when everything is written
	if b.size >= b.limit {
		p.note(endedAt(b.limit, time.Duration(p.Seconds*float64(time.Second)), d))
	}
	p.Data, err = b.bytes()
	return err
}

// A traceBuffer keeps a trace in pieces, so that nothing is copied while it grows. It is full at limit, but keeps up to
// twice as much: when tracing stops the runtime has still to write what it holds, and without its end a trace cannot be
// read.
type traceBuffer struct {
	limit  int
	size   int // of all that came
	pieces [][]byte
	full   chan struct{} // closed when size reaches limit
}

// tracePiece is a multiple of what the runtime writes at a time, 64 KiB (runtime/tracebuf.go).
const tracePiece = 1 << 20

func newTraceBuffer(limit int) *traceBuffer {
	return &traceBuffer{limit: limit, full: make(chan struct{})}
}

// Write never fails: the runtime would keep tracing anyway.
func (b *traceBuffer) Write(data []byte) (int, error) {
	before := b.size
	b.size += len(data)
	if before < b.limit && b.size >= b.limit {
		close(b.full)
	}
	if b.size > 2*b.limit {
		b.pieces = nil
		return len(data), nil
	}
	n := len(b.pieces)
	if n == 0 || len(b.pieces[n-1])+len(data) > cap(b.pieces[n-1]) {
		b.pieces = append(b.pieces, make([]byte, 0, max(tracePiece, len(data))))
		n++
	}
	b.pieces[n-1] = append(b.pieces[n-1], data...)
	return len(data), nil
}

func (b *traceBuffer) bytes() ([]byte, error) {
	if b.size > 2*b.limit {
		return nil, fmt.Errorf("the trace is larger than %d MiB: the process produces events faster than tracing can "+
			"be stopped", 2*b.limit>>20)
	}
	return bytes.Join(b.pieces, nil), nil
}
