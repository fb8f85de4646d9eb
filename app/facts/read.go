package facts

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"sync/atomic"

	"github.com/gocasebook/casebook/app/trace"
	"github.com/gocasebook/casebook/casefile"
	"github.com/gocasebook/casebook/diagnose"
	"github.com/gocasebook/casebook/diagnose/cost"
	"github.com/gocasebook/casebook/diagnose/hold"
	"github.com/gocasebook/casebook/diagnose/stacks"
	"github.com/gocasebook/casebook/diagnose/traces"
	"github.com/gocasebook/casebook/diagnose/wait"
)

// Schema is the version of a Sheet in JSON.
const Schema = 1

// Options are what a reader knows beside the evidence. The zero value is of use.
type Options struct {
	Source Source         // nil: no source is at hand
	Case   *casefile.Case // whose evidence it is; nil: that of no case
	Unread []error        // why some of the evidence could not be read
	// those that judge; nil: the built-in ones
	Detectors []diagnose.Detector
}

// Read diagnoses evidence, and says what it shows. What could not be read of it is in the report, and a fact of the
// sheet; an error says that there is no sheet.
func Read(ctx context.Context, in diagnose.Input, o Options) (*Sheet, diagnose.Report, error) {
	settings := settingsOf(in) // before the engine lets go of the evidence
	report, r := Run(ctx, in, o.Detectors)
	switch {
	case ctx.Err() != nil:
		return nil, report, ctx.Err()
	case r == nil:
		return nil, report, errors.New("reading the evidence took too long; give fewer files")
	}
	s := Of(r, &report, o)
	s.Settings = settings
	s.complete(ctx, o.Source)
	return s, report, nil
}

// Run diagnoses evidence, by the built-in detectors if detectors is nil, and keeps what was read; nil where that took too
// long.
func Run(ctx context.Context, in diagnose.Input, detectors []diagnose.Detector) (diagnose.Report, *diagnose.Reading) {
	if detectors == nil {
		detectors = diagnose.Detectors()
	}
	var kept atomic.Pointer[diagnose.Reading]
	keep := diagnose.Detector{ID: "FACTS", Kind: "facts", Title: "Keeps what was read",
		Run: func(_ context.Context, r *diagnose.Reading) diagnose.Answer {
			kept.Store(r)
			return diagnose.Answer{}
		}}
	report := diagnose.Run(ctx, in, diagnose.Options{Derive: []diagnose.Deriver{trace.Deriver()},
		Detectors: append([]diagnose.Detector{keep}, detectors...)})
	return report, kept.Load()
}

// Of writes all facts of a reading, and of what was found in it.
func Of(r *diagnose.Reading, report *diagnose.Report, o Options) *Sheet {
	b := &builder{r: r, report: report, o: o, graph: r.Waits(), heap: r.Holds(), costs: r.Spent(), trace: r.Summary()}
	b.cpu = b.profile()
	b.weigh()
	for _, of := range sections {
		b.write(of)
	}
	return &Sheet{Schema: Schema, Subject: b.subject(), Facts: b.finish(), Seen: newSeen(r.Table, b.trace),
		Crowds: crowdsOf(b), Modules: []Module{}, Settings: []Setting{}, Code: []Excerpt{}}
}

// sections are the parts of a sheet. A later one may look at the facts of those before.
var sections = [...]section{
	{"what is felt", (*builder).addFelt}, {"signals", (*builder).addSignals}, {"waits", (*builder).addWaits},
	{"a trace's waits", (*builder).addTracedWaits}, {"locks", (*builder).addLocks},
	{"stops of the world", (*builder).addStops}, {"system calls", (*builder).addServed},
	{"processors", (*builder).addProcessors}, {"goroutines that stay", (*builder).addStaying},
	{"the heap", (*builder).addHeap}, {"timers", (*builder).addTimers}, {"memory", (*builder).addOffHeap},
	{"handles", (*builder).addHandles}, {"descriptors", (*builder).addDescriptors}, {"costs", (*builder).addCosts},
	{"garbage", (*builder).addGarbage}, {"garbage in memory", (*builder).addTransient},
	{"the runtime", (*builder).addRuntimeCosts}, {"what is asked of it", (*builder).addAsked},
	{"the machine", (*builder).addMachine},
	{"findings", (*builder).addJudged}, {"what is missing", (*builder).addMissing},
}

