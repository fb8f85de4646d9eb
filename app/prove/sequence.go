package prove

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/gocasebook/casebook/casefile"
	"github.com/gocasebook/casebook/internal/number"
)

// spending is the exponent of the alpha-spending function (Lan and DeMets 1983, the power family of Kim and DeMets
// 1987): by the share f of the time, familyAlpha·f^spending may have been spent. Above 1 it saves chances for the later
// looks, at which small changes can be seen.
const spending = 1.5

// looks are the numbers of blocks at which the measurement is judged; beyond the last, every eight.
var looks = [...]int{4, 5, 6, 8, 10, 12, 16, 20, 24}

// isLook says whether n blocks are judged. The numbers are fixed beforehand: looking when it seems favourable is how
// false alarms are made.
func isLook(n int) bool {
	last := looks[len(looks)-1]
	return slices.Contains(looks[:], n) || n > last && (n-last)%8 == 0
}

// A Sequence judges blocks as they come, at fixed numbers of them, and says when to stop.
//
// Each look has its own part of the total error allowed, by Bonferroni: what the spending function adds since the look
// before. It goes by time and not by blocks, because time is what is bounded in advance.
type Sequence struct {
	opt     Options
	bound   float64 // seconds
	spent   float64 // share of familyAlpha
	longest float64 // block, in seconds
	elapsed float64
	judged  int // blocks at the last look
	looks   int
	proof   casefile.Proof
	open    bool // more blocks may change the verdict
}

// NewSequence begins a sequence that ends at the latest when the next block would pass bound seconds.
func NewSequence(opt Options, bound float64) *Sequence {
	if opt.Margin == 0 {
		opt.Margin = defaultMargin
	}
	return &Sequence{opt: opt, bound: bound}
}

// Step takes all blocks so far, the last one new, and the seconds since the first began, and says whether to
// stop.
func (s *Sequence) Step(blocks []Block, elapsed float64) (done bool) {
	s.longest = max(s.longest, elapsed-s.elapsed)
	s.elapsed = elapsed
	last := elapsed+s.longest > s.bound
	if !last && !isLook(len(blocks)) {
		return false
	}
	s.look(blocks, last)
	return last || !s.open
}

// Restart begins with other blocks instead of those so far: they measure something else. What has been spent stays
// spent, so that the allowed error covers all looks together.
func (s *Sequence) Restart(elapsed float64) {
	s.elapsed, s.longest, s.judged = elapsed, 0, 0
}

// End returns the proof over all blocks; blocks after the last look are judged now.
func (s *Sequence) End(blocks []Block) casefile.Proof {
	if s.judged != len(blocks) || s.looks == 0 {
		s.look(blocks, false)
	}
	return s.proof
}

// look judges with what may be spent since the look before.
func (s *Sequence) look(blocks []Block, last bool) {
	share := min(s.elapsed/s.bound, 1)
	if last {
		share = 1
	}
	upto := math.Pow(share, spending)
	part := upto - s.spent
	s.spent, s.judged = upto, len(blocks)
	s.looks++
	s.proof, s.open = judgeBlocks(Turns{Blocks: blocks}, s.opt, look{how: "each with A started twice and B once, " +
		"loaded in turns", nth: s.looks, part: part, more: "--max-time"})
}

// Turns are two forms of a server that each run once and are loaded in turns.
type Turns struct {
	Blocks        []Block
	Before, After []Cycle // of the garbage collector, while each was loaded
}

// JudgeTurns judges turns whose number was fixed before they were measured. how says what a block is: "each with one
// turn of B between two of A".
func JudgeTurns(t Turns, how string, opt Options) (casefile.Proof, error) {
	opt, err := opt.checked()
	if err != nil {
		return casefile.Proof{}, fmt.Errorf("prove: %w", err)
	}
	proof, _ := judgeBlocks(t, opt, look{how: how, nth: 1, part: 1, others: true})
	return proof, nil
}

// A look is one judgement of blocks.
type look struct {
	how  string // they were measured
	nth  int
	part float64 // of familyAlpha, 0–1
	more string  // the flag that gives more blocks; "" for none
	// others lets the other figures decide if there is no verdict for the key figure (overall). Not in a sequence,
	// which then continues.
	others bool
}

