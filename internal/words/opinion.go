package words

import (
	"slices"
	"strings"

	"github.com/gocasebook/casebook/casefile"
	"github.com/gocasebook/casebook/internal/number"
	"github.com/gocasebook/casebook/internal/plain"
)

// An Opinion is an opinion in words. All of them are its author's, and may hold anything.
type Opinion struct {
	casefile.Opinion
	Judged string     // the check's verdict, and "unchecked" for what is none
	By     string     // "opus, 30 November 2026, 01:54 UTC"
	Places []string   // "main.load (cache.go:42)"
	Gain   string     // "50–90 % of memory"; empty where nothing was claimed
	Why    []string   // the reasons: "contradicted, number: 472 goroutines wait, not 12 (W1)"
	Lines  []DiffLine // of the diff
	Proven string     // "better: p99 fell from 84 ms to 43 ms"; empty without a proof
}

// Unchecked is an opinion whose verdict is no word of a check: another program wrote it.
const Unchecked = "unchecked"

// OfOpinion is an opinion in words.
func OfOpinion(o casefile.Opinion) Opinion {
	out := Opinion{Opinion: o, Judged: Judged(o.Verdict), By: by(o), Lines: diffLines(o.Diff)}
	for _, at := range o.Where {
		out.Places = append(out.Places, Place(casefile.Frame{Function: at.Function, File: at.File, Line: at.Line}))
	}
	if g := o.Gain; g != nil {
		out.Gain = number.Estimate(g.Low, g.High) + " of " + g.Resource
	}
	for _, r := range o.Reasons {
		out.Why = append(out.Why, reason(r))
	}
	if p := o.Proof; p != nil {
		out.Proven = string(p.Verdict) + ": " + p.Summary
	}
	return out
}

// Judged is a check's verdict in a word; Unchecked for what is none.
func Judged(verdict string) string {
	switch verdict {
	case casefile.Supported, casefile.Unsupported, casefile.Contradicted:
		return verdict
	}
	return Unchecked
}

func by(o casefile.Opinion) string {
	author := o.Author
	if strings.TrimSpace(author) == "" {
		author = "somebody without a name"
	}
	if o.Given.IsZero() {
		return author
	}
	return author + ", " + o.Given.UTC().Format("2 January 2006, 15:04 UTC")
}

// reason names the facts that its text does not name.
func reason(r casefile.Reason) string {
	named := func(id string) bool { return strings.Contains(r.Text, id) }
	facts := ""
	if more := slices.DeleteFunc(slices.Clone(r.Facts), named); len(more) > 0 {
		facts = " (" + strings.Join(more, ", ") + ")"
	}
	return Judged(r.Verdict) + ", " + r.About + ": " + r.Text + facts
}

// A DiffLine is a line of a diff as a screen may show it.
type DiffLine struct {
	Text string // with tabs as four spaces, and nothing unprintable
	Sort string // "added", "removed", "head" or, for all others, ""
}

func diffLines(diff string) (out []DiffLine) {
	if diff == "" {
		return nil
	}
	inHunk := false
	for text := range strings.Lines(diff) {
		l := DiffLine{Text: plain.Text(strings.ReplaceAll(strings.TrimRight(text, "\r\n"), "\t", "    "))}
		switch {
		case strings.HasPrefix(text, "@@"):
			l.Sort, inHunk = "head", true
		case strings.HasPrefix(text, "diff "), !inHunk:
			l.Sort, inHunk = "head", false
		case strings.HasPrefix(text, "+"):
			l.Sort = "added"
		case strings.HasPrefix(text, "-"):
			l.Sort = "removed"
		}
		out = append(out, l)
	}
	return out
}
