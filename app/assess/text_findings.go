package assess

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/gocasebook/casebook/app/pasted"
	"github.com/gocasebook/casebook/casefile"
	"github.com/gocasebook/casebook/diagnose"
	"github.com/gocasebook/casebook/diagnose/stacks"
	"github.com/gocasebook/casebook/diagnose/view"
	"github.com/gocasebook/casebook/internal/number"
	"github.com/gocasebook/casebook/vitals"
)

// Some texts say themselves what is wrong: goleak that goroutines are left, go test that one took too long, the race
// detector that two accesses have no order, a page of metrics that hardly a descriptor is free. The detector of that
// kind says it then, at the line that the goroutines of the same text show.

// A stated is what a text says.
type stated struct {
	file    string // as evidence is named
	fault   pasted.Fault
	figures pasted.Figures
}

// states keeps what a text says, if that is something.
func (g *gatherer) states(name string, f pasted.Fault, data []byte) {
	s := stated{name, f, pasted.FiguresOf(data)}
	if !f.IsZero() || s.figures != (pasted.Figures{}) {
		g.stated = append(g.stated, s)
	}
}

// statedScore is a warning: a test's word is certain, and whether it hurts in production it cannot know.
const statedScore = 74

// detectors are the built-in ones, and instead of those whose answer a text has given, that answer. What figures since
// the start of the process say comes after what was measured.
func (g *gatherer) detectors() []diagnose.Detector {
	all := diagnose.Detectors()
	for i := range all {
		d := &all[i]
		switch d.Kind {
		case "goroutine-leak":
			g.answer(d, func(s *stated) bool { return s.fault.Left > 0 }, leftOver)
		case "goroutine-stuck":
			g.answer(d, func(s *stated) bool { return s.fault.After != "" }, tookTooLong)
		case "crash":
			if g.answer(d, func(s *stated) bool { return len(s.fault.Races) > 0 }, raced) {
				d.Effect = "Results can be wrong"
			}
		case "fd-limit":
			g.measured(d, func(s *stated) bool { return fewFiles(s) >= leastStated }, filesOpen)
		case "gc-cpu":
			g.measured(d, func(s *stated) bool { return muchGC(s) >= leastStated }, collectorTakes)
		}
	}
	return all
}

// leastStated is the score from which a finding is worth knowing.
const leastStated = 25

// maxStated bounds the findings of one kind.
const maxStated = 3

// answer puts what texts say in place of a detector's own answer, and reports whether any does.
func (g *gatherer) answer(d *diagnose.Detector, says func(*stated) bool,
	find func(*diagnose.Reading, *stated) []casefile.Finding) bool {
	var of []*stated
	for i := range g.stated {
		if says(&g.stated[i]) {
			of = append(of, &g.stated[i])
		}
	}
	own := d.Run
	if len(of) > 0 {
		d.Run = func(ctx context.Context, r *diagnose.Reading) diagnose.Answer {
			var a diagnose.Answer
			for _, s := range of {
				a.Findings = append(a.Findings, find(r, s)...)
			}
			if len(a.Findings) == 0 {
				return own(ctx, r)
			}
			a.Findings = a.Findings[:min(len(a.Findings), maxStated)]
			return a
		}
	}
	return len(of) > 0
}

// measured is answer where the detector has nothing to say from what was measured.
func (g *gatherer) measured(d *diagnose.Detector, says func(*stated) bool,
	find func(*diagnose.Reading, *stated) []casefile.Finding) {
	own := *d
	if !g.answer(d, says, find) {
		return
	}
	d.Needs = nil
	stated := d.Run
	d.Run = func(ctx context.Context, r *diagnose.Reading) diagnose.Answer {
		if _, lacks := own.Lacks(r); !lacks {
			if a := own.Run(ctx, r); len(a.Findings) > 0 {
				return a
			}
		}
		return stated(ctx, r)
	}
}

// goroutinesOf are those of a text; nil where they could not be read.
func goroutinesOf(r *diagnose.Reading, file string) *stacks.Set {
	for _, s := range r.Sets {
		if s.Name == file {
			return s.Set
		}
	}
	return nil
}

