package report

import (
	"cmp"
	"math"
	"slices"

	"github.com/gocasebook/casebook/casefile"
	"github.com/gocasebook/casebook/vitals"
)

// Bounds of the charts next to the findings: two are wanted, and a rule of three signals gets three.
const (
	wantCharts = 2
	maxCharts  = 3
)

// related ranks the signals that belong next to the findings, the one that tripped first. What relates is taken from
// the case, since no list of ours knows the signals of somebody else's rule or service:
//
//  1. the signals of the rule that tripped, and of those that tripped while the case was being taken;
//  2. the signals that the findings move, as their chains say, and those that are the resource of one;
//  3. the signals whose course went with that of the one that tripped, by Spearman's rank correlation over the samples
//     (without one that tripped: with the step from before the trigger to after it).
//
// sure is how many of them are of the rule.
func (p *presence) related(c *casefile.Case, samples []vitals.Sample) (ids []vitals.ID, sure int) {
	add := func(names ...string) {
		for _, name := range names {
			if id := p.id(name); id >= 0 && p.has(id) && !slices.Contains(ids, id) {
				ids = append(ids, id)
			}
		}
	}
	for _, t := range append([]casefile.Trigger{c.Trigger}, c.Also...) {
		add(t.Signal)
		add(t.Signals...)
	}
	sure = len(ids)
	for _, chain := range c.Causes {
		for _, l := range chain.Links {
			add(l.Signal)
		}
	}
	for i := range c.Findings {
		add(c.Findings[i].Impact.Resource)
	}
	for _, id := range p.moving(c, samples) {
		add(p.signals[id].Name)
	}
	return ids, sure
}

// id returns the signal of a name, or negative.
func (p *presence) id(name string) vitals.ID {
	return vitals.ID(slices.IndexFunc(p.signals, func(s vitals.Signal) bool { return s.Name == name }))
}

// Bounds of the correlation: from 0.6 on two courses look alike to the eye; above 0.995 the one is the other in another
// unit (cpu and cpu_share). Fewer samples than 20 correlate by chance.
const (
	alike      = 0.6
	theSame    = 0.995
	fewSamples = 20
)

// moving ranks the signals that went with the one that tripped, up or down.
func (p *presence) moving(c *casefile.Case, samples []vitals.Sample) []vitals.ID {
	step := p.trip < 0 || !p.has(p.trip)
	reference := func(s *vitals.Sample) (float64, bool) {
		if step {
			return float64(btoi(!s.Time.Before(c.Trigger.Time))), true
		}
		return s.Get(p.trip)
	}
	strength := make(map[vitals.ID]float64)
	var ids []vitals.ID
	for id := range vitals.ID(len(p.signals)) {
		if id == p.trip || !p.has(id) {
			continue
		}
		var xs, ys []float64
		for i := range samples {
			x, ok := reference(&samples[i])
			y, there := samples[i].Get(id)
			if ok && there {
				xs, ys = append(xs, x), append(ys, y)
			}
		}
		if r := math.Abs(rankCorrelation(xs, ys)); len(xs) >= fewSamples && r >= alike && (step || r < theSame) {
			strength[id] = r
			ids = append(ids, id)
		}
	}
	slices.SortStableFunc(ids, func(a, b vitals.ID) int { return cmp.Compare(strength[b], strength[a]) })
	return ids
}

// rankCorrelation is Spearman's: Pearson's of the ranks, equal values sharing the mean of theirs. It is 0 where one
// side does not vary.
func rankCorrelation(xs, ys []float64) float64 {
	a, b := ranks(xs), ranks(ys)
	mean := float64(len(a)-1) / 2
	var ab, aa, bb float64
	for i := range a {
		da, db := a[i]-mean, b[i]-mean
		ab, aa, bb = ab+da*db, aa+da*da, bb+db*db
	}
	if aa == 0 || bb == 0 {
		return 0
	}
	return ab / math.Sqrt(aa*bb)
}

func ranks(vs []float64) []float64 {
	order := make([]int, len(vs))
	for i := range order {
		order[i] = i
	}
	slices.SortFunc(order, func(a, b int) int { return cmp.Compare(vs[a], vs[b]) })
	out := make([]float64, len(vs))
	for i := 0; i < len(order); {
		j := i
		for j < len(order) && vs[order[j]] == vs[order[i]] {
			j++
		}
		for k := i; k < j; k++ {
			out[order[k]] = float64(i+j-1) / 2
		}
		i = j
	}
	return out
}
