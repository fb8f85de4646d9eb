package checks

import (
	"go/ast"
	"go/types"
	"slices"

	"golang.org/x/tools/go/analysis"
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

// A build is a set of functions that make something expensive.
type build struct {
	path  string
	names []string
	want  wants
	do    string
}

// What must be known for a build to be reported.
type wants int

const (
	constantArguments wants = iota // it would be the same at each call: nothing of the function is in it
	servesRequests                 // it is meant to live as long as the process
	collects                       // the same, of what a Prometheus collector makes at each scrape
)

var builds = []build{
	{"time", []string{"LoadLocation"}, constantArguments,
		"the zone is read from the disk at every call: load it once, in a package variable"},
	{"strings", []string{"NewReplacer"}, constantArguments,
		"the replacer builds its tables at every call: make it once, in a package variable"},
	{"golang.org/x/net/idna", []string{"New"}, constantArguments,
		"the profile is put together at every call: make it once, in a package variable"},
	{"golang.org/x/text/cases", []string{"Title", "Lower", "Upper", "Fold"}, constantArguments,
		"the caser is made at every call: make it once for each language; it is not for several goroutines at once"},
	{"github.com/microcosm-cc/bluemonday", []string{"UGCPolicy", "StrictPolicy"}, constantArguments,
		"the policy and its expressions are made at every call: make it once, in a package variable"},
	{"github.com/yuin/goldmark", []string{"New"}, constantArguments,
		"the parser is put together at every call: make it once, in a package variable"},
	{"github.com/go-playground/validator/v10", []string{"New"}, constantArguments,
		"a validator remembers what it knows of types: make it once, in a package variable"},
	{"github.com/gorilla/schema", []string{"NewDecoder", "NewEncoder"}, constantArguments,
		"it remembers what it knows of types: make it once, in a package variable"},
	{"github.com/gobwas/glob", []string{"Compile", "MustCompile"}, constantArguments,
		"this constant pattern is compiled at every call: compile it once, in a package variable"},
	{"database/sql", []string{"Open", "OpenDB"}, servesRequests,
		"a pool of connections is opened for each request: open one at the start"},
	{"google.golang.org/grpc", []string{"Dial", "DialContext", "NewClient"}, servesRequests,
		"a connection is opened for each request: open one at the start"},
	{"github.com/prometheus/client_golang/prometheus", []string{"NewDesc"}, collects,
		"a Desc is checked and hashed at every scrape: make it once, in a variable or a field"},
}

func findBuildPerCall(u *unit) {
	for cur, call := range each[*ast.CallExpr](u) {
		fn := u.callee(call)
		if fn == nil || fn.Pkg() == nil {
			continue
		}
		i := slices.IndexFunc(builds, func(b build) bool { return isFunc(fn, b.path, b.names...) })
		if i < 0 || u.runsOnce(cur) || u.outlives(cur) || !u.builtForOneUse(cur, call, builds[i].want) {
			continue
		}
		var fixes []analysis.SuggestedFix
		if isFunc(fn, "strings", "NewReplacer") && len(call.Args)%2 == 0 {
			fixes = u.hoist(cur, "Replacer")
		}
		u.report(call, builds[i].do, fixes...)
	}
}

func (u *unit) builtForOneUse(cur inspector.Cursor, call *ast.CallExpr, want wants) bool {
	switch want {
	case constantArguments:
		return !call.Ellipsis.IsValid() && !u.mentionsLocals(cur)
	case servesRequests:
		f, ok := function(cur)
		return ok && u.serves(f)
	case collects:
		f, ok := function(cur)
		return ok && u.sendsMetrics(f)
	}
	return false
}

// sendsMetrics reports whether a function gets a channel of Prometheus metrics, as Collect does.
func (u *unit) sendsMetrics(f inspector.Cursor) bool {
	sig := u.signature(f)
	if sig == nil {
		return false
	}
	for v := range sig.Params().Variables() {
		if c, ok := v.Type().Underlying().(*types.Chan); ok &&
			isNamed(c.Elem(), "github.com/prometheus/client_golang/prometheus", "Metric") {
			return true
		}
	}
	return false
}
