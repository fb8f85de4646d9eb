package diagnose

import (
	"github.com/gocasebook/casebook/casefile"
	"github.com/gocasebook/casebook/diagnose/hold"
	"github.com/gocasebook/casebook/diagnose/stacks"
)

// leadsTo is the role of the user's line above a fault.
const leadsTo = "calls what has the fault"

// A sighting is what stacks show of a fault: the user's lines that lead to it, the lines of the functions that have it,
// and how much is below them.
type sighting struct {
	by, in map[stacks.FrameID]float64
	sum    float64
	count  float64 // objects or ticks behind sum
}

func newSighting() sighting {
	return sighting{by: make(map[stacks.FrameID]float64), in: make(map[stacks.FrameID]float64)}
}

// add counts a stack that shows the fault at position at.
func (g *sighting) add(t *stacks.Table, stack []stacks.FrameID, at int, weight, count float64) {
	g.in[stack[at]] += weight
	if id, i := t.UserFrame(stack[at:]); i >= 0 {
		g.by[id] += weight
	}
	g.sum += weight
	g.count += count
}

// places are the user's line that leads to most of it, and the line with the fault.
func (g *sighting) places(r *Reading, share float64, role string) []casefile.Frame {
	var out []casefile.Frame
	if id, ok := heaviest(g.by); ok {
		out = append(out, r.Frame(id, share*g.by[id]/max(g.sum, 1), role))
	}
	if id, ok := heaviest(g.in); ok {
		out = append(out, r.Frame(id, share*g.in[id]/max(g.sum, 1), "has the known fault"))
	}
	return out
}

// see adds up what a set shows of a fault.
func (s *suspect) see(set *stacks.Set, weight, count stacks.Weight, heap bool) sighting {
	g := newSighting()
	for i := range set.Samples {
		x := &set.Samples[i]
		if w := float64(weight(x)); w != 0 {
			if at := s.at(set.Table, x.Stack, heap); at >= 0 {
				g.add(set.Table, x.Stack, at, w, float64(count(x)))
			}
		}
	}
	return g
}

// cost judges the CPU below the functions, and the collector's for their garbage.
func (s *suspect) cost(r *Reading) (casefile.Finding, bool) {
	v := r.cpu()
	if v != nil && v.level.idle() {
		return casefile.Finding{}, false
	}
	if v == nil || !v.enough() {
		return s.garbage(r)
	}
	seen := s.see(v.set, func(x *stacks.Sample) int64 {
		if x.Class.GC() {
			return 0
		}
		return v.weight(x)
	}, stacks.ByValue(v.set.Value("samples", "count")), false)
	l := lineCost{cpu: seen.sum / v.total, ticks: seen.count}
	basis := Basis(v.set)
	if g, made, ok := s.made(r); ok && seen.sum > 0 {
		l.garbage, l.bytes, l.objects = made.sum/g.total, made.sum, made.count
		l.gc = l.garbage * collectShare(r, v)
		basis = addBasis(basis, Basis(g.set))
	}
	if !l.enough(stacks.DefaultRate) {
		return casefile.Finding{}, false
	}
	raw := knownShareScale().Score(l.share())
	limit := v.level.wasteCap(raw)
	if !v.level.saturated() {
		limit = min(limit, capUnsure)
	}
	f := s.finding(min(raw, limit), Confidence(l.share(), v.samples), seen.places(r, l.share(), leadsTo), basis)
	f.Summary += " It takes " + l.parts() + "; " + v.level.String() + "."
	f.Costs = l.costs()
	cost := v.cured(l.cpu, l.garbage)
	f.Impact = casefile.Impact{Resource: "cpu", Share: roundShare(cost),
		Text: percent(l.share()) + " of the CPU the process used" + l.withCycles(cost),
		Gain: allButSome(cost, l.parts()+l.withCycles(cost))}
	return f, true
}

// made is the garbage below the functions, and all of it; false if there is too little to judge.
func (s *suspect) made(r *Reading) (garbage, sighting, bool) {
	if !hasKinds(r, []string{casefile.Heap, casefile.Allocs}) {
		return garbage{}, sighting{}, false
	}
	g := newGarbage(r)
	if g.total < minGarbage {
		return g, sighting{}, false
	}
	return g, s.see(g.set, g.weight, stacks.ByValue(g.set.Value("alloc_objects", "count")), true), true
}

// garbage judges what the functions allocate, where there is no CPU profile, or one of too few samples.
func (s *suspect) garbage(r *Reading) (casefile.Finding, bool) {
	g, seen, ok := s.made(r)
	if !ok || sampled(seen.sum, seen.count, g.rate) < minSiteSamples {
		return casefile.Finding{}, false
	}
	share := seen.sum / g.total
	score, _, known := g.score(r, share)
	if !known {
		return casefile.Finding{}, false // alloc-site says what is missing
	}
	if g.diff && r.cpu() != nil { // waste, however little it is a second
		// What is made between two profiles counts, alive or not: little of it lives for long.
		space := stacks.ByValue(g.set.Value("alloc_space", "bytes"))
		part := s.see(g.set, space, space, true).sum / float64(max(g.set.Total(space), 1))
		score = max(score, r.cpu().level.wasteCap(min(allocShareScale().Score(part), capUnsure)))
	}
	f := s.finding(score, Confidence(share, sampled(g.total, g.total, g.rate)), seen.places(r, share, leadsTo),
		Basis(g.set))
	f.Summary += " It makes " + percent(share) + " of the garbage."
	f.Costs = []casefile.Cost{{Of: casefile.Garbage, Share: roundShare(share)}}
	f.Impact = casefile.Impact{Resource: "memory", Share: roundShare(share), Text: percent(share) + " of the garbage",
		Gain: allButSome(share, percent(share)+" of the garbage")}
	return f, true
}

