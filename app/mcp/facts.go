package mcp

import (
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/gocasebook/casebook/app/assess"
	"github.com/gocasebook/casebook/app/brief"
	"github.com/gocasebook/casebook/app/facts"
	"github.com/gocasebook/casebook/app/source"
	"github.com/gocasebook/casebook/casefile"
	"github.com/gocasebook/casebook/internal/words"
)

// Bounds of what tools say of facts.
const (
	usualTokens = 2500 // of a brief
	leastTokens = 1000 // what it says of itself takes a third of them
	mostTokens  = 20000
	mostIDs     = 10 // of facts in one call
)

// A study is what tools know of a case: its facts, and where its source is. It is made anew for each call: the same
// evidence gives the same IDs, and takes a fraction of a second.
type study struct {
	*facts.Sheet
	places *source.Places
}

func (s *Server) study(ctx context.Context, name string) (*study, error) {
	e, err := s.base.open(name)
	if err != nil {
		return nil, err
	}
	defer e.close()
	out := &study{}
	out.Sheet, _, err = assess.Sheet(ctx, assess.DiagnoseRequest{Opened: &e.Opened,
		Places: func(ctx context.Context, build casefile.Build) (_ *source.Places, err error) {
			out.places, err = s.places(ctx, build)
			return out.places, err
		}})
	return out, err
}

// places are where the source of a program is: the program's own in the folder that the operator named, if it is that
// program's, and that of its dependencies in the module cache.
func (s *Server) places(ctx context.Context, build casefile.Build) (*source.Places, error) {
	if s.cfg.Source != "" {
		if _, err := source.Find(s.cfg.Source, build); err == nil {
			return source.FindPlaces(ctx, s.cfg.Source, build)
		}
	}
	return source.Elsewhere(ctx, build)
}

type briefArgs struct {
	Case      string `json:"case"`
	Tokens    int    `json:"tokens,omitempty"`
	Anonymous bool   `json:"anonymous,omitempty"`
}

// brief answers with `casebook brief`. It is a text alone: a client that shows a model structured content, too, would
// show it twice.
func (s *Server) brief(ctx context.Context, in briefArgs) (reply, error) {
	x, err := s.study(ctx, in.Case)
	if err != nil {
		return reply{}, err
	}
	sheet := x.Sheet
	if in.Anonymous {
		if sheet, err = brief.Anonymous(sheet); err != nil {
			return reply{}, err
		}
	}
	tokens := max(bounded(in.Tokens, usualTokens, mostTokens), leastTokens)
	return reply{text: string(brief.Markdown(sheet, brief.Options{Tokens: tokens})), most: bytesOf(tokens)}, nil
}

// bytesOf is what so many tokens take at most: package brief counts a fifth of the bytes or more.
func bytesOf(tokens int) int { return 5 * tokens }

type factArgs struct {
	Case string   `json:"case"`
	IDs  []string `json:"ids"`
}

// A shownFacts is what fact answers with.
type shownFacts struct {
	Case  string          `json:"case"`
	Facts []facts.Fact    `json:"facts"`
	Code  []facts.Excerpt `json:"code,omitempty"` // of the facts of sort code among them, in their order
	Cut   []string        `json:"cut"`
}

func (s *Server) fact(ctx context.Context, in factArgs) (reply, error) {
	if n := len(in.IDs); n == 0 || n > mostIDs {
		return reply{}, fmt.Errorf("ids has %d; want 1 to %d IDs of facts, as brief has them, such as W1", n, mostIDs)
	}
	x, err := s.study(ctx, in.Case)
	if err != nil {
		return reply{}, err
	}
	out := shownFacts{Case: in.Case, Facts: []facts.Fact{}}
	var b strings.Builder
	for _, id := range in.IDs {
		f, code := x.find(strings.ToUpper(strings.TrimSpace(id)))
		if f == nil {
			return reply{}, fmt.Errorf("there is no fact %.20q; there are %s", id, x.ids())
		}
		out.Facts = append(out.Facts, *f)
		writeFact(&b, f)
		if code != nil {
			out.Code = append(out.Code, *code)
			writeLines(&b, code)
		}
	}
	return fitted(out, b.String(), nil)
}

// find returns a fact by its ID, nil if there is none; of a fact of sort code the excerpt, too. Excerpts are in the
// order of those facts.
func (x *study) find(id string) (*facts.Fact, *facts.Excerpt) {
	code := 0
	for i := range x.Facts {
		f := &x.Facts[i]
		if f.ID == id {
			if f.Sort == facts.Code && code < len(x.Code) {
				return f, &x.Code[code]
			}
			return f, nil
		}
		if f.Sort == facts.Code {
			code++
		}
	}
	return nil, nil
}

// ids are those of all facts, by sort: "W1–W5, H1".
func (x *study) ids() string {
	var order []string
	count := map[string]int{}
	for i := range x.Facts {
		letter := strings.TrimRight(x.Facts[i].ID, "0123456789")
		if count[letter]++; count[letter] == 1 {
			order = append(order, letter)
		}
	}
	slices.Sort(order)
	for i, letter := range order {
		if n := count[letter]; n > 1 {
			order[i] = fmt.Sprintf("%s1–%s%d", letter, letter, n)
		} else {
			order[i] = letter + "1"
		}
	}
	return strings.Join(order, ", ")
}

// writeFact writes all of a fact for clients that show no structured content.
func writeFact(b *strings.Builder, f *facts.Fact) {
	fmt.Fprintf(b, "%s (%s, harm %s): %s\n", f.ID, f.Sort, exact(f.Harm), f.Text)
	for _, n := range f.Numbers {
		fmt.Fprintf(b, "  %s: %s %s", n.Name, exact(n.Value), n.Unit)
		if n.Low != 0 || n.High != 0 {
			fmt.Fprintf(b, " (%s to %s)", exact(n.Low), exact(n.High))
		}
		b.WriteString("\n")
	}
	for _, at := range f.Bounds {
		fmt.Fprintf(b, "  a change there brings at most %s of %s\n", exact(at.High), at.Resource)
	}
	list := func(what string, all []string) {
		if len(all) > 0 {
			fmt.Fprintf(b, "  %s: %s\n", what, strings.Join(all, "; "))
		}
	}
	list("of", f.Of)
	list("known changes", f.Cure)
	list("against it", f.Against)
	for _, stack := range f.Stacks {
		b.WriteString("  stack")
		if stack.Share > 0 {
			fmt.Fprintf(b, ", share %s", exact(stack.Share))
		}
		b.WriteString(", leaf first:\n")
		for _, x := range stack.Frames {
			fmt.Fprintf(b, "    %s %s:%d %s\n", words.Symbol(x.Function), x.File, x.Line, x.Owner)
		}
	}
}

// exact is a number as a check compares it: with all of its digits.
func exact(v float64) string { return strconv.FormatFloat(v, 'f', -1, 64) }
