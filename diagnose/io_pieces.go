package diagnose

import (
	"math"
	"slices"

	"github.com/gocasebook/casebook/diagnose/known"
	"github.com/gocasebook/casebook/diagnose/stacks"
	"github.com/gocasebook/casebook/vitals"
)

// A profile shows what calls take and not how many there are or how long each is. Whether a message goes out in pieces
// is told by what else shows: the kernel's count of calls and bytes, the server's own answers, the answers that are
// read, and the places from which one function writes.

// A traffic is what a process writes to its connections and reads from them, by CPU.
type traffic struct {
	v       *cpuView
	calls   []ioSample
	answers float64 // ns of the server's own writes
	written float64 // ns of all system calls that write, to whatever
	read    float64 // ns of all that read
	in      float64 // ns of reads from connections, by whomever, datagrams among them
	asked   float64 // of those, by code that speaks no HTTP
	counts  ioCounts
}

// An ioSample is a sample below a call to a connection.
type ioSample struct {
	transportCall
	*stacks.Sample
	from      int // where the code begins that uses the transport
	ns, ticks float64
	kernel    bool // it is in the system call itself
}

// ioCounts is what the kernel counted while the profile was taken, of files and connections alike; zero where that is
// not known.
type ioCounts struct{ reads, writes, readSize, writeSize float64 }

func newIOCounts(r *Reading, v *cpuView) (c ioCounts) {
	mean := func(id vitals.ID) float64 {
		m, n := r.MeanDuring(id, v.set)
		if n == 0 {
			m, _ = r.MeanNear(id, v.set)
		}
		return m
	}
	c.reads, c.writes = mean(vitals.ReadCalls), mean(vitals.WriteCalls)
	if c.reads > 0 {
		c.readSize = mean(vitals.ReadRate) / c.reads
	}
	if c.writes > 0 {
		c.writeSize = mean(vitals.WriteRate) / c.writes
	}
	return c
}

func newTraffic(r *Reading, v *cpuView) *traffic {
	tr := &traffic{v: v, counts: newIOCounts(r, v)}
	ticks := stacks.ByValue(v.set.Value("samples", "count"))
	for i := range v.set.Samples {
		s := &v.set.Samples[i]
		w := float64(v.weight(s))
		if w <= 0 || s.Class.GC() || len(s.Stack) > maxDepth {
			continue
		}
		tr.add(r.Table, ioSample{Sample: s, ns: w, ticks: float64(max(ticks(s), 0)), kernel: s.Class == stacks.Syscall})
	}
	return tr
}

func (tr *traffic) add(t *stacks.Table, s ioSample) {
	if s.kernel {
		for _, id := range s.Stack {
			switch f := t.Func(id); {
			case f.Does(known.WritesInKernel):
				tr.written += s.ns
			case f.Does(known.ReadsInKernel):
				tr.read += s.ns
			}
		}
	}
	s.transportCall = transportOf(t, s.Stack)
	s.from = usedFrom(t, s.Stack, s.at)
	switch s.use {
	case noTransport:
		return
	case answers:
		tr.answers += s.ns
		return
	}
	if s.kernel && !s.use.writes() {
		tr.in += s.ns
		if s.use != otherwise {
			tr.asked += s.ns
		}
	}
	if s.use != otherwise {
		tr.calls = append(tr.calls, s)
	}
}

// pieces is the use of connections by one function of the user's, or of a dependency that runs by itself.
type pieces struct {
	*traffic
	write   bool
	fn      stacks.FuncID
	own     bool // the function is the user's
	samples []ioSample

	ns, ticks float64
	kernel    float64 // ns of them in the system calls
	flushed   float64 // ns in calls by Flush
	foreign   float64 // ns in calls that a dependency makes below the user's line
	thrift    float64 // ns in calls by a protocol of apache/thrift
	request   float64 // ns below a request of a server's library
	back      float64 // ns of the other direction, below the same function
	lines     map[stacks.FrameID]float64
	makers    map[stacks.FrameID]float64 // the dependency's frames nearest to the transport
	calls     map[stacks.FrameID]float64 // the transport's frames
}

// wholeFunction is the part of what a process writes that a function must make to be the one to name.
const wholeFunction = 0.6

// piecesOf finds the function that writes most, or reads most; nil without one.
func (tr *traffic) piecesOf(t *stacks.Table, write bool) *pieces {
	p := &pieces{traffic: tr, write: write, own: true}
	var above []*stacks.Sample // what is above the transport
	var theirs []*stacks.Sample
	for _, s := range tr.calls {
		if s.use == readsBuffered || s.use.writes() != write {
			continue
		}
		cut := &stacks.Sample{Stack: s.Stack[s.from:], Values: s.Values, Class: s.Class}
		if _, u := t.UserFrame(cut.Stack); u >= 0 {
			above = append(above, cut)
		} else {
			theirs = append(theirs, cut)
		}
	}
	fn, below, ok := deepestCommon(t, weigh(above, tr.v.weight), ofOwner(stacks.User), atLeast(wholeFunction))
	of, by, other := deepestCommon(t, weigh(theirs, tr.v.weight), ofOwner(stacks.Dependency), atLeast(wholeFunction))
	switch {
	case other && (!ok || by > below):
		p.fn, p.own = of, false
	case ok:
		p.fn = fn
	default:
		return nil
	}
	p.sum(t)
	return p
}

