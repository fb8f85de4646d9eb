package trace

import (
	"slices"
	"strings"

	xtrace "golang.org/x/exp/trace"

	"github.com/gocasebook/casebook/diagnose/traces"
)

// A place is a stack, the same in all generations, with what the tables want to know of it.
type place struct {
	frames traces.Stack // innermost first
	pcs    []uint64
	kinds  kindSet // regions that this stack is inside of
	conn   bool    // of a connection of net/http's server, inside of a request or not
	again  kindSet // of kinds: this stack begins what the region is about, once each
	keeps  kindSet // of kinds: neither inside nor outside
	rpc    *rpc    // of stacks inside of gRPC; nil: it is not
	start  string  // the outermost function
	sites  []*site
	ran    int64     // ns of stretches on a P that ended here
	runs   int64     // number of these
	cut    durations // those of them that a preemption ended
	ends   *ends     // nil: no wait has ended here
}

// ends is who ended the waits at a place, and when.
type ends struct {
	count, timed int64
	last         int64 // when a timer ended one; 0: none yet
	gaps         durations
	by           map[*goType]int64
}

// ended counts the end of a wait; by is nil if a timer brought it.
func (at *place) ended(by *goroutine, now int64) {
	if at.ends == nil {
		at.ends = &ends{by: make(map[*goType]int64)}
	}
	e := at.ends
	e.count++
	switch {
	case by != nil:
		e.by[by.typ]++
		return
	case e.last != 0:
		e.gaps.add(now - e.last)
	}
	e.timed, e.last = e.timed+1, now
}

// most is the type of goroutines that ended most of the waits, by name where there are several.
func (e *ends) most() (name string, n int64) {
	for t, of := range e.by {
		if of > n || of == n && t.name < name {
			name, n = t.name, of
		}
	}
	return name, n
}

// A site is the time that goroutines spent in one state at one place.
type site struct {
	*place
	bucket bucket
	times  durations
	wakers []waker
	open   int64 // ns of waits that had not ended with the trace

	requests int64    // to servers, that waited there
	holders  []holder // of a lock
}

// A waker is who ended waits at a site.
type waker struct {
	at     *place // nil: the runtime
	typ    *goType
	count  int64
	waited int64
	queued int64 // of count, those who had waited at the same line
	kept   spent // what these did since
}

// maxPlaces bounds the tables: a service has a few thousand stacks at which it blocks. maxDepth is the runtime's.
const (
	maxPlaces = 20_000
	maxDepth  = 128
)

// places finds the place of a stack: by its handle within a generation, by its PCs between them.
type places struct {
	byStack map[xtrace.Stack]*place // of this generation
	byPCs   map[uint64][]*place
	n       int
	others  *place
	none    *place
	frames  map[traces.Frame]traces.Frame // strings of the trace's own table are kept once
}

func newPlaces() *places {
	return &places{byStack: make(map[xtrace.Stack]*place), byPCs: make(map[uint64][]*place),
		others: &place{frames: traces.Stack{{Function: "(others)"}}}, none: &place{},
		frames: make(map[traces.Frame]traces.Frame)}
}

// next forgets the handles of the last generation.
func (p *places) next() { clear(p.byStack) }

// of is the place of a stack; never nil.
func (p *places) of(s xtrace.Stack) *place {
	if s == xtrace.NoStack {
		return p.none
	}
	if at := p.byStack[s]; at != nil {
		return at
	}
	at := p.find(s)
	p.byStack[s] = at
	return at
}

func (p *places) find(s xtrace.Stack) *place {
	var pcs [maxDepth]uint64
	n, hash := 0, uint64(14695981039346656037) // FNV-1a, over words
	for f := range s.Frames() {
		if n == maxDepth {
			break
		}
		pcs[n] = f.PC
		hash = (hash ^ f.PC ^ f.Line<<48) * 1099511628211 // inlined frames may share a PC
		n++
	}
	if n == 0 {
		return p.none
	}
	for _, at := range p.byPCs[hash] {
		if slices.Equal(at.pcs, pcs[:n]) {
			return at
		}
	}
	if p.n >= maxPlaces {
		return p.others
	}
	at := p.add(s, pcs[:n])
	p.byPCs[hash] = append(p.byPCs[hash], at)
	p.n++
	return at
}

func (p *places) add(s xtrace.Stack, pcs []uint64) *place {
	at := &place{pcs: slices.Clone(pcs)}
	for f := range s.Frames() {
		if len(at.frames) == maxDepth {
			break
		}
		frame := traces.Frame{Function: f.Func, File: f.File, Line: int(f.Line)}
		kept, ok := p.frames[frame]
		if !ok {
			kept = traces.Frame{Function: strings.Clone(f.Func), File: strings.Clone(f.File), Line: frame.Line}
			p.frames[kept] = kept
		}
		at.frames = append(at.frames, kept)
	}
	at.start = startOf(at.frames)
	at.infer()
	return at
}

// site is the place's table of a state, made if it has none.
func (at *place) site(b bucket) *site {
	for _, s := range at.sites {
		if s.bucket == b {
			return s
		}
	}
	s := &site{place: at, bucket: b}
	at.sites = append(at.sites, s)
	return s
}

// maxWakers are kept of a site.
const maxWakers = 4

// wake counts who ended a wait. The first few stay: what ends most waits at a place is rarely late to come. It returns
// nil for the others.
func (s *site) wake(at *place, typ *goType, ns int64) *waker {
	i := slices.IndexFunc(s.wakers, func(w waker) bool { return w.at == at && w.typ == typ })
	if i < 0 && len(s.wakers) == maxWakers {
		return nil
	}
	if i < 0 {
		i = len(s.wakers)
		s.wakers = append(s.wakers, waker{at: at, typ: typ})
	}
	w := &s.wakers[i]
	w.count++
	w.waited += ns
	return w
}

// all calls f with every place that has a table.
func (p *places) all(f func(*place)) {
	for _, same := range p.byPCs {
		for _, at := range same {
			f(at)
		}
	}
	f(p.others)
	f(p.none)
}

// startOf is the function that a goroutine is about: the outermost one, but for what only starts another.
func startOf(s traces.Stack) string {
	last := len(s) - 1
	if !strings.HasPrefix(s[last].Function, "sync.(*WaitGroup).Go.") &&
		!strings.HasPrefix(s[last].Function, "golang.org/x/sync/errgroup.(*Group).") {
		return s[last].Function
	}
	if last == 0 {
		return "" // not known yet
	}
	return s[last-1].Function
}