// A section is a part of a sheet.
type section struct {
	name  string
	write func(*builder)
}

// write writes a section. If that panics on some evidence, the section alone is lost, and a fact says so.
func (b *builder) write(s section) {
	before := len(b.drafts)
	defer func() {
		if p := recover(); p != nil {
			b.drafts = b.drafts[:before]
			var t text
			t.say("The facts about %s could not be written: %s; please report this with the evidence", s.name,
				prose(fmt.Sprint(p)))
			t.end()
			b.add(Missing, &t, settlesHarm)
		}
	}()
	s.write(b)
}

// A builder is a sheet while it is written.
type builder struct {
	r      *diagnose.Reading
	report *diagnose.Report
	o      Options

	graph *wait.Graph
	heap  *hold.Heap  // nil: no heap profile
	costs *cost.Costs // nil: no CPU profile that can be judged
	trace *traces.Summary
	cpu   profiled
	chain *hold.Chain // made by who asks first

	weight weights
	drafts []*draft
}

// A draft is a fact that has no ID yet.
type draft struct {
	Fact
	of   []*draft
	line stacks.FrameID // of a cost
}

// add adds a fact, whose words are written.
func (b *builder) add(sort Sort, t *text, harm float64) *draft {
	d := &draft{Fact: Fact{Sort: sort, Text: t.b.String(), Numbers: t.numbers, Harm: share(harm), governs: t.governs}}
	b.drafts = append(b.drafts, d)
	return d
}

// finish sorts the facts and gives them their IDs.
func (b *builder) finish() []Fact {
	slices.SortStableFunc(b.drafts, func(x, y *draft) int {
		return cmp.Or(cmp.Compare(y.Harm, x.Harm), cmp.Compare(rank(x.Sort), rank(y.Sort)), cmp.Compare(x.Text, y.Text))
	})
	numbers := make(map[Sort]int)
	for _, d := range b.drafts {
		numbers[d.Sort]++
		d.ID = d.Sort.letter() + strconv.Itoa(numbers[d.Sort])
	}
	out := make([]Fact, len(b.drafts))
	for i, d := range b.drafts {
		for _, of := range d.of {
			d.Of = append(d.Of, of.ID)
		}
		out[i] = d.Fact
	}
	return out
}

// letters are those of the sorts' IDs, in the order in which equally harmful facts stand.
var letters = [...]struct {
	sort   Sort
	letter string
}{{Felt, "F"}, {Wait, "W"}, {Hold, "H"}, {Cost, "C"}, {Machine, "M"}, {Judged, "J"}, {Signal, "S"}, {Known, "K"},
	{Code, "L"}, {Missing, "N"}}

func rank(s Sort) int {
	for i := range letters {
		if letters[i].sort == s {
			return i
		}
	}
	return len(letters)
}

func (s Sort) letter() string {
	if i := rank(s); i < len(letters) {
		return letters[i].letter
	}
	return "X"
}

// share is a share as facts have it: of what no number is, none.
func share(v float64) float64 {
	if !(v > 0) {
		return 0
	}
	return min(v, 1)
}

// subject is the process.
func (b *builder) subject() Subject {
	s := Subject{Name: clean(baseName(b.r.Build.Path)), Module: clean(b.r.Build.Module), Go: clean(b.r.Build.GoVersion)}
	if b.o.Case != nil && b.o.Case.Target.Name != "" {
		s.Name = clean(b.o.Case.Target.Name)
	}
	for _, t := range b.r.Triggers {
		if t.Signal != "" || t.Value > 0 {
			s.Tripped = prose(t.Rule + ": " + t.Text)
			break
		}
	}
	return s
}

// funcOf is the function of a frame, NoFunc of none.
func (b *builder) funcOf(id stacks.FrameID) stacks.FuncID { return b.r.Table.FuncID(id) }
