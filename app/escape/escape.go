// Package escape says why the lines that allocate most put values on the heap, and what would keep them off it.
//
// The problem: a heap profile says which lines allocate, and not why; the compiler knows why, and prints thousands of
// lines without knowing which of them run. The approach: the packages of the hottest allocations are compiled with the
// compiler's remarks as JSON, and joined with the profile by line and by the calls through which a line was inlined.
// What the compiler does not decide (a map grows, append outgrows its slice, strings are concatenated) is told from the
// syntax of the line, and by the sizes of the objects where a line has several things that allocate. What a library
// allocates counts for the line of the user's that called it.
//
// Limits: reasons are those of a build without a profile (PGO inlines more) and for this machine's system and
// architecture; a line with several candidates of unknown size stays ambiguous, and is counted so.
package escape

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/gocasebook/casebook/app/heat"
	"github.com/gocasebook/casebook/diagnose/stacks"
)

// A Config says what to explain.
type Config struct {
	Map      *heat.Map // with allocations; with CPU also, the collector's share, inlining and bounds are told
	Dir      string    // in the module of the program; "" is the working folder
	Packages []string  // whose lines are wanted, as the go command takes them; none: those of the module
	Flags    []string  // further flags of go build, such as -tags

	Main   string // import path of the program's main package; "" to look for it in Packages
	Module string // of the program that the evidence is from, if it is known
	Built  string // the Go that built it, likewise

	Top int // lines that are listed; 0 for 20

	Compiling func(packages int) // is called before they are, which takes long the first time; nil: nobody is told
}

// What is compiled.
const (
	enough      = 0.985 // share of the bytes whose packages are, and then
	little      = 0.002 // no package with less than this share
	maxPackages = 60
	outward     = 3 // callers that may have inlined the line
)

// Run explains.
func Run(ctx context.Context, c Config) (*Report, error) {
	if c.Map == nil || !c.Map.Has(heat.AllocBytes) {
		return nil, errors.New("no heap profile with allocations: nothing says what allocates; take one from " +
			"/debug/pprof/heap or /debug/pprof/allocs")
	}
	own, err := ownPackages(ctx, c.Dir, c.Flags, c.Packages)
	if err != nil {
		return nil, err
	}
	all := sites(c.Map)
	o := owner{own: own, given: len(c.Packages) > 0, main: cmp.Or(c.Main, own.mainOf(all))}
	wanted := o.toCompile(all, c.Map)
	if len(wanted) == 0 {
		return nil, fmt.Errorf("no function of the profile that allocates is in a package of %s",
			cmp.Or(c.Dir, "the working folder"))
	}
	if c.Compiling != nil {
		c.Compiling(len(wanted))
	}
	built, err := compile(ctx, c.Dir, c.Flags, wanted)
	if err != nil {
		return nil, err
	}
	if c.Module != "" && own.module != "" && c.Module != own.module && !o.given {
		built.gaps = append(built.gaps, Gap{What: c.Module, Why: "the evidence is of this module, and the source of " +
			own.module})
	}
	if err := o.someOf(built, all, c.Dir); err != nil {
		return nil, err
	}
	return report(c, all, o, built), nil
}

// someOf is an error if none of the program's packages that allocate is here: then this is not its source.
func (o *owner) someOf(c *compiled, all []site, dir string) error {
	var first string
	for i := range all {
		for _, f := range all[i].stack {
			p := o.path(f)
			if f.owner != stacks.User && f.owner != stacks.Dependency && !o.own.paths[p] || p != "main" && !c.asked[p] {
				continue
			}
			if c.found[p] {
				return nil
			}
			first = cmp.Or(first, p)
		}
	}
	if first == "" {
		return nil
	}
	why := "no main package there has the files of the program's"
	if i := slices.IndexFunc(c.gaps, func(g Gap) bool { return g.What == first }); i >= 0 && first != "main" {
		why = c.gaps[i].Why
	}
	return fmt.Errorf("%s is not the source of this program: %s: %s; name its folder with --source, in the revision that "+
		"was built", cmp.Or(dir, "the working folder"), first, why)
}

// An owner tells whose lines are wanted.
type owner struct {
	own   *ownCode
	given bool // packages were named: nobody else's are
	main  string
}

// path is the import path of a frame's package.
func (o *owner) path(f frame) string {
	if f.pkg == "main" && o.main != "" {
		return o.main
	}
	return f.pkg
}