// judgeBlocks gives each figure its verdict, and all of them one; open says that more blocks may change that.
func judgeBlocks(t Turns, opt Options, l look) (proof casefile.Proof, open bool) {
	blocks := t.Blocks
	var fs []*paired
	for _, spec := range figures {
		if f := newPaired(spec, blocks, opt); f != nil {
			f.collect(t, opt.Margin)
			fs = append(fs, f)
		}
	}
	correct(hypotheses(fs), cmp.Or(opt.Key, CPUPerRequest), l.part)
	for _, f := range fs {
		f.judge(l.more)
	}
	d := decide(fs, opt.Key)
	proof = casefile.Proof{
		Taken: opt.Taken, Load: opt.Load, Machine: opt.Machine, Verdict: d.verdict,
		Method: pairedMethod(fs, len(blocks), l, opt.Margin), Figures: make([]casefile.Figure, 0, len(fs)),
	}
	for _, f := range fs {
		proof.Figures = append(proof.Figures, f.figure(f.spec.Name == d.key))
	}
	if l.others && proof.Verdict == casefile.CannotTell {
		proof.Verdict = overall(proof.Figures, d.key)
	}
	proof.Summary = summary(proof, d.key)
	if d.note != "" {
		proof.Summary = strings.ToUpper(d.note[:1]) + d.note[1:] + ". " + proof.Summary
	}
	return proof, d.open
}

// judge decides. more is the flag that gives more blocks; "" for none.
func (f *paired) judge(more string) {
	low, high := f.effect.interval(confidence)
	moved, noise := f.change(f.effect.centre), math.Abs(f.change(f.noise.centre))
	inside := -f.margin <= f.change(low) && f.change(high) <= f.margin
	switch {
	case f.absent != "":
		f.note = f.absent
	case !f.tested && f.collected == nil && f.effect.n >= minExact:
		f.verdict = casefile.Same
	case f.effect.n < looks[0]:
		f.note = fmt.Sprintf("%s %s too few to tell: it takes at least %d",
			BlocksText(f.effect.n), isOrAre(f.effect.n), looks[0])
		if more != "" {
			f.note += "; raise " + more
		}
	case f.p <= familyAlpha && math.Abs(moved) > max(f.margin, noise):
		f.verdict = casefile.Worse
		if (moved < 0) == (f.spec.Better == lower) {
			f.verdict = casefile.Better
		}
	case inside:
		f.verdict = casefile.Same
	case f.p <= familyAlpha && noise > f.margin:
		f.note = fmt.Sprintf("A differed from itself by %s, as much as the change", f.text(noise))
	case f.p <= familyAlpha:
		f.note = fmt.Sprintf("there is a change, but it may be too small to matter: %s counts as the same",
			f.text(f.margin))
	case f.collected != nil:
		f.note = f.collected.doubt()
	default:
		f.note = "more blocks would narrow it"
		if more != "" {
			f.note += ": " + more
		}
	}
}

// text returns a change as people read it, without a sign.
func (f *paired) text(v float64) string {
	if f.absolute {
		return amount(v, f.spec.Unit)
	}
	return number.Share(v)
}

// figure returns the result as the case keeps it.
func (f *paired) figure(key bool) casefile.Figure {
	out := casefile.Figure{Name: f.spec.Name, Unit: string(f.spec.Unit), Better: f.spec.Better, Key: key,
		Before: f.side(f.a), After: f.side(f.b), Verdict: f.verdict, P: f.p, Note: f.note}
	if f.collected != nil {
		sides := f.collected.stats()
		out.Before, out.After = sides[0], sides[1]
	}
	if f.absent == "" && f.effect.n >= 2 && !math.IsInf(f.effect.se, 1) {
		low, high := f.effect.interval(confidence)
		centre := f.effect.centre
		if f.collected != nil {
			centre, low, high = f.collected.change()
		}
		out.Effect = &casefile.Effect{Value: f.change(centre), Low: f.change(low), High: f.change(high),
			Noise: math.Abs(f.change(f.noise.centre)), Absolute: f.absolute}
	}
	return out
}

// pairedMethod says how the verdicts were reached.
func pairedMethod(fs []*paired, blocks int, l look, margin float64) string {
	tested := 0
	for _, f := range fs {
		if f.tested {
			tested++
		}
	}
	return fmt.Sprintf("%s, %s; t test of the log ratios within blocks, p corrected for %d figures "+
		"(Holm, half of the error for the key figure) and for %s (alpha spending), %g %% level overall; changes "+
		"below %g %%, and below what A "+
		"differs from itself by, do not count.%s", BlocksText(blocks), l.how, tested, looksText(l.nth), 100*familyAlpha,
		math.Round(1e4*margin)/100, byCycles(fs))
}

// byCycles says that the collector was judged by its cycles, where it was.
func byCycles(fs []*paired) string {
	if slices.ContainsFunc(fs, func(f *paired) bool { return f.collected != nil }) {
		return collectorText
	}
	return ""
}

// BlocksText is "one block" or "5 blocks".
func BlocksText(n int) string {
	if n == 1 {
		return "one block"
	}
	return fmt.Sprintf("%d blocks", n)
}

func isOrAre(n int) string {
	if n == 1 {
		return "is"
	}
	return "are"
}

func looksText(n int) string {
	if n == 1 {
		return "one look"
	}
	return fmt.Sprintf("%d looks", n)
}
