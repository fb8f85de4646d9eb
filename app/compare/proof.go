package compare

import (
	"encoding/json"
	"fmt"
	"math"

	"github.com/gocasebook/casebook/app/prove"
	"github.com/gocasebook/casebook/casefile"
	"github.com/gocasebook/casebook/internal/number"
	"github.com/gocasebook/casebook/vitals"
)

// DecodeProof reads a proof: as casebook prove writes it, or the one in a case's case.json.
func DecodeProof(data []byte) (*casefile.Proof, error) {
	var in struct {
		casefile.Proof
		Kept *casefile.Proof `json:"proof"`
	}
	if err := json.Unmarshal(data, &in); err != nil {
		return nil, fmt.Errorf("reading a proof: %w; want the JSON that casebook prove writes", err)
	}
	p := &in.Proof
	if in.Kept != nil {
		p = in.Kept
	}
	if len(p.Figures) == 0 {
		return nil, fmt.Errorf("reading a proof: it has no figures; want the JSON that casebook prove writes")
	}
	return p, nil
}

// DecodeBlocks reads the blocks that casebook prove writes next to a proof; nil if there are none.
func DecodeBlocks(data []byte) []prove.Block {
	var in struct{ Blocks []prove.Block }
	if json.Unmarshal(data, &in) != nil { // DecodeProof says what is wrong
		return nil
	}
	return in.Blocks
}

// AddBlocks lets the page of OfProofs show the rounds: the blocks' sides "after".
func (r *Report) AddBlocks(old, latest []prove.Block) {
	r.rows(func(row *Row) {
		for i, blocks := range [2][]prove.Block{old, latest} {
			for _, b := range blocks {
				if v, ok := b.B[row.Name]; ok {
					row.rounds[i] = append(row.rounds[i], v)
				}
			}
		}
	})
}

// OfProofs compares what two proofs measured after their remedies. A proof keeps medians and intervals, not the rounds,
// so that there is no test: sides differ where the intervals do not touch, and are the same where both lie within the
// margin of the old median.
func OfProofs(oldLabel string, old *casefile.Proof, newLabel string, latest *casefile.Proof, opt Options) (*Report,
	error) {
	opt, err := opt.checked()
	if err != nil {
		return nil, err
	}
	r := newReport(Proof, oldLabel, newLabel, fmt.Sprintf(
		"Compares the \"after\" sides of both proofs. Figures differ if their 95 %% intervals do not touch; they are "+
			"the same if both lie within %g %% of the old median.", 100*opt.Margin))
	t := Table{Old: oldLabel, New: newLabel}
	for _, f := range old.Figures {
		t.Rows = append(t.Rows, proofRow(f, figureNamed(latest, f.Name), opt.Margin))
	}
	for _, f := range latest.Figures {
		if figureNamed(old, f.Name) == nil {
			t.Rows = append(t.Rows, proofRow(casefile.Figure{Name: f.Name, Unit: f.Unit, Better: f.Better}, &f,
				opt.Margin))
		}
	}
	r.Tables = []Table{t}
	for _, d := range []struct{ what, old, new string }{{"load", old.Load, latest.Load},
		{"machine", old.Machine, latest.Machine}} {
		if d.old != d.new {
			r.Warnings = append(r.Warnings, fmt.Sprintf("the %s differs: %q in OLD, %q in NEW", d.what, d.old, d.new))
		}
	}
	return r, nil
}

func figureNamed(p *casefile.Proof, name string) *casefile.Figure {
	for i := range p.Figures {
		if p.Figures[i].Name == name {
			return &p.Figures[i]
		}
	}
	return nil
}

// minInterval is how many rounds an interval of the median needs; below, a Stat holds the smallest and the largest
// round.
const minInterval = 6

// minConstant is how many rounds must agree before a figure counts as one that does not vary, as in package prove.
const minConstant = 3

func proofRow(old casefile.Figure, latest *casefile.Figure, margin float64) Row {
	f := casefile.Figure{Name: old.Name, Unit: old.Unit, Better: old.Better, Before: old.After,
		Verdict: casefile.CannotTell, P: 1}
	if latest == nil || latest.Unit != old.Unit {
		return figureRow(f)
	}
	f.After = latest.After
	a, b := f.Before, f.After
	room := margin * math.Abs(a.Value)
	switch {
	case a.N == 0 || b.N == 0:
	// no request failed in any round
	case min(a.N, b.N) >= minConstant && a.Low == a.High && b.Low == b.High && a.Value == b.Value:
		f.Verdict = casefile.Same
	case a.N < minInterval || b.N < minInterval:
		f.Note = fmt.Sprintf("too few rounds (%s); an interval needs %d", runsText(a.N, b.N), minInterval)
	case a.Value-room <= min(a.Low, b.Low) && max(a.High, b.High) <= a.Value+room:
		f.Verdict = casefile.Same
	case b.Low > a.High, b.High < a.Low:
		f.Verdict = casefile.Worse
		if (b.Value < a.Value) == (f.Better == lower) {
			f.Verdict = casefile.Better
		}
	default:
		f.Note = "the intervals touch"
	}
	row := figureRow(f)
	row.P = nan
	return row
}

// figureRows returns rows of figures that were judged already.
func figureRows(figs []casefile.Figure) []Row {
	rows := make([]Row, len(figs))
	for i, f := range figs {
		rows[i] = figureRow(f)
	}
	return rows
}

func figureRow(f casefile.Figure) Row {
	row := Row{Name: f.Name, Unit: f.Unit, Better: f.Better, Old: statSummary(f.Before, f.Unit),
		New:    statSummary(f.After, f.Unit),
		Change: nan, ChangeLow: nan, ChangeHigh: nan, P: nan, Verdict: f.Verdict, Reason: f.Note}
	if row.compared = row.Old != nil && row.New != nil; !row.compared {
		if row.Reason == "" {
			row.Reason = "measured on one side only"
		}
		return row
	}
	row.Change, row.P = ratio(f.Before.Value, f.After.Value), Number(f.P)
	row.delta = number.Change(f.Before.Value, f.After.Value)
	return row
}

// statSummary is nil for a side that was not measured.
func statSummary(s casefile.Stat, unit string) *Summary {
	if s.N == 0 {
		return nil
	}
	out := &Summary{Center: Number(s.Value), Low: Number(s.Low), High: Number(s.High), N: s.N,
		text: vitals.Unit(unit).Format(s.Value)}
	if half := max(s.High-s.Value, s.Value-s.Low); half > 0 && s.Value != 0 {
		out.about = number.Percent(half / math.Abs(s.Value))
	}
	return out
}
