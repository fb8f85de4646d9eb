package main

import (
	"fmt"
	"net/http"
	"strings"
	"sync"
)

// Leaks of other things than requests' own goroutines: each request leaves something of a library behind.

// A journal writes lines for a session and compresses old files in the background, as rotating loggers do.
type journal struct {
	lines  []string
	rotate chan bool
	once   sync.Once
}

func (j *journal) Printf(format string, args ...any) {
	j.lines = append(j.lines, fmt.Sprintf(format, args...))
	j.once.Do(func() { go j.compress() })
}

func (j *journal) compress() {
	for range j.rotate {
		j.lines = nil
	}
}

// journals: a logger for each session, whose goroutine nobody ends (natefinch/lumberjack issue 56).
func journals() http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		j := &journal{rotate: make(chan bool, 1)}
		j.Printf("session of %s", r.URL.Query().Get("n"))
		fmt.Fprintln(w, "bye")
	}
}

// names: the first word of each document is kept, and with it the document (infracost pull request 2849).
func names() http.HandlerFunc {
	var mu sync.Mutex
	known := make(map[string]string)
	return func(w http.ResponseWriter, r *http.Request) {
		id := r.URL.Query().Get("n")
		doc := id + " " + strings.Repeat("lorem ipsum ", 4000)
		mu.Lock()
		defer mu.Unlock()
		known[id] = doc[:len(id)]
		fmt.Fprintln(w, len(known))
	}
}
