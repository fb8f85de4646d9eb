package cost

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/gocasebook/casebook/diagnose/stacks"
)

// A Step is what a dependency's function does first and a caller could do by itself: an exported function of the same
// package that takes most of the line. What is left is for another exported one: it likely works on what the step
// returns, as in func Match(pattern, text) { p := Compile(pattern); return p.Match(text) }.
type Step struct {
	Does, Uses stacks.FrameID
	Part       float64 // of the line
}

// mostOfLine is the part of a line that is what the line is about: with less, two other things may cost as much.
const mostOfLine = 0.6

// step looks at what the function that the line calls does itself.
func (c *Costs) step(k *Cost) *Step {
	t := c.e.Table
	if k.Enter == stacks.NoFrame || t.Func(k.Enter).Owner != stacks.Dependency {
		return nil
	}
	enter := t.FuncID(k.Enter)
	does, uses := make(map[stacks.FuncID]float64), make(map[stacks.FuncID]float64)
	where := make(map[stacks.FuncID]stacks.FrameID)
	for _, b := range k.samples {
		n := len(b.stack)
		if n < 2 || t.FuncID(b.stack[n-1]) != enter {
			continue
		}
		id := b.stack[n-2]
		f, fn := t.Func(id), t.FuncID(id)
		typ, exported := apiOf(f)
		if !exported || f.Package != t.Funcs[enter].Package {
			continue
		}
		where[fn] = id
		if own, _ := apiOf(&t.Funcs[enter]); typ == own {
			does[fn] += b.ns / k.ns
		}
		if typ != "" {
			uses[fn] += b.ns / k.ns
		}
	}
	d, part := largest(does)
	delete(uses, d)
	u, _ := largest(uses)
	if d < 0 || u < 0 || part < mostOfLine {
		return nil
	}
	return &Step{Does: where[d], Uses: where[u], Part: part}
}

// apiOf is the type of a method, "" for a function, and whether others can call it: "(*Rego).Eval", "Compile".
func apiOf(f *stacks.Func) (typ string, exported bool) {
	name := strings.TrimPrefix(f.Name, f.Package+".")
	typ, method, ok := strings.Cut(name, ".")
	if !ok {
		return "", isUpper(name)
	}
	typ = strings.TrimSuffix(strings.TrimPrefix(typ, "(*"), ")")
	return typ, isUpper(typ) && isUpper(method) && !strings.Contains(method, ".")
}

func isUpper(s string) bool {
	r, _ := utf8.DecodeRuneInString(s)
	return unicode.IsUpper(r)
}
