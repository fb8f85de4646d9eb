package diagnose

import "github.com/gocasebook/casebook/diagnose/stacks"

// A lineCost is what one line costs through calls of one row.
type lineCost struct {
	line    stacks.FrameID
	cpu     float64 // share of all CPU in samples, without the collector's
	ticks   float64 // CPU samples
	gc      float64 // share of all CPU: the collector's, attributed to the garbage made
	own     float64 // share of all CPU: of cpu, in the line's function and the runtime below it
	slow    float64 // share of all CPU: in functions of the row's slow form
	derived float64 // share of all CPU: of cpu, in what a comparison that is called back makes of an element
	least   float64 // share of all CPU: in functions of the row's form that costs least
	garbage float64 // share of the garbage
	bytes   float64
	objects float64
	calls   map[stacks.FrameID]float64 // ns by what the line called
	vias    map[stacks.FrameID]float64 // ns by the dependency's line that made the call
	malloc  float64                    // ns in which the line itself allocated
	usedAt  []stacks.FrameID           // where what it makes is first used, and allocates
	loop    bool                       // it is a loop with all that it calls, and not the calls alone
	names   bool                       // of logging: it asks in which line the caller is
	looksUp bool                       // of formatting: the same line looks up a map, most likely by the text
	stays   float64                    // share of all CPU: of cpu, what stays where the calls are made cheaper
}

func (l lineCost) share() float64 { return l.cpu + l.gc }

func (l *lineCost) add(o *lineCost) {
	l.loop = l.loop || o.loop
	l.cpu += o.cpu
	l.ticks += o.ticks
	l.gc += o.gc
	l.own += o.own
	l.slow += o.slow
	l.derived += o.derived
	l.names = l.names || o.names
	l.least += o.least
	l.stays += o.stays
	l.garbage += o.garbage
	l.bytes += o.bytes
	l.objects += o.objects
}

// topCall is what the line called for most of its cost.
func (l lineCost) topCall() (stacks.FrameID, bool) { return heaviest(l.calls) }

// maker is the dependency's line that made the calls, if they were made there for the most part.
func (l lineCost) maker() (stacks.FrameID, bool) {
	id, ok := heaviest(l.vias)
	return id, ok && l.vias[id] > l.vias[stacks.NoFrame]
}

// heaviest is the frame with the largest weight; of equal ones the first.
func heaviest(weights map[stacks.FrameID]float64) (stacks.FrameID, bool) {
	best, most := stacks.NoFrame, 0.0
	for id, w := range weights {
		if id != stacks.NoFrame && (w > most || w == most && (best == stacks.NoFrame || id < best)) {
			best, most = id, w
		}
	}
	return best, best != stacks.NoFrame
}

// minCostTicks is the minimum of CPU samples for a finding: ten have an error of ±60 % at 95 %. With as many heap
// samples as alloc-site requires, three are enough to tell what a line does.
const (
	minCostTicks = 10
	minSeenTicks = 3
)

// enough reports whether the evidence allows a judgement. rate is that of the heap profile's sampling, in bytes.
func (l lineCost) enough(rate float64) bool {
	return l.ticks >= minCostTicks || l.ticks >= minSeenTicks && sampled(l.bytes, l.objects, rate) >= minSiteSamples
}
