package vitals

import (
	"cmp"
	"math"
	"slices"
)

// Moves remembers what the signals that a leak moves were in the first part of a watch and in the last, so that it can
// be said at the end what moved although no rule tripped. It holds 512 moments at most: of a long watch every second
// one is dropped, again and again. The zero value is ready. It is not safe for concurrent use.
type Moves struct {
	moments [][len(movable)]float64
	last    [len(movable)]float64 // known of each
	stride  int                   // samples a moment
	skipped int
}

// A Move is a signal that has moved from one level to another.
type Move struct {
	Signal   Signal
	From, To float64 // medians of the first and of the last part
}

// Times is by how many times the signal is larger; below 1 it is smaller.
func (m Move) Times() float64 { return m.To / m.From }

// A mover is a signal that has a level, and by how much it must move to be mentioned.
type mover struct {
	id    ID
	least float64
}

// movable are the signals with a baseline. Those that come and go, such as the CPU, follow load; heap_alloc is a
// sawtooth. The least are what a Go process that does nothing moves on its own: a pool, a few idle connections, an
// arena or two.
var movable = [...]mover{
	{HeapLive, 16 << 20}, {Goroutines, 50}, {OpenFiles, 20}, {RSS, 64 << 20}, {OffHeap, 64 << 20}, {Threads, 16},
}

const (
	maxMoments  = 512  // 24 KB, of each of a thousand targets
	minPart     = 10   // moments in each part
	partShare   = 20   // a part is a twentieth of all moments
	movedTimes  = 1.5  // below, load of an afternoon explains it
	movedMargin = 1.25 // the quartiles of the parts must be that far apart
)

// Add takes a sample. What moves only now and then is what it was last.
func (m *Moves) Add(s *Sample) {
	if len(m.moments) == 0 && m.skipped == 0 {
		for i := range m.last {
			m.last[i] = math.NaN()
		}
	}
	for i, mv := range movable {
		if v, ok := s.Get(mv.id); ok {
			m.last[i] = v
		}
	}
	if m.skipped++; m.skipped < m.stride {
		return
	}
	m.skipped = 0
	m.moments = append(m.moments, m.last)
	if len(m.moments) < maxMoments {
		return
	}
	for i := range maxMoments / 2 {
		m.moments[i] = m.moments[2*i]
	}
	m.moments, m.stride = m.moments[:maxMoments/2], max(m.stride, 1)*2
}

// Moved lists what has moved, the largest ratio first. It answers from 3 times minPart moments on.
func (m *Moves) Moved() []Move {
	n := len(m.moments)
	part := max(minPart, n/partShare)
	if n < 3*part {
		return nil
	}
	var moves []Move
	for i, mv := range movable {
		from, to := m.part(i, 0, part), m.part(i, n-part, n)
		if len(from) >= minPart && len(to) >= minPart && moved(from, to, mv.least) {
			moves = append(moves, Move{mv.id.Signal(), quantile(from, 0.5), quantile(to, 0.5)})
		}
	}
	slices.SortStableFunc(moves, func(a, b Move) int { return cmp.Compare(far(b), far(a)) })
	return moves
}

// far is the ratio in the direction in which it is above 1.
func far(m Move) float64 { return math.Abs(math.Log(m.Times())) }

// part is what a signal was in the moments from a to b, sorted.
func (m *Moves) part(signal, a, b int) []float64 {
	var values []float64
	for i := a; i < b; i++ {
		if v := m.moments[i][signal]; !math.IsNaN(v) {
			values = append(values, v)
		}
	}
	slices.Sort(values)
	return values
}

// moved reports whether two sorted parts are levels apart, up or down.
func moved(from, to []float64, least float64) bool {
	a, b := quantile(from, 0.5), quantile(to, 0.5)
	if a <= 0 || b <= 0 || math.Abs(b-a) < least || max(b/a, a/b) < movedTimes {
		return false
	}
	return quantile(to, 0.25) > movedMargin*quantile(from, 0.75) ||
		quantile(from, 0.25) > movedMargin*quantile(to, 0.75)
}

// quantile is that of sorted values, at the nearest rank.
func quantile(sorted []float64, q float64) float64 {
	return sorted[min(int(q*float64(len(sorted))), len(sorted)-1)]
}