func (o *owner) has(f frame) bool {
	p := o.path(f)
	if o.own.paths[p] {
		return true
	}
	if o.given {
		return false
	}
	return f.owner == stacks.User || o.own.module != "" && (p == o.own.module || strings.HasPrefix(p, o.own.module+"/"))
}

// blame is the frame that a site counts for: the nearest of the user's, otherwise of a dependency, otherwise the line
// that allocates.
func (o *owner) blame(s *site) (at int, foreign bool) {
	for i, f := range s.stack {
		if o.has(f) {
			return i, false
		}
	}
	for i, f := range s.stack {
		if f.owner == stacks.Dependency {
			return i, true
		}
	}
	return 0, true
}

// toCompile are the packages of the lines that allocate, the hottest first, and of what may have inlined them.
func (o *owner) toCompile(all []site, m *heat.Map) []string {
	var total float64
	weight, leaf := make(map[string]float64), make(map[string]float64)
	for i := range all {
		s := &all[i]
		total += s.bytes
		for k, f := range s.stack[:min(len(s.stack), outward)] {
			p := o.path(f)
			if f.pkg = p; !compilable(f) {
				continue
			}
			weight[p] += s.bytes / float64(int(1)<<(2*k))
			if k == 0 {
				leaf[p] += s.bytes
			}
		}
	}
	for _, f := range hotFunctions(m) {
		p := o.path(f)
		if f.pkg = p; compilable(f) {
			weight[p] += total * minOwn
		}
	}
	paths := make([]string, 0, len(weight))
	for p := range weight {
		paths = append(paths, p)
	}
	slices.SortFunc(paths, func(a, b string) int { return cmp.Or(cmp.Compare(weight[b], weight[a]), cmp.Compare(a, b)) })
	var sum float64
	for i, p := range paths {
		if sum += leaf[p]; i+1 >= maxPackages || sum >= enough*total && weight[p] < total*little {
			return paths[:i+1]
		}
	}
	return paths
}

// compilable reports whether a frame is in a package that can be compiled by its name. What a profile has becomes an
// argument of the go command: names that are patterns or flags there are none of a package.
func compilable(f frame) bool {
	switch f.pkg {
	case "", "all", "std", "cmd", "tool", "work", "main", "command-line-arguments":
		return false
	}
	return f.owner != stacks.Runtime && !strings.ContainsAny(f.pkg, " \t\r\n*?;=,'\"\\@:") &&
		!strings.Contains(f.pkg, "...") && !strings.ContainsAny(f.pkg[:1], "-./")
}

// report explains every site and puts together those of a line.
func report(c Config, all []site, o owner, built *compiled) *Report {
	x := newIndex(built, &o)
	total := c.Map.Total(heat.AllocBytes)
	r := &Report{Schema: schema, Go: built.version, Built: c.Built, Module: c.Module, Bytes: total.Value,
		Objects: c.Map.Total(heat.AllocObjects).Value, Samples: total.Samples, Seconds: total.Seconds,
		GC: gcShare(c.Map), Gaps: built.gaps}
	lines := newLines(r, o, x)
	for i := range all {
		lines.add(&all[i])
	}
	lines.finish(cmp.Or(c.Top, 20))
	r.NotInline, r.Bounds = x.costly(c.Map)
	if r.Gaps == nil {
		r.Gaps = []Gap{} // for programs that iterate
	}
	if c.Built != "" && built.version != "" && goRelease(c.Built) != goRelease(built.version) {
		r.Gaps = append(r.Gaps, Gap{What: built.version, Why: fmt.Sprintf("the evidence is of a program that %s built: "+
			"reasons may be others", c.Built)})
	}
	return r
}

// goRelease is "go1.26" of "go1.26.8".
func goRelease(v string) string {
	parts := strings.SplitN(v, ".", 3)
	return strings.Join(parts[:min(len(parts), 2)], ".")
}

// gcShare is the collector's share of the CPU; 0 without a CPU profile.
func gcShare(m *heat.Map) (share float64) {
	t := m.Table()
	for _, s := range m.Stacks(heat.CPU) {
		if t.Has(s.Frames, func(f *stacks.Func) bool { return f.Class.GC() }) {
			share += s.Cost[heat.CPU]
		}
	}
	return share
}
