package compare

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"github.com/gocasebook/casebook/casefile"
	"github.com/gocasebook/casebook/internal/number"
)

// The directions of a figure, as casefile.Figure.Better has them.
const (
	lower  = "lower"
	higher = "higher"
)

// judgeAll gives every row its verdict. The tests of a report are one family.
func judgeAll(r *Report, opt Options) {
	limit, tests := falseDiscovery(r, opt.Alpha)
	r.rows(func(row *Row) { row.judge(opt, limit, tests) })
}

// falseDiscovery returns the largest p that counts, by Benjamini and Hochberg (1995): of n p-values in order the
// largest k with p(k) ≤ alpha·k/n. It is −1 when none does.
func falseDiscovery(r *Report, alpha float64) (limit float64, tests int) {
	var ps []float64
	r.rows(func(row *Row) {
		if row.test {
			ps = append(ps, float64(row.P))
		}
	})
	slices.SortFunc(ps, cmp.Compare[float64])
	limit = -1
	for i, p := range ps {
		if p <= alpha*float64(i+1)/float64(len(ps)) {
			limit = p
		}
	}
	return limit, len(ps)
}

func (row *Row) judge(opt Options, limit float64, tests int) {
	row.Verdict = casefile.CannotTell
	switch {
	case row.Old == nil:
		row.Reason = "only in NEW"
	case row.New == nil:
		row.Reason = "only in OLD"
	case row.Exact:
		row.judgeExact()
	case row.within(opt.Margin):
		row.Verdict = casefile.Same
	case float64(row.P) <= limit:
		row.Verdict = row.direction(float64(row.New.Center - row.Old.Center))
	case float64(row.P) <= opt.Alpha:
		row.Reason = fmt.Sprintf("%s, which can be chance among %d tests", number.P(float64(row.P)), tests)
	default:
		row.Reason = row.doubt()
	}
}

// judgeExact judges by the values: any difference is one.
func (row *Row) judgeExact() {
	if row.Old.Center == row.New.Center {
		row.Verdict = casefile.Same
		return
	}
	row.Verdict = row.direction(float64(row.New.Center - row.Old.Center))
}

// within reports whether the whole interval of the change is too small to matter.
func (row *Row) within(margin float64) bool {
	if row.Old.Center == row.New.Center && row.ChangeLow.isNaN() { // values of 0 have no ratio
		return row.Old.Low == row.Old.High && row.New.Low == row.New.High
	}
	return -margin <= float64(row.ChangeLow) && float64(row.ChangeHigh) <= margin
}

func (row *Row) direction(change float64) casefile.Verdict {
	switch {
	case row.Better == "":
		row.Reason = fmt.Sprintf("it changed, but it is unknown which way is better: add the line \"Unit %s "+
			"better=lower\" (or higher) to the input", row.Unit)
		return casefile.CannotTell
	case (change < 0) == (row.Better == lower):
		return casefile.Better
	}
	return casefile.Worse
}

// doubt says what the values allow.
func (row *Row) doubt() string {
	if low, high := float64(row.ChangeLow), float64(row.ChangeHigh); low > -1 && !math.IsInf(high, 0) &&
		!math.IsNaN(high) {
		return fmt.Sprintf("the change is between %s and %s; more runs would narrow it",
			number.Change(1, 1+low), number.Change(1, 1+high))
	}
	return fmt.Sprintf("too few runs (%s); take at least 6 per side", runsText(row.Old.N, row.New.N))
}

func runsText(a, b int) string {
	if a == b {
		return fmt.Sprintf("%d per side", a)
	}
	return fmt.Sprintf("%d and %d", a, b)
}
