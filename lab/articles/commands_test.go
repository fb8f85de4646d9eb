package articles

import (
	"context"
	"errors"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/gocasebook/casebook/internal/archive"
	"github.com/gocasebook/casebook/internal/built"
	"github.com/gocasebook/casebook/internal/checkout"
)

func TestCommands(t *testing.T) {
	try := newTrial(t)
	t.Run("of the table", func(t *testing.T) { testTable(t, try) })
	t.Run("that do not run", func(t *testing.T) { testChecks(t, try) })
}

// testTable runs every command of the table that is quick and needs no service, and looks for what it must print. Of
// the others it looks up the flags, the rows of the lab, the targets of the Makefile, and the tests and benchmarks.
func testTable(t *testing.T, try *trial) {
	for _, a := range table(t) {
		for _, thing := range a.Things() {
			var printed strings.Builder
			for _, command := range thing.Run {
				out, err := try.run(command)
				if err != nil {
					t.Errorf("%s, %s: %s: %v", a.Title, thing.What, command, err)
				}
				printed.WriteString(oneLine(out) + "\n")
			}
			for _, want := range thing.Shows {
				if !strings.Contains(printed.String(), want) {
					t.Errorf("%s, %s: none of its commands prints %q", a.Title, thing.What, want)
				}
			}
		}
	}
}

// testChecks shows commands that do not run to what checks them.
func testChecks(t *testing.T, try *trial) {
	for _, tt := range []struct {
		command string
		runs    bool
	}{
		{"casebook explain gc-cpu", true},
		{"casebook explain no-such-kind", false},
		{"casebook diagnose /tmp/cases/no/such", false},
		{"casebook load --find-limit 'p99 < 50ms' http://127.0.0.1:8080/", true},
		{"casebook load --find-limits 'p99 < 50ms' http://127.0.0.1:8080/", false},
		{"casebook observe http://127.0.0.1:6060", false},
		{"lab run phones/gcache", true},
		{"lab run phones/no-such-row", false},
		{"lab phones -cache gcache", true},
		{"lab phones -no-such-flag", false},
		{"make bench-cache", true},
		{"make no-such-target", false},
		{"go test -bench Set ./lab/phones", true},
		{"go test -bench NoSuch ./lab/phones", false},
		{"go test -run TestRun ./lab/tables", true},
		{"go test -run TestRun ./lab/no/such", false},
		{"ls", false},
	} {
		if _, err := try.run(tt.command); (err == nil) != tt.runs {
			t.Errorf("%s: %v; want it to run: %v", tt.command, err, tt.runs)
		}
	}
}

// A trial runs commands with programs of its own.
type trial struct {
	dir   string            // with the programs
	cases string            // of recorded ones, for those of /tmp/cases: what commands have named is in it
	all   archive.Set       // the recorded ones
	out   map[string]output // of commands that have run
}

type output struct {
	text string
	err  error
}

func newTrial(t *testing.T) *trial {
	t.Helper()
	try := &trial{dir: t.TempDir(), cases: t.TempDir(), all: checkout.Evidence(t), out: make(map[string]output)}
	for _, p := range []string{"app/cmd/casebook", "lab/cmd/lab"} {
		err := built.Program(filepath.Join(try.dir, path.Base(p)), "github.com/gocasebook/casebook/"+p, nil,
			"-ldflags=-w")
		if err != nil {
			t.Fatal(err)
		}
	}
	return try
}

// word splits a command as a shell does, as far as the table needs it.
var word = regexp.MustCompile(`'[^']*'|\S+`)

func (try *trial) run(command string) (string, error) {
	if known, ok := try.out[command]; ok {
		return known.text, known.err
	}
	words := word.FindAllString(command, -1)
	for i, w := range words {
		words[i] = strings.Trim(w, "'")
		if name, ok := strings.CutPrefix(words[i], "/tmp/cases/"); ok {
			words[i] = filepath.Join(try.cases, name)
			try.extract(name)
		}
	}
	text, err := try.runWords(words)
	try.out[command] = output{text, err}
	return text, err
}

// extract writes the case that a path is in. The command says it, where there is none.
func (try *trial) extract(file string) {
	parts := strings.SplitN(file, "/", 3)
	name := strings.Join(parts[:min(2, len(parts))], "/")
	if _, err := os.Stat(filepath.Join(try.cases, name)); err != nil {
		_, _ = try.all.Extract(name, try.cases)
	}
}

// quick are the commands of casebook that need no service and end at once, with their exit codes: 1 is a warning found.
var quick = []string{"diagnose", "trace", "explain", "detectors", "rules", "compare", "version"}

