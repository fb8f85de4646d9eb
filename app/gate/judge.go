package gate

import (
	"fmt"
	"math"
	"slices"

	"github.com/gocasebook/casebook/app/stat"
	"github.com/gocasebook/casebook/internal/number"
)

// An Outcome is what becomes of a figure, and of the gate.
type Outcome string

// The outcomes.
const (
	Pass       Outcome = "pass"
	Fail       Outcome = "fail"
	CannotTell Outcome = "cannot tell"
)

// level is the chance that a gate fails a change whose figures are all exactly at their limits; at no change at all
// it is far lower.
const level = 0.01

// A Pair is what one round measured on both sides.
type Pair struct{ Base, Head float64 }

// A Figure is one figure of one thing that was measured, round by round, in order. Base and Head of a pair were
// measured right after one another; which came first alternates.
type Figure struct {
	Subject string // "example.com/shop BenchmarkEncode"
	Name    string // as a Limit names it
	Unit    string
	Pairs   []Pair
	Again   []Pair // the base twice in each round; if there is none, rounds that follow one another show the noise
}

// A Judgement is the result for a figure under one limit.
type Judgement struct {
	Subject string  `json:"subject"`
	Figure  string  `json:"figure"`
	Unit    string  `json:"unit"`
	Limit   Limit   `json:"limit"`
	Outcome Outcome `json:"outcome"`
	Reason  string  `json:"reason,omitempty"` // why it cannot tell
	Base    float64 `json:"base"`             // the level of the rounds; of a figure that was 0 in one of them, medians
	Head    float64 `json:"head"`
	Change  float64 `json:"change"` // head/base − 1, of just these two values. 0 where the base is 0
	// Noise is what the base shows against itself: how far from 0 a change over as many rounds is in 95 of 100 cases.
	Noise   float64  `json:"noise"`
	P       float64  `json:"p"` // that the change is not above the limit; Holm's, over what was judged together
	Exact   bool     `json:"exact,omitempty"`
	Rounds  int      `json:"rounds"`
	First   *float64 `json:"first,omitempty"`   // the change in the first rounds, of what was measured again
	Because []Blame  `json:"because,omitempty"` // functions that changed, of a failure
	Place   *Place   `json:"place,omitempty"`   // of the benchmark, or of main of a service; of a failure

	over float64 // how far the change is above the limit, whatever the noise: a logarithm, below 0 within it
}

// Judge judges every figure under each limit that names it. All judgements of a call are one family: pass only figures
// that were not chosen by the rounds they hold.
func Judge(figures []Figure, limits []Limit) []Judgement {
	var out []Judgement
	for _, f := range figures {
		for _, l := range limits {
			if l.Figure == f.Name && len(f.Pairs) > 0 {
				out = append(out, newJudgement(f, l))
			}
		}
	}
	decide(out)
	return out
}

// newJudgement measures the change; decide says what comes of it.
func newJudgement(f Figure, l Limit) Judgement {
	j := Judgement{Subject: f.Subject, Figure: f.Name, Unit: f.Unit, Limit: l, P: 1, Rounds: len(f.Pairs)}
	base, head := make([]float64, len(f.Pairs)), make([]float64, len(f.Pairs))
	ratios, over := make([]float64, len(f.Pairs)), make([]float64, len(f.Pairs))
	for i, p := range f.Pairs {
		base[i], head[i] = p.Base, p.Head
		ratios[i] = ratio(p.Base, p.Head)
		over[i] = l.beyond(ratios[i])
	}
	if j.Noise = noise(twoByTwo(base), len(f.Pairs), ofPairs); f.Again != nil {
		j.Noise = noise(f.Again, len(f.Pairs), ofBlocks)
	}
	j.Exact = still(base) && still(head)
	r := 0.0
	j.Base, j.Head, r = levels(f.Pairs, ratios)
	j.over, j.Change = l.beyond(r), changeOf(ratio(j.Base, j.Head))
	if !j.Exact {
		j.P = signedRank(over)
	}
	return j
}

