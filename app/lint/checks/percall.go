package checks

import (
	"fmt"
	"go/ast"
	"go/constant"
	"go/token"
	"go/types"
	"slices"

	"golang.org/x/tools/go/ast/inspector"
)

var buildPerCall = check("buildpercall", findBuildPerCall, `report values that are expensive to make and that a function makes for one use

A strings.Replacer of constants builds its tables in 6.5 µs and replaces in 45 ns. A time.Location is read from the disk
at each LoadLocation, 9 µs when it is cached (BenchmarkCost/build). Database and gRPC connections are dialed again. A
prometheus.Desc checks and hashes its names, in Collect at each scrape. Some libraries' parsers, policies and validators
are meant to be made once.

Not reported: what is stored, returned or passed to others, so that it may be used again, and what runs once (package
variables, init, main, sync.Once). Database and gRPC connections count in functions that handle a request only: a
command opens one, too, and ends.`)

// builds make what would be the same at each call, if nothing of the function is in them.
var builds = []callee{
	{"time", "", "LoadLocation", "the zone is read from the disk at every call: load it once, in a package variable"},
	{"strings", "", "NewReplacer", "the replacer builds its tables at every call: make it once, in a package variable"},
	{"golang.org/x/net/idna", "", "New",
		"the profile is put together at every call: make it once, in a package variable"},
	{"golang.org/x/text/cases", "", "Title Lower Upper Fold",
		"the caser is made at every call: make it once for each language; it is not for several goroutines at once"},
	{"github.com/microcosm-cc/bluemonday", "", "UGCPolicy StrictPolicy",
		"the policy and its expressions are made at every call: make it once, in a package variable"},
	{"github.com/yuin/goldmark", "", "New",
		"the parser is put together at every call: make it once, in a package variable"},
	{"github.com/go-playground/validator/v10", "", "New",
		"a validator remembers what it knows of types: make it once, in a package variable"},
	{"github.com/gorilla/schema", "", "NewDecoder NewEncoder",
		"it remembers what it knows of types: make it once, in a package variable"},
	{"github.com/gobwas/glob", "", "Compile MustCompile",
		"this constant pattern is compiled at every call: compile it once, in a package variable"},
}

// connections are meant to live as long as the process.
var connections = []callee{
	{"database/sql", "", "Open OpenDB", "a pool of connections is opened for each request: open one at the start"},
	{"google.golang.org/grpc", "", "Dial DialContext NewClient",
		"a connection is opened for each request: open one at the start"},
}

// descs live as long, too: a Prometheus collector makes them at each scrape.
var descs = []callee{{prometheusPath, "", "NewDesc",
	"a Desc is checked and hashed at every scrape: make it once, in a variable or a field"}}

func findBuildPerCall(u *unit) {
	for cur, c := range u.calls(slices.Concat(builds, connections, descs)...) {
		f, ok := function(cur)
		switch {
		case !ok || u.outlives(cur):
		case rowOf(connections, c.fn) != nil && u.serves(f), rowOf(descs, c.fn) != nil && u.sendsMetrics(f):
			u.report(c, c.says)
		case rowOf(builds, c.fn) == nil || c.Ellipsis.IsValid() || u.MentionsLocals(cur):
		case isFunc(c.fn, "strings", "NewReplacer") && len(c.Args)%2 == 0:
			u.report(c, c.says, u.hoist(cur, "Replacer")...)
		default:
			u.report(c, c.says)
		}
	}
}

// sendsMetrics reports whether a function gets a channel of Prometheus metrics, as Collect does.
func (u *unit) sendsMetrics(f inspector.Cursor) bool {
	return u.takesAny(f, func(v *types.Var) bool {
		c, ok := v.Type().Underlying().(*types.Chan)
		return ok && isNamed(c.Elem(), prometheusPath, "Metric")
	})
}

var scratchPerCall = check("scratchpercall", findScratchPerCall, `report readers, writers and encoders that a function makes with a buffer of their own for one use

A bufio.Reader or Writer has 4 kB, and so have an xml.Encoder, an xml.Decoder, a csv.Reader and a csv.Writer, unless
they get one that has a buffer already: to encode 60 bytes of XML an encoder allocates 4.5 kB, and 0.3 kB with a
bufio.Writer that was Reset (BenchmarkCostAgain/scratch). A rand.New(rand.NewSource(…)) is 5.4 kB, all of which is
worked out before the first number. A channel with room for a hundred values is as large as these, however few are
sent.

It counts only with heat, by what making it allocates. Reported are those that only the function uses. Not reported:
what is kept, returned or given to others, what is Reset in the same function, what is made once for a loop that
surely serves a connection, and what runs once.`)