// inTest reports whether the stack is that of a test function.
func inTest(r *diagnose.Reading, stack []stacks.FrameID) bool {
	return r.Table.Has(stack, func(f *stacks.Func) bool { return f.Name == "testing.tRunner" })
}

// statedPiles are places of a text's goroutines, those in the program's own code before others.
func statedPiles(r *diagnose.Reading, set *stacks.Set, may func(*view.Pile) bool) (out []*view.Pile) {
	if set == nil {
		return nil
	}
	for _, p := range r.Piles(set) {
		if may(p) {
			out = append(out, p)
		}
	}
	slices.SortStableFunc(out, func(a, b *view.Pile) int {
		return cmp.Or(compareBool(b.User, a.User), cmp.Compare(b.Longest, a.Longest), cmp.Compare(b.N, a.N))
	})
	return out
}

func compareBool(a, b bool) int {
	switch {
	case a == b:
		return 0
	case a:
		return 1
	}
	return -1
}

// places are the lines of piles, and where their goroutines were started.
func statedPlaces(r *diagnose.Reading, set *stacks.Set, piles []*view.Pile, role string) (out []casefile.Frame) {
	all := max(float64(set.Total(set.Count())), 1)
	for _, p := range piles[:min(len(piles), maxStated)] {
		out = append(out, r.Frame(p.At, float64(p.N)/all, role+", "+p.Wait.String()))
	}
	for at := range piles[0].Started {
		out = append(out, r.Frame(at, float64(piles[0].N)/all, "started here"))
	}
	return out
}

// leftOver is what goleak and its like report.
func leftOver(r *diagnose.Reading, s *stated) []casefile.Finding {
	set := goroutinesOf(r, s.file)
	piles := statedPiles(r, set, func(p *view.Pile) bool { return !inTest(r, p.Stack) })
	if len(piles) == 0 {
		return nil
	}
	n, at := s.fault.Left, r.Place(piles[0].At)
	title := fmt.Sprintf("A test ended and left %s, at %s", number.Things(n, "goroutine"), at)
	if len(piles) > 1 {
		title = fmt.Sprintf("A test ended and left %s, one at %s", number.Things(n, "goroutine"), at)
	}
	return []casefile.Finding{{Form: "test-leak", Title: title, Score: statedScore, Confidence: 0.95,
		Summary: fmt.Sprintf("The test's own check found %s after its end; the first %s at %s.",
			number.Things(n, "goroutine"), piles[0].Wait.Does(), at),
		Explanation: "What a test leaves behind, a service leaves behind at each start and stop of the same part, " +
			"and all that the goroutine refers to stays.",
		Where:    statedPlaces(r, set, piles, "is left here"),
		Impact:   casefile.Impact{Resource: "goroutines", Share: 1, Text: number.Things(n, "goroutine") + " after the test's end"},
		Evidence: diagnose.Basis(set),
		Remedies: []casefile.Remedy{{Kind: casefile.Change, Title: "End it where its owner is closed", Price: "none",
			Text: "For the wait at " + at + ": cancel its context, or close its channel, and wait for it " +
				"(sync.WaitGroup); the test says whether it is gone."}}}}
}

