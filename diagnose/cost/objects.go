package cost

import (
	"math"
	"slices"

	"github.com/gocasebook/casebook/diagnose/known"
	"github.com/gocasebook/casebook/diagnose/stacks"
)

// Objects are counted since the process began: a heap profile has, for each stack and size, how many were allocated.

// objects is what a stack has allocated, of all sizes.
type objects struct {
	stack  []stacks.FrameID
	at     int // of the line that it hangs on; -1: none
	line   stacks.FrameID
	number float64
	bytes  float64
	sizes  []sized
}

// A sized is how many objects of one size a stack has allocated.
type sized struct{ size, number float64 }

// count adds up the heap profile, stack by stack.
func (c *Costs) count() {
	set := c.e.Heap
	number := stacks.ByValue(set.Value("alloc_objects", "count"))
	bytes := stacks.ByValue(set.Value("alloc_space", "bytes"))
	index := make(map[string]*objects)
	var text []byte
	for i := range set.Samples {
		s := &set.Samples[i]
		n, b := float64(number(s)), float64(bytes(s))
		if n <= 0 || b <= 0 || len(s.Stack) == 0 {
			continue
		}
		text = stacks.AppendKey(text[:0], s.Stack)
		o := index[string(text)]
		if o == nil {
			o = &objects{stack: s.Stack, at: c.e.At(s.Stack), line: stacks.NoFrame}
			if o.at >= 0 {
				o.line = s.Stack[o.at]
			}
			index[string(text)] = o
			c.objects = append(c.objects, o)
		}
		o.number += n
		o.bytes += b
		o.sizes = append(o.sizes, sized{b / n, n})
	}
	c.Requests = c.countRequests()
}

// Requests is how many requests net/http or gRPC has read since the process began.
type Requests struct {
	Most   float64 // at most; 0: none were read, or there is no heap profile
	Header float64 // bytes of a header, at least
}

// leastRequest is the bytes of what they allocate once for each request: an http.Request, in any release.
const leastRequest = 240

// countRequests finds the objects that are made once for each request. Their number is known as well as samples
// tell: n of them are n + 2√n + 3 at most, 95 times in 100.
func (c *Costs) countRequests() (r Requests) {
	t, rate := c.e.Table, c.e.Heap.Rate()
	serves, header := false, 0.0
	made := make(map[stacks.FrameID]objects)
	for _, o := range c.objects {
		serves = serves || t.Has(o.stack, begins)
		id, _ := t.Caller(o.stack)
		if id != stacks.NoFrame && t.Func(id).Does(known.ReadsRequest) && o.bytes/o.number >= leastRequest {
			m := made[id]
			m.number, m.bytes = m.number+o.number, m.bytes+o.bytes
			made[id] = m
		}
		if t.Has(o.stack, readsHeader) && t.Has(o.stack, reads) {
			header += o.bytes
		}
	}
	if !serves {
		return r
	}
	r.Most = 3 * rate / leastRequest
	for _, m := range made {
		n := min(m.bytes/rate, m.number)
		r.Most = max(r.Most, (n+2*math.Sqrt(n)+3)*m.number/n)
	}
	r.Header = header / r.Most
	return r
}

func begins(f *stacks.Func) bool { return f.Is(known.BeginsRequest) }

func reads(f *stacks.Func) bool { return f.Does(known.ReadsRequest) }

func readsHeader(f *stacks.Func) bool { return f.Name == known.ReadsHeader }

// A Whole is an object that is made again for each part that is added to it or taken from it: below one line a request
// makes many, and their sizes are spread evenly up to the largest, as those of n, 2n, 3n … are. The sizes of a buffer
// that doubles lie far apart; pieces, rows and images have one size, or any.
type Whole struct {
	Size  float64 // bytes of the largest
	Mean  float64
	Times float64 // that one request makes, at least
	Part  float64 // of the bytes below the line
}

// What is a whole, and more than once; docs/evidence/costs.md has the programs that these were tried against.
const (
	wholeTimes   = 8       // that one request makes, at least: a buffer that doubles so often has 3 % of its steps there
	wholeSizes   = 6       // in the upper half of the range; append has 3 or 4 there
	wholeLargest = 8 << 10 // bytes; below, copying costs less than what calls it
)

// whole looks at the stack below a line that has allocated most.
func (c *Costs) whole(k *Cost) *Whole {
	var most *objects
	all, grown := 0.0, 0.0
	for _, o := range c.objects {
		if o.line != k.Line {
			continue
		}
		all += o.bytes
		if !o.stepwise() || c.Requests.Most <= 0 || o.number < wholeTimes*c.Requests.Most ||
			!c.e.Table.Has(o.stack, begins) {
			continue
		}
		grown += o.bytes
		if most == nil || o.bytes > most.bytes {
			most = o
		}
	}
	if most == nil {
		return nil
	}
	return &Whole{Size: most.largest(), Mean: most.bytes / most.number, Times: most.number / c.Requests.Most,
		Part: grown / all}
}

// MeanSize is how large the largest objects are on average that a line makes at one stack, of those below a request.
func (c *Costs) MeanSize(line stacks.FrameID) (size float64) {
	for _, o := range c.objects {
		if o.line == line && c.e.Table.Has(o.stack, begins) {
			size = max(size, o.bytes/o.number)
		}
	}
	return size
}

func (o *objects) largest() (size float64) {
	for _, s := range o.sizes {
		size = max(size, s.size)
	}
	return size
}

// stepwise reports whether the sizes of a stack's objects grow by equal steps: most objects are in the upper three
// quarters of the range, which sizes fill without a gap of more than a quarter of the upper half.
func (o *objects) stepwise() bool {
	most := o.largest()
	if most < wholeLargest {
		return false
	}
	upper, low := 0.0, 0.0
	var sizes []float64
	for _, s := range o.sizes {
		switch {
		case s.size > most/2:
			sizes = append(sizes, s.size)
			fallthrough
		case s.size > most/4:
			upper += s.number
		default:
			low += s.number
		}
	}
	if upper < low || low == 0 || len(sizes) < wholeSizes {
		return false
	}
	slices.Sort(sizes)
	gap, wide := sizes[0]-most/2, most/8
	for i := range sizes[1:] {
		gap = max(gap, sizes[i+1]-sizes[i])
	}
	if most > smallSizes {
		wide = max(wide, heapPage)
	}
	return gap <= wide
}

// Above smallSizes the heap gives out whole pages (runtime/sizeclasses.go).
const smallSizes, heapPage = 32 << 10, 8 << 10
