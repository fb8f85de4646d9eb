package prometheus

import (
	"hash/maphash"
	"math"
	"slices"
	"strings"

	dto "github.com/prometheus/client_model/go"
)

// growth remembers the totals of series, to find out what was added since. It counts series by series: of a sum, the
// reset of one series would look like a loss in all.
//
// A series that is new on a page which had others of its family before is younger than that page, and so all of its
// total came since. One that was gone for some pages and is back is compared with what it was. When a family is on a
// page for the first time, its totals may be of any age, and count for nothing.
type growth struct {
	known bool                 // the family was on the page before
	last  map[uint64][]float64 // by key
}

// maxSeries bounds what is remembered of one metric. With more, the metric is absent.
const maxSeries = 10_000

// of returns the growth of the sum of the series' numbers; those of each series are totals, the first being a count
// that falls only if the series restarts. NaN twice means unknown.
func (g *growth) of(all []*dto.Metric, known bool, numbers func(*dto.Metric) []float64) [2]float64 {
	nan := [2]float64{math.NaN(), math.NaN()}
	if !g.open(all) {
		return nan
	}
	was := g.known
	g.known = g.known || known
	var sum [2]float64
	n := 0
	for _, s := range all {
		now := numbers(s)
		if len(now) == 0 || slices.ContainsFunc(now, math.IsNaN) {
			continue
		}
		n++
		for i, v := range g.advance(s, now, was) {
			sum[i] += v
		}
	}
	if n == 0 || !was {
		return nan
	}
	return sum
}

// open makes room for the series, and says whether there is.
func (g *growth) open(all []*dto.Metric) bool {
	if len(all) > maxSeries {
		g.known, g.last = false, nil
		return false
	}
	if g.last == nil {
		g.last = make(map[uint64][]float64)
	}
	if len(g.last)+len(all) > 2*maxSeries { // most are of series that are gone
		g.forgetBut(all)
	}
	return true
}

func (g *growth) forgetBut(all []*dto.Metric) {
	kept := make(map[uint64][]float64, len(all))
	for _, s := range all {
		if k := key(s); g.last[k] != nil {
			kept[k] = g.last[k]
		}
	}
	g.last = kept
}

// advance returns what a series grew by: all of it if the series is new or restarted. counted says that new ones count.
func (g *growth) advance(s *dto.Metric, now []float64, counted bool) []float64 {
	k := key(s)
	before, had := g.last[k]
	g.last[k] = now
	grown := make([]float64, len(now))
	switch {
	case !had && !counted:
		return grown
	case !had, len(before) != len(now), now[0] < before[0]:
		copy(grown, now)
		return grown
	}
	for i := range now {
		grown[i] = now[i] - before[i]
	}
	return grown
}

// seed is that of this process's keys.
var seed = maphash.MakeSeed()

// key distinguishes the series of one family by a hash of their labels: a page has thousands of series, a watch may read
// a thousand pages, and two of 10,000 series share a hash once in 10¹¹ pages.
func key(s *dto.Metric) uint64 {
	slices.SortFunc(s.Label, func(a, b *dto.LabelPair) int { return strings.Compare(a.GetName(), b.GetName()) })
	var h maphash.Hash
	h.SetSeed(seed)
	for _, l := range s.Label {
		h.WriteString(l.GetName())
		h.WriteByte(0xff) // in no UTF-8
		h.WriteString(l.GetValue())
		h.WriteByte(0xff)
	}
	return h.Sum64()
}
