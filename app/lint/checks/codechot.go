package checks

import (
	"go/ast"
	"strings"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/ast/inspector"
)

var codecHot = &analysis.Analyzer{
	Name: "codechot",
	Doc: `report encoding and decoding by reflection where much goes

encoding/json, xml, gob and yaml find out at run time what a value is made of, and allocate for most of what they meet:
code that is generated for the type takes a third of that or less (docs/lab.md, "JSON, Protobuf, Avro, FlatBuffers"),
and what is kept as it was made or read takes nothing.

It counts only with heat, from some percent on. Reported are calls of these packages that encode or decode a value. Not
reported: where another check has something better for the same call, the body of a request and the answer to it, which
have to be decoded and encoded once, and what runs once.`,
	Requires: needs,
	Run:      over(findCodecHot),
}

func findCodecHot(u *unit) {
	for cur, call := range each[*ast.CallExpr](u) {
		fn := u.callee(call)
		if fn == nil || fn.Pkg() == nil || u.runsOnce(cur) {
			continue
		}
		var does string
		switch fn.Name() {
		case "Marshal", "Encode", "EncodeElement":
			does = "encodes"
		case "Unmarshal", "Decode", "DecodeElement":
			does = "decodes"
		default:
			continue
		}
		if !isCodec(fn.Pkg().Path()) || len(call.Args) == 0 || u.ofMessage(cur, call) {
			continue
		}
		verb := strings.TrimSuffix(does, "s")
		u.report(call, fn.Pkg().Name()+" "+does+" by reflection at each pass: keep what was made and "+verb+
			" less often, or "+verb+" by code that is generated for the type")
	}
}

// ofMessage reports whether a coder works on the body of a message of HTTP, or on the answer to it.
func (u *unit) ofMessage(cur inspector.Cursor, call *ast.CallExpr) bool {
	sel, ok := ast.Unparen(call.Fun).(*ast.SelectorExpr)
	if !ok {
		return false
	}
	if made, ok := ast.Unparen(sel.X).(*ast.CallExpr); ok {
		return u.takesMessage(made)
	}
	id, ok := ast.Unparen(sel.X).(*ast.Ident)
	f, inside := function(cur)
	if !ok || !inside {
		return false
	}
	coder := u.TypesInfo.Uses[id]
	for at, made := range below[*ast.CallExpr](f) {
		if v := u.assigned(at); v != nil && v == coder && u.takesMessage(made) {
			return true
		}
	}
	return false
}

// takesMessage reports whether a coder is made for the body of a message of HTTP, or for the answer.
func (u *unit) takesMessage(made *ast.CallExpr) bool {
	if len(made.Args) != 1 {
		return false
	}
	if isNamed(u.TypesInfo.TypeOf(made.Args[0]), "net/http", "ResponseWriter") {
		return true
	}
	body, ok := ast.Unparen(made.Args[0]).(*ast.SelectorExpr)
	return ok && body.Sel.Name == "Body" && u.isMessage(body.X)
}

// isCodec reports whether a package encodes values by reflection.
func isCodec(path string) bool {
	switch path {
	case "encoding/json", "encoding/xml", "encoding/gob", "gopkg.in/yaml.v2", "gopkg.in/yaml.v3", "go.yaml.in/yaml/v3",
		"github.com/goccy/go-yaml", "github.com/BurntSushi/toml":
		return true
	}
	return false
}
