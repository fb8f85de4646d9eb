package heapdump

import (
	"cmp"
	"math"
	"slices"

	"github.com/google/pprof/profile"

	"github.com/gocasebook/casebook/diagnose/refs"
	"github.com/gocasebook/casebook/diagnose/stacks"
)

// owners says for every number which of the holders it is below: 1 for the first, 0 for none.
// There are 100 at most: each has 1 % of the heap.
func (a *analysis) owners(found []held) []uint8 {
	out := make([]uint8, len(a.tree.idom))
	mine := make(map[uint32]uint8, len(found))
	for i, h := range found {
		mine[h.number] = uint8(i) + 1
	}
	for i := 1; i < len(out); i++ {
		out[i] = out[a.tree.idom[i]]
		if h, ok := mine[uint32(i)]; ok {
			out[i] = h
		}
	}
	return out
}

// siteOf is the innermost line outside the standard library, or else outside the runtime.
func siteOf(stack []line) refs.Site {
	for _, least := range []stacks.Owner{stacks.Std, stacks.Runtime} {
		for _, l := range stack {
			if stacks.FuncOf(l.function, l.file, "").Owner < least {
				return refs.Site{Function: l.function, File: l.file, Line: l.number}
			}
		}
	}
	if len(stack) > 0 {
		l := stack[len(stack)-1]
		return refs.Site{Function: l.function, File: l.file, Line: l.number}
	}
	return refs.Site{Function: "unknown"}
}

// maxFrames of a stack are kept.
const maxFrames = 32

// framesOf are the lines of a stack outside the runtime.
func framesOf(stack []line) (out []refs.Site) {
	for _, l := range stack {
		if stacks.FuncOf(l.function, l.file, "").Owner < stacks.Runtime && len(out) < maxFrames {
			out = append(out, refs.Site{Function: l.function, File: l.file, Line: l.number})
		}
	}
	return out
}

// defaultRate is the runtime's MemProfileRate: bytes for a sample. The dump does not say it.
const defaultRate = 512 << 10

// weight is how many bytes a sample stands for.
func (a *analysis) weight(s sample) float64 {
	size := float64(s.bucket.size)
	if uint32(len(a.samples)) > a.objects.count/10 { // a much lower rate: they stand for themselves
		return size
	}
	return size / (1 - math.Exp(-size/defaultRate))
}

// allocated are the sites of what a holder holds.
func (a *analysis) allocated(owner []uint8, holder uint8) []refs.SiteShare {
	sums, counts, all := make(map[refs.Site]float64), make(map[refs.Site]int), 0.0
	for _, s := range a.samples {
		if s.number != 0 && owner[s.number] == holder {
			site, w := s.bucket.site, a.weight(s)
			sums[site] += w
			counts[site]++
			all += w
		}
	}
	out := make([]refs.SiteShare, 0, len(sums))
	for site, sum := range sums {
		out = append(out, refs.SiteShare{Site: site, Share: sum / all, Samples: counts[site]})
	}
	slices.SortFunc(out, func(x, y refs.SiteShare) int {
		return cmp.Or(cmp.Compare(y.Share, x.Share), compareSites(x.Site, y.Site))
	})
	return out[:min(len(out), maxAllocated)]
}

// maxAllocated sites of a holder are kept.
const maxAllocated = 3

func compareSites(x, y refs.Site) int {
	return cmp.Or(cmp.Compare(x.File, y.File), cmp.Compare(x.Line, y.Line), cmp.Compare(x.Function, y.Function))
}

// A place is what a site has in common in a profile and in a dump: a dump names the function that inlined others.
type place struct {
	file string
	line uint64
}

// sites looks up who holds the largest sites.
func (a *analysis) sites(o Options, owner []uint8, roots []refs.Root) []refs.SiteHeld {
	sites := a.ownSites()
	if o.Profile != nil {
		sites = sitesOf(o.Profile)
	}
	slices.SortFunc(sites, func(x, y refs.SiteHeld) int {
		return cmp.Or(cmp.Compare(y.Bytes, x.Bytes), compareSites(x.Site, y.Site))
	})
	sites = sites[:min(len(sites), o.Rows)]
	for i := range sites {
		a.lookUp(&sites[i], owner, roots)
	}
	return sites
}

