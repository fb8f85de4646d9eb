package worker

import (
	"errors"
	"fmt"
	"path/filepath"

	"github.com/gocasebook/casebook/lab/worker/event"
)

// A keeper makes what its group keeps of batches, durable. It is used by one goroutine.
type keeper interface {
	// keep keeps what it makes of all the batches. After an error it may be called again with the same.
	keep(batches []*event.Batch) error
	kept() int64 // bytes
	close() error
}

// filed keeps what a sink writes in files: all of the batches, or nothing of them.
type filed struct {
	sink  sink
	files *segments
}

func (f *filed) keep(batches []*event.Batch) error {
	w, err := f.files.writer()
	if err == nil {
		err = f.sink.write(w, batches)
	}
	if err == nil {
		err = f.files.commit()
	}
	if err != nil {
		return fmt.Errorf("storing %d batches in %s: %w", len(batches), filepath.Base(f.files.dir),
			errors.Join(err, f.files.rollback()))
	}
	return nil
}

func (f *filed) kept() int64  { return f.files.bytes }
func (f *filed) close() error { return f.files.close() }