// tookTooLong is a test that go test has ended.
func tookTooLong(r *diagnose.Reading, s *stated) []casefile.Finding {
	set := goroutinesOf(r, s.file)
	parent := func(f *stacks.Func) bool { return f.Name == "testing.(*T).Run" }
	tests := statedPiles(r, set, func(p *view.Pile) bool {
		return p.User && inTest(r, p.Stack) && !r.Table.Has(p.Stack, parent)
	})
	if len(tests) == 0 { // the test waits for goroutines in a helper of package testing, or ran out of time itself
		tests = statedPiles(r, set, func(p *view.Pile) bool { return p.User && p.Longest > 0 })
	}
	if len(tests) == 0 {
		return nil
	}
	p, at := tests[0], r.Place(tests[0].At)
	waited := ""
	if p.Longest > 0 {
		waited = fmt.Sprintf(", for %s", number.Things(int(p.Longest), "minute"))
	}
	return []casefile.Finding{{Form: "test-timeout", Score: statedScore, Confidence: 0.9,
		Title: fmt.Sprintf("%s took longer than %s: it %s at %s", plainTest(s.fault.Test), s.fault.After, p.Wait.Does(), at),
		Summary: fmt.Sprintf("go test ended %s after %s. Its goroutine %s at %s%s.", plainTest(s.fault.Test), s.fault.After,
			p.Wait.Does(), at, waited),
		Explanation: "A test that does not end shows a wait that nothing ends. What should end it is in another " +
			"goroutine of the same text, or is no longer there.",
		Where:    statedPlaces(r, set, tests[:1], "the test stands here"),
		Impact:   casefile.Impact{Resource: "latency", Share: 1, Text: "the test, and those behind it, did not run to their end"},
		Evidence: diagnose.Basis(set),
		Remedies: []casefile.Remedy{{Kind: casefile.Change, Title: "Look for what should end the wait", Price: "none",
			Text: "At " + at + ": who should send, close, call Done or give the lock back? Make that happen on every " +
				"path; go test -run NAME -timeout 30s prints the goroutines again, sooner."}}}}
}

// plainTest is a test's name as it can stand in a sentence.
func plainTest(name string) string { return name[:min(len(name), 100)] }

// raced is what the race detector reports.
func raced(r *diagnose.Reading, s *stated) (out []casefile.Finding) {
	set := goroutinesOf(r, s.file)
	if set == nil {
		return nil
	}
	for i := range s.fault.Races {
		race := &s.fault.Races[i]
		a, b := accessAt(r, set, &race.Accesses[0]), accessAt(r, set, &race.Accesses[1])
		f := casefile.Finding{Form: "data-race", Score: statedScore, Confidence: 0.99,
			Title: fmt.Sprintf("%s %s what %s %s at the same time (a data race)", a.place, a.Does, b.place, b.Does),
			Summary: fmt.Sprintf("The race detector saw two goroutines use the same memory, with nothing that orders "+
				"them: one %s it at %s, one %s it at %s; it reports that %s.", a.Does, a.place, b.Does, b.place,
				number.Things(race.Times, "time")),
			Explanation: "What is read may be half written, a map may be destroyed, and the compiler may keep a " +
				"value for ever. The race detector reports only what has happened: each report is a fault.",
			Where:    []casefile.Frame{a.frame, b.frame},
			Impact:   casefile.Impact{Resource: "requests", Share: 1, Text: "what is read may be half written"},
			Evidence: diagnose.Basis(set),
			Remedies: []casefile.Remedy{{Kind: casefile.Change, Title: "Guard both lines with one lock",
				Text: fmt.Sprintf("At %s and at %s: one sync.Mutex beside what they use; or let one goroutine own it, "+
					"or sync/atomic for a single number.", a.place, b.place), Price: "those who wait for the lock"}}}
		if a.place == b.place {
			f.Title = fmt.Sprintf("Goroutines are at %s at the same time, and one %s what the other uses (a data race)",
				a.place, a.Does)
			f.Where = f.Where[:1]
		}
		out = append(out, f)
	}
	return out
}

// An accessed is one access of a race, with its place in the program's own code.
type accessed struct {
	*pasted.Access
	place string
	frame casefile.Frame
}

func accessAt(r *diagnose.Reading, set *stacks.Set, a *pasted.Access) accessed {
	for i := range set.Samples {
		stack := set.Samples[i].Stack
		if !sameStack(r, stack, a.Stack) {
			continue
		}
		id, at := r.Table.UserFrame(stack)
		if at < 0 {
			id = r.Table.Entered(stack)
		}
		if id != stacks.NoFrame {
			return accessed{a, r.Place(id), r.Frame(id, 1, a.Does+" it")}
		}
	}
	c := a.Stack[0]
	return accessed{a, c.Function, casefile.Frame{Function: c.Function, File: c.File, Share: 1, Role: a.Does + " it"}}
}

