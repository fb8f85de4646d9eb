package casefile

import (
	"fmt"
	"sync"
	"time"
)

// A Reader lists the summaries of a folder again and again and writes nothing: what it has read it keeps in memory,
// about 1 KB a case, and what the folder's index has it need not read. Its methods are safe for concurrent use.
type Reader struct {
	dir Dir
	now func() time.Time

	mu    sync.Mutex            // guards what follows
	lines map[string][]byte     // of the index, that nobody has asked for yet; nil before the first walk
	known map[string]indexEntry // by ID
}

// NewReader makes the reader of a folder. It reads nothing yet.
func NewReader(dir Dir) *Reader {
	return &Reader{dir: dir, now: time.Now, known: make(map[string]indexEntry)}
}

// Walk is Dir.WalkSummaries.
func (r *Reader) Walk(fn func(Summary) bool) error {
	places, err := scan(string(r.dir))
	if err != nil {
		return fmt.Errorf("listing cases in %q: %w", r.dir, explain(err))
	}
	r.open()
	for _, p := range places {
		s := r.summary(p)
		if s.Err != nil && !exists(p.Path) {
			continue // removed, or committed under its final name, since the scan
		}
		if !fn(s) {
			return nil
		}
	}
	r.forget(places)
	return nil
}

// Progress says how many of a folder's cases the reader knows, and how many there are. Those that cannot be read, or are
// younger than two seconds, it does not know.
func (r *Reader) Progress() (known, all int, err error) {
	places, err := scan(string(r.dir))
	if err != nil {
		return 0, 0, fmt.Errorf("listing cases in %q: %w", r.dir, explain(err))
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	return len(r.known), len(places), nil
}

// open reads the folder's index, if there is one.
func (r *Reader) open() {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.lines == nil {
		r.lines = openIndex(string(r.dir), r.now()).known
	}
}

// summary is what is known of a case, or else reads it.
func (r *Reader) summary(p place) Summary {
	now := r.now()
	seen, whole := p.stamps()
	if whole {
		if s, fits := r.look(p, seen); fits {
			return s
		}
	}
	s, err := summarize(p)
	if err == nil && s.Err == nil && whole && seen.settled(now) {
		r.mu.Lock()
		defer r.mu.Unlock()
		r.known[p.ID] = indexEntry{s, seen}
	}
	return s
}

func (r *Reader) look(p place, seen stamps) (Summary, bool) {
	r.mu.Lock()
	defer r.mu.Unlock()
	e, found := r.known[p.ID]
	if line := r.lines[p.ID]; !found && line != nil {
		delete(r.lines, p.ID)
		if e, found = decodeEntry(line); found && e.ID == p.ID {
			r.known[p.ID] = e
		}
	}
	if !found || e.ID != p.ID || e.Stamps != seen {
		return Summary{}, false
	}
	e.Path = p.Path
	return e.Summary, true
}

// forget drops what is known of cases that are gone.
func (r *Reader) forget(places []place) {
	there := make(map[string]bool, len(places))
	for _, p := range places {
		there[p.ID] = true
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	for id := range r.known {
		if !there[id] {
			delete(r.known, id)
		}
	}
	clear(r.lines)
}
