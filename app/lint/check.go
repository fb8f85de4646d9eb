package lint

import (
	"slices"

	"golang.org/x/tools/go/analysis"

	"github.com/gocasebook/casebook/app/heat"
)

// A Check is an analyzer with what Casebook knows of it.
type Check struct {
	Analyzer *analysis.Analyzer // nil for a check of the Go toolchain's own fix tool, which runs by itself
	Name     string             // in reports; the analyzer's, where that says something
	Source   string             // whose it is: casebook, staticcheck, perfsprint, go vet, go fix …

	// By are the measures that count: what the check would save.
	By []heat.Measure
	// Calls are beginnings of the names of functions: of what passes the reported lines, the cost is only what is spent
	// in such calls. "" stands for the line itself, without any call. None: all that passes.
	Calls []string
	// Within are beginnings of the names of what these calls may call: what is spent elsewhere, the change does not save,
	// as the writing below fmt.Fprintf. None: all.
	Within []string
	// Without are beginnings of the names of functions: what is spent in them, or below them, does not count.
	Without []string
	// Keeps are functions whose own allocation is the result, which the change allocates as well.
	Keeps []string
	// Unless are beginnings of the names of functions: where the profiles have one, the check does not hold.
	Unless []string
	// Reach is where these calls count.
	Reach Reach
	// Saves is the part of that cost which the change saves, about, by the figures beside the check; 0 stands for all.
	// Reports are ranked by what they save.
	Saves float64
	// OnlyHot is true for what is ordinary code where it costs nothing: without heat it is not reported.
	OnlyHot bool
	// Related is true where the lines pay that the diagnostic calls related: from a Lock to its Unlock.
	Related bool
	// Fills is true where the report is at the declaration of a slice or a map, and the lines that fill it pay.
	Fills bool
	// Named is true where the diagnostic names the one function that counts, as its only related message.
	Named bool
	// Works is true where it holds only if the reported lines have a good part of the CPU of the related ones, for which
	// others wait noticeably; of several in the same place the most expensive is kept.
	Works bool
	// Least is how many bytes the objects that these calls allocate must have on average, so that it holds: what did not
	// grow beyond a first buffer is not made cheaper by a size. 0: any, as for diagnostics that relate another place.
	Least float64
	// Quiet is true where the check holds only if nothing that the lines call writes: a log whose level is off.
	Quiet bool
	// Alone is true where what the line allocates by itself may be an append's on it: then it does not count.
	Alone bool
	// Loud is true where it holds only if something that the lines call writes: a log whose level is on.
	Loud bool
	// Queue is true where it holds only if goroutines wait for the related lines noticeably.
	Queue bool

	order int // in Checks
}

// A Reach is where the calls that a check is about count, seen from the lines that it reports.
type Reach int

// Reaches.
const (
	OnLines   Reach = iota // made on these lines
	AtUses                 // made on the lines that the diagnostic calls related, or below them; its own without any
	InFile                 // made by the functions of the file, or below them: what a method makes, another uses
	InProgram              // wherever they are made: what is called through an interface
)

// Of the checks listed first, of a line that several report, the report is kept.
func numbered(cs []Check) []Check {
	for i := range cs {
		cs[i].order = i
	}
	return cs
}

// Doc says what a check reports.
func (c *Check) Doc() string {
	if c.Analyzer == nil {
		return c.Name + ": see go tool fix help " + c.Name
	}
	return c.Analyzer.Doc
}

// saves is the part of its cost that a check's change saves.
func (c *Check) saves() float64 {
	if c.Saves == 0 {
		return 1
	}
	return c.Saves
}

// name is what the tool that runs a check calls it.
func (c *Check) name() string {
	if c.Analyzer != nil {
		return c.Analyzer.Name
	}
	return c.Name
}

// byName finds checks by a name of theirs.
func byName(name func(*Check) string) map[string]*Check {
	out := make(map[string]*Check)
	for _, c := range Checks() {
		out[name(&c)] = &c
	}
	return out
}

// Checks lists all, ours first.
func Checks() []Check { return numbered(slices.Concat(ours(), others())) }
