package prove

import (
	"slices"
	"strings"

	"github.com/gocasebook/casebook/casefile"
)

// Attribute records in a proof which finding of its case it is about, and what that one promised. It is the finding that
// the proof names already, or else the one that About deduces.
func Attribute(p *casefile.Proof, findings []casefile.Finding) {
	i := About(p, findings)
	if i < 0 {
		return
	}
	p.Finding = Treated(&findings[i])
	p.Promise = Promised(findings[i:i+1], p)
}

// Treated names a finding as a proof does.
func Treated(f *casefile.Finding) *casefile.Treated {
	t := &casefile.Treated{ID: f.ID, Kind: f.Kind}
	if len(f.Where) > 0 {
		t.Function = f.Where[0].Function
	}
	return t
}

// About is the position of the finding that a proof is about, −1 for none of these. Where the proof names one, it is
// that one: the case may have been diagnosed again since, so that another place of the same ID is taken if it is the
// only one. One of an opinion's change that is at no finding's place is about none. A proof that was measured without a
// case, or by a Casebook before that, names none. Then it is the first whose promise the figures measure, otherwise the
// first that promises anything, as its remedy is what people try, otherwise the first.
func About(p *casefile.Proof, findings []casefile.Finding) int {
	if p.Finding != nil {
		return named(*p.Finding, findings)
	}
	if p.Opinion != "" {
		return -1
	}
	promises := func(f casefile.Finding) bool { return f.Impact.Gain.High > 0 }
	kept := func(f casefile.Finding) bool { _, ok := Keeps(f, p); return ok }
	for _, is := range []func(casefile.Finding) bool{kept, promises} {
		if i := slices.IndexFunc(findings, is); i >= 0 {
			return i
		}
	}
	return min(len(findings), 1) - 1
}

func named(t casefile.Treated, findings []casefile.Finding) int {
	found, n := -1, 0
	for i := range findings {
		if findings[i].ID != t.ID {
			continue
		}
		if *Treated(&findings[i]) == t {
			return i
		}
		found, n = i, n+1
	}
	if n == 1 {
		return found
	}
	return -1
}

// FindingOf is the position of the finding at whose place an opinion is, −1 for none: the one whose place to change is
// the first that the opinion names, otherwise the only one that has it among its places.
func FindingOf(o *casefile.Opinion, findings []casefile.Finding) int {
	if len(o.Where) == 0 {
		return -1
	}
	at := o.Where[0]
	found, n := -1, 0
	for i := range findings {
		for k := range findings[i].Where {
			if !isAt(&findings[i].Where[k], at) {
				continue
			}
			if k == 0 {
				return i
			}
			found, n = i, n+1
			break
		}
	}
	if n == 1 {
		return found
	}
	return -1
}

// isAt reports whether a place is the one that somebody named, as people write it: the end of a function's name or of a
// file's path is enough. Where both name the function, the line may have moved within it.
func isAt(f *casefile.Frame, at casefile.At) bool {
	if at.Function != "" && f.Function != "" {
		return endsWith(f.Function, at.Function, "./")
	}
	return at.File != "" && at.Line > 0 && at.Line == f.Line && endsWith(f.File, at.File, `/\`)
}

// endsWith reports whether a name ends with some of its parts, which the separators divide.
func endsWith(name, end, separators string) bool {
	rest, ok := strings.CutSuffix(name, end)
	return ok && (rest == "" || strings.ContainsAny(rest[len(rest)-1:], separators))
}
