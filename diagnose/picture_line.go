package diagnose

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/gocasebook/casebook/casefile"
	"github.com/gocasebook/casebook/diagnose/stacks"
)

// Bounds of a line of the picture.
const (
	picturePlaces = 3    // as many as fit on two or three lines of 80 columns
	pictureLeast  = 0.01 // of the total: less is not worth the space
	pictureLibs   = 0.5  // of the total, from which on the libraries are named: the places alone would mislead
)

// A pictured is a place with its amount, in the unit of its line.
type pictured struct {
	at     stacks.FrameID // NoFrame: what says everything
	what   string
	amount float64
}

// A pictureLine is a line of the picture while its places are gathered.
type pictureLine struct {
	r         *Reading
	total     float64 // of which the amounts are parts
	numbers   bool    // amounts are numbers of things, and written as such
	libraries string  // what to call the rest
	rest      float64 // what is at no place
	all       []pictured
	few       bool // there is too little to show where
}

func (l *pictureLine) add(s pictured) { l.all = append(l.all, s) }

// restOfAll counts as the rest what was not added.
func (l *pictureLine) restOfAll() {
	l.rest = l.total
	for _, s := range l.all {
		l.rest -= s.amount
	}
}

// finish keeps the largest places and writes the line. total is in the unit, for the evidence of a set.
func (l *pictureLine) finish(head string, total float64, unit string, set *stacks.Set) *casefile.PictureLine {
	out := &casefile.PictureLine{Total: total, Unit: unit, Places: []casefile.PicturePlace{}, File: Basis(set)[0].File,
		Few: l.few}
	texts := []string{}
	for _, s := range l.largest() {
		p := casefile.PicturePlace{Share: roundShare(s.amount / l.total), What: s.what}
		if s.at != stacks.NoFrame {
			f := l.r.Table.Func(s.at)
			p.Function, p.File, p.Line = f.Name, f.File, l.r.Table.Line(s.at)
		}
		out.Places = append(out.Places, p)
		texts = append(texts, l.words(s))
	}
	if out.Text = head; l.few {
		out.Text += tooLittle
	}
	if len(texts) > 0 {
		out.Text += ": " + strings.Join(texts, ", ")
	}
	return out
}

// largest are the places that are shown, the largest first. What is at no place comes last, if it is the largest.
func (l *pictureLine) largest() []pictured {
	slices.SortFunc(l.all, func(a, b pictured) int {
		return cmp.Or(cmp.Compare(b.amount, a.amount), cmp.Compare(a.at, b.at), strings.Compare(a.what, b.what))
	})
	var out []pictured
	for _, s := range l.all {
		if len(out) < picturePlaces && s.amount > 0 && s.amount >= pictureLeast*l.total {
			out = append(out, s)
		}
	}
	if l.rest > 0 && l.rest >= pictureLibs*l.total {
		out = append(out, pictured{at: stacks.NoFrame, what: l.libraries, amount: l.rest})
	}
	return out
}

// words writes a place: "81 % cache.go:41 (*Store).Put", "1,102 wait for a lock at store.go:88 (*Store).Get".
func (l *pictureLine) words(s pictured) string {
	what := s.what
	amount := percent(s.amount / l.total)
	if l.numbers {
		amount = count(s.amount)
		if s.amount == 1 && s.at != stacks.NoFrame {
			what = ofOne(what)
		}
	}
	if s.at == stacks.NoFrame {
		return amount + " " + what
	}
	if what != "" {
		what += " at "
	}
	return amount + " " + what + l.name(s.at)
}

// name writes a place with its file, and its function without the package if that is the program's own.
func (l *pictureLine) name(at stacks.FrameID) string {
	f := l.r.Table.Func(at)
	name := short(f.Name)
	if f.Owner == stacks.User && strings.HasPrefix(f.Name, f.Package+".") {
		name = short(strings.TrimPrefix(f.Name, f.Package+"."))
	}
	if f.File == "" {
		return name
	}
	return fmt.Sprintf("%s:%d %s", f.File[strings.LastIndexAny(f.File, `/\`)+1:], l.r.Table.Line(at), name)
}

// ofOne turns what several goroutines do into what a single one does.
func ofOne(phrase string) string {
	verb, rest, more := strings.Cut(phrase, " ")
	verb += "s"
	if verb == "ares" {
		verb = "is"
	}
	if more {
		return verb + " " + rest
	}
	return verb
}
