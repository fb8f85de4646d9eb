package child

import (
	"bytes"
	"strings"
	"sync"
)

// tail keeps the end of what a server writes.
type tail struct {
	mu   sync.Mutex // guards data
	data []byte
}

const (
	tailSize  = 64 << 10 // a panic of a busy service prints its line above many stacks
	tailLines = 8        // shown
)

func (t *tail) Write(p []byte) (int, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.data = append(t.data, p...)
	if extra := len(t.data) - tailSize; extra > 0 {
		t.data = bytes.Clone(t.data[extra:])
	}
	return len(p), nil
}

// last is the line with which the Go runtime ended a program and what follows it, or else the last lines.
func (t *tail) last() string {
	t.mu.Lock()
	defer t.mu.Unlock()
	text := strings.TrimSpace(string(t.data))
	if text == "" {
		return ""
	}
	lines := strings.Split(text, "\n")
	from := max(len(lines)-tailLines, 0)
	for i, l := range lines {
		if strings.HasPrefix(l, "panic: ") || strings.HasPrefix(l, "fatal error: ") {
			from = i
			break
		}
	}
	return "  " + strings.Join(lines[from:min(from+tailLines, len(lines))], "\n  ")
}