// levels returns one value for each side, and their ratio: the Hodges–Lehmann estimate of the pairs' ratios, around the
// same estimate of the pairs' geometric means. Medians of the sides may differ by more or less than the pairs, and
// would show another change than the one that is judged. They are shown for a figure that is 0 in a round, because 0
// has no logarithm.
func levels(pairs []Pair, ratios []float64) (base, head, ratio float64) {
	ratio = math.Exp(stat.Centre(logs(ratios)))
	sides, middles := [2][]float64{}, make([]float64, len(pairs))
	for i, p := range pairs {
		sides[baseSide], sides[headSide] = append(sides[baseSide], p.Base), append(sides[headSide], p.Head)
		middles[i] = (math.Log(p.Base) + math.Log(p.Head)) / 2
	}
	base, head = stat.Median(sides[baseSide]), stat.Median(sides[headSide])
	if still(sides[baseSide]) && still(sides[headSide]) ||
		slices.ContainsFunc(middles, func(m float64) bool { return math.IsInf(m, 0) || math.IsNaN(m) }) {
		return base, head, ratio
	}
	level, half := math.Exp(stat.Centre(middles)), math.Sqrt(ratio)
	return level / half, level * half, ratio
}

// changeOf returns a ratio as a change; there is none if the base is 0.
func changeOf(ratio float64) float64 {
	if math.IsInf(ratio, 0) || math.IsNaN(ratio) {
		return 0
	}
	return ratio - 1
}

// ratio is head/base; 1 of 0 to 0, and infinite from 0.
func ratio(base, head float64) float64 {
	switch {
	case base == head:
		return 1
	case base <= 0:
		return math.Inf(1)
	case head <= 0:
		return 0
	}
	return head / base
}

// still reports whether a figure does not vary over as many rounds as it takes to know.
func still(vs []float64) bool {
	return len(vs) >= minRounds && slices.Min(vs) == slices.Max(vs)
}

// decide gives each judgement its outcome. The tests are one family: Holm (1979).
func decide(js []Judgement) {
	var tested []*Judgement
	var ps []float64
	for i := range js {
		if !js[i].Exact {
			tested, ps = append(tested, &js[i]), append(ps, js[i].P)
		}
	}
	for i, p := range stat.Holm(ps, nil) {
		tested[i].P = p
	}
	for i := range js {
		js[i].decide()
	}
}

func (j *Judgement) decide() {
	change := math.Abs(math.Log1p(j.Change))
	switch {
	case j.Exact && j.over > 0:
		j.Outcome = Fail
	case j.over <= 0 && !j.blind():
		j.Outcome = Pass
	case j.over > 0 && j.P <= level && (change > j.Noise || j.Base == 0):
		j.Outcome = Fail
	default:
		j.Outcome, j.Reason = CannotTell, j.doubt()
	}
}

// blind reports whether the limit is below what the base shows against itself, so that a change as large as the limit
// would not be seen; unless the figure is so much better that it is within the limit anyway.
func (j *Judgement) blind() bool {
	return !j.Exact && j.Noise > j.Limit.width() && j.over+j.Noise > 0
}

// doubt says why the gate cannot tell, and what would help.
func (j *Judgement) doubt() string {
	switch noise := number.Percent(j.Noise); {
	case j.blind():
		return fmt.Sprintf("cannot tell at this limit: noise floor ±%s (how much the base differs from itself "+
			"in %d rounds); it takes a wider limit, more rounds (--rounds, --confirm) or a quieter machine",
			noise, j.Rounds)
	case j.P <= level:
		return fmt.Sprintf("the base differs from itself by as much (±%s): it takes more rounds (--confirm) or "+
			"a quieter machine", noise)
	default:
		return fmt.Sprintf("the change is above the limit, but %d rounds are not enough to be sure (%s, noise "+
			"±%s): it takes more rounds (--confirm) or a quieter machine", j.Rounds, number.P(j.P), noise)
	}
}

// suspected returns the positions of the judgements that are measured again: those beyond their limit, and those for
// which it cannot tell, because the first few rounds alone are not enough to say that. Noise falls with the root of
// their number, and the machine may be quieter.
func suspected(js []Judgement) []int {
	var out []int
	for i := range js {
		if j := &js[i]; j.over > 0 || j.Outcome != Pass {
			out = append(out, i)
		}
	}
	return out
}

// Worst returns the outcome over all judgements.
func Worst(js []Judgement) Outcome {
	worst := Pass
	for _, j := range js {
		if j.Outcome == Fail {
			return Fail
		}
		if j.Outcome == CannotTell {
			worst = CannotTell
		}
	}
	return worst
}