const (
	poolReader = "a buffer of 4 kB or more at every call: take a bufio.Reader of a sync.Pool and Reset it"
	poolWriter = "a buffer of 4 kB or more at every call: take a bufio.Writer of a sync.Pool and Reset it"
)

var scratches = []callee{
	{"bufio", "", "NewReader NewReaderSize", poolReader},
	{"bufio", "", "NewWriter NewWriterSize", poolWriter},
	{"encoding/xml", "", "NewEncoder",
		"it makes a bufio.Writer of 4 kB at every call: give it one of a sync.Pool, which it uses as it is"},
	{"encoding/xml", "", "NewDecoder",
		"it makes a bufio.Reader of 4 kB at every call: give it one of a sync.Pool, which it uses as it is"},
	{"encoding/csv", "", "NewReader",
		"it makes a bufio.Reader of 4 kB at every call: give it one of a sync.Pool, which it uses as it is"},
	{"encoding/csv", "", "NewWriter",
		"it makes a bufio.Writer of 4 kB at every call: give it one of a sync.Pool, which it uses as it is"},
	{"math/rand", "", "NewSource",
		"5 kB of state that is worked out at every call: use the functions of math/rand/v2, which need no seed and no lock"},
}

// manyInChannel is the size in bytes from which a channel's room is reported.
const manyInChannel = 512

func findScratchPerCall(u *unit) {
	for cur, call := range each[*ast.CallExpr](u) {
		if u.Builtin(call) == "make" {
			u.roomyChannel(cur, call)
		}
	}
	for cur, c := range u.calls(scratches...) {
		do := c.says
		switch {
		case u.buffered(c.CallExpr):
			continue
		case c.fn.Name() == "NewSource":
			u.sourceForOne(cur, c.CallExpr, do)
			continue
		case c.path == "bufio" && u.inMemory(c.Args[0]):
			do = "a buffer of 4 kB or more for what is in memory already: cut its lines with strings.Lines or bytes.Lines, or " +
				"read it as it is"
		}
		if u.usedAtOnce(cur) || u.usedHere(cur) {
			u.report(c, do)
		}
	}
}

// buffered reports whether what a reader or writer is made for has a buffer already: it makes none then.
func (u *unit) buffered(call *ast.CallExpr) bool {
	return len(call.Args) == 0 ||
		isAny(u.TypesInfo.TypeOf(call.Args[0]), "bufio.Reader", "bufio.Writer", "bufio.ReadWriter")
}

// inMemory reports whether a reader or a writer is one of a text or of bytes.
func (u *unit) inMemory(e ast.Expr) bool {
	return isAny(u.TypesInfo.TypeOf(e), "strings.Reader", "bytes.Reader", "bytes.Buffer", "strings.Builder")
}

// usedAtOnce reports whether a method is called on what was made, and nothing else is done with it:
// xml.NewEncoder(w).Encode.
func (u *unit) usedAtOnce(cur inspector.Cursor) bool {
	sel, ok := cur.Parent().Node().(*ast.SelectorExpr)
	if !ok {
		return false
	}
	_, method := u.TypesInfo.Uses[sel.Sel].(*types.Func)
	return method
}

// usedHere reports whether what was made stays in a variable of the function, which does not Reset it.
func (u *unit) usedHere(cur inspector.Cursor) bool {
	v := u.Assigned(cur)
	f, ok := function(cur)
	return ok && v != nil && !u.outlives(cur) && !u.resets(f, v) && u.stays(f, v)
}

// sourceForOne reports a source of random numbers that is made for the rand.Rand around it, which only the function
// uses.
func (u *unit) sourceForOne(cur inspector.Cursor, call *ast.CallExpr, do string) {
	outer, ok := cur.Parent().Node().(*ast.CallExpr)
	if !ok || !isFunc(u.Callee(outer), "math/rand", "New") || u.IsConstant(call.Args[0]) {
		return // a constant seed gives the same numbers each time, which may be meant
	}
	if u.usedAtOnce(cur.Parent()) || u.usedHere(cur.Parent()) {
		u.report(outer, do)
	}
}

