// Package refs is who holds memory, as plain data.
//
// The problem: a heap profile names the lines that allocated what is alive, and not what keeps it alive. That is in a
// heap dump, whose reader (app/heapdump) a service should not import. The approach: what is read becomes a Summary,
// which is evidence of a case, what `casebook heap --json` prints, and what detectors read. A profile of references by
// goref (github.com/cloudwego/goref) becomes one, too.
//
// The limits: a dump has no names of types and fields, and its sites are sampled; goref has these names, and no sites.
package refs

import (
	"fmt"

	"github.com/gocasebook/casebook/internal/number"
	"github.com/gocasebook/casebook/internal/words"
)

// A RootKind is a sort of root.
type RootKind string

// The kinds of roots.
const (
	Global    RootKind = "global"
	Goroutine RootKind = "goroutine"
	Finalizer RootKind = "finalizer"
	Timer     RootKind = "timer"
	Other     RootKind = "other"
	Runtime   RootKind = "runtime"
	Garbage   RootKind = "not reached" // no root: what nothing holds that the evidence has
)

// SmallHolders is the name of a root that stands for those of its kind that hold less than 1 % each.
const SmallHolders = "small holders"

// Known reports whether a root is one that somebody can look at.
func (r Root) Known() bool { return r.Kind != Garbage && r.Kind != Runtime && r.Name != SmallHolders }

// String is a root in words: "global main.cache", "12 goroutines of main.serve [select]".
func (r Root) String() string {
	name := words.Function(r.Name)
	switch {
	case r.Kind == Garbage:
		return "nothing that the dump has"
	case r.Name == SmallHolders:
		return "small ones among " + r.Kind.Plural()
	case r.Kind == Goroutine:
		return r.goroutine(name)
	case r.Kind == Finalizer && r.Number > 1:
		return fmt.Sprintf("%s with the finalizer %s", number.Things(r.Number, "object"), name)
	case r.Kind == Timer:
		return name
	}
	return string(r.Kind) + " " + name
}

func (r Root) goroutine(name string) string {
	text := "goroutine of " + name
	switch {
	case r.Number > 1:
		text = fmt.Sprintf("%s of %s", number.Things(r.Number, "goroutine"), name)
	case r.ID > 0:
		text = fmt.Sprintf("goroutine %d, %s", r.ID, name)
	}
	if r.State != "" {
		text += " [" + r.State + "]"
	}
	if r.Unsure {
		text += ", in a variable on its stack (" + words.Function(r.Function) + ")"
	} else if r.Function != "" && r.Function != r.Name {
		text += ", in " + words.Function(r.Function)
	}
	return text
}

// Plural is a kind in a list: "goroutines".
func (k RootKind) Plural() string {
	switch k {
	case Runtime:
		return "the runtime"
	case Other:
		return "other roots"
	}
	return string(k) + "s"
}
