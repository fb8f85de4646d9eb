package diagnose

import (
	"slices"
	"sync"

	"github.com/gocasebook/casebook/casefile"
)

// Findings of one process belong together: one is the cause of another, says the same more exactly, or shows that
// somebody waits for what another one names. Each detector says in its own fields what its kind means for others; this
// file makes one table of these fields, and relate*.go, strain.go and compare_match.go read it. So a new kind changes
// no other detector's file.

// A Relation says what a finding means for a finding of another kind. Which of its fields count depends on the field of
// Detector that lists it.
type Relation struct {
	Kind string // of the other finding; nothing follows if no detector has this kind
	If   Fit    // nil: always
	// When is what the evidence must show besides; nil: nothing. Findings without their evidence have none.
	When func(*Reading) bool

	// Why is the reason of the link from the own finding to the symptom, where it is another than the symptom's own
	// (Detector.Follows).
	Why string
	// Leads means: first among the causes, and before the symptom, however small the cause is (Explains); the own
	// finding stays, whatever the scores are (Merges).
	Leads bool
	// Quiet leaves out the absorbed finding's title: it has the same number, counted a little differently (Absorbs).
	Quiet bool
	// Same reports whether both are certainly about the same thing, and only the own explanation is uncertain
	// (Absorbs). If so, and the own confidence is low, the general finding stays and takes over the own first remedy.
	Same Fit
}

// A Fit reports whether a relation holds between two findings. own is the finding of the detector that lists the
// relation.
type Fit func(own, other casefile.Finding) bool

// A Note is what a detector adds to its own finding if one of another kind is found, too. Only the first that fits is
// added, in falling order of the other's score.
type Note struct {
	Kind string // of the other finding
	If   Fit    // nil: always
	Add  func(own *casefile.Finding, other casefile.Finding)
}

// A Quote says how another finding quotes this one's impact: "In all the line makes 80 % of the garbage."
type Quote struct {
	Verb string // in front of Impact.Text; "" is "takes"
	// Of is what the impact is a share of: a finding that names such a cost says as much already. "" compares the shares
	// of the two.
	Of string
}

// SameLine fits if one of the own first two places is the line that the other finding wants changed: a finding about a
// library names the library's function first and the caller's line second.
func SameLine(own, other casefile.Finding) bool {
	if len(other.Where) == 0 {
		return false
	}
	w := other.Where[0]
	return slices.ContainsFunc(own.Where[:min(len(own.Where), 2)], func(p casefile.Frame) bool {
		return p.Function == w.Function && p.Line == w.Line
	})
}

// SameFunction fits if the findings share a function among the first two places of each.
func SameFunction(own, other casefile.Finding) bool {
	return shareFunction(own.Where[:min(len(own.Where), 2)], other.Where[:min(len(other.Where), 2)])
}

// Mentioned fits if the other finding names the function of the own first place, at any place.
func Mentioned(own, other casefile.Finding) bool {
	return len(own.Where) > 0 && shareFunction(own.Where[:1], other.Where)
}

// sameFirst fits if the first places are in one function.
func sameFirst(own, other casefile.Finding) bool {
	return len(own.Where) > 0 && len(other.Where) > 0 && own.Where[0].Function == other.Where[0].Function
}

// A waitKnowledge is how much a kind says of goroutines that wait: where they stand, what they wait for, since when
// that does not end, who could end it and does something else, that nobody can, and what is to be changed. Kinds
// exclude each other by it where they speak of the same goroutines, and by no list of each other's names.
type waitKnowledge uint8

const (
	knowsNothing waitKnowledge = iota
	knowsWhere
	knowsWhat
	knowsSince
	knowsWho
	knowsNever
	knowsEnd   // and that the one that could end it has left
	knowsCause // a row over the graph of waits
)

// sameWait fits if the other finding is about goroutines of the own one: one of its first two places is in a function
// that the own finding names.
func sameWait(own, other casefile.Finding) bool {
	return shareFunction(own.Where, other.Where[:min(len(other.Where), 2)])
}

// replaces is how findings of one kind replace those of another: as its detector lists it, or because both are about
// goroutines that wait, and the first knows more of it; nil if they do not.
func (t relations) replaces(specific, general string) *Relation {
	s, g := t.kind(specific), t.kind(general)
	if a := to(general, s.Absorbs); a != nil || g.Waits == knowsNothing || s.Waits <= g.Waits {
		return a
	}
	return &Relation{Kind: general, If: sameWait, Quiet: true}
}

func shareFunction(a, b []casefile.Frame) bool {
	return slices.ContainsFunc(a, func(p casefile.Frame) bool {
		return slices.ContainsFunc(b, func(q casefile.Frame) bool { return p.Function == q.Function })
	})
}

// related lists kinds that are related in the same way.
func related(fit Fit, kinds ...string) []Relation {
	out := make([]Relation, 0, len(kinds))
	for _, k := range kinds {
		out = append(out, Relation{Kind: k, If: fit})
	}
	return out
}

// fits reports whether a relation holds between two findings.
func (f Fit) fits(own, other casefile.Finding) bool { return f == nil || f(own, other) }

// relations is the one table of what kinds mean for each other: the detectors, by kind.
type relations struct {
	of      map[string]*Detector
	reading *Reading // that the findings are from; nil when it is not at hand
}

func relationsOf(detectors []Detector) relations {
	t := relations{of: make(map[string]*Detector, len(detectors))}
	for i := range detectors {
		if d := &detectors[i]; t.of[d.Kind] == nil {
			t.of[d.Kind] = d
		}
	}
	return t
}

// builtIn is the table of the built-in detectors, for code that looks at findings without running detectors.
var builtIn = sync.OnceValue(func() relations { return relationsOf(Detectors()) })

// kind is the detector of a kind. If there is none, it is an empty one: a finding may be from another version.
func (t relations) kind(kind string) *Detector {
	if d := t.of[kind]; d != nil {
		return d
	}
	return &Detector{Kind: kind}
}

// holds reports whether a relation of own holds for another finding.
func (t relations) holds(c *Relation, own, other casefile.Finding) bool {
	return c != nil && c.If.fits(own, other) && t.applies(c)
}

// applies reports whether the evidence shows what a relation wants.
func (t relations) applies(c *Relation) bool { return c.When == nil || c.When(t.reading) }

// to is the relation to a kind in a list; nil if there is none.
func to(kind string, list []Relation) *Relation {
	if i := slices.IndexFunc(list, func(r Relation) bool { return r.Kind == kind }); i >= 0 {
		return &list[i]
	}
	return nil
}

// refines reports whether one kind says more exactly what another says of the cost of a line.
func (t relations) refines(specific, general string) bool {
	return slices.Contains(t.kind(specific).Refines, general)
}
