package diagnose

import (
	"context"
	"slices"
	"strings"

	"github.com/gocasebook/casebook/casefile"
	"github.com/gocasebook/casebook/diagnose/known"
	"github.com/gocasebook/casebook/diagnose/stacks"
)

// knownShareScale is in shares of the CPU, or of the live heap, that a fault has. The functions do next to nothing
// where the fault is not met: the largest share of one of them in a healthy program is 2 % (a token's three parts are
// an allocation of 48 bytes among dozens). Half is twice the machines, or twice the memory.
func knownShareScale() Scale { return Scale{Worth: 0.15, Hurts: 0.5, Top: 0.9} }

// minHeld is how many live bytes a fault must hold: less is not worth a release, whatever its share is.
const minHeld = 8 << 20

func knownFaultDetector() Detector {
	return Detector{
		ID:    "DEP001",
		Kind:  "known-fault",
		Title: "A release with a known fault is in use, and the fault shows",
		Text: `Looks for ` + things(float64(len(known.Faults())), "known fault") + ` of releases: what an advisory, a
release note or an issue says of a release, with the functions that do it. The version of a dependency is in the path of
each of its files (module@version), of vendored ones where the program was built with -trimpath. Go's own is in the
build information, or in the path of its toolchain.

The version alone is no finding: the fault must show. CPU below the functions, with the collector's share for their
garbage, counts from 15 %; so does live memory of 8 MiB or more allocated below them, which must grow between two heap
profiles where bounded memory is normal there, and live memory of those who call them, where the module keeps what it is
given. It hurts from 50 %: without the fault half of the machines, or of the memory, would do. Without a CPU profile the
share of the garbage is judged, as for alloc-site.

A commit between releases, a fork under another path, a patched Go and a vendored module without a version are never
judged. The list is short, and has only what a page says that was read; it is no scanner of vulnerabilities: see
govulncheck for that.

` + listed(known.Faults()),
		Needs: []Need{{Kinds: []string{casefile.CPU, casefile.Heap, casefile.Allocs},
			Reason: "no CPU profile and no heap profile", Capture: captureCPU}},
		Before:   `require github.com/golang-jwt/jwt/v5 v5.2.1 // go.mod`,
		After:    `require github.com/golang-jwt/jwt/v5 v5.2.2 // go.mod`,
		Explains: related(sharesPlace, "gc-cpu", "gc-frequency", "gc-assist", "chan-bottleneck"),
		Refines:  []string{"cpu-hot-function", "alloc-site"},
		Follows:  "of all that stays, each is larger by what the release adds",
		Absorbs: append(related(sharesPlace, "mem-subslice-retained", "mem-giant", "gc-pointer-heap", "timer-leak",
			"goroutine-leak", "alloc-site", "alloc-string-concat", "alloc-bytes-string", "alloc-grow"),
			Relation{Kind: "mem-leak", If: func(own, other casefile.Finding) bool {
				return own.Form != formSize && sharesPlace(own, other)
			}}),
		Run: func(_ context.Context, r *Reading) Answer { return runKnownFaults(r, known.Faults()) },
	}
}

// listed says which releases the list has, and where that is from.
func listed(faults []known.Fault) string {
	var of []string
	for _, k := range faults {
		var releases []string
		for _, a := range k.Releases {
			releases = append(releases, a.String())
		}
		of = append(of, strings.Join(releases, ", ")+" ("+k.Page+")")
	}
	return "The list: " + strings.Join(of, "; ") + "."
}

// sharesPlace fits if one of the own first two places is a function that the other finding names anywhere: it may name
// the dependency's inner functions first.
func sharesPlace(own, other casefile.Finding) bool {
	return shareFunction(own.Where[:min(len(own.Where), 2)], other.Where)
}

func runKnownFaults(r *Reading, faults []known.Fault) Answer {
	var out []casefile.Finding
	for _, s := range releasesAtFault(r.Table, r.Build.GoVersion, faults) {
		judge := map[known.FaultSeen]func(*Reading) (casefile.Finding, bool){
			known.CPUAndGarbage: s.cost, known.HeldBelow: s.held,
			known.GrowthBelow: s.growth, known.HeldByCallers: s.callers,
		}[s.fault.Seen]
		if f, ok := judge(r); ok && f.Score >= worthKnowing {
			out = append(out, f)
		}
	}
	return Answer{Findings: worst(out, 2)}
}

// A suspect is a release in the evidence that has a fault.
type suspect struct {
	fault   known.Fault
	release known.Affected
	version string
	in      map[stacks.FuncID]bool
	of      map[stacks.FuncID]bool
	hidden  bool // a function of the runtime shows it, which a heap profile leaves out at the leaf
}

// releasesAtFault are the releases in a table that have one of the faults.
func releasesAtFault(t *stacks.Table, goVersion string, faults []known.Fault) []*suspect {
	var out []*suspect
	for _, k := range faults {
		for _, a := range k.Releases {
			if s := newSuspect(t, goVersion, k, a); s != nil {
				out = append(out, s)
			}
		}
	}
	return out
}

// newSuspect is nil if no function of an affected release is in the table.
func newSuspect(t *stacks.Table, goVersion string, k known.Fault, a known.Affected) *suspect {
	s := &suspect{fault: k, release: a, in: make(map[stacks.FuncID]bool), of: make(map[stacks.FuncID]bool),
		hidden: slices.ContainsFunc(k.Of, func(name string) bool { return known.Of(name).Does(known.OfRuntime) })}
	for i := range t.Funcs {
		f, id := &t.Funcs[i], stacks.FuncID(i)
		if slices.ContainsFunc(k.Of, func(name string) bool { return isNamed(f, name) }) {
			s.of[id] = true
		}
		if version := versionOf(f, goVersion, a.Module); a.Has(version) && hasFault(f, k, a.Module) {
			s.in[id], s.version = true, version
		}
	}
	if len(s.in) == 0 {
		return nil
	}
	return s
}

// isNamed reports whether a function has a name of known.Fault.Of.
func isNamed(f *stacks.Func, name string) bool {
	return unescaped(f.Name) == name || strings.HasSuffix(name, ".") && f.Package+"." == name
}

// unescaped undoes the linker's escaping of dots in the last element of a path: "gopkg.in/yaml%2ev2.Unmarshal".
func unescaped(name string) string { return strings.ReplaceAll(name, "%2e", ".") }

// hasFault reports whether a function is one of those with a fault.
func hasFault(f *stacks.Func, k known.Fault, module string) bool {
	name := unescaped(f.Name)
	if module == known.GoItself {
		return slices.Contains(k.In, name)
	}
	rest, ok := strings.CutPrefix(name, module)
	return ok && slices.Contains(k.In, rest)
}

// at is the position in a stack of the function with the fault; -1 if the stack does not show it. What the user's code
// does in between, called back by it, is not its fault. heap says that the runtime's frames are left out at the leaf.
func (s *suspect) at(t *stacks.Table, stack []stacks.FrameID, heap bool) int {
	shown, leaf := len(s.fault.Of) == 0, true // leaf: nothing but the runtime is below
	for i, id := range stack {
		fn := t.FuncID(id)
		switch {
		case s.in[fn]:
			if shown || leaf && s.of[fn] || heap && s.hidden && i == 0 {
				return i
			}
		case t.Func(id).Owner == stacks.User:
			return -1
		case s.of[fn]:
			shown = true
		}
		leaf = leaf && t.Func(id).Owner == stacks.Runtime
	}
	return -1
}
