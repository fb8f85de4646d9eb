package escape

import (
	"cmp"
	"fmt"
	"go/ast"
	"go/token"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/gocasebook/casebook/app/heat"
)

// What is looked at of what takes CPU, as shares of all CPU.
const (
	minOwn     = 0.01  // of a function by itself
	minChecked = 0.005 // of a line by itself
	maxCostly  = 15    // of each are listed
)

// hotFunctions are those that take CPU by themselves.
func hotFunctions(m *heat.Map) (out []frame) {
	for _, f := range m.Functions(heat.CPU) {
		if f.Own[heat.CPU] >= minOwn {
			out = append(out, frame{function: f.Name, pkg: f.Package, file: f.File, start: f.Start, owner: f.Owner})
		}
	}
	return out
}

// costly is what the compiler says of the functions and lines that take CPU.
func (x *index) costly(m *heat.Map) (functions []Function, bounds []Bound) {
	functions, bounds = []Function{}, []Bound{}
	for _, f := range m.Functions(heat.CPU) {
		own := x.owner.has(frame{function: f.Name, pkg: f.Package, file: f.File, owner: f.Owner})
		if f.Own[heat.CPU] >= minOwn && own && len(functions) < maxCostly {
			if one, ok := x.notInlined(f); ok {
				functions = append(functions, one)
			}
		}
	}
	slices.SortStableFunc(functions, func(a, b Function) int { return cmp.Compare(b.Own, a.Own) })
	for _, l := range m.Hottest(heat.CPU, 0) {
		if l.Own[heat.CPU] < minChecked || len(bounds) == maxCostly {
			break
		}
		if !x.owner.has(frame{function: l.Function, pkg: l.Package, file: l.Built, owner: l.Owner}) {
			continue
		}
		if b, ok := x.bounds(l); ok {
			bounds = append(bounds, b)
		}
	}
	return functions, bounds
}

// maxOver is by how much the cost of a function may exceed the budget so that it is worth a thought: larger ones have
// their work in them, beside which a call is nothing.
const maxOver = 2

var overBudget = regexp.MustCompile(`^function too complex: cost (\d+) exceeds budget (\d+)$`)

// notInlined is why a function that is small enough to be called often is not inlined.
func (x *index) notInlined(f heat.Function) (Function, bool) {
	name := x.file(frame{function: f.Name, pkg: f.Package, file: f.File})
	if name == "" || f.Start == 0 {
		return Function{}, false
	}
	for _, r := range x.remarks[Place{File: name, Line: f.Start}] {
		if r.Code != "cannotInlineFunction" || len(r.At) > 1 {
			continue
		}
		out := Function{Function: f.Name, File: name, Line: f.Start, Own: f.Own[heat.CPU], Why: r.Message}
		if m := overBudget.FindStringSubmatch(r.Message); m != nil {
			cost, _ := strconv.Atoi(m[1])
			budget, _ := strconv.Atoi(m[2])
			if cost > maxOver*budget || x.c.files[name].source().callsItself(f.Start) {
				return Function{}, false
			}
			out.Why = fmt.Sprintf("it costs %d, and the budget is %d", cost, budget)
			out.Change = "Move what is rarely needed into a function of its own, or build with a profile: then the budget " +
				"of hot calls is 2000."
			return out, true
		}
		out.Why, out.Change = inlineWords(r.Message)
		return out, out.Change != ""
	}
	return Function{}, false
}

// inlineable says of a function that returns what it makes, and just misses being inlined, that otherwise the caller
// could keep it; "" of any other.
func (x *index) inlineable(f *sourceFile, line int) string {
	for _, s := range f.funcs {
		decl, ok := s.node.(*ast.FuncDecl)
		if !ok || line < s.from || line > s.to {
			continue
		}
		for _, r := range x.remarks[Place{File: f.path, Line: s.from}] {
			m := overBudget.FindStringSubmatch(r.Message)
			if r.Code != "cannotInlineFunction" || m == nil {
				continue
			}
			cost, _ := strconv.Atoi(m[1])
			budget, _ := strconv.Atoi(m[2])
			if cost <= maxOver*budget {
				return fmt.Sprintf(" Or make %s cheap enough to be inlined (it costs %d, the budget is %d): then it may stay "+
					"on the stack of the caller.", decl.Name.Name, cost, budget)
			}
		}
	}
	return ""
}

