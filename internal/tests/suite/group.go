package main

import (
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"time"
)

// A group is packages that one call of go test runs.
type group struct {
	name     string
	dir      string // of a module that go.work does not have; "" for the workspace
	race     bool
	short    bool
	skip     string // tests of these names are left out
	only     string // and none but these run
	packages []string
}

func (g group) String() string {
	flags := []string{"go test"}
	if g.race {
		flags = append(flags, "-race")
	}
	if g.short {
		flags = append(flags, "-short")
	}
	return strings.Join(flags, " ") + ", " + g.name
}

const gotestsum = "gotest.tools/gotestsum@v1.13.0"

// atOnce is how many packages of a group are tested at a time, and groupsAtOnce how many groups: in all three times as
// many packages as cores, because the tests mostly wait, for processes that they load, for samples, for the second half
// of a trial. With two groups and two packages of each, two cores were idle for 41 % of a run of all tests (1,601 s of
// CPU in 1,364 s).
func atOnce() int { return max(2, runtime.NumCPU()) }

const groupsAtOnce = 3

// run returns how much CPU time the group took, with what it built and started.
func (g group) run(ctx context.Context, log string) (cpu time.Duration, err error) {
	args := []string{"run", gotestsum, "--format", "standard-quiet", "--jsonfile", log, "--rerun-fails=1",
		"--rerun-fails-max-failures=5", "--rerun-fails-run-root-test", "--rerun-fails-abort-on-data-race",
		"--packages", strings.Join(g.packages, " "), "--", "-vet=off", "-timeout", "90m", "-p", strconv.Itoa(atOnce())}
	if g.race {
		args = append(args, "-race")
	}
	if g.short {
		args = append(args, "-short")
	}
	if g.skip != "" {
		args = append(args, "-skip", g.skip)
	}
	if g.only != "" {
		args = append(args, "-run", g.only)
	}
	cmd := exec.CommandContext(ctx, "go", args...)
	cmd.Cancel = func() error { return cmd.Process.Signal(os.Interrupt) }
	cmd.Dir, cmd.Stdout, cmd.Stderr = g.dir, os.Stdout, os.Stderr
	cmd.Env = os.Environ()
	if g.dir != "" {
		cmd.Env = append(cmd.Env, "GOWORK=off")
	}
	// Under the race detector a process sleeps for a second before it ends, for races of goroutines that are left. The
	// tests start a thousand processes, and packages that start goroutines check that none is left.
	cmd.Env = append(cmd.Env, "GORACE=atexit_sleep_ms=20")
	err = cmd.Run()
	if s := cmd.ProcessState; s != nil {
		cpu = s.UserTime() + s.SystemTime()
	}
	return cpu, err
}

// linksLittle is how many packages of other modules the tests of a package may link for the race detector to belong to
// `make test`. The parsers of profiles, traces and code, and what compares benchmarks, come to 16; then nothing until
// the parser of Go's types with 20, and databases, browsers and RPC with 46 to 352, which take minutes to compile again.
const linksLittle = 17

// slowFirst are the packages that end last when they do not begin first, by how long they took in a run of all.
var slowFirst = []string{"./app/cli", "./app/gate", "./app/store", "./lab/play", "./app/server",
	"./internal/tests/diagnose", "./internal/tests/casebook", "./app/engine", "./lab/trial", "./app/assess", "./app/lint",
	"./app/trace", "./holmes", "./instance", "./app/report"}

// ask returns the paths of the packages for which choose is true, the slow ones first.
func ask(packages []pkg, choose func(pkg) bool) (paths []string) {
	for _, p := range packages {
		if choose(p) {
			paths = append(paths, p.path)
		}
	}
	slices.SortStableFunc(paths, func(a, b string) int { return rank(a) - rank(b) })
	return paths
}

func rank(path string) int {
	if i := slices.Index(slowFirst, path); i >= 0 {
		return i
	}
	return len(slowFirst)
}

// short is what `make test` runs: the short tests of the root module and of app.
func short(packages []pkg) []group {
	return []group{
		{name: "where goroutines are", race: true, short: true, skip: computing(packages),
			packages: ask(packages, pkg.light)},
		{name: leftOut, short: true, only: alone(packages), packages: ask(packages, pkg.leavesOut)},
		{name: "elsewhere", short: true, packages: ask(packages, func(p pkg) bool { return !p.lab() && !p.light() })},
	}
}

// leftOut names the tests of packages with the race detector that it leaves out, or that do less with it.
const leftOut = "what the race detector leaves out"

