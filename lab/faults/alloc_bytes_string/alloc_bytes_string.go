// Package alloc_bytes_string counts the errors in log lines that clients send.
//
// The fault: every line is converted to a string to be looked at.
package alloc_bytes_string

import (
	"bytes"
	"fmt"
	"io"
	"net/http"
	"strconv"
	"strings"
	"sync"

	"github.com/gocasebook/casebook/lab/faults"
)

// A Counter counts lines by level.
type Counter struct {
	level   func(c *Counter, line []byte) int
	buffers sync.Pool

	mu   sync.Mutex
	last string
}

// ServeHTTP answers how many lines of the body are of each level.
func (c *Counter) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	b := c.buffers.Get().(*bytes.Buffer)
	defer c.buffers.Put(b)
	b.Reset()
	if _, err := b.ReadFrom(io.LimitReader(r.Body, 1<<20)); err != nil {
		http.Error(w, err.Error(), http.StatusBadRequest)
		return
	}
	var levels [3]int
	for line := range bytes.Lines(b.Bytes()) {
		levels[c.level(c, line)]++
	}
	io.WriteString(w, strconv.Itoa(levels[2]))
}

// levelOfText converts the line and looks at its words.
func (c *Counter) levelOfText(line []byte) int {
	first, rest, _ := strings.Cut(string(line), " ")
	c.seen(rest)
	switch first {
	case "ERROR":
		return 2
	case "WARN":
		return 1
	}
	return 0
}

// seen remembers the last message, for a page of diagnostics: what is kept cannot stay on the stack.
//
//go:noinline
func (c *Counter) seen(message string) {
	c.mu.Lock()
	c.last = message
	c.mu.Unlock()
}

func (c *Counter) levelOfBytes(line []byte) int {
	switch {
	case bytes.HasPrefix(line, []byte("ERROR")):
		return 2
	case bytes.HasPrefix(line, []byte("WARN")):
		return 1
	}
	return 0
}

func body(int) []byte {
	var b bytes.Buffer
	for i := range 2000 {
		fmt.Fprintf(&b, "%s request %d took %d ms on shard %d\n", []string{"INFO", "WARN", "ERROR"}[i%3], i, i*7%400,
			i%16)
	}
	return b.Bytes()
}

func service(level func(*Counter, []byte) int, perSecond float64) faults.Service {
	c := &Counter{level: level, buffers: sync.Pool{New: func() any { return new(bytes.Buffer) }}}
	sent := body(0)
	return faults.Service{Handler: c, Load: []faults.Call{{Method: http.MethodPost, Path: "/lines",
		Body: func(int) []byte { return sent }, PerSecond: perSecond}}}
}

// Fault is the kind with its variants.
func Fault() faults.Fault {
	return faults.Fault{
		Kind: "alloc-bytes-string", Text: "each line of a body is converted to a string to be looked at",
		Culprit:  "alloc_bytes_string.(*Counter).levelOfText",
		Faulty:   func() faults.Service { return service((*Counter).levelOfText, 900) },
		Repaired: func() faults.Service { return service((*Counter).levelOfBytes, 900) },
		Limit:    func() faults.Service { return service((*Counter).levelOfText, 200) },
	}
}
