package terminal

import (
	"strings"

	"github.com/gocasebook/casebook/app/render"
)

// An extract is the beginning of a text below a label.
type extract struct {
	label     string
	sentences []string
	fewest    int // sentences that stay
	width     int // of the terminal
	most      int // lines; 0: any number
}

// dropSentence removes the last one, unless it has to stay.
func (e *extract) dropSentence() bool {
	if len(e.sentences) <= e.fewest {
		return false
	}
	e.sentences = e.sentences[:len(e.sentences)-1]
	return true
}

// dropLine ends the text a line earlier, unless it would have fewer than so many.
func (e *extract) dropLine(fewest int) bool {
	n := len(e.lines())
	if n <= fewest {
		return false
	}
	e.most = n - 1
	return true
}

// lines are wrapped as Printer.Text does; the last one says where the text goes on.
func (e *extract) lines() []string {
	room := room(e.width, e.label)
	all := Wrap(render.Plain(strings.Join(e.sentences, "")), room)
	if e.most == 0 || len(all) <= e.most {
		return all
	}
	last := all[e.most-1]
	if len([]rune(last))+2 > room {
		last = last[:strings.LastIndexByte(last, ' ')+1] // 0 for a single word, which the ellipsis stands for then
	}
	return append(all[:e.most-1:e.most-1], strings.TrimRight(last, " .,;:")+" …")
}

func (e *extract) print(p *Printer) {
	if len(e.sentences) > 0 {
		p.lines(e.label, e.lines())
	}
}
