package terminal

import (
	"regexp"
	"strings"

	"github.com/gocasebook/casebook/casefile"
	"github.com/gocasebook/casebook/internal/words"
)

// An extract is the beginning of a text below a label, in whole sentences: half of one misleads who acts on it.
type extract struct {
	label     string
	sentences []string
	shown     int  // how many of them, from the first on
	ended     bool // the last one that is shown ends before its end
}

func (e *extract) begin(sentences []string) { e.sentences, e.shown = sentences, len(sentences) }

// left is how many sentences are left out.
func (e *extract) left() int { return len(e.sentences) - e.shown }

// drop leaves out the last sentence, unless as many have to stay.
func (e *extract) drop(fewest int) bool {
	if e.shown <= fewest {
		return false
	}
	e.shown--
	e.ended = false
	return true
}

// putBack shows another sentence.
func (e *extract) putBack() bool {
	if e.left() == 0 || e.ended {
		return false
	}
	e.shown++
	return true
}

// dropClause ends the text at its last semicolon outside parentheses.
func (e *extract) dropClause() bool {
	if e.shown == 0 {
		return false
	}
	last := e.sentences[e.shown-1]
	for end := strings.LastIndex(last, "; "); end >= 0; end = strings.LastIndex(last[:end], "; ") {
		if head := last[:end]; strings.Count(head, "(") == strings.Count(head, ")") {
			if strings.HasSuffix(strings.TrimSpace(last), ".") {
				head += "."
			}
			e.sentences[e.shown-1], e.ended = head, true
			return true
		}
	}
	return false
}

// abbreviate names the lines of a function without it: "cache.go:42" for "main.load (cache.go:42)".
func (e *extract) abbreviate(at casefile.Frame) {
	if at.Function == "" || at.File == "" {
		return
	}
	line := regexp.MustCompile(regexp.QuoteMeta(words.Function(at.Function)) + ` \((` +
		regexp.QuoteMeta(words.Base(at.File)) + `:[0-9]+)\)`)
	for i, s := range e.sentences {
		e.sentences[i] = line.ReplaceAllString(s, "$1")
	}
}

func (e *extract) print(p *Printer) {
	if e.shown > 0 {
		p.Text(e.label, strings.Join(e.sentences[:e.shown], ""))
	}
}
