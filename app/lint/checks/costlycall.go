package checks

import (
	"go/ast"
	"go/types"
	"slices"
	"strings"

	"golang.org/x/tools/go/ast/edge"
	"golang.org/x/tools/go/ast/inspector"
)

var costlyCall = check("costlycall", findCostlyCall, `report calls that are meant to be made once, or seldom, where they cost

os.Hostname reads a file, net.Interfaces asks the kernel for all of them, a setting of viper is looked up in five sources
by a name that is lowered and split first, runtime.ReadMemStats stops the world, cel.NewEnv declares a library. Nothing
of that is a mistake at the start. Programs of expressions, schemas and rules (other modules' functions that are named
Compile) are made to be kept, too.

It counts only with heat, by what the call takes. Reported are the calls of a list, and what a function compiles for one
use. Not reported: what is compiled and kept, or returned; and what runs once.`)

const (
	readSetting = "a setting is looked up by its name, through all sources, at each pass: read it once, when the settings " +
		"are loaded"
	askOnce    = "this asks the system at each pass for what hardly changes: ask once, and keep the answer"
	madeToKeep = "this is made to be kept, and put together at each pass: make it once"
	byFields   = "this copies by reflection at each pass: assign the fields, or have the code generated"
	forPeople  = "this is for people who look for a fault, and walks all of a value by reflection: leave it out, or do it " +
		"where its text is written only"
)

const settings = "Get GetBool GetDuration GetFloat64 GetInt GetInt32 GetInt64 GetString GetStringMap " +
	"GetStringMapString GetStringSlice GetTime GetUint GetUint64 IsSet Unmarshal UnmarshalKey AllSettings"

const koanfSettings = "Get Bool Duration Exists Float64 Int Int64 Ints MapKeys Raw String StringMap Strings " +
	"Unmarshal"

const keysOfJWT = "ParseRSAPrivateKeyFromPEM ParseRSAPublicKeyFromPEM ParseECPrivateKeyFromPEM " +
	"ParseECPublicKeyFromPEM ParseEdPrivateKeyFromPEM ParseEdPublicKeyFromPEM"

