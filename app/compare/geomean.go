package compare

import (
	"fmt"

	"github.com/aclements/go-moremath/stats"
	"golang.org/x/perf/benchunit"
)

// geomean is nil for a single row, as in benchstat. The change is the mean of the ratios of the rows that both sides
// have, and missing where a row came from 0.
func geomean(t *Table) *Geomean {
	if len(t.Rows) < 2 {
		return nil
	}
	var olds, news, ratios []float64
	fromZero := false
	for _, row := range t.Rows {
		if row.Old != nil {
			olds = append(olds, float64(row.Old.Center))
		}
		if row.New != nil {
			news = append(news, float64(row.New.Center))
		}
		if row.Old == nil || row.New == nil {
			continue
		}
		if row.Change.isNaN() {
			fromZero = true
			continue
		}
		ratios = append(ratios, centreRatio(row))
	}
	g := &Geomean{Old: mean(olds), New: mean(news), Change: nan}
	if !fromZero {
		g.Change = mean(ratios) - 1
	}
	class := benchunit.ClassOf(t.Unit)
	g.oldText, g.newText = scaled(g.Old, class), scaled(g.New, class)
	g.Warnings = t.meanWarnings(g, len(olds), len(news), len(ratios))
	return g
}

// centreRatio is new/old itself: less rounding than 1 + Change.
func centreRatio(row Row) float64 {
	if row.Old.Center == row.New.Center {
		return 1
	}
	return float64(row.New.Center) / float64(row.Old.Center)
}

func (t *Table) meanWarnings(g *Geomean, olds, news, both int) []string {
	var out []string
	if t.Old != "" && t.New != "" && (olds != both || news != both) {
		out = append(out, fmt.Sprintf("%s has %d benchmarks and %s %d: their geomeans may not be comparable",
			t.Old, olds, t.New, news))
	}
	if olds > 0 && g.Old.isNaN() || news > 0 && g.New.isNaN() {
		out = append(out, "values must be above 0 for a geomean")
	}
	return out
}

func mean(vs []float64) Number { return Number(stats.GeoMean(vs)) }

func scaled(v Number, class benchunit.Class) string {
	if v.isNaN() {
		return ""
	}
	return benchunit.Scale(float64(v), class)
}
