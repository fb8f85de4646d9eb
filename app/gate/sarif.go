package gate

import (
	"fmt"
	"io"
	"math"
	"path/filepath"
	"slices"
	"strings"

	"golang.org/x/perf/benchfmt"

	"github.com/gocasebook/casebook/app/render"
)

// SARIF writes the failures as SARIF 2.1.0, for code scanning: each at the function that it blames, or else at the
// benchmark. What cannot be told is no result but a notification: an alert must not come and go with the noise.
func SARIF(w io.Writer, r *Result, version string) error {
	return render.RemarksSARIF(w, r.remarks(version))
}

// Quality writes the failures as GitLab's code quality report.
func Quality(w io.Writer, r *Result) error { return render.RemarksQuality(w, r.remarks("")) }

// remarks are the failures as remarks on lines.
func (r *Result) remarks(version string) render.Remarks {
	out := render.Remarks{Tool: "Casebook gate", Key: render.GateKey, Version: version, Root: r.Root}
	for _, j := range r.sorted() {
		if rule := ruleOf(j.Figure); !slices.Contains(out.Rules, rule) {
			out.Rules = append(out.Rules, rule)
		}
		switch remark, ok := j.remark(r.Root); {
		case j.Outcome == CannotTell:
			out.Notes = append(out.Notes, fmt.Sprintf("%s, %s: %s", j.Subject, j.headline(), j.Reason))
		case j.Outcome == Fail && ok:
			out.Remarks = append(out.Remarks, remark)
		case j.Outcome == Fail:
			out.Notes = append(out.Notes, fmt.Sprintf("%s, %s failed, but its line is not known", j.Subject, j.headline()))
		}
	}
	if r.Partial != "" {
		out.Notes = append(out.Notes, "the gate is incomplete: "+r.Partial)
	}
	return out
}

// ruleOf is the rule of a figure. Its ID is what code scanning groups by, and never changes.
func ruleOf(figure string) render.Rule {
	return render.Rule{ID: "gate-" + figure, Source: "casebook gate", Text: figure + " is beyond its limit\n\n" +
		"Casebook gate measured this revision and its base in turns, and this figure is worse by more than the limit " +
		"that the build sets, beyond the noise of the machine. The functions that are named take more than in the " +
		"base, by profiles of both."}
}

// remark is a failure at a line. ok is false when none is known.
func (j *Judgement) remark(root string) (r render.Remark, ok bool) {
	_, name := splitSubject(j.Subject)
	r = render.Remark{Rule: ruleOf(j.Figure).ID, Text: name + ": " + j.headline() + ". " + j.numbers(),
		Share: math.Abs(j.Change), Fails: true}
	function := ""
	add := func(at *Place, text string) {
		file := filepath.Join(root, filepath.FromSlash(at.File))
		if r.File == "" {
			r.File, r.Line = file, at.Line
			return
		}
		r.Related = append(r.Related, render.Remark{File: file, Line: at.Line, Text: text})
	}
	for _, b := range j.Because {
		r.Text += "; because " + b.text(j.Unit)
		if b.Place == nil {
			continue
		}
		if r.File == "" {
			function = plainName(b.Function)
		}
		add(b.Place, b.text(j.Unit))
	}
	if j.Place != nil {
		add(j.Place, name)
	}
	r.Identity = strings.Join([]string{function, j.Figure, withoutProcs(j.Subject)}, "\x00")
	return r, r.File != ""
}

// withoutProcs takes the number of CPUs off the end of a benchmark's name: it is the machine's.
func withoutProcs(subject string) string {
	pkg, name := splitSubject(subject)
	if !strings.HasPrefix(name, "Benchmark") {
		return subject
	}
	base, parts := benchfmt.Name(strings.TrimPrefix(name, "Benchmark")).Parts()
	out := subjectOf(pkg, "Benchmark"+string(base))
	for _, p := range parts {
		if !strings.HasPrefix(string(p), "-") {
			out += string(p)
		}
	}
	return out
}
