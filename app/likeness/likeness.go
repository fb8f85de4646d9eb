// Package likeness says whether two profiles show the same work of a program: whether the load of a proof exercises what
// was ill in the case that the proof is for.
//
// The problem: a proof says how two versions differ under the load that they were given. If that load leaves the ill
// function alone, the proof is right and says nothing about the incident, and nobody notices. So the profile of the old
// version under the proof's load is held against the case's: what share of the work both have in common, and how much
// of it passes through the place of the finding.
//
// The approach: work is the share of a profile that each function of the user's own code takes with all that it calls
// outside of it. The overlap of two such tables is the sum of the smaller shares. Two profiles of the same load overlap
// less than whole, because they are samples; so the overlap counts as a share of what two samples of these sizes have in
// common when they are drawn from one table, the mean of both.
//
// The limits: CPU and allocations are compared, because a proof has profiles of these. Waits are not: of a finding about
// a lock the shares of CPU alone are known, which show that its function runs, not that it waits.
package likeness

import (
	"errors"
	"fmt"
	"maps"
	"math"
	"math/rand/v2"
	"slices"
	"strings"

	"github.com/gocasebook/casebook/casefile"
	"github.com/gocasebook/casebook/diagnose/stacks"
	"github.com/gocasebook/casebook/internal/number"
)

// The bounds below which a load does not stand for the case; TestBounds has the pairs of recorded loads that they come
// from.
const (
	// leastOverlap is of the work as a whole.
	leastOverlap = 0.5
	// leastFinding is the share of the work at the finding's place, of that in the case.
	leastFinding = 0.25
	// leastShare is the share of the case's profile that the place must have for anything to be said of it.
	leastShare = 0.01
)

// errEmpty says that a profile has nothing to compare.
var errEmpty = errors.New("it has no samples")

// A Profile is one to compare: its bytes, and of which kind of evidence it is.
type Profile struct {
	Kind string // casefile.CPU; casefile.Heap, of which what was allocated counts
	Data []byte
}

// Of compares the work of a case with that under a load. module is the program's main module. Of the finding, which may
// be nil, the place counts that is to be changed.
func Of(module string, inCase, inLoad Profile, f *casefile.Finding) (casefile.Similarity, error) {
	table := stacks.NewTable(module)
	c, err := read(table, inCase, f)
	if err != nil {
		return casefile.Similarity{}, fmt.Errorf("the case's %s profile: %w", inCase.Kind, err)
	}
	l, err := read(table, inLoad, f)
	if err != nil {
		return casefile.Similarity{}, fmt.Errorf("the load's %s profile: %w", inLoad.Kind, err)
	}
	x, y := tables(c, l)
	s := casefile.Similarity{Of: inCase.Kind, Overlap: min(overlap(x, y)/ceiling(x, y, c.samples, l.samples), 1)}
	if f != nil && len(f.Where) > 0 && c.place >= leastShare {
		s.Finding, s.Function, s.InCase, s.InLoad = f.ID, f.Where[0].Function, c.place, l.place
	}
	s.Low, s.Text = judge(&s, l.samples)
	return s, nil
}

// A work is a profile as it is compared.
type work struct {
	shares  map[string]float64 // by function
	samples float64
	place   float64 // the share that passes the finding's place
}

func read(table *stacks.Table, p Profile, f *casefile.Finding) (work, error) {
	set, err := table.Read(stacks.Source{Name: p.Kind, Kind: p.Kind}, p.Data)
	if err != nil {
		return work{}, err
	}
	value, count := set.Value("cpu", "nanoseconds"), set.Value("samples", "count")
	if p.Kind == casefile.Heap {
		value, count = set.Value("alloc_space", "bytes"), -1
	}
	weigh := stacks.ByValue(value)
	w := work{shares: make(map[string]float64)}
	total := float64(set.Total(weigh))
	if total == 0 {
		return w, errEmpty
	}
	for i := range set.Samples {
		s := &set.Samples[i]
		v := float64(weigh(s)) / total
		if v <= 0 {
			continue
		}
		w.samples += drawn(set, s, value, count)
		if name := ownFunction(table, s.Stack); name != "" {
			w.shares[name] += v
		}
		if f != nil && len(f.Where) > 0 && passes(table, s.Stack, f.Where[0].Function) {
			w.place += v
		}
	}
	return w, nil
}

