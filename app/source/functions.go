package source

import (
	"go/ast"
	"go/parser"
	"go/token"
	"strings"
)

// longFile is in bytes; in a larger one functions are not looked for.
const longFile = 512 << 10

// A Span is some lines of a file, both ends included, from 1.
type Span struct{ First, Last int }

// Functions are those that a line of a Go file is in, from the declared one to the innermost closure; none where the
// file is too long, or so wrong that they cannot be told.
func Functions(lines []string, at int) (in []Span) {
	text := strings.Join(lines, "\n")
	if len(text) > longFile {
		return nil
	}
	set := token.NewFileSet()
	// Of a wrong file what it could read is enough.
	file, _ := parser.ParseFile(set, "", text, parser.SkipObjectResolution)
	if file == nil {
		return nil
	}
	// Not Position: a //line comment would name lines of another file.
	lineOf := func(p token.Pos) int { return min(set.PositionFor(p, false).Line, len(lines)) }
	ast.Inspect(file, func(n ast.Node) bool {
		if n == nil {
			return false
		}
		s := Span{lineOf(n.Pos()), lineOf(n.End())}
		if s.First > at || at > s.Last {
			return false
		}
		switch n := n.(type) {
		case *ast.FuncDecl:
			if n.Body != nil {
				in = append(in, s)
			}
		case *ast.FuncLit:
			in = append(in, s)
		}
		return true
	})
	return in
}
