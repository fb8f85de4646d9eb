package checks

import (
	"go/ast"
	"go/types"
	"slices"
	"strings"

	"golang.org/x/tools/go/ast/inspector"
)

var codecHot = check("codechot", findCodecHot, `report encoding and decoding by reflection where much goes

encoding/json, xml, gob and yaml find out at run time what a value is made of, and allocate for most of what they meet:
code that is generated for the type takes a third of that or less (docs/evidence/lab.md, "JSON, Protobuf, Avro,
FlatBuffers"), and what is kept as it was made or read takes nothing.

It counts only with heat, from some percent on. Reported are calls of these packages that encode or decode a value. Not
reported: where another check has something better for the same call, the body of a request and the answer to it, which
have to be decoded and encoded once, by way of whatever reads or writes them, and what runs once.`)

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
		if !isCodec(fn.Pkg().Path()) || len(call.Args) == 0 || u.ofMessage(cur, call, does == "encodes") {
			continue
		}
		verb := strings.TrimSuffix(does, "s")
		u.report(call, fn.Pkg().Name()+" "+does+" by reflection at each pass: keep what was made and "+verb+
			" less often, or "+verb+" by code that is generated for the type")
	}
}

// ofMessage reports whether a coder works on the body of a message of HTTP, or on the answer to a request.
func (u *unit) ofMessage(cur inspector.Cursor, call *ast.CallExpr, encodes bool) bool {
	sel, ok := ast.Unparen(call.Fun).(*ast.SelectorExpr)
	f, inside := function(cur)
	if !ok || !inside {
		return false
	}
	var of ast.Expr // what is written to, or read
	if fn := u.callee(call); fn.Signature().Recv() == nil {
		if encodes {
			return u.isAnswered(cur, f)
		}
		of = call.Args[0]
	} else if of = u.coderOf(sel.X, f); of == nil {
		return false
	}
	if encodes {
		t := u.TypesInfo.TypeOf(of)
		return answersBy(t) || u.takesAnswer(f) && isNamed(t, "io", "Writer")
	}
	return u.ofBody(of, f, 2)
}

// coderOf is what the function of a coder was made for: NewEncoder(w) there, or of the variable that has it.
func (u *unit) coderOf(e ast.Expr, f inspector.Cursor) ast.Expr {
	if made, ok := ast.Unparen(e).(*ast.CallExpr); ok && len(made.Args) > 0 {
		return made.Args[0]
	}
	if made, ok := ast.Unparen(u.valueOf(e, f)).(*ast.CallExpr); ok && len(made.Args) > 0 {
		return made.Args[0]
	}
	return nil
}

// valueOf is what a local variable got in its function, the variable itself where that is not to be seen.
func (u *unit) valueOf(e ast.Expr, f inspector.Cursor) ast.Expr {
	id, ok := ast.Unparen(e).(*ast.Ident)
	if !ok || u.TypesInfo.Uses[id] == nil {
		return e
	}
	for at, made := range below[*ast.CallExpr](f) {
		if v := u.assigned(at); v != nil && v == u.TypesInfo.Uses[id] {
			return made
		}
	}
	return e
}

// ofBody reports whether an expression is made of the body of a message of HTTP, by way of some variables.
func (u *unit) ofBody(e ast.Expr, f inspector.Cursor, ways int) (some bool) {
	if v := u.valueOf(e, f); v != e && ways > 0 {
		return u.ofBody(v, f, ways-1)
	}
	ast.Inspect(e, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.SelectorExpr:
			some = some || n.Sel.Name == "Body" && u.isMessage(n.X) || n.Sel.Name == "GetRawData"
		case *ast.Ident:
			if v := u.valueOf(n, f); v != ast.Expr(n) && ways > 0 {
				some = some || u.ofBody(v, f, ways-1)
			}
		}
		return !some
	})
	return some
}

// isAnswered reports whether the bytes that a call makes are given to a function together with the answer to a request, or
// to a method of it: w.Write(b), respond(w, b).
func (u *unit) isAnswered(cur, f inspector.Cursor) bool {
	uses := []inspector.Cursor{cur}
	if v := u.assigned(cur); v != nil {
		uses = u.uses(f, v)
	}
	return slices.ContainsFunc(uses, func(use inspector.Cursor) bool {
		call, ok := use.Parent().Node().(*ast.CallExpr)
		if !ok {
			return false
		}
		if to, _ := u.conversion(call); to != nil { // a string of it
			call, _ = use.Parent().Parent().Node().(*ast.CallExpr)
		}
		if call == nil {
			return false
		}
		sel, isMethod := ast.Unparen(call.Fun).(*ast.SelectorExpr)
		return isMethod && answersBy(u.TypesInfo.TypeOf(sel.X)) ||
			slices.ContainsFunc(call.Args, func(arg ast.Expr) bool { return answersBy(u.TypesInfo.TypeOf(arg)) })
	})
}

// takesAnswer reports whether a function, or one around it, gets the answer to a request.
func (u *unit) takesAnswer(f inspector.Cursor) bool {
	for ok := true; ok; f, ok = function(f) {
		if sig := u.signature(f); sig != nil {
			for v := range sig.Params().Variables() {
				if answersBy(v.Type()) {
					return true
				}
			}
		}
	}
	return false
}

// answersBy reports whether a type is what handlers of HTTP answer by.
func answersBy(t types.Type) bool {
	return isNamed(t, "net/http", "ResponseWriter") || isNamed(t, "github.com/gin-gonic/gin", "Context") ||
		isNamed(t, "github.com/labstack/echo/v4", "Context") || isNamed(t, "github.com/gofiber/fiber/v2", "Ctx")
}

// isCodec reports whether a package encodes values by reflection.
func isCodec(path string) bool {
	switch path {
	case "encoding/json", "encoding/xml", "encoding/gob", "gopkg.in/yaml.v2", "gopkg.in/yaml.v3", "go.yaml.in/yaml/v3",
		"github.com/goccy/go-yaml", "github.com/BurntSushi/toml", "sigs.k8s.io/yaml", "github.com/ghodss/yaml",
		"github.com/json-iterator/go", "github.com/goccy/go-json", "github.com/vmihailenco/msgpack/v5",
		"github.com/hashicorp/go-msgpack/codec", "github.com/hashicorp/go-msgpack/v2/codec", "github.com/ugorji/go/codec",
		"github.com/fxamacher/cbor/v2", "github.com/mitchellh/mapstructure", "github.com/go-viper/mapstructure/v2":
		return true
	}
	return false
}
