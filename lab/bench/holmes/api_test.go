package main

import (
	"errors"
	"fmt"
	"go/importer"
	"go/token"
	"go/types"
	"io"
	"os"
	"os/exec"
	"strings"
	"testing"

	_ "github.com/gocasebook/casebook/holmes" // exports reads it, which needs the module in go.mod
)

// differences are where our package holmes differs from that of mosn.io, and why it must.
var differences = map[string]string{
	"Holmes.Lock":    "the mutex is not for users",
	"Holmes.Unlock":  "the mutex is not for users",
	"Holmes.TryLock": "the mutex is not for users",
	"NewFileLog": "types of mosn.io/pkg/log cannot be named in the root module; it takes any level and returns " +
		"an ErrorLogger",
	"NewStdLogger": "returns our ErrorLogger",
	"WithLogger":   "takes our ErrorLogger, which every logger of mosn.io/pkg/log satisfies",
}

// pyroscopeDifferences are those of the Pyroscope reporter.
var pyroscopeDifferences = map[string]string{
	"NewPyroscopeReporter":     "takes our ErrorLogger",
	"PyroscopeReporter.Logger": "is our ErrorLogger",
	"Payload":                  "no function takes or returns one",
	"Payload.Bytes":            "no function takes or returns one",
	"ParserState":              "no function takes or returns one",
}

// TestAPI compares every exported name of mosn.io/holmes and its reporters, with its signature, fields and methods,
// with ours.
func TestAPI(t *testing.T) {
	const theirs, ours = "mosn.io/holmes", "github.com/gocasebook/casebook/holmes"
	for path, c := range map[string]struct {
		least       int // names that are known to be there
		differences map[string]string
	}{
		"":                              {60, differences},
		"/reporters/http_reporter":      {5, nil},
		"/reporters/pyroscope_reporter": {25, pyroscopeDifferences},
	} {
		want, got := describe(exports(t, theirs+path)), describe(exports(t, ours+path))
		if len(want) < c.least {
			t.Fatalf("only %d exported things were found in %s%s", len(want), theirs, path)
		}
		for name, sig := range want {
			sig = strings.ReplaceAll(sig, theirs+".", ours+".")
			if c.differences[name] == "" && got[name] != sig {
				t.Errorf("%s of %s is\n\t%s\nhere, and in mosn.io/holmes\n\t%s", name, path, got[name], sig)
			}
		}
		for name := range c.differences {
			if want[name] == "" || got[name] == want[name] {
				t.Errorf("%s of %s is no difference any more", name, path)
			}
		}
	}
}

// TestMosnLoggersAreErrorLoggers checks what differences says about WithLogger.
func TestMosnLoggersAreErrorLoggers(t *testing.T) {
	ours := exports(t,
		"github.com/gocasebook/casebook/holmes").Scope().Lookup("ErrorLogger").Type().Underlying().(*types.Interface)
	theirs := exports(t, "mosn.io/pkg/log").Scope().Lookup("ErrorLogger").Type()
	if m, _ := types.MissingMethod(theirs, ours, true); m != nil {
		t.Errorf("mosn.io/pkg/log.ErrorLogger lacks %s", m.Name())
	}
}

// exports reads a package's export data, which the go command has.
func exports(t *testing.T, path string) *types.Package {
	t.Helper()
	cmd := exec.Command("go", "list", "-export", "-deps", "-f", "{{.ImportPath}} {{.Export}}", path)
	cmd.Env = append(os.Environ(), "GOWORK=off")
	out, err := cmd.Output()
	if err != nil {
		var exit *exec.ExitError
		if errors.As(err, &exit) {
			t.Fatalf("go list %s: %s", path, exit.Stderr)
		}
		t.Fatal(err)
	}
	files := make(map[string]string)
	for line := range strings.Lines(string(out)) {
		if name, file, ok := strings.Cut(strings.TrimSpace(line), " "); ok {
			files[name] = file
		}
	}
	open := func(path string) (io.ReadCloser, error) { return os.Open(files[path]) }
	pkg, err := importer.ForCompiler(token.NewFileSet(), "gc", open).Import(path)
	if err != nil {
		t.Fatal(err)
	}
	return pkg
}

// describe lists what a package exports: "New" → its signature, "Scene.CurVal" → its type.
func describe(pkg *types.Package) map[string]string {
	short := func(p *types.Package) string {
		if p == pkg {
			return ""
		}
		return p.Path()
	}
	api := make(map[string]string)
	for _, name := range pkg.Scope().Names() {
		o := pkg.Scope().Lookup(name)
		if !o.Exported() {
			continue
		}
		switch o := o.(type) {
		case *types.TypeName:
			api[name] = "type"
			describeType(api, name, o.Type(), short)
		case *types.Const:
			api[name] = fmt.Sprintf("const %s = %s", types.TypeString(o.Type(), short), o.Val())
		default:
			api[name] = signature(o.Type(), short)
		}
	}
	return api
}

// describeType adds a type's exported methods and fields, the promoted ones included.
func describeType(api map[string]string, name string, typ types.Type, short types.Qualifier) {
	set := types.NewMethodSet(types.NewPointer(typ))
	if types.IsInterface(typ) {
		set = types.NewMethodSet(typ)
	}
	for m := range set.Methods() {
		if m.Obj().Exported() {
			api[name+"."+m.Obj().Name()] = signature(m.Type(), short)
		}
	}
	describeFields(api, name, typ, short)
}

func describeFields(api map[string]string, name string, typ types.Type, short types.Qualifier) {
	s, ok := typ.Underlying().(*types.Struct)
	if !ok {
		return
	}
	for f := range s.Fields() {
		switch {
		case f.Embedded() && f.Pkg() == s.Field(0).Pkg() && !f.Exported():
			describeFields(api, name, f.Type(), short)
		case f.Exported() && !f.Embedded():
			api[name+"."+f.Name()] = types.TypeString(f.Type(), short)
		}
	}
}

// signature is a type without the names of its parameters.
func signature(t types.Type, short types.Qualifier) string {
	s, ok := t.(*types.Signature)
	if !ok {
		return types.TypeString(t, short)
	}
	bare := func(t *types.Tuple) *types.Tuple {
		var vars []*types.Var
		for v := range t.Variables() {
			vars = append(vars, types.NewParam(token.NoPos, nil, "", v.Type()))
		}
		return types.NewTuple(vars...)
	}
	return types.TypeString(types.NewSignatureType(nil, nil, nil, bare(s.Params()), bare(s.Results()), s.Variadic()),
		short)
}