func (try *trial) runWords(words []string) (string, error) {
	switch program, args := words[0], words[1:]; {
	case program == "casebook" && slices.Contains(quick, args[0]) && !strings.Contains(args[len(args)-1], "://"):
		return try.execute(1, "casebook", args...)
	case program == "casebook":
		return "", try.flags("casebook", args, "--help")
	case program == "lab" && args[0] == "run":
		return "", try.rows(args[1:])
	case program == "lab" && args[0] == "ls":
		return try.execute(0, "lab", "ls")
	case program == "lab" && (args[0] == "demo" || args[0] == "beside"):
		return "", try.flags("lab", args, "--help")
	case program == "lab":
		return "", try.flags("lab", args, "-help")
	case program == "make":
		return "", try.target(args)
	case program == "go" && args[0] == "test":
		return "", tests(args[1:])
	}
	return "", fmt.Errorf("%s is none of the programs that are checked", words[0])
}

// execute runs a program in the repository's root. Exit codes up to most are no failure.
func (try *trial) execute(most int, program string, args ...string) (string, error) {
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()
	if program != "make" {
		program = filepath.Join(try.dir, program)
	}
	cmd := exec.CommandContext(ctx, program, args...)
	cmd.Dir = repository
	out, err := cmd.CombinedOutput()
	if exit := (*exec.ExitError)(nil); errors.As(err, &exit) && exit.ExitCode() >= 0 && exit.ExitCode() <= most {
		return string(out), nil
	}
	if err != nil {
		return string(out), fmt.Errorf("%w: %s", err, oneLine(string(out)))
	}
	return string(out), nil
}

// flags looks up the flags of a command in its help.
func (try *trial) flags(program string, args []string, help string) error {
	command := args[:1]
	if args[0] == "case" || args[0] == "rules" {
		command = args[:2]
	}
	text, err := try.execute(0, program, append(slices.Clone(command), help)...)
	if err != nil {
		return err
	}
	if !strings.Contains(text, command[len(command)-1]) {
		return fmt.Errorf("%s has no command %s", program, strings.Join(command, " "))
	}
	for _, a := range args {
		name, _, _ := strings.Cut(a, "=")
		if strings.HasPrefix(name, "-") && !regexp.MustCompile(regexp.QuoteMeta(name)+`\b`).MatchString(text) {
			return fmt.Errorf("there is no flag %s", name)
		}
	}
	return nil
}

// rows looks up rows of the lab.
func (try *trial) rows(names []string) error {
	listed, err := try.execute(0, "lab", "ls")
	if err != nil {
		return err
	}
	for _, n := range names {
		if n != "all" && n != "tables" && !slices.Contains(strings.Fields(listed), n) {
			return fmt.Errorf("the lab has no row %s", n)
		}
	}
	return nil
}

// target asks make what it would do.
func (try *trial) target(args []string) error {
	_, err := try.execute(0, "make", append([]string{"-n"}, args...)...)
	return err
}

// tests looks for the tests (-run) or the benchmarks (-bench) of packages.
func tests(args []string) error {
	var kind, pattern string
	for i, a := range args {
		if (a == "-run" || a == "-bench") && i+1 < len(args) && args[i+1] != "^$" {
			kind, pattern = a, args[i+1]
		}
	}
	if pattern == "" {
		return errors.New("it names no test")
	}
	want, err := regexp.Compile(pattern)
	if err != nil {
		return err
	}
	for _, folder := range args {
		if !strings.HasPrefix(folder, "./") {
			continue
		}
		found, err := functions(filepath.Join(repository, folder))
		if err != nil {
			return err
		}
		if !slices.ContainsFunc(found, func(name string) bool {
			bench, is := strings.CutPrefix(name, "Benchmark")
			return is == (kind == "-bench") && (want.MatchString(name) || is && want.MatchString(bench))
		}) {
			return fmt.Errorf("%s has nothing that %s %s would run", folder, kind, pattern)
		}
	}
	return nil
}

// functions are the names of the functions in the test files of a folder.
func functions(folder string) ([]string, error) {
	paths, err := filepath.Glob(filepath.Join(folder, "*_test.go"))
	if err != nil || len(paths) == 0 {
		return nil, fmt.Errorf("no tests in %s: %w", folder, errors.Join(err, os.ErrNotExist))
	}
	var names []string
	for _, path := range paths {
		file, err := parser.ParseFile(token.NewFileSet(), path, nil, parser.SkipObjectResolution)
		if err != nil {
			return nil, err
		}
		for _, d := range file.Decls {
			if f, ok := d.(*ast.FuncDecl); ok && f.Recv == nil {
				names = append(names, f.Name.Name)
			}
		}
	}
	return names, nil
}