// held judges the live memory that was allocated below the functions.
func (s *suspect) held(r *Reading) (casefile.Finding, bool) {
	h := r.heap()
	if h == nil || h.liveBytes <= 0 {
		return casefile.Finding{}, false
	}
	seen := s.see(h.set, h.space, h.objects, true)
	f, ok := s.ofLive(h, seen, seen.places(r, seen.sum/h.liveBytes, leadsTo), "was allocated below it", allButSome)
	f.Form = formSize
	return f, ok
}

// formSize is the form of a fault that makes what is held larger: that more and more is held has another cause.
const formSize = "size"

// surelyCalls is how sure it is that a module keeps what its callers have allocated: they may keep it, too.
const surelyCalls = 0.7

// callers judges the live memory that was allocated by those functions of the user's that call the functions.
func (s *suspect) callers(r *Reading) (casefile.Finding, bool) {
	h := r.heap()
	if h == nil || h.liveBytes <= 0 {
		return casefile.Finding{}, false
	}
	calling := s.usersOf(r)
	seen := newSighting()
	for i := range h.set.Samples {
		x := &h.set.Samples[i]
		id, at := r.Table.UserFrame(x.Stack)
		called, ok := calling[hold.Outermost(r.Table.Func(id).Name)]
		if w := float64(h.space(x)); w > 0 && at >= 0 && ok {
			seen.by[id] += w
			seen.in[called] += w
			seen.sum += w
			seen.count += float64(h.objects(x))
		}
	}
	f, ok := s.ofLive(h, seen, seen.places(r, seen.sum/h.liveBytes, "allocates what it keeps"),
		"was allocated by who calls it", mayBeAll)
	f.Confidence = min(f.Confidence, surelyCalls)
	return f, ok
}

// usersOf are the names of the user's functions that call the functions, each with the line that it calls.
func (s *suspect) usersOf(r *Reading) map[string]stacks.FrameID {
	calling := make(map[string]stacks.FrameID)
	for _, c := range r.Sets {
		for i := range c.Samples {
			stack := c.Samples[i].Stack
			at := s.at(r.Table, stack, c.Kind == casefile.Heap || c.Kind == casefile.Allocs)
			if at < 0 {
				continue
			}
			if id, k := r.Table.UserFrame(stack[at:]); k >= 0 {
				calling[hold.Outermost(r.Table.Func(id).Name)] = stack[at]
			}
		}
	}
	return calling
}

// ofLive is the finding about a share of the live heap.
func (s *suspect) ofLive(h *heapView, seen sighting, where []casefile.Frame, how string,
	gain func(float64, string) casefile.Gain) (casefile.Finding, bool) {
	if seen.sum < minHeld || sampled(seen.sum, seen.count, h.rate) < minGrowthSamples {
		return casefile.Finding{}, false
	}
	share := seen.sum / h.liveBytes
	f := s.finding(min(knownShareScale().Score(share), capUnsure),
		Confidence(share, sampled(h.liveBytes, h.liveObjects, h.rate)), where, Basis(h.set))
	f.Summary += " " + size(seen.sum) + " of the live heap, " + percent(share) + ", " + how + "."
	f.Impact = casefile.Impact{Resource: "memory", Share: roundShare(share), Text: percent(share) + " of the live heap",
		Gain: gain(share, size(seen.sum)+" of "+size(h.liveBytes)+" live")}
	return f, true
}

// growth judges live memory below the functions that grew between two heap profiles.
func (s *suspect) growth(r *Reading) (casefile.Finding, bool) {
	g, ok := r.Growth()
	if !ok || g.Same || g.Net < max(minGrowth, minGrowthShare*(g.Live-g.Net)) {
		return casefile.Finding{}, false
	}
	space, number := "inuse_space", "inuse_objects"
	of := func(set *stacks.Set) sighting {
		return s.see(set, stacks.ByValue(set.Value(space, "bytes")), stacks.ByValue(set.Value(number, "count")), true)
	}
	more, held := of(g.Diff), of(g.Last)
	if more.sum < max(minGrowth, growthBlame*g.Net) ||
		sampled(more.sum, more.count, g.Last.Rate()) < minGrowthSamples {
		return casefile.Finding{}, false
	}
	// What fills up soon after a start looks alike, but the page says that this does not.
	score, _, _ := rateLeak(r, g, &grower{bytes: more.sum})
	score = min(max(score, memRateScale().Score(more.sum/g.Seconds*3600)), capUnsure)
	f := s.finding(score, Confidence(0.5, sampled(more.sum, more.count, g.Last.Rate())),
		held.places(r, held.sum/max(g.Live, 1), leadsTo), Basis(g.Diff))
	f.Summary += " " + size(more.sum) + " more are alive below it than " + seconds(g.Seconds) + " before."
	f.Impact = casefile.Impact{Resource: "memory", Share: roundShare(held.sum / max(g.Live, 1)),
		Text: size(held.sum) + " are held" + hourly(g, more.sum, ", "),
		Gain: casefile.Gain{Low: roundShare(min(more.sum/max(g.Live, 1), mostSaved)),
			High: roundShare(min(held.sum/max(g.Live, 1), mostSaved)),
			Arithmetic: "at least the " + size(more.sum) + " added, at most all " + size(held.sum) + " held, of " +
				size(g.Live) + " live"}}
	return f, true
}
