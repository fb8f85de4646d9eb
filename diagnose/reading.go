package diagnose

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"runtime"
	"slices"
	"strings"
	"sync"

	"github.com/gocasebook/casebook/casefile"
	"github.com/gocasebook/casebook/diagnose/cost"
	"github.com/gocasebook/casebook/diagnose/hold"
	"github.com/gocasebook/casebook/diagnose/stacks"
	"github.com/gocasebook/casebook/diagnose/view"
	"github.com/gocasebook/casebook/diagnose/wait"
	"github.com/gocasebook/casebook/vitals"
)

// A Reading is all evidence in the form that detectors work on. It does not change while they run: many read it at
// once, and none may change what it gets from it.
//
// Sets of stacks are found by their kind: All, Best, Latest and Gained return those of any kind, Goroutines and Moments
// those of goroutines, Values what derivers made. Package stacks adds up their samples. Frame, Place and Basis write
// what a finding shows of them.
type Reading struct {
	view.View

	course []vitals.Sample // as vitals, twenty times a second for a while

	unreadTrace string            // Input.UnreadTrace
	catalog     *vitals.Catalog   // of the extra signals in Vitals; nil without vitals
	absent      map[string]string // why the vitals lack signals, by name

	settings settings       // of the runtime
	numbers  []numbers      // counters and sizes of the runtime, oldest first
	memory   []kernelMemory // what the kernel tells of the process, oldest first
	noMemory string         // why the kernel told nothing, as the evidence says
	begins   sync.Map       // who began a library's goroutines, by their function
	above    sync.Map       // the stacks of the requests that began them, by the same

	machines []machineUse // what the CPUs of the machine did, oldest first

	// Built once, by the detector that asks first.
	cpu         func() *cpuView
	hottest     func() *hotspot // what takes most of the CPU; nil where nothing does
	heap        func() *heapView
	structure   func() *structure         // the largest of the live heap
	readers     func() map[string]inbound // by the modules that have goroutines of their own to read from the network
	silent      func() map[string]bool    // modules over whose connections nothing comes in, of readers
	lineWriters func() map[string]bool    // modules that log
	costs       func() *costView
	askers      func() map[stacks.FuncID]bool
	spent       func() *cost.Costs // what hangs on each line; nil without a CPU profile that can be judged
	spikes      func() *spikes     // of latency
	pace        func() pace        // of the collector
	memoryTable func() *casefile.MemoryTable
	machine     func() *machineView // nil where nothing tells of the machine
	waits       func() *wait.Graph  // who waits for whom
	holds       func() *hold.Heap   // what the heap holds, and how it grew; nil without a heap profile
	served      func() *keptServed  // what is kept of requests that have ended; nil without any
	experts     func() *experts
	chain       func() *hold.Chain // who began what a dependency runs
}

// Waits are who waits for whom, from the goroutines.
func (r *Reading) Waits() *wait.Graph { return r.waits() }

// Holds are what the heap holds, and how it grew; nil without a heap profile.
func (r *Reading) Holds() *hold.Heap { return r.holds() }

// Spent is what hangs on each line; nil without a CPU profile that can be judged.
func (r *Reading) Spent() *cost.Costs { return r.spent() }

// Catalog names the signals of Vitals; nil, which knows the built-in ones, without vitals.
func (r *Reading) Catalog() *vitals.Catalog { return r.catalog }

// maxEvidence is how many files are read: each may contain two million stacks.
const maxEvidence = 100