// sameStack reports whether a stack of the evidence is that of the text.
func sameStack(r *diagnose.Reading, stack []stacks.FrameID, calls []pasted.Call) bool {
	if len(stack) != len(calls) {
		return false
	}
	for i, id := range stack {
		if r.Table.Func(id).Name != calls[i].Function || fmt.Sprint(r.Table.Line(id)) != calls[i].Line {
			return false
		}
	}
	return true
}

// fewFiles is the score of descriptors in use, by the scale of fd-limit.
func fewFiles(s *stated) int {
	if s.figures.MaxFiles <= 0 {
		return 0
	}
	return diagnose.FilesScale().Score(s.figures.OpenFiles / s.figures.MaxFiles)
}

func filesOpen(_ *diagnose.Reading, s *stated) []casefile.Finding {
	open, limit := s.figures.OpenFiles, s.figures.MaxFiles
	return []casefile.Finding{{Title: fmt.Sprintf("%.0f of %.0f file descriptors are in use", open, limit),
		Score: fewFiles(s), Confidence: 0.8, // one moment
		Summary:     fmt.Sprintf("The page of metrics says process_open_fds %.0f and process_max_fds %.0f.", open, limit),
		Explanation: "At the limit nothing is accepted, opened or dialled (\"too many open files\"), at any line.",
		Where:       []casefile.Frame{},
		Impact:      casefile.Impact{Resource: "files", Share: open / limit, Text: fmt.Sprintf("%.0f descriptors in use", open)},
		Evidence:    []casefile.Basis{{File: s.file, Kind: casefile.Prometheus, Text: "one moment"}},
		Remedies: []casefile.Remedy{{Kind: casefile.Change, Title: "See what is open, and close it on every path",
			Text: "ls -l /proc/PID/fd says what is open, and curl -fo goroutine.pb.gz " +
				"'http://HOST/debug/pprof/goroutine' who waits with it; then defer Close after the error check, and " +
				"a limit that fits the load (LimitNOFILE=).", Price: "none"}}}}
}

// muchGC is the score of the collector's share since the process began, by the scale of gc-cpu. It is of the CPU that
// the process may use, so that a share of what it used is no less.
func muchGC(s *stated) int {
	return min(diagnose.GCCPUScale().Score(s.figures.GCCPU), statedScore)
}

func collectorTakes(_ *diagnose.Reading, s *stated) []casefile.Finding {
	share := vitals.Share.Format(s.figures.GCCPU)
	return []casefile.Finding{{Title: "The garbage collector has taken " + share + " of the CPU since the process began",
		Score: muchGC(s), Confidence: 0.8,
		Summary: fmt.Sprintf("GCCPUFraction is %s, of all CPU that the process may use, on average since its start.", share),
		Explanation: "The collector runs too often for what is alive: little room between the live heap and its goal " +
			"(GOGC, GOMEMLIMIT), or garbage faster than needed.",
		Where: []casefile.Frame{},
		Impact: casefile.Impact{Resource: "cpu", Share: s.figures.GCCPU,
			Text: share + " of the CPU that the process may use"},
		Evidence: []casefile.Basis{{File: s.file, Kind: casefile.Metrics, Text: "the mean since the start"}},
		Remedies: []casefile.Remedy{{Kind: casefile.Change, Title: "Find out what allocates, and whether there is room",
			Text: "curl -fo heap.pb.gz 'http://HOST/debug/pprof/heap' and a CPU profile name the lines; a GOMEMLIMIT " +
				"close to what lives makes it run all the time.", Price: "none"}}}}
}

// manyGoroutines is from how many on a count is worth a question: each has a stack of 2 KiB at least.
const manyGoroutines = 10_000

// crowded says that a text counts many goroutines and does not say where they are.
func (g *gatherer) crowded(rep *diagnose.Report) {
	for _, s := range g.stated {
		if s.figures.Goroutines >= manyGoroutines {
			unlessDecided(rep, fmt.Sprintf("The process has %s goroutines; where they are, the numbers do not say",
				strings.TrimSpace(vitals.Count.Format(s.figures.Goroutines))),
				"curl -fo goroutine.pb.gz 'http://HOST/debug/pprof/goroutine'; casebook diagnose goroutine.pb.gz")
		}
	}
}
