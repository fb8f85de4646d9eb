package checks

import (
	"go/ast"
	"go/types"
	"slices"
	"strings"

	"golang.org/x/tools/go/ast/edge"
	"golang.org/x/tools/go/ast/inspector"
)

var jsonIndent = check("jsonindent", findJSONIndent, `report JSON that is indented where it costs

Indenting goes over the whole text again, and makes it longer for who sends and who reads it: an answer of 24 kB
allocates 254 kB and not 146 (BenchmarkCostAgain/indent).

It counts only with heat, by what indenting takes. Not reported: an indentation that a variable decides, which
somebody may have asked for, and what runs once.`)

func findJSONIndent(u *unit) {
	const do = "indenting goes over all of it again and makes it larger: programs read it without, so indent only for " +
		"who asks"
	for cur, c := range u.calls(callee{"encoding/json", "", "MarshalIndent", ""},
		callee{"encoding/json", "Encoder", "SetIndent", ""}) {
		f, in := function(cur)
		switch {
		case !u.IsConstant(c.Args[len(c.Args)-1]):
		case c.typ == "":
			u.report(c, do)
		case in && receiver(c.CallExpr) != nil:
			v, local := u.Root(receiver(c.CallExpr)).(*types.Var)
			if local && v.Kind() == types.LocalVar && within(f.Node(), v.Pos()) {
				u.reportUses(f, v, c, do)
			}
		}
	}
}

var marshalCopy = check("marshalcopy", findMarshalCopy, `report json.Marshal of what is only written to a writer

Marshal encodes into a buffer that it has of a pool, and copies that for the caller. An Encoder writes the same buffer
to the writer, after everything was encoded, so that an error leaves nothing half written: for an answer of 24 kB it
allocates 24 kB less (BenchmarkCostAgain/marshal). It ends the text with a newline, and escapes HTML as Marshal does.

It counts only with heat, by what Marshal's own copy allocates. Not reported: bytes of which the length is asked, that
go to several writers, or anywhere else; and what runs once.`)

func findMarshalCopy(u *unit) {
	for cur, call := range u.calls(callee{"encoding/json", "", "Marshal", ""}) {
		if f, v := u.Local(cur); v != nil && u.onlyWritten(f, v) {
			u.report(call, "Marshal copies what it encoded to be written once: json.NewEncoder(w).Encode writes it without "+
				"the copy")
		}
	}
}

// onlyWritten reports whether bytes have no other use than one write to a writer that is no hash.
func (u *unit) onlyWritten(f inspector.Cursor, v *types.Var) bool {
	writes := 0
	return u.All(f, v, func(use inspector.Cursor) bool {
		if use.ParentEdgeKind() == edge.AssignStmt_Lhs {
			return true
		}
		writes++
		return u.isWrite(use)
	}) && writes == 1
}

// isWrite reports whether bytes are an argument of Write, or become the text that Fprint or WriteString writes.
func (u *unit) isWrite(use inspector.Cursor) bool {
	call, ok := use.Parent().Node().(*ast.CallExpr)
	if !ok || use.ParentEdgeKind() != edge.CallExpr_Args {
		return false
	}
	if to, _ := u.conversion(call); to != nil {
		return isBasic(to, types.String) && u.isWrite(use.Parent())
	}
	fn := u.Callee(call)
	if isFunc(fn, "io", "WriteString") {
		return true
	}
	if isFunc(fn, "fmt", "Fprint", "Fprintln") {
		return len(call.Args) == 2
	}
	to := receiver(call)
	return to != nil && fn != nil && fn.Name() == "Write" && isWriter(fn) && isAnswer(u.TypesInfo.TypeOf(to))
}

// isAnswer reports whether a writer sends what it gets, or keeps it: one write of the same bytes by the Encoder is the
// same to it. Frames of a protocol that are a message for each write, and hashes, are not meant to get a newline.
func isAnswer(t types.Type) bool {
	return isAny(t, "net/http.ResponseWriter", "bytes.Buffer", "bufio.Writer", "os.File", "io.Writer",
		"github.com/gin-gonic/gin.ResponseWriter", "github.com/labstack/echo/v4.Response")
}

// isWriter reports whether a method is Write of an io.Writer.
func isWriter(fn *types.Func) bool {
	sig := fn.Signature()
	return sig.Recv() != nil && sig.Params().Len() == 1 && isBytes(sig.Params().At(0).Type()) && sig.Results().Len() == 2
}

var codecHot = check("codechot", findCodecHot, `report encoding and decoding by reflection where much goes

encoding/json, xml, gob and yaml find out at run time what a value is made of, and allocate for most of what they meet:
code that is generated for the type takes a third of that or less (docs/evidence/lab.md, "JSON, Protobuf, Avro,
FlatBuffers"), and what is kept as it was made or read takes nothing.

It counts only with heat, from some percent on. Reported are calls of these packages that encode or decode a value. Not
reported: where another check has something better for the same call, the body of a request and the answer to it, which
have to be decoded and encoded once, by way of whatever reads or writes them, and what runs once.`)

