package diagnose

import (
	"context"

	"github.com/gocasebook/casebook/casefile"
)

// A Detector looks for one thing that can be wrong.
type Detector struct {
	ID    string // "GC003", stable forever
	Kind  string // "gc-pointer-heap", a stable slug
	Title string // one line; a finding may have a more exact one
	// OtherNames are those under which people look for this kind: what they mean has the same remedy.
	OtherNames []string
	Text       string // for `casebook explain` and the docs: what it looks for, thresholds and their sources, limits
	Needs      []Need // evidence without which it cannot answer; each must be met

	// Remedies are those that do not depend on the evidence, in the order in which to try them. A finding has those
	// that apply to its line. Nil if each depends on the evidence; then package remedy/catalogue has the choice.
	Remedies []Remedy

	// Before and After show the fault and its repair as a few lines of Go.
	Before, After string

	// What a finding of this kind means for findings of other kinds, which are named by their slugs. See Relation.

	// Explains lists the symptoms that this kind is a cause of. The symptom names the cause and comes after it.
	Explains []Relation
	// Follows is why a finding of this kind follows from one that explains it: the reason of the link in a chain.
	Follows string
	// Effect is what people notice of a finding of this kind, if that is not what they notice of its resource:
	// "memory grows". See effects.
	Effect string
	// Refines lists general kinds of which this one says more exactly what costs so much at a line. If it explains half
	// of the cost or more, the general finding becomes part of this one, otherwise this one part of it.
	Refines []string
	// Absorbs lists general kinds that this one replaces if a relation holds and this finding is certain enough: the
	// higher score stays, and the general title and evidence are added.
	Absorbs []Relation
	// Waits is how much this kind says of goroutines that wait. Of two findings about the same wait the one that says
	// more replaces the other.
	Waits waitKnowledge
	// Merges lists kinds that the same change cures: if a relation holds, the two become one finding, the one with the
	// higher score.
	Merges []Relation
	// Settles lists kinds about which nothing stays undecided when this one is found with a score above 74.
	Settles []string
	// Notes are added to a finding of this kind because of other findings.
	Notes []Note
	// Joins is what is added to a finding of this kind because of all others together, after Notes; it may name causes.
	// faults are those of all that name no work that the service may be for (IsWork).
	Joins func(r *Reading, own *casefile.Finding, all, faults []casefile.Finding)
	// Quoted is how other findings quote this one.
	Quoted Quote

	// IsWork is true if the finding names work that may be what the service is for. It is then a notice, with a score
	// of at most 49, unless the CPU is used up or somebody waits. See strain.go.
	IsWork bool
	// BusyOnly is true if this work is not worth a finding in a process that uses little CPU.
	BusyOnly bool
	// IsQueue is true if the finding shows that somebody waits. Work that it waits for is more than a notice.
	IsQueue bool
	// IsWholeProcess is true if a process has one such finding, and its places only show what drives it. In a
	// comparison it stays the same finding when another place leads.
	IsWholeProcess bool
	// LeadsMinor is true if this finding's own remedies do more than those of a minor cause: it then comes before
	// causes that score less than half of it.
	LeadsMinor bool
	// IsHeld is true if the finding is about memory that stays: it names who holds that, where the evidence tells.
	IsHeld bool
	// NeedsPlace makes a finding without a place undecided: its numbers are about the whole process, and only a profile
	// shows where to change something.
	NeedsPlace bool

	// Run does the diagnosis. It is called only when all needs are met, from a goroutine of its own, and must not
	// change the reading.
	Run func(ctx context.Context, r *Reading) Answer

	// promise is the impact of a finding with what a cure saves beside the cost that it was found by; nil: nothing. It is
	// called after findings were related, which compares these costs.
	promise func(r *Reading, i casefile.Impact) casefile.Impact

	row *costKind // of a detector that is a row of known calls; nil for others
}

// A Need is one kind of evidence, or several that serve equally well.
type Need struct {
	Kinds   []string // any one of them
	Reason  string   // reported when there is none: "no heap profile"
	Why     string   // what it shows that nothing else does; may be empty
	Capture string   // a command that gets it
}

// Text says that there is none, and why the detector needs it.
func (n Need) Text() string {
	if n.Why == "" {
		return n.Reason
	}
	return n.Reason + ": " + n.Why
}

// lacking is the answer of a detector that lacks what it needs.
func (n Need) lacking() casefile.Undecided {
	u := casefile.Undecided{Reason: n.Text(), CaptureNext: n.Capture, Lacks: n.Kinds}
	if n.Why != "" {
		u.Brief = n.Reason
	}
	return u
}

// An Answer is the result of a detector: nothing at all if the evidence is healthy. The engine fills in IDs and kinds.
type Answer struct {
	Findings  []casefile.Finding
	Undecided []casefile.Undecided
}

func found(f casefile.Finding) Answer { return Answer{Findings: []casefile.Finding{f}} }

// firstFound is the answer of the first that finds something.
func firstFound(r *Reading, finds ...func(*Reading) (casefile.Finding, bool)) Answer {
	for _, find := range finds {
		if f, ok := find(r); ok {
			return found(f)
		}
	}
	return Answer{}
}

func undecided(reason, captureNext string) Answer {
	return Answer{Undecided: []casefile.Undecided{{Reason: reason, CaptureNext: captureNext}}}
}
