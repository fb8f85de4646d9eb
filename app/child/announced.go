package child

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"sync"
	"time"
)

// maxLine bounds what is kept of a first line.
const maxLine = 64 << 10

// A firstLine keeps the first line that is written to it.
type firstLine struct {
	whole chan struct{} // closed when the line is there

	mu   sync.Mutex // guards what follows
	data []byte
	done bool
}

func newFirstLine() *firstLine { return &firstLine{whole: make(chan struct{})} }

func (f *firstLine) Write(b []byte) (int, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.done {
		return len(b), nil
	}
	line, _, ended := bytes.Cut(b, []byte{'\n'})
	f.data = append(f.data, line...)
	if f.done = ended || len(f.data) > maxLine; f.done {
		close(f.whole)
	}
	return len(b), nil
}

// Announced waits until the server prints where it listens, and decodes that line of JSON into v. It fails when the
// server ends, or says nothing within limit. The Spec must have Announces set.
func (p *Process) Announced(ctx context.Context, limit time.Duration, v any) error {
	timer := time.NewTimer(limit)
	defer timer.Stop()
	select {
	case <-p.first.whole:
	case <-p.ended:
		return p.failure("did not start: " + p.cmd.ProcessState.String())
	case <-timer.C:
		return p.failure(fmt.Sprintf("did not say within %v where it listens", limit))
	case <-ctx.Done():
		return context.Cause(ctx)
	}
	p.first.mu.Lock()
	defer p.first.mu.Unlock()
	if err := json.Unmarshal(p.first.data, v); err != nil {
		return p.failure(fmt.Sprintf("did not say where it listens: its first line is not JSON (%v)", err))
	}
	return nil
}
