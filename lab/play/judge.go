package play

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/gocasebook/casebook/app/prove"
	"github.com/gocasebook/casebook/casefile"
	"github.com/gocasebook/casebook/lab"
)

// warning is the score from which a finding of a cured form is one too many.
const warning = 50

// judge says what must hold of a row and does not. all are the sick form's findings, with every place they name.
func (r *Result) judge(d lab.Disease, all, below []casefile.Finding) {
	if d.Want.Needs == "" {
		r.judgeSick(d.Want, all)
	}
	for _, f := range r.Cured {
		if f.Score >= warning && !slices.Contains(d.Want.Still, f.Kind) {
			r.fail("the cured form has %s %d", f.Kind, f.Score)
		}
	}
	r.judgeCapacity(d.Want, below)
	if r.Proof != nil && r.Proof.Verdict != casefile.Better && len(d.Want.Still) == 0 {
		r.fail("%s is not better: %s", keyOf(d), r.Proof.Verdict)
	}
}

func (r *Result) fail(format string, args ...any) {
	r.Fails = append(r.Fails, fmt.Sprintf(format, args...))
}

// judgeSick wants a case opened by a rule, where one can trip, and the wanted finding at its top.
func (r *Result) judgeSick(w lab.Want, all []casefile.Finding) {
	if r.Opened != nil && r.Opened.Rule == "" {
		r.fail("no default rule tripped")
	}
	if why := missing(w, first(all)); why != "" {
		r.fail("%s", why)
	}
}

// missing says what the finding at the top lacks; "" for nothing.
func missing(w lab.Want, top *casefile.Finding) string {
	switch {
	case top == nil:
		return "nothing was found, want " + strings.Join(w.Kinds, " or ")
	case !slices.Contains(w.Kinds, top.Kind):
		return fmt.Sprintf("%s %d is at the top, want %s", top.Kind, top.Score, strings.Join(w.Kinds, " or "))
	case !names(top, w.Function):
		return fmt.Sprintf("%s does not name %s", top.Kind, w.Function)
	}
	return ""
}

func first(all []casefile.Finding) *casefile.Finding {
	if len(all) == 0 {
		return nil
	}
	return &all[0]
}

// names says whether one of a finding's places is in a function with that in its name.
func names(f *casefile.Finding, function string) bool {
	return function == "" || slices.ContainsFunc(f.Where,
		func(w casefile.Frame) bool { return strings.Contains(w.Function, function) })
}

// keep puts the promise of the wanted finding, or of the one at the top, beside what was measured. Of a disease that is
// not seen yet nothing is wanted, and what else is found was not cured.
func (r *Result) keep(d lab.Disease, all []casefile.Finding) {
	if r.Proof == nil || d.Want.Needs != "" {
		return
	}
	wanted := cmp.Or(wantedOf(d, all), first(all))
	if wanted == nil {
		return
	}
	if k, ok := prove.Keeps(*wanted, r.Proof); ok {
		r.Kept = &k
	}
}

// wantedOf is the first finding that a disease's sick form should get, or nil.
func wantedOf(d lab.Disease, all []casefile.Finding) *casefile.Finding {
	for i := range all {
		if slices.Contains(d.Want.Kinds, all[i].Kind) {
			return &all[i]
		}
	}
	return nil
}

// keyOf is the figure that a cure is for.
func keyOf(d lab.Disease) string {
	if d.Key == "" {
		return prove.CPU
	}
	return d.Key
}
