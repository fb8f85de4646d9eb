package heapdump

import (
	"cmp"
	"context"
	"io"
	"slices"

	"github.com/gocasebook/casebook/diagnose/refs"
)

// A survey is what the first reading finds: the objects, and what is known of the process.
type survey struct {
	params  Params
	stats   refs.MemStats
	objects objects
	edges   int // pointers of objects at most
	types   map[uint64]string
	itabs   map[uint64]uint64 // type of an interface's table

	descriptors []uint64 // addresses of goroutines' own objects (runtime.g)
	sections    []sectionRecord
	statics     []static          // by target, once sorted
	entries     map[uint64]string // names of functions on stacks, by entry: what a binary is checked with
	buckets     map[uint64]*bucket
	samples     []sample
}

type sectionRecord struct {
	name          string
	address, size uint64
}

// A sample is an object that the heap profile has seen allocated.
type sample struct {
	object uint32
	number uint32 // in the order of the search; 0: not reached
	bucket *bucket
}

// checkEvery is how many objects are read between two looks at the context.
const checkEvery = 1 << 16

// newSurvey reads a dump once. Its error says what ended the reading early; the survey has what came before it.
func newSurvey(ctx context.Context, f io.ReaderAt) (*survey, error) {
	s := &survey{types: make(map[uint64]string), itabs: make(map[uint64]uint64), entries: make(map[uint64]string),
		buckets: make(map[uint64]*bucket)}
	w := newWire(f, 0)
	err := w.visit(&visitor{
		params: func(p Params) { s.params = p },
		typ:    func(t typeRecord) { s.types[t.address] = t.name },
		itab:   func(itab, typ uint64) { s.itabs[itab] = typ },
		object: func(address uint64, m *memory, pointers pointerFunc) {
			s.objects.add(address, m.size)
			pointers(func(_, _ uint64) { s.edges++ })
			if s.objects.count%checkEvery == 0 && ctx.Err() != nil {
				w.fail(ctx.Err())
			}
		},
		goroutine: func(g goroutine) {
			if s.objects.order == nil {
				s.objects.sort()
			}
			s.descriptors = append(s.descriptors, g.address)
		},
		frame: func(f frame, _ *memory, _ pointerFunc) { s.entries[f.entry] = f.name },
		section: func(name string, address uint64, m *memory, pointers pointerFunc) {
			s.sections = append(s.sections, sectionRecord{name, address, m.size})
			pointers(func(offset, value uint64) { s.static(address+offset, value) })
		},
		memStats: func(m refs.MemStats) { s.stats = m },
		bucket:   func(b *bucket) { s.buckets[b.id] = b },
		sample:   s.sample,
	})
	if s.objects.order == nil {
		s.objects.sort()
	}
	slices.SortFunc(s.statics, func(a, b static) int { return cmp.Compare(a.to, b.to) })
	return s, err
}

// A static is a pointer in a global variable to no object: perhaps to a variable without a name, as &lru{…} is when it
// is the value of a global variable.
type static struct{ from, to uint64 }

func (s *survey) static(from, to uint64) {
	if _, ok := s.objects.at(to); !ok {
		s.statics = append(s.statics, static{from, to})
	}
}

// maxUnnamed bounds the size of a variable without a name, in bytes.
const maxUnnamed = 64 << 10

// pointer is where the pointer is that leads to a static variable without a name; 0 if there is none.
func (s *survey) pointer(address uint64) uint64 {
	i, exact := slices.BinarySearchFunc(s.statics, address,
		func(x static, a uint64) int { return cmp.Compare(x.to, a) })
	if !exact {
		i--
	}
	if i < 0 || address-s.statics[i].to > maxUnnamed {
		return 0
	}
	return s.statics[i].from
}

func (s *survey) sample(address, id uint64) {
	if n, ok := s.objects.at(address); ok && s.buckets[id] != nil {
		s.samples = append(s.samples, sample{object: n, bucket: s.buckets[id]})
	}
}
