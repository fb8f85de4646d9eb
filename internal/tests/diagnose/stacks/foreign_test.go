package stacks_test

import (
	"bytes"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/pprof/profile"

	"github.com/gocasebook/casebook/casefile"
	"github.com/gocasebook/casebook/diagnose/stacks"
)

// made is a profile of functions, "name file" each. The first one has most of the cost. Each is a stack of its own.
func made(t *testing.T, binary string, types []*profile.ValueType, functions ...string) []byte {
	t.Helper()
	p := &profile.Profile{SampleType: types, TimeNanos: 1, DurationNanos: 1e9}
	if binary != "" {
		p.Mapping = []*profile.Mapping{{ID: 1, File: binary}}
	}
	for i, f := range functions {
		name, file, _ := strings.Cut(f, " ")
		fn := &profile.Function{ID: uint64(i + 1), Name: name, Filename: file}
		l := &profile.Location{ID: fn.ID, Line: []profile.Line{{Function: fn, Line: 1}}}
		if binary != "" {
			l.Mapping = p.Mapping[0]
		}
		value := make([]int64, len(types))
		for k := range value {
			value[k] = int64(10 * (len(functions) - i))
		}
		p.Function, p.Location = append(p.Function, fn), append(p.Location, l)
		p.Sample = append(p.Sample, &profile.Sample{Location: []*profile.Location{l}, Value: value})
	}
	var b bytes.Buffer
	if err := p.Write(&b); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// valueTypes are pairs of a type and its unit.
func valueTypes(pairs ...string) (out []*profile.ValueType) {
	for i := 0; i < len(pairs); i += 2 {
		out = append(out, &profile.ValueType{Type: pairs[i], Unit: pairs[i+1]})
	}
	return out
}

// TestForeign: a profile that Go did not make is named, with what can be said about it. A Go program with C in it is
// Go.
func TestForeign(t *testing.T) {
	cpu := valueTypes("samples", "count", "cpu", "nanoseconds")
	for _, c := range []struct {
		name   string
		data   []byte
		reason []string // nil: it is read
	}{
		{"perf of C++", made(t, "/usr/sbin/mysqld", cpu, "std::sort<int> ", "memcpy ", "JOIN::exec sql_executor.cc"),
			[]string{"C or C++", "samples, cpu of mysqld",
				"most of its cpu is in std::sort<int> 50 %, memcpy 33 %, JOIN::exec 17 %"}},
		{"py-spy", made(t, "", valueTypes("wall", "nanoseconds"), "handle /srv/app/views.py",
			"<module> /srv/app/wsgi.py"), []string{"Python", "wall", "handle 67 %"}},
		{"Node.js", made(t, "", valueTypes("sample", "count", "wall", "microseconds"), "(anonymous) file:///srv/a.mjs",
			"parse node:internal/url"),
			[]string{"JavaScript", "most of its wall is in (anonymous) 67 %"}},
		{"async-profiler", made(t, "", cpu, "java/util/HashMap.get ", "com.shop.Cart.total Cart.java"),
			[]string{"the JVM's", "java/util/HashMap.get 67 %"}},
		{"pprof-rs", made(t, "/srv/proxy", cpu, "core::slice::sort::merge ", "proxy::main src/main.rs"),
			[]string{"Rust", "of proxy"}},
		{"Ruby", made(t, "", cpu, "Array#each ", "index app/controllers/a.rb"), []string{"Ruby"}},
		{"nothing tells", made(t, "", cpu, "foo ", "bar "), []string{"not made by Go (samples, cpu)", "foo 67 %"}},
		{"a module called runtime", made(t, "", cpu, "runtime.step runtime.py"), []string{"Python"}},
		{"a whole machine", made(t, "", cpu, "handle a.py", "parse b.py", "main.main /src/main.go"),
			[]string{"not made by Go: most of its functions are Python"}},
		{"assembly of C", made(t, "", cpu, "__memcpy_avx sysdeps/x86_64/memcpy.S", "foo "), []string{"not made by Go"}},
		{"the runtime's assembly alone", made(t, "/srv/shop", cpu, "racecall /usr/local/go/src/runtime/race_amd64.s"),
			nil},
		{"the same, -trimpath", made(t, "/srv/shop", cpu, "racecall runtime/race_amd64.s"), nil},
		{"Go", made(t, "/srv/shop", cpu, "main.main /src/main.go"), nil},
		{"Go with C", made(t, "/srv/shop", cpu, "sqlite3_step sqlite3.c", "sqlite3_exec sqlite3.c",
			"runtime.cgocall runtime/cgocall.go"), nil},
		{"Go by perf, without files", made(t, "/srv/shop", cpu, "runtime.mallocgc ", "example.com/shop.(*Cart).total "),
			nil},
	} {
		t.Run(c.name, func(t *testing.T) {
			_, err := stacks.NewTable("").Read(stacks.Source{Name: "cpu.pb.gz"}, c.data)
			var p *stacks.Problem
			switch {
			case c.reason == nil && err != nil:
				t.Errorf("refused: %v", err)
			case c.reason != nil && !errors.As(err, &p):
				t.Fatalf("error %v, want a *Problem", err)
			}
			for _, want := range c.reason {
				if !strings.Contains(p.Reason, want) {
					t.Errorf("reason %q, want %q in it", p.Reason, want)
				}
			}
		})
	}
}

// TestForeignTestdata: google/pprof's own profiles of C++ and Java are told from those of Go.
func TestForeignTestdata(t *testing.T) {
	want := map[string]string{
		"java.cpu": "the JVM's", "java.heap": "the JVM's", "java.contention": "the JVM's",
		"cppbench.cpu": "of cppbench_server_main", "cppbench.heap": "of cppbench_server_main",
		"gobench.cpu": "no function names",
	}
	for _, file := range pprofTestdata(t) {
		reason, ok := want[filepath.Base(file)]
		if !ok {
			continue
		}
		b, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := stacks.NewTable("").Read(stacks.Source{Name: file}, b); err == nil ||
			!strings.Contains(err.Error(), reason) {
			t.Errorf("%s: %v, want %q in it", filepath.Base(file), err, reason)
		}
		delete(want, filepath.Base(file))
	}
	if len(want) > 0 {
		t.Errorf("not in google/pprof's testdata: %v", want)
	}
}

// TestFgprof: wall-clock time of all goroutines is not CPU time, whatever the file is called.
func TestFgprof(t *testing.T) {
	data := made(t, "/srv/shop", valueTypes("samples", "count", "time", "nanoseconds"), "main.wait /src/main.go",
		"runtime.gopark runtime/proc.go")
	s := mustRead(t, "cpu.pb.gz", data)
	if s.Kind != stacks.Fgprof || s.Kind == casefile.CPU {
		t.Errorf("kind %q, want %q", s.Kind, stacks.Fgprof)
	}
}