// callsItself reports whether the function that begins on a line calls itself: inlining it leaves as many calls.
func (f *sourceFile) callsItself(line int) (does bool) {
	for _, s := range f.funcs {
		decl, ok := s.node.(*ast.FuncDecl)
		if !ok || s.from != line || decl.Body == nil {
			continue
		}
		self := f.info.Defs[decl.Name]
		ast.Inspect(decl.Body, func(n ast.Node) bool {
			id, ok := n.(*ast.Ident)
			does = does || ok && self != nil && f.info.Uses[id] == self
			return !does
		})
	}
	return does
}

// inlineWords is the compiler's reason in plain words, and what to do about it; no change for what is meant so, and for
// what is its work.
func inlineWords(reason string) (why, change string) {
	for _, w := range []struct{ has, why, change string }{
		{"call to recover", "it calls recover", "Recover in a function around it, and not in it."},
		{"DEFER", "it defers something", "Where nothing between can panic, call at the end instead of deferring."},
		{"recursive", "it calls itself", ""},
		{"TYPESW", "it has a type switch", ""},
		{"SELECT", "it selects from channels", ""},
		{"GO", "it starts goroutines", ""},
		{"go:noinline", "it is marked go:noinline", ""},
	} {
		if strings.Contains(reason, w.has) {
			return w.why, w.change
		}
	}
	return reason, ""
}

// bounds are the checks of a line in a loop.
func (x *index) bounds(l heat.Line) (Bound, bool) {
	name := x.file(frame{function: l.Function, pkg: l.Package, file: l.Built})
	if name == "" {
		return Bound{}, false
	}
	f := x.c.files[name].source()
	columns := make(map[int]bool)
	for _, r := range x.remarks[Place{File: name, Line: l.Line}] {
		if r.Code == "isInBounds" || r.Code == "isSliceInBounds" {
			columns[r.At[0].Column] = true
		}
	}
	if len(columns) == 0 || !f.inLoop(l.Line) {
		return Bound{}, false
	}
	return Bound{Function: l.Function, File: name, Line: l.Line, Text: x.text(name, l.Line), Own: l.Own[heat.CPU],
		Checks: len(columns), Change: f.changeBound(l.Line, columns)}, true
}

// changeBound is how the compiler can be told that the indices of a line are within bounds; "" where it depends on what
// only the program knows.
func (f *sourceFile) changeBound(line int, columns map[int]bool) (change string) {
	var loops []*ast.ForStmt
	ast.Inspect(f.syntax, func(n ast.Node) bool {
		if n == nil || f.line(n.Pos()) > line || f.line(n.End()) < line {
			return false
		}
		switch n := n.(type) {
		case *ast.ForStmt:
			loops = append(loops, n)
		case *ast.IndexExpr:
			at := f.at(n.Lbrack)
			if at.Line != line || !columns[at.Column] {
				return true
			}
			s := f.text(n.X)
			if c, ok := f.constant(n.Index); ok {
				change = fmt.Sprintf("Check the length once before the loop, with the highest index that it has: _ = %s[%d].",
					s, c)
			}
			for _, l := range loops {
				if end := f.counted(l, n.Index); end != "" {
					change = fmt.Sprintf("Before the loop take the part that it goes through, %s := %s[:%s], or range over it.",
						s, s, end)
				}
			}
		}
		return true
	})
	return change
}

// counted is what a loop counts an index up to: n of for i := 0; i < n; i++; "" if it does not.
func (f *sourceFile) counted(l *ast.ForStmt, index ast.Expr) string {
	id, ok := index.(*ast.Ident)
	cond, is := l.Cond.(*ast.BinaryExpr)
	if !ok || !is || cond.Op != token.LSS {
		return ""
	}
	if left, ok := cond.X.(*ast.Ident); ok && f.info.Uses[left] != nil && f.info.Uses[left] == f.info.Uses[id] {
		return f.text(cond.Y)
	}
	return ""
}
