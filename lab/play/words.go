package play

import (
	"fmt"
	"math"
	"strings"

	"github.com/gocasebook/casebook/app/prove"
	"github.com/gocasebook/casebook/casefile"
	"github.com/gocasebook/casebook/internal/number"
)

// top is the finding at the head of a list as "gc-cpu 83"; "none" when it is empty.
func top(all []Finding) string {
	if len(all) == 0 {
		return "none"
	}
	return fmt.Sprintf("%s %d", all[0].Kind, all[0].Score)
}

// loud are the findings of 50 or more.
func loud(all []Finding) []Finding {
	var out []Finding
	for _, f := range all {
		if f.Score >= warning {
			out = append(out, f)
		}
	}
	return out
}

// list is findings in a line: "gc-cpu 83, gc-frequency 61"; "none".
func list(all []Finding) string {
	if len(all) == 0 {
		return "none"
	}
	words := make([]string, len(all))
	for i, f := range all {
		words[i] = fmt.Sprintf("%s %d", f.Kind, f.Score)
	}
	return strings.Join(words, ", ")
}

// key is the figure that the cure was for; nil before it was measured.
func (r *Result) key() *casefile.Figure {
	if r.Proof == nil {
		return nil
	}
	for i := range r.Proof.Figures {
		if r.Proof.Figures[i].Key {
			return &r.Proof.Figures[i]
		}
	}
	return nil
}

// keyText is how the key figure moved: "gc_cpu −97.1 %"; "–" before it was measured.
func (r *Result) keyText() string {
	f := r.key()
	if f == nil {
		return "–"
	}
	return f.Name + " " + changeText(*f)
}

// changeText is a figure's change with its verdict where that is not "better".
func changeText(f casefile.Figure) string {
	if f.Before.N == 0 || f.After.N == 0 {
		return "not measured"
	}
	text := prove.ChangeText(f)
	switch f.Verdict {
	case casefile.Same, casefile.CannotTell:
		return text + " (" + string(f.Verdict) + ")"
	}
	return text
}

// ratioText is measured over promised: "1.3"; "–" where nothing was promised.
func (r *Result) ratioText() string {
	if r.Kept == nil {
		return "–"
	}
	return plainRatio(r.Kept.Ratio())
}

func plainRatio(x float64) string {
	if math.IsNaN(x) || math.IsInf(x, 0) {
		return number.Absent
	}
	return number.Digits(math.Round(100*x) / 100)
}

// promiseText is the promise beside what was measured, for people.
func (r *Result) promiseText() string {
	if r.Kept == nil {
		switch {
		case r.Needs != "":
			return "none: the disease is not seen without " + r.Needs
		case len(r.Findings) == 0:
			return "nothing was found, so nothing was promised"
		case r.Findings[0].Impact.Gain.High <= 0:
			return r.Findings[0].Kind + " promises no gain"
		}
		return fmt.Sprintf("%s promises %s of %s, which no figure measures", r.Findings[0].Kind,
			prove.GainRange(r.Findings[0].Impact.Gain), r.Findings[0].Impact.Resource)
	}
	k := r.Kept
	return fmt.Sprintf("%s promised %s of %s; measured %s (%s): ratio %s", k.ID, prove.GainRange(k.Promised),
		k.Resource, less(k.Measured), k.Figure, r.ratioText())
}

// less is a measured gain: "62.0 %", or "12.0 % more" when there was none.
func less(gain float64) string {
	if gain < 0 {
		return number.Share(-gain) + " more"
	}
	return number.Share(gain)
}

// openedText is how the sick form's case came about.
func (r *Result) openedText() string {
	switch {
	case r.Opened == nil:
		return "no case"
	case r.Opened.Rule == "":
		return r.Opened.Text
	}
	return fmt.Sprintf("rule %s after %s", r.Opened.Rule, number.Seconds(r.Opened.Seconds))
}

// stateText is whether the row holds, in a word or with what does not.
func (r *Result) stateText() string {
	switch {
	case r.Unable != "":
		return "LIMITED: " + oneLine(r.Unable)
	case r.Error != "" && r.Others.why() != "":
		return "not finished: " + oneLine(r.Error) + "; " + r.Others.why()
	case r.Error != "":
		return "not finished: " + oneLine(r.Error)
	case r.Limited():
		return "LIMITED: " + r.Others.why() + "; here " + strings.Join(r.Fails,
			"; ") + ". Run it again on an idle machine"
	case len(r.Fails) > 0:
		return "does not hold: " + strings.Join(r.Fails, "; ")
	case r.Needs != "":
		return "needs " + r.Needs
	}
	return "holds"
}

func oneLine(s string) string { return strings.Join(strings.Fields(s), " ") }
