package report

import (
	"html/template"
	"unicode/utf8"

	"github.com/gocasebook/casebook/app/prove"
	"github.com/gocasebook/casebook/app/sourceurl"
	"github.com/gocasebook/casebook/casefile"
	"github.com/gocasebook/casebook/internal/number"
	"github.com/gocasebook/casebook/internal/words"
)

// An opinion is what somebody said of the case, with what the page adds.
type opinion struct {
	words.Opinion
	Index   int
	Mark    string // the check's verdict as a sign
	At      []opinionPlace
	Checks  []check
	Length  string   // "12 lines", of the diff
	Finding *finding // at whose place it is; nil for none
}

// An opinionPlace is a place that somebody named.
type opinionPlace struct {
	casefile.At
	URL template.URL
}

// A check is a reason of the check's.
type check struct {
	casefile.Reason
	Judged string // its verdict, and "unchecked" for what is none
	Mark   string
}

// addOpinions prepares what others say, and puts each beside the finding at its place.
func (p *page) addOpinions(c casefile.Case, links *sourceurl.Links) {
	p.Opinions = make([]opinion, len(c.Opinions))
	for i := range c.Opinions {
		o := &p.Opinions[i]
		*o = opinion{Opinion: words.OfOpinion(c.Opinions[i]), Index: i}
		o.Mark, o.Length = judgedMark(o.Judged), number.Things(len(o.Lines), "line")
		for _, at := range o.Where {
			// sourceurl escapes what comes from others, and scheme and host are the user's own.
			o.At = append(o.At, opinionPlace{at, template.URL(links.URL(at.Function, at.File, at.Line))})
		}
		for _, r := range o.Reasons {
			judged := words.Judged(r.Verdict)
			o.Checks = append(o.Checks, check{r, judged, judgedMark(judged)})
		}
		if k := prove.FindingOf(&c.Opinions[i], c.Findings); k >= 0 {
			o.Finding = &p.Findings[k]
			p.Findings[k].Opinions = append(p.Findings[k].Opinions, o)
		}
	}
}

func judgedMark(judged string) string {
	switch judged {
	case casefile.Supported:
		return "✓"
	case casefile.Contradicted:
		return "✗"
	}
	return "?"
}

// longText is from where on a text of somebody else's scrolls within itself, in characters: some ten lines.
const longText = 1200

// isLong reports whether a text would push the rest of the page away.
func isLong(text string) bool { return utf8.RuneCountInString(text) > longText }
