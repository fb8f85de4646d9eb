package settle

import (
	"fmt"
	"go/ast"
	"slices"
	"strings"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/analysis/passes/inspect"
	"golang.org/x/tools/go/ast/inspector"

	"github.com/gocasebook/casebook/app/lint/checks"
	"github.com/gocasebook/casebook/casefile"
)

// checked answers with what a check of lint reports where much is paid. It comes before what would be said of any
// program, and what is about all of a function before all else.
func checked(q *inquiry) []answer {
	p, rs := q.first(), q.finding.Remedies
	suspect := len(rs) == 0 // see silence.go; what is found is of no kind but the general one
	if p.partial != "" || p.pkg == nil || suspect && q.finding.Kind != "cpu-hot-function" {
		return nil
	}
	general := suspect || rs[0].Name == doItLess
	for _, a := range checks.AtLine() {
		all := p.reported(a)
		i := slices.IndexFunc(all, func(d analysis.Diagnostic) bool { return p.explains(q, a, d) })
		if i < 0 || !general && !checks.OfFunction(a) {
			continue
		}
		at := p.ref(all[i].Pos)
		why, cure, _ := strings.Cut(all[i].Message, ": ")
		return becomes(p.confirms(fmt.Sprintf("at %s %s", at, why), all[i].Pos), change{name: a.Name, not: []string{doItLess},
			title: strings.ToUpper(cure[:min(len(cure), 1)]) + cure[min(len(cure), 1):], text: fmt.Sprintf("At %s %s.", at, why)})
	}
	return nil
}

// explains reports whether a diagnostic is about what costs at a place: it is at its line, and has the call below which
// most of that is. Of what is used in part, all that its function makes of it is for nothing.
func (p *place) explains(q *inquiry, a *analysis.Analyzer, d analysis.Diagnostic) bool {
	if p.fset.File(d.Pos) != p.fset.File(p.file.FileStart) {
		return false
	}
	if checks.OfFunction(a) {
		return p.body.Pos() <= d.Pos && d.Pos < p.body.End()
	}
	from, to := p.line(d.Pos), p.line(d.End)
	if l := p.loops(); len(l) > 0 && checks.OfLoop(a) && l[0].stmt.Pos() <= d.Pos && d.End <= l[0].stmt.End() {
		from, to = p.frame.Line, p.frame.Line
	}
	if p.frame.Line < from || to < p.frame.Line {
		return false
	}
	below := q.below()
	return below == "" || len(find(p.body, func(c *ast.CallExpr) bool {
		path := p.callee(c).path
		return d.Pos <= c.Pos() && c.End() <= d.End && path != "" && strings.HasPrefix(below, path+".")
	})) > 0
}

// below is the function below which half or more of what the first place costs is, beside the runtime; "" for none.
func (q *inquiry) below() string {
	first := q.finding.Where[0]
	for _, w := range q.finding.Where[1:] {
		if w.Part == casefile.Called && 2*w.Share >= first.Share {
			return w.Function
		}
	}
	return ""
}

// reported is what a check reports of the package.
func (u *unit) reported(a *analysis.Analyzer) []analysis.Diagnostic {
	if out, ok := u.reports[a]; ok {
		return out
	}
	if u.reports == nil {
		u.reports, u.nodes = make(map[*analysis.Analyzer][]analysis.Diagnostic), inspector.New(u.files)
	}
	var out []analysis.Diagnostic
	pass := &analysis.Pass{Analyzer: a, Fset: u.fset, Files: u.files, Pkg: u.pkg, TypesInfo: u.info, TypesSizes: u.sizes,
		ResultOf: map[*analysis.Analyzer]any{inspect.Analyzer: u.nodes},
		Report:   func(d analysis.Diagnostic) { out = append(out, d) }}
	if _, err := a.Run(pass); err != nil { // of code that it did not expect
		out = nil
	}
	u.reports[a] = out
	return out
}