// roomyChannel reports a channel of much room that a function makes for itself and its goroutines.
func (u *unit) roomyChannel(cur inspector.Cursor, call *ast.CallExpr) {
	c, ok := u.under(call).(*types.Chan)
	if !ok || len(call.Args) != 2 || u.runsOnce(cur) || u.outlives(cur) {
		return
	}
	n, exact := constant.Int64Val(constant.ToInt(value(u, call.Args[1])))
	f, v := u.Local(cur)
	if exact && n*u.size(c.Elem()) >= manyInChannel && v != nil && !u.goesOn(f, v) {
		u.report(call, fmt.Sprintf("room for %d values at every call: make it for as many as are sent, or smaller", n))
	}
}

// goesOn reports whether a channel may outlive the function that made it: by return, in a field, or because another
// function gets it.
func (u *unit) goesOn(f inspector.Cursor, v *types.Var) bool {
	return slices.ContainsFunc(u.Uses(f, v), func(use inspector.Cursor) bool {
		if call, ok := use.Parent().Node().(*ast.CallExpr); ok && u.Builtin(call) == "" && !startsLater(use.Parent()) {
			return true
		}
		received, ok := use.Parent().Node().(*ast.UnaryExpr)
		return !(ok && received.Op == token.ARROW) && u.outlives(use)
	})
}

var cipherPerCall = check("cipherpercall", findCipherPerCall, `report AES ciphers that are made of a kept key at each call

aes.NewCipher works out the keys of all rounds, and cipher.NewGCM its tables: 1.3 kB, and more time than sealing a short
text takes. Both may be used by several goroutines at once, so that one beside the key is enough.

It counts only with heat. Reported are aes.NewCipher of a field, an element or a package variable, and the NewGCM of such
a block. Not reported: keys that the call was given or made, and what runs once.`)

func findCipherPerCall(u *unit) {
	const do = "the cipher is worked out of a key that is kept, at each call: keep the cipher beside the key"
	for cur, call := range u.calls(callee{"crypto/aes", "", "NewCipher", do}) {
		if u.outlives(cur) || !u.isKeptKey(cur, call.Args[0]) {
			continue
		}
		u.report(call, do)
		f, _ := function(cur)
		for _, use := range u.Uses(f, u.Assigned(cur)) {
			seal, ok := use.Parent().Node().(*ast.CallExpr)
			if ok && isFunc(u.Callee(seal), "crypto/cipher", "NewGCM") && !u.outlives(use.Parent()) {
				u.report(seal, do)
			}
		}
	}
}

// isKeptKey reports whether a key is a field, an element of one, a package variable, or a variable that got it from there.
func (u *unit) isKeptKey(cur inspector.Cursor, e ast.Expr) bool {
	for {
		switch x := ast.Unparen(e).(type) {
		case *ast.SliceExpr:
			e = x.X
			continue
		case *ast.CallExpr:
			if to, of := u.conversion(x); to != nil {
				e = of
				continue
			}
			return false
		case *ast.SelectorExpr, *ast.IndexExpr:
			return true
		case *ast.Ident:
			return u.fromField(cur, x)
		}
		return false
	}
}

// fromField reports whether a variable is one of the package, or gets a field or an element where it is declared.
func (u *unit) fromField(cur inspector.Cursor, id *ast.Ident) bool {
	v := u.TypesInfo.Uses[id]
	if v == nil || v.Parent() == u.Pkg.Scope() {
		return v != nil
	}
	f, ok := function(cur)
	return ok && some(f.Node(), func(n ast.Node) bool {
		s, ok := n.(*ast.AssignStmt)
		if !ok || len(s.Lhs) != len(s.Rhs) {
			return false
		}
		for i, lhs := range s.Lhs {
			if name, ok := lhs.(*ast.Ident); ok && u.TypesInfo.Defs[name] == v {
				switch ast.Unparen(s.Rhs[i]).(type) {
				case *ast.SelectorExpr, *ast.IndexExpr:
					return true
				}
			}
		}
		return false
	})
}