func findCodecHot(u *unit) {
	for cur, call := range each[*ast.CallExpr](u) {
		fn := u.Callee(call)
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
	if fn := u.Callee(call); fn.Signature().Recv() == nil {
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
		if v := u.Assigned(at); v != nil && v == u.TypesInfo.Uses[id] {
			return made
		}
	}
	return e
}

// ofBody reports whether an expression is made of the body of a message of HTTP, by way of some variables.
func (u *unit) ofBody(e ast.Expr, f inspector.Cursor, ways int) bool {
	if v := u.valueOf(e, f); v != e && ways > 0 {
		return u.ofBody(v, f, ways-1)
	}
	return some(e, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.SelectorExpr:
			return u.isBody(n) || n.Sel.Name == "GetRawData"
		case *ast.Ident:
			v := u.valueOf(n, f)
			return v != ast.Expr(n) && ways > 0 && u.ofBody(v, f, ways-1)
		}
		return false
	})
}

// isAnswered reports whether the bytes that a call makes are given to a function together with the answer to a request, or
// to a method of it: w.Write(b), respond(w, b).
func (u *unit) isAnswered(cur, f inspector.Cursor) bool {
	uses := []inspector.Cursor{cur}
	if v := u.Assigned(cur); v != nil {
		uses = u.Uses(f, v)
	}
	return slices.ContainsFunc(uses, func(use inspector.Cursor) bool {
		call, ok := use.Parent().Node().(*ast.CallExpr)
		if !ok {
			return false
		}
		if to, _ := u.conversion(call); to != nil { // a string of it
			call, ok = use.Parent().Parent().Node().(*ast.CallExpr)
		}
		return ok && slices.ContainsFunc(append(slices.Clone(call.Args), receiver(call)), func(e ast.Expr) bool {
			return e != nil && answersBy(u.TypesInfo.TypeOf(e))
		})
	})
}

// takesAnswer reports whether a function, or one around it, gets the answer to a request.
func (u *unit) takesAnswer(f inspector.Cursor) bool {
	for ok := true; ok; f, ok = function(f) {
		if u.takesAny(f, func(v *types.Var) bool { return answersBy(v.Type()) }) {
			return true
		}
	}
	return false
}

// answersBy reports whether a type is what handlers of HTTP answer by.
func answersBy(t types.Type) bool {
	return isAny(t, "net/http.ResponseWriter", "github.com/gin-gonic/gin.Context",
		"github.com/labstack/echo/v4.Context", "github.com/gofiber/fiber/v2.Ctx")
}

// codecs are packages that encode values by reflection.
const codecs = `encoding/json encoding/xml encoding/gob gopkg.in/yaml.v2 gopkg.in/yaml.v3 go.yaml.in/yaml/v3
	github.com/goccy/go-yaml github.com/BurntSushi/toml sigs.k8s.io/yaml github.com/ghodss/yaml
	github.com/json-iterator/go github.com/goccy/go-json github.com/vmihailenco/msgpack/v5
	github.com/hashicorp/go-msgpack/codec github.com/hashicorp/go-msgpack/v2/codec github.com/ugorji/go/codec github.com/fxamacher/cbor/v2
	github.com/mitchellh/mapstructure github.com/go-viper/mapstructure/v2`

// isCodec reports whether a package encodes values by reflection.
func isCodec(path string) bool { return slices.Contains(strings.Fields(codecs), path) }

var decodeCopy = check("decodecopy", findDecodeCopy, `report texts that are copied into bytes to be decoded

json.Unmarshal([]byte(s), &v) copies all of s, because Unmarshal keeps its argument while it works. Clients of databases
and queues give the same value as bytes as well: Bytes of go-redis, a []byte or sql.RawBytes to Scan.

It counts only with heat, by what the copy allocates. Reported are conversions of strings in the argument of Unmarshal of
encoding/json, xml, yaml and protobuf. Not reported: constants, and what runs once.`)

func findDecodeCopy(u *unit) {
	for cur, call := range each[*ast.CallExpr](u) {
		fn := u.Callee(call)
		if fn == nil || fn.Pkg() == nil || fn.Name() != "Unmarshal" || len(call.Args) < 2 || u.runsOnce(cur) ||
			!isCodec(fn.Pkg().Path()) && fn.Pkg().Path() != protoPath {
			continue
		}
		if _, toString, ok := u.crosses(call.Args[0]); ok && !toString {
			u.report(call.Args[0], "all of the text is copied to be decoded: take it as bytes from where it comes")
		}
	}
}

var jsonNested = check("jsonnested", findJSONNested, `report json.Unmarshal within UnmarshalJSON

Before it decodes, json.Unmarshal scans all of its bytes to see whether they are JSON. An UnmarshalJSON gets bytes that were
scanned, and who calls json.Unmarshal there has them scanned again: once more for each level of such types. Checking what
was decoded needs no method of that name, and a type that only wants another form of a field can have a type for that field.

It counts only with heat, by what the scanning takes. Reported are calls with the method's own argument. Not reported: what
decodes another text.`)

func findJSONNested(u *unit) {
	for cur, d := range each[*ast.FuncDecl](u) {
		fn, ok := u.TypesInfo.Defs[d.Name].(*types.Func)
		if !ok || d.Body == nil || d.Recv == nil || d.Name.Name != "UnmarshalJSON" || fn.Signature().Params().Len() != 1 {
			continue
		}
		data := fn.Signature().Params().At(0)
		for _, call := range below[*ast.CallExpr](cur) {
			if isFunc(u.Callee(call), "encoding/json", "Unmarshal") && u.IsUse(call.Args[0], data) {
				u.report(call, "these bytes were scanned already, and json.Unmarshal scans them again at each such level: check "+
					"what was decoded outside of UnmarshalJSON, or give the fields types of their own")
			}
		}
	}
}