// read reads every file, in the order of their times. What cannot be read becomes a Problem.
func read(ctx context.Context, in Input) (*Reading, Report) {
	r := &Reading{unreadTrace: in.UnreadTrace, View: view.View{Build: in.Build,
		Limits: sane(in.Limits), Started: in.Started, Triggers: in.Triggers, Table: stacks.NewTable(in.Build.Module)}}
	r.cpu = sync.OnceValue(func() *cpuView { return newCPUView(r) })
	r.hottest = sync.OnceValue(func() *hotspot { return hottest(r, r.cpu()) })
	r.heap = sync.OnceValue(func() *heapView { return newHeapView(r) })
	r.costs = sync.OnceValue(func() *costView { return newCostView(r) })
	r.spent = sync.OnceValue(func() *cost.Costs { return newSpent(r) })
	r.askers = sync.OnceValue(func() map[stacks.FuncID]bool { return findAskers(r) })
	r.spikes = sync.OnceValue(func() *spikes { return newSpikes(r) })
	r.pace = sync.OnceValue(func() pace { return newPace(r) })
	r.memoryTable = sync.OnceValue(func() *casefile.MemoryTable { return newMemoryTable(r) })
	r.machine = sync.OnceValue(func() *machineView { return newMachineView(r) })
	r.readers = sync.OnceValue(func() map[string]inbound { return inboundOf(r) })
	r.silent = sync.OnceValue(func() map[string]bool { return silentModules(r) })
	r.lineWriters = sync.OnceValue(func() map[string]bool { return lineWritersOf(r) })
	r.experts = sync.OnceValue(func() *experts { return newExperts(r) })
	r.chain = sync.OnceValue(func() *hold.Chain {
		sets := make([]*stacks.Set, 0, len(r.Sets))
		for _, s := range r.Sets {
			sets = append(sets, s.Set)
		}
		return hold.NewChain(r.Table, sets)
	})
	r.waits = sync.OnceValue(func() *wait.Graph {
		g := wait.New(r.Table, r.Moments())
		if s, _ := r.Trace(); s != nil {
			handler, _ := peerInside(s)
			g.Leave(handler)
		}
		return g
	})
	r.holds = sync.OnceValue(func() *hold.Heap { return newHolds(r) })
	r.served = sync.OnceValue(func() *keptServed { return servedKept(r) })
	r.structure = sync.OnceValue(func() *structure { return largestStructure(r) })
	var rep Report
	for i, e := range in.Evidence {
		switch {
		case ctx.Err() != nil:
			rep.Problems = append(rep.Problems, Problem{e.Name, "not read: cancelled", "run it again"})
		case i >= maxEvidence:
			rep.Problems = append(rep.Problems, Problem{e.Name,
				fmt.Sprintf("not read: more than %d files", maxEvidence), "give fewer at a time"})
		case e.Value != nil:
			readValue(r, e, &rep)
		case e.Kind == casefile.Course:
			readCourse(r, e, &rep)
		case isTraceSummary(e):
			readTraceSummary(r, e, &rep)
		case isMachineUse(e):
			readMachineUse(r, e, &rep)
		case isHolders(e):
			readHolders(r, e, &rep)
		case isVitals(e):
			readVitals(r, e, &rep)
		case isNumbers(e):
			readNumbers(r, e, &rep)
		default:
			readLarge(r, in, i, &rep)
		}
	}
	readEarlier(ctx, r, in.Earlier)
	slices.SortStableFunc(r.Sets, func(a, b view.Captured) int { return a.Taken.Compare(b.Taken) })
	promote(r, in.Tripped)
	slices.SortStableFunc(r.numbers, func(a, b numbers) int { return a.taken.Compare(b.taken) })
	slices.SortStableFunc(r.Vitals, func(a, b vitals.Sample) int { return a.Time.Compare(b.Time) })
	return r, rep
}

// released moves evidence to a slice of its own, and leaves the caller's without data.
func released(evidence []Evidence) []Evidence {
	out := slices.Clone(evidence)
	for i := range evidence {
		evidence[i].Data = nil
	}
	return out
}

// largeRead is from how many bytes of a file the collector runs once it is read: what was unpacked of it, as much again
// or more, is garbage then, and would be there until what is in use has doubled.
const largeRead = 16 << 20

// sane leaves out limits that no machine has: case.json is a file like any other.
func sane(l casefile.Limits) casefile.Limits {
	const mostCPUs = 1e6
	for _, cpus := range []*float64{&l.CPUs, &l.CPUQuota} {
		if !(*cpus > 1e-6 && *cpus < mostCPUs) {
			*cpus = 0
		}
	}
	l.MemoryBytes, l.OpenFiles = max(l.MemoryBytes, 0), max(l.OpenFiles, 0)
	return l
}

func isVitals(e Evidence) bool {
	return e.Kind == casefile.Vitals || bytes.HasPrefix(e.Data, []byte(`{"schema":1,"units":{`))
}

func readVitals(r *Reading, e Evidence, rep *Report) {
	if len(e.Data) > stacks.MaxFile {
		rep.Problems = append(rep.Problems, Problem{e.Name,
			fmt.Sprintf("larger than %d MiB", stacks.MaxFile>>20), "give a shorter history"})
		return
	}
	header, samples, err := readSamples(r, e.Data)
	if err != nil {
		rep.Problems = append(rep.Problems, Problem{e.Name, err.Error(),
			"the lines before it were read; capture it again"})
	}
	r.catalog = vitals.Join(r.catalog, header.Catalog, samples)
	r.Vitals = append(r.Vitals, samples...)
	if r.absent == nil {
		r.absent = header.Absent
	}
	if err == nil || len(samples) > 0 {
		rep.Read = append(rep.Read, Artefact{Name: e.Name, Kind: casefile.Vitals, Samples: len(samples),
			What: "vitals", Text: things(float64(len(samples)), "sample")})
	}
}