// drawn is how many samples a record stands for. A heap profile's have been scaled up to what was allocated: one is
// drawn about every Period bytes (runtime.MemProfileRate).
func drawn(set *stacks.Set, s *stacks.Sample, value, count int) float64 {
	if count >= 0 && count < len(s.Values) {
		return float64(s.Values[count])
	}
	return max(float64(s.Values[value])/float64(max(set.Period, 1)), 1)
}

// ownFunction is whose work a stack is: the user's function that is nearest to the leaf, otherwise the outermost.
func ownFunction(table *stacks.Table, stack []stacks.FrameID) string {
	frame, _ := table.UserFrame(stack)
	if frame == stacks.NoFrame && len(stack) > 0 {
		frame = stack[len(stack)-1]
	}
	return table.Func(frame).Name
}

func passes(table *stacks.Table, stack []stacks.FrameID, function string) bool {
	return slices.ContainsFunc(stack, func(id stacks.FrameID) bool { return table.Func(id).Name == function })
}

// overlap is the sum of the smaller shares, of functions in the same order.
func overlap(a, b []float64) (both float64) {
	for i := range a {
		both += min(a[i], b[i])
	}
	return both
}

// tables are the shares of both, by function in the order of names, so that a draw is the same each time.
func tables(a, b work) (x, y []float64) {
	names := maps.Clone(a.shares)
	maps.Copy(names, b.shares)
	for _, name := range slices.Sorted(maps.Keys(names)) {
		x, y = append(x, a.shares[name]), append(y, b.shares[name])
	}
	return x, y
}

// draws is how often a ceiling is drawn: its error is below a hundredth then.
const draws = 20

// maxDrawn bounds the samples that are drawn: beyond, the ceiling is 1 within a hundredth.
const maxDrawn = 20_000

// ceiling is the mean overlap of two samples of so many, drawn from the mean of both tables.
func ceiling(a, b []float64, samplesA, samplesB float64) float64 {
	sums, sum := make([]float64, len(a)), 0.0
	for i := range a {
		sum += (a[i] + b[i]) / 2
		sums[i] = sum
	}
	if sum == 0 {
		return 1
	}
	random := rand.New(rand.NewPCG(1, 2))
	mean := 0.0
	for range draws {
		mean += overlap(draw(random, sums, samplesA), draw(random, sums, samplesB)) / draws
	}
	return max(mean, 1e-9)
}

// draw makes a table of n samples of one that is given by sums of its shares.
func draw(random *rand.Rand, sums []float64, n float64) []float64 {
	count := int(min(max(n, 1), maxDrawn))
	shares := make([]float64, len(sums))
	last := sums[len(sums)-1]
	for range count {
		i, _ := slices.BinarySearch(sums, random.Float64()*last)
		shares[min(i, len(shares)-1)] += 1 / float64(count)
	}
	return shares
}

// judge says what the figures mean. samples are those of the load's profile.
func judge(s *casefile.Similarity, samples float64) (low bool, text string) {
	what := map[string]string{casefile.CPU: "CPU", casefile.Heap: "allocated bytes"}[s.Of]
	like := fmt.Sprintf("The load has %s of its %s in common with the case", number.Percent(s.Overlap), what)
	if s.Finding == "" {
		if s.Overlap < leastOverlap {
			return true, like + ": it does not stand for it."
		}
		return false, like + "."
	}
	short := s.Function[strings.LastIndex(s.Function, "/")+1:]
	place := fmt.Sprintf("%s, where %s is, takes %s of it, and took %s in the case", short, s.Finding,
		number.Percent(s.InLoad), number.Percent(s.InCase))
	// the upper end of the interval of a share of so many samples: few must not make a load look unlike
	upper := s.InLoad + 2*math.Sqrt(max(s.InLoad*(1-s.InLoad), 1/max(samples, 1))/max(samples, 1))
	switch {
	case upper < leastFinding*s.InCase:
		return true, like + "; " + place + ": the load does not exercise what was ill."
	case s.Overlap < leastOverlap && s.InLoad < leastOverlap*s.InCase:
		return true, like + "; " + place + ": the load exercises little of what was ill."
	}
	return false, like + "; " + place + "."
}
