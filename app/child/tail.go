package child

import (
	"bytes"
	"strings"
	"sync"
)

// A Tail keeps the end of what a process writes. Its zero value is ready; its methods are safe for concurrent use.
type Tail struct {
	mu   sync.Mutex // guards data
	data []byte
}

const (
	tailSize  = 64 << 10 // a panic of a busy service prints its line above many stacks
	tailLines = 8        // shown of a server
)

// Write keeps p, and drops what is further back than 64 KiB.
func (t *Tail) Write(p []byte) (int, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.data = append(t.data, p...)
	if extra := len(t.data) - tailSize; extra > 0 {
		t.data = bytes.Clone(t.data[extra:])
	}
	return len(p), nil
}

// Last returns the line with which the Go runtime ended a program and what follows it, at most n lines, and true;
// otherwise the last n lines. There are none when nothing but white space was written.
func (t *Tail) Last(n int) (lines []string, crashed bool) {
	t.mu.Lock()
	text := strings.TrimSpace(string(t.data))
	t.mu.Unlock()
	if text == "" {
		return nil, false
	}
	lines = strings.Split(text, "\n")
	for i, l := range lines {
		if strings.HasPrefix(l, "panic: ") || strings.HasPrefix(l, "fatal error: ") {
			return lines[i:min(i+n, len(lines))], true
		}
	}
	return lines[max(len(lines)-n, 0):], false
}

// last returns the part of a server's output that an error shows.
func (t *Tail) last() string {
	lines, _ := t.Last(tailLines)
	if len(lines) == 0 {
		return ""
	}
	return "  " + strings.Join(lines, "\n  ")
}