// leavesOut are the light packages with such tests.
func (p pkg) leavesOut() bool { return p.light() && len(p.alone()) > 0 }

// computing are tests that need no race detector, of the packages that have it in `make test`, and alone all that run
// without: by their names, which no test of the other packages there may have.
func computing(packages []pkg) string {
	return testsOf(packages, func(p pkg) []string { return p.computes })
}
func alone(packages []pkg) string { return testsOf(packages, pkg.alone) }

// testsOf matches the tests of light packages that choose names.
func testsOf(packages []pkg, choose func(pkg) []string) string {
	var tests []string
	for _, p := range packages {
		if p.light() {
			tests = append(tests, choose(p)...)
		}
	}
	return anyOf(tests)
}

// long is what `make test` leaves out: lab/holmes, the first of the nested modules, sleeps for two minutes.
func long(packages []pkg, nested []string) []group {
	return append(rest(packages, nested),
		longOf(packages, "long tests where goroutines are", true, func(p pkg) []string {
			if p.light() {
				return p.long
			}
			return nil
		}),
		longOf(packages, "long tests elsewhere", false, func(p pkg) []string {
			switch {
			case p.lab() || p.heavy():
				return nil
			case p.light():
				return slices.DeleteFunc(p.alone(), func(test string) bool { return !slices.Contains(p.long, test) })
			}
			return p.long
		}))
}

// longOf are the packages of which choose names tests, and these tests.
func longOf(packages []pkg, name string, race bool, choose func(pkg) []string) group {
	g := group{name: name, race: race, packages: ask(packages, func(p pkg) bool { return len(choose(p)) > 0 })}
	var tests []string
	for _, p := range packages {
		tests = append(tests, choose(p)...)
	}
	g.only = anyOf(tests)
	return g
}

// rest is all of the packages that much is linked in, with the race detector, of the nested modules and of the lab.
func rest(packages []pkg, nested []string) []group {
	var groups []group
	for _, p := range packages {
		if p.heavy() && len(p.computes) > 0 {
			groups = append(groups, group{name: "where goroutines are in " + p.path, race: true, packages: []string{p.path},
				skip: anyOf(p.computes)})
		}
	}
	groups = append(groups, group{name: "where goroutines are and much is linked", race: true,
		packages: ask(packages, func(p pkg) bool { return p.heavy() && len(p.computes) == 0 })})
	for _, dir := range nested {
		groups = append(groups, group{name: "module " + filepath.ToSlash(dir), dir: dir, packages: []string{"./..."}})
	}
	return append(groups, group{name: "the lab", packages: ask(packages, pkg.lab)})
}

// everything is what short and long run, each package once: with its long tests, so that no program is linked for them
// again, and no test runs short and then whole. Without the detector run the tests of raced packages that compute and
// those that ask for it. A program that the detector is in does the same.
func everything(packages []pkg, nested []string) []group {
	groups := append(rest(packages, nested),
		group{name: "where goroutines are", race: true, skip: computing(packages), packages: ask(packages, pkg.light)},
		group{name: leftOut, only: alone(packages), packages: ask(packages, pkg.leavesOut)},
		group{name: "elsewhere", packages: ask(packages, func(p pkg) bool {
			return !p.lab() && !p.light() && !p.heavy()
		})})
	for _, p := range packages {
		if tests := p.alone(); p.heavy() && len(tests) > 0 {
			groups = append(groups, group{name: leftOut + " in " + p.path, only: anyOf(tests),
				packages: []string{p.path}})
		}
	}
	slices.SortStableFunc(groups, func(a, b group) int { return begins(a) - begins(b) })
	return groups
}

// begins is the place of a group in the order in which those of a run begin: what takes longest first, so that no core
// waits for it at the end. That is said by the group's slowest package, which is its first. Groups of some tests of a
// package are shorter than those of all, and the nested modules shortest, but for lab/holmes, which waits for ten
// samples of each of nine programs.
func begins(g group) int {
	switch {
	case g.dir == filepath.FromSlash("lab/holmes"):
		return 3
	case g.dir != "" || len(g.packages) == 0:
		return 3 * len(slowFirst)
	case g.only != "":
		return len(slowFirst) + rank(g.packages[0])
	}
	return rank(g.packages[0])
}

// anyOf matches the names of tests, and no name where there are none.
func anyOf(tests []string) string {
	tests = slices.Sorted(slices.Values(tests))
	return "^(" + strings.Join(slices.Compact(tests), "|") + ")$"
}