func ofOwner(o stacks.Owner) func(*stacks.Func) bool {
	return func(f *stacks.Func) bool { return f.Owner == o }
}

// sum adds up what is below the function.
func (p *pieces) sum(t *stacks.Table) {
	p.lines, p.makers = map[stacks.FrameID]float64{}, map[stacks.FrameID]float64{}
	p.calls = map[stacks.FrameID]float64{}
	for _, s := range p.traffic.calls {
		end := slices.IndexFunc(s.Stack[s.from:], func(id stacks.FrameID) bool { return t.FuncID(id) == p.fn })
		if end < 0 {
			continue
		}
		if s.use.writes() != p.write || s.use == readsBuffered {
			p.back += s.ns
			continue
		}
		p.samples = append(p.samples, s)
		p.ns += s.ns
		p.ticks += s.ticks
		p.calls[s.Stack[s.at]] += s.ns
		if s.kernel {
			p.kernel += s.ns
		}
		if s.use == writesFlushed {
			p.flushed += s.ns
		}
		if serves(t, s.Stack) {
			p.request += s.ns
		}
		p.addLine(t, s)
	}
}

// addLine counts for the user's line, and for the dependency below it that makes the call.
func (p *pieces) addLine(t *stacks.Table, s ioSample) {
	line, u := t.UserFrame(s.Stack[s.from:])
	if u < 0 {
		line, u = t.Entered(s.Stack[s.from:]), len(s.Stack)-s.from
	}
	p.lines[line] += s.ns
	between := s.Stack[s.at : s.from+u]
	made := slices.IndexFunc(between, func(id stacks.FrameID) bool { return t.Func(id).Owner == stacks.Dependency })
	if made < 0 {
		return
	}
	p.foreign += s.ns
	p.makers[between[made]] += s.ns
	if s.use != writesFlushed &&
		slices.ContainsFunc(between, func(id stacks.FrameID) bool { return thriftProtocol(t.Func(id).Name) }) {
		p.thrift += s.ns
	}
}

// share is the part of the CPU that the calls take.
func (p *pieces) share() float64 { return p.ns / max(p.v.total, 1) }

// places is from how many places the function writes, counted as equally busy ones: the exponential of the entropy of
// the ways from the function down to the transport. below counts only the ways below the user's busiest line.
func (p *pieces) places(t *stacks.Table, below bool) float64 {
	busiest, _ := heaviest(p.lines)
	ways, all := map[string]float64{}, 0.0
	for _, s := range p.samples {
		way := s.Stack[s.at+1:]
		end := slices.IndexFunc(way, func(id stacks.FrameID) bool {
			return below && id == busiest || !below && t.FuncID(id) == p.fn
		})
		if end >= 0 {
			ways[string(stacks.AppendKey(nil, way[:end+1]))] += s.ns
			all += s.ns
		}
	}
	entropy := 0.0
	for _, w := range ways {
		entropy -= w / all * math.Log(w/all)
	}
	return math.Exp(entropy)
}

// part is how much of all system calls of the direction are the function's, by their CPU.
func (p *pieces) part() float64 {
	if p.write {
		return p.kernel / max(p.written, 1)
	}
	return p.kernel / max(p.read, 1)
}

// most is the part of the system calls from which the kernel's counts tell of the function.
const most = 0.6

// size is how many bytes a call moves, at the most; 0 where it is not known.
func (p *pieces) size() float64 {
	size := p.counts.readSize
	if p.write {
		size = p.counts.writeSize
	}
	if p.part() < most {
		return 0
	}
	return size / min(p.part(), 1)
}

// large reports whether calls are known to move much. Few large ones cost as much as many small ones: only where nearly
// all the cost is the function's the mean tells of its calls.
func (p *pieces) large() bool { return p.part() >= 0.9 && p.size() >= largePiece }

// perRequest is how often the function writes for each request of a server's library, by what writing the answer takes.
// The estimate is low: waking up the client that waits is expensive. 0 where the calls are no request's.
func (p *pieces) perRequest() float64 {
	if 2*p.request < p.ns || p.ticks == 0 {
		return 0
	}
	return p.ns / max(p.answers, p.ns/p.ticks)
}

// perCause is how often the process writes for each time that it reads, or the other way round, as far as it can be
// told: by the kernel's counts, and by CPU. What comes by datagrams is in no count.
func (p *pieces) perCause() float64 {
	there, back := p.counts.writes, p.counts.reads
	if !p.write {
		there, back = back, there
	}
	in := p.in
	if !p.write {
		in = p.answers + p.written
	}
	byCPU := p.ns / max(in, p.ns/max(p.ticks, 1))
	if there == 0 {
		return byCPU / cpuDoubt
	}
	if in*fewReads > p.ns {
		return 1 // what comes in costs too much to be a few
	}
	return there * min(p.part(), 1) / max(back, 1)
}

const (
	cpuDoubt = 4 // a write of a message that wakes up a reader costs up to four times what reading one takes
	fewReads = 6
)