var costlyCalls = []callee{
	{"github.com/spf13/viper", "", settings, readSetting},
	{"github.com/spf13/viper", "Viper", settings, readSetting},
	{"github.com/knadh/koanf", "Koanf", koanfSettings, readSetting},
	{"github.com/knadh/koanf/v2", "Koanf", koanfSettings, readSetting},
	{"github.com/ory/x/configx", "Provider", koanfSettings, readSetting},
	{"os", "", "Getenv LookupEnv Environ ExpandEnv",
		"the environment is asked at each pass: read it once, at the start"},
	{"os", "", "Hostname Executable Getwd", askOnce},
	{"net", "", "Interfaces InterfaceAddrs InterfaceByName", askOnce},
	{"os/user", "", "Current Lookup LookupId", askOnce},
	{"os/exec", "", "LookPath", askOnce},
	{"crypto/x509", "", "SystemCertPool", askOnce},
	{"crypto/x509", "", "ParsePKCS1PrivateKey ParsePKCS8PrivateKey ParseECPrivateKey",
		"a private key is decoded, and checked, at each pass: keep what was decoded"},
	{"crypto/tls", "", "LoadX509KeyPair X509KeyPair",
		"a certificate and its key are decoded, and checked, at each pass: keep them until the file changes"},
	{"github.com/golang-jwt/jwt/v4", "", keysOfJWT, "a key is decoded at each pass: keep what was decoded"},
	{"github.com/golang-jwt/jwt/v5", "", keysOfJWT, "a key is decoded at each pass: keep what was decoded"},
	{"github.com/google/uuid", "", "New NewString NewRandom NewV7",
		"the system is asked for random bytes for each ID: after uuid.EnableRandPool it is asked once for sixteen of them"},
	{"runtime", "", "GC", "this collects all garbage at each pass, and waits for it: leave that to the runtime"},
	{"runtime/debug", "", "FreeOSMemory",
		"this collects all garbage at each pass, and waits for it: leave that to the runtime"},
	{"runtime", "", "Caller Callers",
		"the stack is walked at each pass, to say what called this: leave that to errors, or to who asks for it"},
	{"runtime", "", "ReadMemStats", "this stops the world at each pass: package runtime/metrics does not"},
	{"runtime/debug", "", "Stack PrintStack",
		"the stack is walked and printed at each pass: only where it is logged"},
	{"net/http/httputil", "", "DumpRequest DumpRequestOut DumpResponse",
		"the whole message is copied and printed at each pass: only where somebody reads it"},
	{"go.opentelemetry.io/otel/metric", "", "WithAttributes",
		"a set of attributes is sorted and copied for each measurement: make it once for the values that there are, with " +
			"WithAttributeSet"},
	{"github.com/Masterminds/sprig", "", "FuncMap TxtFuncMap HtmlFuncMap GenericFuncMap", madeToKeep},
	{"github.com/Masterminds/sprig/v3", "", "FuncMap TxtFuncMap HtmlFuncMap GenericFuncMap", madeToKeep},
	{"golang.org/x/text/language", "", "NewMatcher", madeToKeep},
	{"golang.org/x/text/message", "", "NewPrinter", madeToKeep},
	{"golang.org/x/text/collate", "", "New", madeToKeep},
	{"github.com/google/cel-go/cel", "", "NewEnv NewCustomEnv", madeToKeep},
	{"github.com/google/cel-go/cel", "Env", "Program", madeToKeep},
	{"github.com/robertkrimen/otto", "", "New", madeToKeep},
	{"github.com/dop251/goja", "", "New", madeToKeep},
	{"github.com/yuin/gopher-lua", "", "NewState", madeToKeep},
	{"github.com/Knetic/govaluate", "", "NewEvaluableExpression NewEvaluableExpressionWithFunctions", madeToKeep},
	{"github.com/xeipuu/gojsonschema", "", "NewSchema Validate",
		"the schema is compiled at each pass: compile it once, and keep it"},
	{"github.com/coreos/go-oidc/v3/oidc", "", "NewProvider", madeToKeep},
	{"github.com/jinzhu/copier", "", "Copy CopyWithOption", byFields},
	{"github.com/mohae/deepcopy", "", "Copy", byFields},
	{"github.com/mitchellh/copystructure", "", "Copy", byFields},
	{"github.com/fatih/structs", "", "Map New", byFields},
	{"dario.cat/mergo", "", "Merge Map", byFields},
	{"github.com/imdario/mergo", "", "Merge Map", byFields},
	{"github.com/davecgh/go-spew/spew", "", "Sdump Sprintf Sprint Dump Fdump", forPeople},
	{"github.com/google/go-cmp/cmp", "", "Equal Diff", forPeople},
	{"github.com/kr/pretty", "", "Sprint Diff", forPeople},
}

func findCostlyCall(u *unit) {
	for cur, call := range each[*ast.CallExpr](u) {
		fn := u.Callee(call)
		if fn == nil || fn.Pkg() == nil || fn.Pkg() == u.Pkg || u.runsOnce(cur) || u.cold(cur) {
			continue
		}
		do := "this is compiled at each pass, for one use: keep what was compiled, by its text, up to a bound"
		if row := rowOf(costlyCalls, fn); row != nil {
			do = row.says
		} else if !u.compilesForOne(cur, fn) {
			continue
		}
		// What counts on the line is what it calls of that package: lint's Check.Named.
		u.relate(call, do, there(call, symbolPath(fn.Pkg())+"."))
	}
}

// compilesForOne reports whether a function of another module compiles something that the function around the call alone
// uses.
func (u *unit) compilesForOne(cur inspector.Cursor, fn *types.Func) bool {
	if rowOf(builds, fn) != nil {
		return false // buildpercall has it
	}
	w := words(fn.Name())
	of, _, _ := strings.Cut(fn.Pkg().Path(), "/")
	if len(w) > 1 && w[0] == "must" {
		w = w[1:]
	}
	f, v := u.Local(cur)
	if len(w) == 0 || w[0] != "compile" || !strings.Contains(of, ".") || v == nil || u.kept(cur) {
		return false
	}
	keeping := []string{"add", "set", "put", "store", "append", "register", "cache"}
	return u.All(f, v, func(use inspector.Cursor) bool {
		call, given := use.Parent().Node().(*ast.CallExpr)
		given = given && use.ParentEdgeKind() == edge.CallExpr_Args
		return !(given && slices.Contains(keeping, firstWord(u.calleeName(call)))) &&
			use.ParentEdgeKind() != edge.AssignStmt_Rhs && !isReturned(use)
	})
}

// calleeName is the name of what is called; "" for what has none.
func (u *unit) calleeName(call *ast.CallExpr) string {
	if fn := u.Callee(call); fn != nil {
		return fn.Name()
	}
	return u.Builtin(call)
}