// readSamples reads vitals, as far as there is room for them beside the evidence that was read before.
func readSamples(r *Reading, data []byte) (vitals.Header, []vitals.Sample, error) {
	h, list, err := vitals.ReadJSONLUpTo(bytes.NewReader(data), r.Table.Left())
	r.Table.Hold(int64(len(list) * vitals.SampleBytes))
	return h, list, err
}

func readCourse(r *Reading, e Evidence, rep *Report) {
	_, samples, err := readSamples(r, e.Data[:min(len(e.Data), stacks.MaxFile)])
	if err != nil {
		rep.Problems = append(rep.Problems, Problem{e.Name, err.Error(),
			"the lines before it were read; capture it again"})
	}
	r.course = append(r.course, samples...)
	if len(samples) > 0 {
		rep.Read = append(rep.Read, Artefact{Name: e.Name, Kind: casefile.Course, Samples: len(samples),
			What: "course", Text: things(float64(len(samples)), "sample") + " within seconds"})
	}
}

// readLarge reads stacks, which may be many, and lets go of the file meanwhile if it may.
func readLarge(r *Reading, in Input, i int, rep *Report) {
	size := len(in.Evidence[i].Data)
	if !in.Release {
		readStacks(r, in.Evidence[i], rep)
		return
	}
	e := in.Evidence[i]
	in.Evidence[i].Data = nil
	readStacks(r, e, rep)
	if size >= largeRead {
		runtime.GC()
	}
}

func readStacks(r *Reading, e Evidence, rep *Report) {
	kind := e.Kind
	if kind == casefile.GoroutineDump {
		kind = casefile.Goroutine
	}
	data := e.Data
	e.Data = nil // it may be large, and is not needed once it is unpacked
	set, err := r.Table.Read(stacks.Source{Name: e.Name, Kind: kind, Taken: e.Taken, Seconds: e.Seconds}, data)
	if p := (*stacks.Problem)(nil); errors.As(err, &p) {
		rep.Problems = append(rep.Problems, Problem{p.File, p.Reason, p.Next})
		return
	}
	if isReferences(set) {
		e.Value = references(set)
		readValue(r, withKind(e, casefile.HeapRefs), rep)
		return
	}
	r.Sets = append(r.Sets, view.Captured{Set: set, Phase: e.Phase, Collected: e.Collected})
	numbersOfHeap(r, set)
	rep.Read = append(rep.Read, artefact(set))
}

// noteObserved is the share of the capture's own samples from which on it is reported. Below it the other shares are
// the same.
const noteObserved = 0.005

func artefact(s *stacks.Set) Artefact {
	a := Artefact{Name: s.Name, Kind: s.Kind, Samples: len(s.Samples)}
	a.What, a.Text = describe(s)
	var notes []string
	for _, note := range []string{s.Cut, s.Remark} {
		if note != "" {
			notes = append(notes, note)
		}
	}
	if i := mainValue(s); i >= 0 && i < len(s.Observed) && s.Observed[i] > 0 {
		share := float64(s.Observed[i]) / (float64(s.Total(stacks.ByValue(i))) + float64(s.Observed[i]))
		if share >= noteObserved {
			notes = append(notes, percent(share)+" was the capture's own and is left out")
		}
	}
	if s.Kind == stacks.Fgprof {
		notes = append(notes, "no detector reads it: waiting alone costs nothing; a CPU, a mutex and a goroutine "+
			"profile tell more")
	}
	if s.Completed > 0 {
		notes = append(notes, things(float64(s.Completed), "stack")+" had lost outer frames, restored from whole "+
			"stacks")
	}
	a.Note = strings.Join(notes, "; ")
	return a
}

