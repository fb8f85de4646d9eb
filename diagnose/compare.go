package diagnose

import (
	"cmp"
	"math"
	"slices"

	"github.com/gocasebook/casebook/casefile"
)

// States of a Change, the most pressing first.
const (
	StateNew      = "new"      // found now and not in the base
	StateWorse    = "worse"    // found in both, higher now
	StateSame     = "same"     // found in both, and no more different than two captures of one process
	StateBetter   = "better"   // found in both, lower now
	StateGone     = "gone"     // found in the base, judged now and not found
	StateUnjudged = "unjudged" // found in the base; the present evidence does not allow a judgement
)

// A Comparison is how a diagnosis differs from an earlier one of the same service.
type Comparison struct {
	Changes []Change `json:"changes"` // by state, then by falling score
}

// A Change is one finding compared with the base.
type Change struct {
	State string            `json:"state"`
	Base  *casefile.Finding `json:"base,omitempty"` // nil for StateNew
	Now   *casefile.Finding `json:"now,omitempty"`  // nil for StateGone and StateUnjudged
	Score int               `json:"score"`          // now minus base; a missing finding counts as 0
	// the same for the impact's share; 0 where the two are about different resources
	Share float64 `json:"share"`
	Note  string  `json:"note,omitempty"` // what to keep in mind
}

// Finding is the finding now, otherwise that of the base.
func (c *Change) Finding() casefile.Finding {
	if c.Now != nil {
		return *c.Now
	}
	return *c.Base
}

// Compare says for every finding whether it is new, worse, better, gone or the same. Two findings are the same if kind
// and first function agree: lines move with every edit. A missing finding is gone only if its detector could judge.
func Compare(base, now casefile.Diagnosis) Comparison {
	pairs := pairUp(base.Findings, now.Findings)
	c := Comparison{Changes: make([]Change, 0, len(pairs))}
	for _, p := range pairs {
		c.Changes = append(c.Changes, changeOf(p, base.Undecided, now.Undecided))
	}
	slices.SortStableFunc(c.Changes, MorePressing)
	return c
}

// MorePressing orders changes by state, then by falling score.
func MorePressing(a, b Change) int {
	order := []string{StateNew, StateWorse, StateSame, StateBetter, StateGone, StateUnjudged}
	return cmp.Or(cmp.Compare(slices.Index(order, a.State), slices.Index(order, b.State)),
		cmp.Compare(b.Finding().Score, a.Finding().Score))
}

func changeOf(p pair, baseUndecided, nowUndecided []casefile.Undecided) Change {
	c := Change{Base: p.base, Now: p.now}
	switch {
	case p.base == nil:
		c.State, c.Score, c.Share = StateNew, p.now.Score, p.now.Impact.Share
		if why := undecidedWhy(baseUndecided, p.now.Kind); why != "" {
			c.Note = "the base could not judge this: " + why
		} else {
			c.Note = nearLimit(p.now.Score)
		}
	case p.now == nil:
		c.State, c.Score, c.Share = StateGone, -p.base.Score, -p.base.Impact.Share
		c.Note = nearLimit(p.base.Score)
		if why := undecidedWhy(nowUndecided, p.base.Kind); why != "" {
			c.State, c.Score, c.Share, c.Note = StateUnjudged, 0, 0, why
		}
	default:
		c.Score = p.now.Score - p.base.Score
		if p.now.Impact.Resource == p.base.Impact.Resource {
			c.Share = roundTo4(p.now.Impact.Share - p.base.Impact.Share)
		}
		c.State = moved(c.Score, c.Share, p)
		c.Note = p.note
	}
	return c
}

// Two captures of one process under one load differ. With 1,000 samples, a share of 10 % has a standard error of 0.95
// points, so that two such shares differ by 2.6 points once in twenty times. On most scales that is 5 points of score.
const (
	sameScore       = 5
	sameScoreUnsure = 10  // where one side has little evidence
	lowConfidence   = 0.6 // confidence
	sameShare       = 0.05
	sameRatio       = 1.25
)

// moved distinguishes worse and better from the same. The share decides where it shows a change: it is what the finding
// costs, and a score can fall because a limit or a doubt came with it. Nothing is better whose share has risen, and
// nothing worse whose share has fallen.
func moved(score int, share float64, p pair) string {
	margin := sameScore
	if min(p.base.Confidence, p.now.Confidence) < lowConfidence {
		margin = sameScoreUnsure
	}
	low, high := p.base.Impact.Share, p.now.Impact.Share
	if low > high {
		low, high = high, low
	}
	if math.Abs(share) < sameShare || high < sameRatio*low || margin != sameScore {
		switch {
		case score >= margin && share >= 0:
			return StateWorse
		case score <= -margin && share <= 0:
			return StateBetter
		}
		return StateSame
	}
	if share > 0 {
		return StateWorse
	}
	return StateBetter
}

func roundTo4(x float64) float64 { return math.Round(x*1e4) / 1e4 }

// nearLimit warns of a finding that came or went because its score is close to the limit for reporting.
func nearLimit(score int) string {
	if score < worthKnowing+sameScore {
		return "its score is close to 25, the lowest that is reported: so this may be random"
	}
	return ""
}

// undecidedWhy is why a diagnosis could not judge a kind; "" if it could.
func undecidedWhy(us []casefile.Undecided, kind string) string {
	for _, u := range us {
		if u.Kind == kind {
			return u.Reason
		}
	}
	return ""
}
