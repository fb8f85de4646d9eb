package lint

import (
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"strings"
	"unicode"
)

// sources are the files that have reports.
type sources map[string]*source

// A source is a file as far as reports need it.
type source struct {
	lines     []string
	functions [][2]int // first and last lines of the declared ones
	generated bool
}

func (s sources) of(file string) *source {
	if known, ok := s[file]; ok {
		return known
	}
	out := &source{}
	s[file] = out
	data, err := os.ReadFile(file)
	if err != nil {
		return out
	}
	out.lines = strings.Split(string(data), "\n")
	set := token.NewFileSet()
	f, err := parser.ParseFile(set, file, data, parser.ParseComments|parser.SkipObjectResolution)
	if err != nil {
		return out
	}
	out.generated = ast.IsGenerated(f)
	for _, d := range f.Decls {
		if fn, ok := d.(*ast.FuncDecl); ok {
			out.functions = append(out.functions,
				[2]int{set.PositionFor(fn.Pos(), false).Line, set.PositionFor(fn.End(), false).Line})
		}
	}
	return out
}

// line is a line without its indentation; "" beyond the end.
func (s *source) line(n int) string {
	if n < 1 || n > len(s.lines) {
		return ""
	}
	return strings.TrimSpace(s.lines[n-1])
}

// function returns the lines of the function that a line is in, the line itself outside of one.
func (s *source) function(line int) (from, to int) {
	for _, f := range s.functions {
		if f[0] <= line && line <= f[1] {
			return f[0], f[1]
		}
	}
	return line, line
}

// declared returns the name of the variable that a line of code declares or sets first.
func declared(text string) string {
	text = strings.TrimSpace(strings.TrimPrefix(text, "var "))
	end := strings.IndexFunc(text, func(r rune) bool { return r != '_' && !unicode.IsLetter(r) && !unicode.IsDigit(r) })
	if end < 0 {
		return text
	}
	return text[:end]
}

// fills returns the lines of the function that append to the variable which a line declares, or set its elements.
func (s *source) fills(line int) (out [][2]int) {
	name := declared(s.line(line))
	if name == "" {
		return nil
	}
	from, to := s.function(line)
	for n := from; n <= to; n++ {
		text := s.line(n)
		if n != line && (strings.HasPrefix(text, name+"[") || strings.Contains(text, "append("+name+",")) {
			out = append(out, [2]int{n, n})
		}
	}
	return out
}
