package ads

import (
	"fmt"
	"log/slog"
	"os"
	"sync"
	"sync/atomic"
	"time"

	"github.com/gocasebook/casebook/remedy/batch"
)

// maxReport bounds the report on disk: beyond it the file begins anew.
const maxReport = 64 << 20

// retryReport is how long a report that could not be written is left alone.
const retryReport = time.Second

// A sink writes the report's lines to its file, gathered into large writes. When that fails, lines are lost until the
// file can be written again: a report is not worth a request. What a failed write held is lost with it.
type sink struct {
	path          string
	log           *slog.Logger
	written, lost atomic.Uint64 // bytes

	mu      sync.Mutex // guards what follows
	file    *os.File   // nil: not open
	buffer  *batch.Writer
	size    int64
	retryAt time.Time
}

func newSink(path string, log *slog.Logger) *sink { return &sink{path: path, log: log} }

// add takes lines. It keeps nothing of them.
func (s *sink) add(lines []byte) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if !s.ready(int64(len(lines))) {
		s.lost.Add(uint64(len(lines)))
		return
	}
	if _, err := s.buffer.Write(lines); err != nil {
		s.lost.Add(uint64(len(lines)))
		s.fail(err)
		return
	}
	s.size += int64(len(lines))
	s.written.Add(uint64(len(lines)))
}

// ready opens the file when it is not open, or full. s.mu is held.
func (s *sink) ready(more int64) bool {
	if s.file != nil && s.size+more > maxReport {
		s.shut()
	}
	if s.file != nil {
		return true
	}
	if time.Now().Before(s.retryAt) {
		return false
	}
	if err := s.open(); err != nil {
		s.fail(err)
		return false
	}
	return true
}

func (s *sink) open() error {
	file, err := os.OpenFile(s.path, os.O_CREATE|os.O_WRONLY|os.O_TRUNC, 0o600)
	if err != nil {
		return fmt.Errorf("opening the report: %w; -report names another file", err)
	}
	buffer, err := batch.NewWriter(file, batch.WriterConfig{MaxBytes: 256 << 10, MaxDelay: 100 * time.Millisecond})
	if err != nil {
		_ = file.Close()
		return fmt.Errorf("making the report's buffer: %w", err)
	}
	s.file, s.buffer, s.size = file, buffer, 0
	return nil
}

// fail leaves the report alone for a while. s.mu is held.
func (s *sink) fail(err error) {
	s.log.Warn("the report cannot be written; its lines are lost until it can", "err", err)
	s.shut()
	s.retryAt = time.Now().Add(retryReport)
}

// shut writes what is gathered and closes the file. s.mu is held.
func (s *sink) shut() {
	if s.file == nil {
		return
	}
	err := s.buffer.Close()
	if lost := s.buffer.Stats().Lost; lost > 0 {
		s.lost.Add(lost)
		s.written.Add(-lost)
	}
	if closeErr := s.file.Close(); err == nil {
		err = closeErr
	}
	if err != nil {
		s.log.Warn("the end of the report is lost", "err", err)
	}
	s.file, s.buffer = nil, nil
}

func (s *sink) close() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.shut()
}
