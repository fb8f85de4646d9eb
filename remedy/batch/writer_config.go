package batch

import (
	"errors"
	"time"
)

// A WriterConfig bounds a Writer. A zero field means its default; values that make no sense are errors of NewWriter.
type WriterConfig struct {
	// MaxBytes is how much is gathered. The Writer keeps at most twice that: what is gathered, and what is being
	// written. Default DefaultWriterBytes.
	MaxBytes int

	// MaxDelay bounds how long bytes are gathered, and so how many system calls there are without full buffers: one per
	// MaxDelay. Default DefaultMaxDelay; NoDelay: bytes are gathered only while a write is under way.
	MaxDelay time.Duration
}

// DefaultWriterBytes is the size of a pipe on Linux; next to copying so much, the price of a system call hardly shows.
const DefaultWriterBytes = 64 << 10

// limitWriterBytes is far beyond any sensible buffer: anything above is a wrong unit.
const limitWriterBytes = 1 << 30

func (c WriterConfig) validate() error {
	var errs []error
	if c.MaxDelay != NoDelay {
		errs = append(errs, within("MaxDelay", c.MaxDelay, limitDelay))
	}
	errs = append(errs, within("MaxBytes", c.MaxBytes, limitWriterBytes))
	return errors.Join(errs...)
}

// WriterStats are counts since NewWriter. Writes / Calls is how many small writes became one.
type WriterStats struct {
	Writes uint64 // that were taken
	Bytes  uint64 // of them
	Calls  uint64 // of the io.Writer
	Lost   uint64 // bytes that were accepted and, because of the error, not written
}

// Stats returns the counts.
func (w *Writer) Stats() WriterStats {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.stats
}