// describe says what a set is and how much is in it: "CPU profile", "1,204 samples over 10.0 s".
func describe(s *stacks.Set) (what, text string) {
	total := func(typ, unit string) float64 { return float64(s.Total(stacks.ByValue(s.Value(typ, unit)))) }
	span := ""
	if s.Seconds > 0 {
		span = " over " + seconds(s.Seconds)
		if what, text = nothingOf(s); text != "" {
			return what, text
		}
	}
	switch s.Kind {
	case casefile.CPU:
		return "CPU profile", things(total("samples", "count"), "sample") + span
	case casefile.Heap, casefile.Allocs:
		if len(s.Types) == 1 { // what an engine exports
			return "heap profile", size(total(s.Types[0].Type, s.Types[0].Unit)) + " of " + s.Types[0].Type + span
		}
		return "heap profile", fmt.Sprintf("%s live objects, %s; %s allocated%s", count(total("inuse_objects", "count")),
			size(total("inuse_space", "bytes")), size(total("alloc_space", "bytes")), span)
	case casefile.Mutex, casefile.Block:
		return s.Kind + " profile", fmt.Sprintf("%s waits, %s in all%s", count(total("contentions", "count")),
			seconds(total("delay", "nanoseconds")/1e9), span)
	case casefile.Goroutine, stacks.GoroutineLeak:
		return "", things(total(s.Kind, "count"), "goroutine")
	case casefile.ThreadCreate:
		return "", things(total(s.Kind, "count"), "thread") + " created"
	case stacks.Fgprof:
		return "wall-clock profile (fgprof)", fmt.Sprintf("%s of all goroutines together, waiting included%s",
			seconds(total("time", "nanoseconds")/1e9), strings.Replace(span, " over", ", over", 1))
	case "":
		return "", things(float64(len(s.Samples)), "stack") + " of a kind that no detector knows (" + typesOf(s) + ")"
	}
	return "", things(float64(len(s.Samples)), "stack") + span
}

// nothingIn says that evidence of a time span has no sample; "" for any other.
func nothingIn(s *stacks.Set) string { return said(nothingOf(s)) }

// nothingOf says so as describe does.
func nothingOf(s *stacks.Set) (what, text string) {
	if s.Seconds <= 0 || len(s.Samples) > 0 || s.Kind == "" {
		return "", ""
	}
	but := ""
	if i := mainValue(s); i >= 0 && i < len(s.Observed) && s.Observed[i] > 0 {
		but = " except the cost of taking it"
	}
	return kindText(s.Kind) + " profile", fmt.Sprintf("nothing was recorded in %s%s", seconds(s.Seconds), but)
}

// kindText is a kind of evidence in a sentence.
func kindText(kind string) string {
	if kind == casefile.CPU {
		return "CPU"
	}
	return kind
}

// typesOf lists what a set's values count.
func typesOf(s *stacks.Set) string {
	var names []string
	for _, t := range s.Types {
		names = append(names, t.Type+"/"+t.Unit)
	}
	return strings.Join(names, ", ")
}

// mainValue is the value that says most about a set's size.
func mainValue(s *stacks.Set) int {
	for _, t := range []stacks.ValueType{{Type: "cpu", Unit: "nanoseconds"}, {Type: "alloc_space", Unit: "bytes"},
		{Type: "delay", Unit: "nanoseconds"}} {
		if i := s.Value(t.Type, t.Unit); i >= 0 {
			return i
		}
	}
	return min(len(s.Types), 1) - 1
}

func hasKinds(r *Reading, kinds []string) bool {
	if len(r.Vitals) > 0 && slices.Contains(kinds, casefile.Vitals) ||
		len(r.machines) > 0 && slices.Contains(kinds, casefile.Neighbours) {
		return true
	}
	if slices.ContainsFunc(r.Made, func(e view.Made) bool { return slices.Contains(kinds, e.Kind) }) {
		return true
	}
	return slices.ContainsFunc(r.Sets, func(s view.Captured) bool { return slices.Contains(kinds, s.Kind) })
}

// Basis names the files of a set as the basis of a finding.
func Basis(s *stacks.Set) []casefile.Basis {
	if s.Parts == nil {
		return []casefile.Basis{{File: s.Name, Kind: s.Kind, Text: said(describe(s))}}
	}
	var out []casefile.Basis
	for _, p := range s.Parts {
		out = append(out, Basis(p)...)
	}
	return out
}

// vitalsBasis is what a finding rests on that is about the vitals as a whole.
func vitalsBasis(r *Reading) []casefile.Basis {
	return []casefile.Basis{{File: "vitals", Kind: casefile.Vitals, Text: things(float64(len(r.Vitals)), "sample")}}
}

func byScore(a, b casefile.Finding) int {
	return cmp.Or(cmp.Compare(b.Score, a.Score), cmp.Compare(a.ID, b.ID))
}
