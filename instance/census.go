package instance

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"math"
	"runtime"
	"slices"

	"github.com/gocasebook/casebook/casefile"
	"github.com/gocasebook/casebook/internal/room"
	"github.com/gocasebook/casebook/vitals"
)

// maxCensus is the largest number of goroutines for a census. It costs the process about 1 µs per goroutine from inside
// and 3 µs from outside (BenchmarkCensus), and stops it for less than 0.2 ms: at most 20 and 60 ms of CPU.
const maxCensus = 20_000

// maxPlaces is the most places a census tells of, those with the most goroutines first. What rules look for is a pile.
const maxPlaces = 1000

func checkCensus(goroutines int) error {
	if goroutines > maxCensus {
		return &EmptyError{fmt.Sprintf("there are %d goroutines, and with more than %d no census is taken: it would "+
			"cost too much every time", goroutines, maxCensus)}
	}
	return nil
}

// Census says where goroutines are and what they wait for, at most 1,000 places, the fullest first. It fails above
// 20,000 goroutines. Stacks are told apart by their 32 innermost frames.
//
// It reads the raw records, of which a census of 10,000 goroutines takes 9 ms; the text of debug=1 takes 23 ms, the
// profile 22 ms and then has to be parsed.
func (t *Self) Census(ctx context.Context) ([]vitals.Place, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	records, err := goroutineRecords()
	if err != nil {
		return nil, err
	}
	counts, depth := make(map[[32]uintptr]int), 0
	for i := range records {
		counts[records[i].Stack0]++
		depth += len(records[i].Stack())
	}
	places := make(placeSet)
	for stack, n := range counts {
		pcs := (&runtime.StackRecord{Stack0: stack}).Stack()
		places.add(hashPCs(pcs), n, framesOf(pcs))
	}
	t.known.frames.Store(math.Float64bits(float64(depth) / float64(max(len(records), 1))))
	t.proc.serves(places)
	return places.list(), nil
}

// goroutineRecords is every goroutine's stack.
func goroutineRecords() ([]runtime.StackRecord, error) {
	n := runtime.NumGoroutine()
	for range 3 {
		if err := checkCensus(n); err != nil {
			return nil, err
		}
		records := make([]runtime.StackRecord, n+n/10+16) // more may start meanwhile
		var ok bool
		if n, ok = runtime.GoroutineProfile(records); ok {
			return records[:n], nil
		}
	}
	return nil, errors.New("goroutines start faster than they can be counted")
}

// framesOf gives the functions of a stack from the top, those that were inlined, too.
func framesOf(pcs []uintptr) func(yield func(string) bool) {
	return func(yield func(string) bool) {
		frames := runtime.CallersFrames(pcs)
		for {
			f, more := frames.Next()
			if f.Function != "" && !yield(f.Function) || !more {
				return
			}
		}
	}
}

// hashPCs is FNV-1a, by words instead of bytes.
func hashPCs[T uintptr | uint64](pcs []T) uint64 {
	h := uint64(14695981039346656037)
	for _, pc := range pcs {
		h = (h ^ uint64(pc)) * 1099511628211
		h ^= h >> 29 // a word changes the low bits, too, which the next multiplication spreads
	}
	return h
}

// A placeSet is places by their keys.
type placeSet map[uint64]*stackPlace

// add counts n goroutines at a stack, whose functions are given from the top.
func (p placeSet) add(key uint64, n int, functions func(yield func(string) bool)) {
	if had := p[key]; had != nil {
		had.Count += n
		return
	}
	place := describeStack(functions)
	place.Key, place.Count = key, n
	p[key] = &place
}

func (p placeSet) list() []vitals.Place {
	all := make([]vitals.Place, 0, len(p))
	for _, place := range slices.SortedFunc(maps.Values(p), func(a, b *stackPlace) int {
		return cmp.Or(cmp.Compare(b.Count, a.Count), cmp.Compare(a.Key, b.Key))
	}) {
		all = append(all, place.Place)
	}
	return all[:min(len(all), maxPlaces)]
}

// requests is how many HTTP/1 requests are in progress; ours may be one of them.
func (p placeSet) requests() (n int) {
	for _, place := range p {
		if place.reads {
			n += place.Count
		}
	}
	return n
}

// censuses are the profiles that are being read.
var censuses room.Buffers

// Census says where goroutines are and what they wait for, as Self.Census does, from the goroutine profile: debug=1
// leaves out the frames of the runtime, and with them what is waited for.
func (t *HTTP) Census(ctx context.Context) ([]vitals.Place, error) {
	c, err := t.index(ctx) // costs 0.2 ms; the last sample's may be old
	if err != nil {
		return nil, err
	}
	if err := checkCensus(c["goroutine"]); err != nil {
		return nil, err
	}
	ctx, cancel := context.WithTimeout(ctx, t.patience())
	defer cancel()
	var places placeSet
	var frames float64
	err = t.get(ctx, "goroutine", "", func(r io.Reader) error {
		return t.party.Use(&censuses, r, maxProfile, func(data []byte) (err error) {
			if err = checkZipped(data); err == nil {
				places, frames, err = readPlaces(ctx, data)
			}
			return err
		})
	})
	if errors.Is(err, room.ErrTooLarge) {
		err = &tooLargeError{casefile.Goroutine, maxProfile, 0}
	}
	if err != nil {
		return nil, err
	}
	t.known.frames.Store(math.Float64bits(frames))
	t.proc.Load().serves(places)
	return places.list(), nil
}
