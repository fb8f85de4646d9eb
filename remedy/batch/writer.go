package batch

import (
	"errors"
	"fmt"
	"io"
	"runtime/debug"
	"sync"
	"time"
)

// A Writer gathers small writes, from one goroutine or many, into few writes to another io.Writer. A Write goes through
// at once if nothing was written for as long as MaxDelay. Those that follow are gathered until MaxDelay has passed or
// the buffer is full.
//
// As with bufio.Writer, Write may return before the bytes are written, and the first error stays: all later calls
// return it, and what was gathered is lost (WriterStats.Lost). To be sure that bytes arrived, call Flush. The bytes of
// one Write are never split over two, nor mixed with others. Its methods are safe for concurrent use, and the io.Writer
// is never called twice at once.
type Writer struct {
	to       io.Writer
	maxBytes int
	maxDelay time.Duration

	mu      sync.Mutex // guards what follows; not held while to is called
	changed sync.Cond  // of mu: a write ended, or the timer's goroutine did
	buf     []byte     // gathered
	spare   []byte     // the other buffer, empty; nil while it is being written, or not made yet
	oldest  time.Time  // when the first byte of buf came
	writing bool       // to is being called
	taken   uint64     // bytes accepted in total
	settled uint64     // of these, bytes that were written or lost
	last    time.Time  // when a write last ended
	late    lateness
	timer   *time.Timer // flushes at alarm; made when first needed
	alarm   time.Time
	armed   bool // from the setting of timer until the end of its work
	closed  bool
	err     error // the first
	stats   WriterStats
}

// NewWriter makes a Writer on top of to. It starts nothing: a timer, and when that fires a goroutine, is there only
// while bytes are gathered.
func NewWriter(to io.Writer, cfg WriterConfig) (*Writer, error) {
	if to == nil {
		return nil, errors.New("batch: the io.Writer is nil: give what the Writer is to write to")
	}
	if err := cfg.validate(); err != nil {
		return nil, fmt.Errorf("batch: %w", err)
	}
	maxDelay := max(orDefault(cfg.MaxDelay, DefaultMaxDelay), 0)
	w := &Writer{to: to, maxBytes: orDefault(cfg.MaxBytes, DefaultWriterBytes), maxDelay: maxDelay,
		late: lateness{maxDelay: maxDelay}}
	w.changed.L = &w.mu
	return w, nil
}

// Write accepts p, or returns why not. It waits while the buffer is full. If it wrote p itself, n is how much of it was
// written.
func (w *Writer) Write(p []byte) (n int, err error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	for {
		now := time.Now()
		switch {
		case w.err != nil:
			return 0, w.err
		case w.closed:
			return 0, fmt.Errorf("%w: the Writer is closed", ErrStopped)
		case len(p) == 0:
			return 0, nil
		case len(w.buf)+len(p) <= w.maxBytes && !(len(w.buf) == 0 && w.quiet(now)):
			w.gather(p, now)
			return len(p), nil
		case w.writing:
			w.changed.Wait()
		case len(w.buf) == 0:
			w.count(p)
			return w.write(p)
		default:
			return w.writeAfterBuf(p, now)
		}
	}
}

// writeAfterBuf accepts p, which does not fit into the buffer, and writes the buffer. p gets its place before the lock
// is released for that: others, which gather meanwhile, come after it, and cannot keep it waiting forever.
func (w *Writer) writeAfterBuf(p []byte, now time.Time) (n int, err error) {
	full := w.swap()
	if len(p) <= w.maxBytes {
		w.gather(p, now)
		w.writeFull(full)
		return len(p), w.err
	}
	w.count(p)
	w.writeFull(full)
	if w.err != nil {
		w.lose(len(p))
		return 0, w.err
	}
	return w.write(p) // the lock was not released since the buffer was written
}

// quiet says whether a write would be alone.
func (w *Writer) quiet(now time.Time) bool { return !w.writing && now.Sub(w.last) >= w.maxDelay }

// gather puts p into the buffer. The caller holds w.mu, here and below.
func (w *Writer) gather(p []byte, now time.Time) {
	if w.buf == nil {
		w.buf = make([]byte, 0, w.maxBytes)
	}
	if len(w.buf) == 0 {
		w.oldest = now
	}
	w.buf = append(w.buf, p...)
	w.count(p)
	w.arm(now)
}

func (w *Writer) count(p []byte) {
	w.taken += uint64(len(p))
	w.stats.Writes++
	w.stats.Bytes += uint64(len(p))
}

// swap takes the buffer out, and puts the other in its place.
func (w *Writer) swap() (full []byte) {
	full = w.buf
	w.buf, w.spare = w.spare, nil
	return full
}

// writeFull writes a buffer that was taken out, and keeps it for the next time.
func (w *Writer) writeFull(full []byte) {
	_, _ = w.write(full) // the error stays in w.err
	if w.buf == nil {
		w.buf = full[:0]
	} else {
		w.spare = full[:0]
	}
}

// write calls the io.Writer, without the lock. It must not be called while another write is running.
func (w *Writer) write(p []byte) (n int, err error) {
	w.writing = true
	w.stats.Calls++
	w.mu.Unlock()
	err = errGoexit
	defer func() {
		if v := recover(); v != nil {
			n, err = 0, &PanicError{Func: "Write", Value: v, Stack: debug.Stack()}
		}
		w.mu.Lock()
		n, err = w.ended(len(p), n, err)
	}()
	return w.to.Write(p)
}

// ended records that a write of size bytes returned n and err.
func (w *Writer) ended(size, n int, err error) (int, error) {
	switch {
	case n < 0 || n > size:
		n, err = 0, errors.Join(err, fmt.Errorf("batch: Write says it wrote %d of %d bytes", n, size))
	case n < size && err == nil:
		err = io.ErrShortWrite
	}
	w.writing, w.last = false, time.Now()
	w.settled += uint64(size)
	w.stats.Lost += uint64(size - n)
	if err != nil {
		w.fail(fmt.Errorf("batch: writing %d bytes, of which %d were written: %w", size, n, err))
	}
	if len(w.buf) > 0 {
		w.arm(w.last)
	}
	w.changed.Broadcast()
	return n, w.err
}

// fail keeps an error, and gives up what was gathered.
func (w *Writer) fail(err error) {
	w.err = err
	w.lose(len(w.buf))
	w.buf = w.buf[:0]
}

func (w *Writer) lose(n int) {
	w.settled += uint64(n)
	w.stats.Lost += uint64(n)
}

// Flush returns when everything that was accepted before is written, or returns the error.
func (w *Writer) Flush() error {
	w.mu.Lock()
	defer w.mu.Unlock()
	for target := w.taken; w.err == nil && w.settled < target; {
		if w.writing {
			w.changed.Wait()
		} else {
			w.writeFull(w.swap())
		}
	}
	return w.err
}

// Close flushes, and accepts no further Write: those that wait for room return ErrStopped. It does not close the
// io.Writer. It may be called again, and returns the same.
func (w *Writer) Close() error {
	w.mu.Lock()
	w.closed = true
	w.changed.Broadcast()
	w.mu.Unlock()
	err := w.Flush()

	w.mu.Lock()
	defer w.mu.Unlock()
	if w.armed && w.timer.Stop() {
		w.armed = false
	}
	for w.armed || w.writing {
		w.changed.Wait()
	}
	return err
}