// ownSites are the sites of the dump's own heap profile.
func (a *analysis) ownSites() []refs.SiteHeld {
	sums := make(map[refs.Site]float64)
	for _, s := range a.samples {
		sums[s.bucket.site] += a.weight(s)
	}
	var out []refs.SiteHeld
	for site, sum := range sums {
		out = append(out, refs.SiteHeld{Site: site, Bytes: uint64(sum)})
	}
	return out
}

// sitesOf are the sites of a heap profile, by bytes in use.
func sitesOf(p *profile.Profile) []refs.SiteHeld {
	index := slices.IndexFunc(p.SampleType, func(t *profile.ValueType) bool { return t.Type == "inuse_space" })
	if index < 0 {
		return nil
	}
	sums := make(map[refs.Site]int64)
	for _, s := range p.Sample {
		sums[siteOf(linesOf(s))] += s.Value[index]
	}
	var out []refs.SiteHeld
	for site, sum := range sums {
		if sum > 0 {
			out = append(out, refs.SiteHeld{Site: site, Bytes: uint64(sum)})
		}
	}
	return out
}

func linesOf(s *profile.Sample) []line {
	var out []line
	for _, l := range s.Location {
		for _, x := range l.Line {
			if x.Function != nil {
				out = append(out, line{x.Function.Name, x.Function.Filename, uint64(x.Line)})
			}
		}
	}
	return out
}

// lookUp finds who holds the sampled objects of a site.
func (a *analysis) lookUp(site *refs.SiteHeld, owner []uint8, roots []refs.Root) {
	var mine []sample
	for _, s := range a.samples {
		own := s.bucket.site
		if (place{own.File, own.Line}) == (place{site.File, site.Line}) {
			mine = append(mine, s)
		}
	}
	site.Samples = len(mine)
	site.Held, _ = a.heldBy(mine, owner, roots)
}

// heldBy says who holds some sampled objects, and how many bytes they stand for.
func (a *analysis) heldBy(samples []sample, owner []uint8, roots []refs.Root) (out []refs.HeldByRoot, all float64) {
	sums := make(map[refs.Root]float64)
	for _, s := range samples {
		w := a.weight(s)
		all += w
		sums[a.holding(s.number, owner, roots)] += w
	}
	for root, sum := range sums {
		out = append(out, refs.HeldByRoot{Share: sum / all, Root: root})
	}
	slices.SortFunc(out, func(x, y refs.HeldByRoot) int {
		return cmp.Or(cmp.Compare(y.Share, x.Share), cmp.Compare(x.Root.Kind, y.Root.Kind),
			cmp.Compare(x.Root.Name, y.Root.Name))
	})
	return out[:min(len(out), maxAllocated)], all
}

// stacks are the stacks of the heap profile that have most memory, n at most, and who holds that.
func (a *analysis) stacks(n int, owner []uint8, roots []refs.Root) []refs.StackHeld {
	byStack := make(map[string][]sample)
	for _, s := range a.samples {
		byStack[s.bucket.key()] = append(byStack[s.bucket.key()], s)
	}
	var out []refs.StackHeld
	for _, samples := range byStack {
		held, all := a.heldBy(samples, owner, roots)
		out = append(out, refs.StackHeld{Frames: samples[0].bucket.frames, Bytes: uint64(all), Samples: len(samples),
			Held: held})
	}
	slices.SortFunc(out, func(x, y refs.StackHeld) int {
		return cmp.Or(cmp.Compare(y.Bytes, x.Bytes), slices.CompareFunc(x.Frames, y.Frames, compareSites))
	})
	return out[:min(len(out), n)]
}

// holding is the root of a number: that of its holder, or only its kind where it is below none.
func (a *analysis) holding(number uint32, owner []uint8, roots []refs.Root) refs.Root {
	switch {
	case number == 0:
		return refs.Root{Kind: refs.Garbage}
	case owner[number] > 0:
		return roots[owner[number]-1]
	}
	return refs.Root{Kind: tierKinds[a.numbers.tier(number)], Name: refs.SmallHolders}
}

// rootsOf are the roots of the holders.
func (a *analysis) rootsOf(found []held) []refs.Root {
	out := make([]refs.Root, len(found))
	for i, h := range found {
		out[i] = a.rootAbove(h.number)
	}
	return out
}
