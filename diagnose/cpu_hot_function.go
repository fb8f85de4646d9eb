package diagnose

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/gocasebook/casebook/casefile"
	"github.com/gocasebook/casebook/diagnose/cost"
	"github.com/gocasebook/casebook/diagnose/stacks"
)

// hotScale is in shares of all CPU samples. Without the place the program would be 1/(1−share) times as fast: a quarter
// makes it 1.3 times as fast, 60 % 2.5 times, more than all other changes together could. Healthy services sometimes
// have a third in one line, which decodes their input.
func hotScale() Scale { return Scale{Worth: 0.25, Hurts: 0.60, Top: 1} }

func cpuHotFunction() Detector {
	return Detector{
		ID:    "CPU001",
		Kind:  hotFunction,
		Title: "One function dominates the CPU",
		Text: `Looks for one place in the user's code that takes much of the CPU, in two views. By function: samples
whose first frame outside the runtime is in the function, so that copying, map access and allocation count for the
function that asked for them. By line: samples below one line of the user's code, whatever the standard library or a
dependency does there. The cost of compiling a regular expression is spread over dozens of functions, and only the line
shows it.

Worth knowing from 25 % of all CPU samples, hurting from 60 %: without the place the program would be 1.3 and 2.5 times
as fast, 1/(1−share). The garbage collector, the scheduler, and system calls on network connections do not count for any
function. A line that only passes a request on (ServeHTTP, gRPC handlers) is not the place, and neither is one that
starts the program. Where 500 samples or more have no system call, and 98 % of them one function of the user's below
which they part, that function is named, too: one call computes, which may have to end.

A profile shows where the time goes, not whether the work is needed; computing may be the purpose of the service: ` +
			purposeText + ` The score is capped at 74 unless the process used 70 % or more of
the CPU it may use. A second line is named from 15 %, hurting from 50 %, where a row about a module
(casebook known) says what is done there better. A process that used less than 0.05 core has nothing to gain and gets
no finding; between
0.05 and 0.25 core the score rises to a notice.`,
		Needs: []Need{{Kinds: []string{casefile.CPU}, Reason: "no CPU profile", Capture: captureCPU}},
		Before: `func handler(w http.ResponseWriter, r *http.Request) {
	re := regexp.MustCompile("^[a-z]+$") // compiled for every request
	…`,
		After: `var word = regexp.MustCompile("^[a-z]+$") // compiled once`,
		// The line that takes the CPU may be the one that allocates most, or what the reader of a channel is busy with.
		Explains: append(related(SameLine, "gc-cpu", "gc-frequency", "gc-assist"),
			related(Mentioned, "chan-bottleneck", "sched-latency")...),
		Merges:  related(SameLine, "alloc-site"),
		IsWork:  true,
		Run:     runCPUHotFunction,
		promise: rewrittenPlaces,
	}
}

func runCPUHotFunction(_ context.Context, r *Reading) Answer {
	v := r.cpu()
	if a, stop := v.judge(); stop {
		return a
	}
	h := r.hottest()
	if h != nil && h.isProgram(r) {
		return Answer{}
	}
	if h == nil || h.share < hotScale().Worth {
		return spreadAnswer(r, v)
	}
	limit := v.level.cap()
	if !v.level.saturated() {
		limit = min(limit, capUnsure)
	}
	score := min(hotScale().Score(h.share), limit)
	if h.share >= lineIsAll && lacksCPU(r) {
		score = max(score, worthKnowing+1) // it uses little because it gets no more
	}
	if score < worthKnowing {
		return Answer{}
	}
	a := found(h.finding(r, v, score))
	if f, ok := knownCost().worst(r); ok && !SameLine(f, a.Findings[0]) {
		a.Findings = append(a.Findings, f)
	}
	return a
}

// A hotspot is a place that takes CPU.
type hotspot struct {
	fn    stacks.FuncID
	share float64                        // of all CPU, of what the finding is about
	lines []stacks.Entry[stacks.FrameID] // of the function, by CPU of the line and all below it that is not the user's
	below []stacks.Entry[stacks.FrameID] // what runs below the hottest line; empty when the function works itself

	cost    *cost.Cost     // of the first line; nil if it has none
	entered stacks.FrameID // the outermost line of a dependency where no line of the user's is above; else NoFrame
	repeat  *repeat        // the function that calls it again and again; nil: none is known

	calls  calling // its line is NoFrame where none is known
	orders bool    // it compares texts by their order, and no sort of a library calls it
}

// hottest is the place with the largest share by either view; nil when nothing of the user's shows.
func hottest(r *Reading, v *cpuView) *hotspot {
	w := func(s *stacks.Sample) int64 {
		if !computes(r.Table, s) {
			return 0
		}
		return v.weight(s)
	}
	help := helpersOf(r, v, w)
	byFlat := stacks.SumBy(v.set, w, func(s *stacks.Sample) (stacks.FuncID, bool) {
		id := works(r.Table, s.Stack)
		if of, i := help.line(r.Table, s.Stack); i > 0 && help.has(r.Table, id) {
			id = of
		}
		return r.Table.FuncID(id), id != stacks.NoFrame
	})
	byLine := stacks.SumBy(v.set, w, func(s *stacks.Sample) (stacks.FrameID, bool) {
		id, i := help.line(r.Table, s.Stack)
		return id, i >= 0 && !passesOn(r.Table, s.Stack, i)
	})
	var h *hotspot
	if len(byFlat) > 0 {
		h = &hotspot{fn: byFlat[0].Key, share: float64(byFlat[0].Value) / v.total}
	}
	if len(byLine) > 0 {
		if share := float64(byLine[0].Value) / v.total; h == nil || share > h.share {
			h = &hotspot{fn: r.Table.FuncID(byLine[0].Key), share: share}
		}
	}
	if h == nil {
		return nil
	}
	h.detail(r, v, w, byLine, help)
	h.repeat, h.calls.line = h.findRepeat(r, v, w), stacks.NoFrame
	if h.repeat == nil && r.Table.Funcs[h.fn].Owner == stacks.User {
		h.calls = callersOf(r, v, w, h.fn, help)
		h.orders = ordersTexts(r, v, w, h.fn, help)
	}
	return h
}

// works is the frame that a sample's work belongs to, beside the user's line: its leaf, and of the standard library's
// work where no line of the user's leads, the dependency's line that calls it. NoFrame: it is the user's line's.
func works(t *stacks.Table, stack []stacks.FrameID) stacks.FrameID {
	id, i := t.Caller(stack)
	if i < 0 || t.Func(id).Owner != stacks.Std {
		return id
	}
	for _, id := range stack[i:] {
		switch t.Func(id).Owner {
		case stacks.User:
			return stacks.NoFrame
		case stacks.Dependency:
			if _, u := t.UserFrame(stack); u >= 0 {
				return stacks.NoFrame
			}
			return id
		}
	}
	return stacks.NoFrame
}

// detail finds the lines of the function and what runs below the hottest of them. A dependency's function has the
// user's lines that call it instead.
func (h *hotspot) detail(r *Reading, v *cpuView, w stacks.Weight, byLine []stacks.Entry[stacks.FrameID],
	help helpers) {
	if r.Table.Funcs[h.fn].Owner == stacks.User {
		for _, e := range byLine {
			if r.Table.FuncID(e.Key) == h.fn {
				h.lines = append(h.lines, e)
			}
		}
	} else {
		h.lines = stacks.SumBy(v.set, w, func(s *stacks.Sample) (stacks.FrameID, bool) {
			id, u := r.Table.UserFrame(s.Stack)
			return id, u >= 0 && r.Table.FuncID(works(r.Table, s.Stack)) == h.fn
		})
	}
	h.entered = stacks.NoFrame
	if len(h.lines) == 0 && r.Table.Funcs[h.fn].Owner == stacks.Dependency {
		stack := v.set.Heaviest(w, func(s *stacks.Sample) bool {
			return r.Table.FuncID(works(r.Table, s.Stack)) == h.fn
		})
		if at := hangsOn(r.Table, stack); at >= 0 {
			h.entered = stack[at]
			h.cost = spentAt(r, h.entered)
		}
	}
	if len(h.lines) == 0 {
		return
	}
	h.cost = spentAt(r, h.lines[0].Key)
	h.below = stacks.SumBy(v.set, w, func(s *stacks.Sample) (stacks.FrameID, bool) {
		id, i := help.line(r.Table, s.Stack)
		if i < 1 || id != h.lines[0].Key || r.Table.Func(s.Stack[i-1]).Owner == stacks.Runtime {
			return 0, false
		}
		return s.Stack[i-1], true
	})
}

// computes reports whether a sample is work that a function can be blamed for: not the collector's, not the
// scheduler's, and not the kernel's on a network connection, where a healthy server spends its time.
func computes(t *stacks.Table, s *stacks.Sample) bool {
	switch {
	case s.Class.GC(), s.Class == stacks.Scheduler, s.Class == stacks.Scavenge:
		return false
	case s.Class == stacks.Syscall:
		return !t.Has(s.Stack, func(f *stacks.Func) bool { return f.Package == "net" })
	}
	return true
}

// isProgram reports whether main hands all over to a module: then that is the program, and no place in it.
func (h *hotspot) isProgram(r *Reading) bool {
	const all = 0.9 // but for the collector and the runtime's own threads
	callee, ok := h.callee(r)
	return ok && h.share >= all && isMain(&r.Table.Funcs[h.fn]) && callee.Owner == stacks.Dependency
}

func (h *hotspot) finding(r *Reading, v *cpuView, score int) casefile.Finding {
	fn := r.Table.Funcs[h.fn]
	f := casefile.Finding{
		Score:      score,
		Confidence: Confidence(h.share, v.samples),
		Where:      h.where(r, v),
		Evidence:   Basis(v.set),
	}
	callee, ok := h.callee(r)
	switch {
	case stacks.IsNameless(fn.Name) && len(h.lines) > 0:
		library := strings.Trim(fn.Name, "[]")
		f.Title = fmt.Sprintf("Code without a name in %s takes %s of the CPU", library, percent(h.share))
		f.Summary = fmt.Sprintf("The line %s takes %s of the CPU, in %s, whose functions have no names; %s.",
			r.Place(h.lines[0].Key), percent(h.share), library, v.level)
	case ok:
		f.Title = fmt.Sprintf("%s takes %s of the CPU in %s", short(fn.Name), percent(h.share), short(callee.Name))
		f.Summary = fmt.Sprintf("The line %s takes %s of the CPU, in %s and below; %s.", r.Place(h.lines[0].Key),
			percent(h.share), short(callee.Name), v.level)
	default:
		f.Title = fmt.Sprintf("%s takes %s of the CPU", short(fn.Name), percent(h.share))
		f.Summary = fmt.Sprintf("%s takes %s of the CPU itself%s; %s.", short(fn.Name), percent(h.share), h.lineText(r),
			v.level)
	}
	f.Summary += h.calls.text(r)
	if h.entered != stacks.NoFrame {
		f.Summary += fmt.Sprintf(" None of the program's own code is on these stacks; they enter the dependency at %s.",
			r.Place(h.entered))
	}
	f.Explanation = "Copying, map access and allocation count for the function that asked for them, and the standard " +
		"library's work counts for the line " +
		"that called it. Only the author knows whether the work is needed, and how often: the profile says that " +
		"nothing else is worth " +
		"as much to look at."
	f.Impact = onCPU(h.share, GainOfWork(h.share))
	f.Remedies = h.remedies(r)
	if h.repeat != nil {
		h.repeat.says(r, &f)
	}
	return f
}

// GainOfWork is all of a share of the CPU if the work is done once or not at all. A profile does not show how much of
// it is needed, so that the least is as far from it as a promise may be.
func GainOfWork(cost float64) casefile.Gain {
	low, high := promised(cost/widestGain, cost)
	return casefile.Gain{Low: low, High: high, Arithmetic: fmt.Sprintf("the work takes %s of CPU: all of it if it is "+
		"done once or not at all, a third if it is done a little less or faster", percent(cost))}
}

// rewrittenPlaces is the impact with all places that the finding names, and the collector's part for their garbage.
func rewrittenPlaces(r *Reading, i casefile.Impact) casefile.Impact {
	v := r.cpu()
	if h := r.hottest(); h != nil && i.Share == roundShare(h.share) {
		i.Gain = GainOfWork(v.cured(h.places(r, v), h.garbage(r)))
		i.Share = max(i.Share, i.Gain.High)
	}
	return i
}

// named are the lines that the finding names as places that take the CPU.
func (h *hotspot) named() []stacks.Entry[stacks.FrameID] {
	lines := top(h.lines, 3)
	for i, e := range lines {
		if 4*e.Value < h.lines[0].Value {
			return lines[:i] // these add nothing
		}
	}
	return lines
}

// places is the share of the CPU of the places that the finding names.
func (h *hotspot) places(r *Reading, v *cpuView) (share float64) {
	if r.Table.Funcs[h.fn].Owner == stacks.User {
		for _, e := range h.named() {
			share += float64(e.Value) / v.total
		}
	}
	return max(share, h.share)
}

// garbage is the share of the garbage that is made at the named lines of the user's function.
func (h *hotspot) garbage(r *Reading) (share float64) {
	g := r.costs().garbage
	if g.set == nil || r.Table.Funcs[h.fn].Owner != stacks.User {
		return 0
	}
	named := h.named()
	for _, e := range stacks.SumBy(g.set, g.weight, r.UserLine) {
		if slices.ContainsFunc(named, func(n stacks.Entry[stacks.FrameID]) bool { return n.Key == e.Key }) {
			share += float64(e.Value) / g.total
		}
	}
	return share
}

// callee is the function of another owner that the hottest line calls, when most of the line's CPU is spent there.
func (h *hotspot) callee(r *Reading) (*stacks.Func, bool) {
	if len(h.below) == 0 || 2*h.below[0].Value < h.lines[0].Value {
		return nil, false
	}
	return r.Table.Func(h.below[0].Key), true
}

func (h *hotspot) lineText(r *Reading) string {
	if len(h.lines) == 0 {
		return ""
	}
	sum := int64(0)
	for _, l := range h.lines {
		sum += l.Value
	}
	return fmt.Sprintf(", most at line %d (%s of it)", r.Table.Line(h.lines[0].Key),
		percent(float64(h.lines[0].Value)/float64(sum)))
}

// where names the user's lines first, then the function when it is not the user's, then what runs below.
func (h *hotspot) where(r *Reading, v *cpuView) []casefile.Frame {
	user := r.Table.Funcs[h.fn].Owner == stacks.User
	var out []casefile.Frame
	for _, e := range h.named() {
		role := "takes the CPU"
		if !user {
			role = "called from"
		}
		out = append(out, r.Frame(e.Key, float64(e.Value)/v.total, role))
	}
	if !user {
		hot := stacks.SumBy(v.set, v.weight, func(s *stacks.Sample) (stacks.FrameID, bool) {
			id := works(r.Table, s.Stack)
			return id, r.Table.FuncID(id) == h.fn
		})
		for _, e := range top(hot, 1) {
			out = append(out, r.Frame(e.Key, h.share, "takes the CPU"))
		}
		if h.entered != stacks.NoFrame {
			out = append(out, r.Frame(h.entered, h.share, "where the dependency is entered"))
			out = append(out, waysTo(r, h.fn, h.entered)...)
		}
		return out
	}
	if h.calls.line != stacks.NoFrame {
		out = append(out, r.Frame(h.calls.line, h.calls.share, "calls it"))
	}
	for _, e := range top(h.below, 2) {
		out = append(out, as(casefile.Called, r.Frame(e.Key, float64(e.Value)/v.total, "runs below it")))
	}
	return out
}

func (h *hotspot) remedies(r *Reading) []casefile.Remedy {
	var out []casefile.Remedy
	if callee, ok := h.callee(r); ok {
		out = ofLibrary(callee.Name)
	}
	at := short(r.Table.Funcs[h.fn].Name)
	if h.entered != stacks.NoFrame {
		return append(ofHeaders(r, h.cost),
			inGeneral("Ask for it less often", fmt.Sprintf("The line is not the program's own. Find out what makes %s "+
				"necessary, and keep its result if the same is asked for again.", at),
				"a cache can be stale and takes memory"),
			doChange("Make the dependency do less, or use another",
				fmt.Sprintf("Look for a setting of %s that avoids the work (a level, a window, an optional check), "+
					"or a newer version. If the work is the purpose of the program, "+
					"only its author knows.", r.Table.Funcs[h.fn].Package), "an update to test"))
	}
	out = append(out, contentRemedies(r, h.cost)...)
	if k := h.cost; k != nil && k.OfDependency(r.Table) {
		return append(out, dependencyRemedies(r, k)...)
	}
	if len(h.lines) > 0 {
		at = r.Place(h.lines[0].Key)
	}
	out = append(out, h.byOrder(at)...)
	if _, calls := h.callee(r); !calls && h.calls.line != stacks.NoFrame {
		at = fmt.Sprintf("%s, which calls %s%s", r.Place(h.calls.line), short(r.Table.Funcs[h.fn].Name), h.calls.more())
	}
	if h.repeat == nil && h.calls.root != stacks.NoFrame {
		return append(out, inGeneral("Do it less often, or only for what has changed", fmt.Sprintf("It runs in "+
			"goroutines of %s, in no request. If a timer begins it: less often, and only for what has changed since "+
			"(a version, a mark, a queue of changes). If it works on what is handed to it, or for each of many:",
			short(r.Table.Func(h.calls.root).Name))+" "+stepsRemedy(at).Text, "a result that is a little old"))
	}
	return append(out, stepsRemedy(at))
}

// stepsRemedy is for work of which only the place is known.
func stepsRemedy(at string) casefile.Remedy {
	return inGeneral("Do it less often, or in fewer steps", fmt.Sprintf("At %s: if the same is asked for again "+
		"(settings, a text, a list that has not changed), do it once, where that changes, and keep the result. If it "+
		"stands in a loop whose steps do not change it, before the loop. If it goes through a list for each request "+
		"or element, or compares each with each: a map, a sorted slice, a heap, or what the list adds up to, kept "+
		"where elements come and go. If each result is new and needed, only cheaper steps are left.", at), "a cache "+
		"can be stale and takes memory")
}

// lockCauses adds the line that takes most of the CPU of the process, if it is in the function that has the lock or
// below it, where those who wait are about to do the same: then that line bounds how many get through, and a cheaper
// one holds the lock for less. Others need not wait for work that can be done outside, and a lock that the line itself
// takes and gives back is inside of what it calls.
func lockCauses(r *Reading, own *casefile.Finding, all, _ []casefile.Finding) {
	if r.cpu() == nil || !sameWork(own.Where) {
		return
	}
	holder := own.Where[0]
	for _, g := range all {
		if g.Impact.Resource == "cpu" && g.Impact.Share >= lineIsAll && len(g.Where) > 0 &&
			!hasPlace(own.Where[:1], g.Where[0]) && !slices.Contains(own.CausedBy, g.ID) &&
			withinShare(r, g.Where[0], holder.Function) >= lineIsAll {
			own.CausedBy = append(own.CausedBy, g.ID)
			own.Remedies = slices.Insert(slices.Clip(own.Remedies), min(1, len(own.Remedies)),
				doChange("Make what it does under the lock cheaper", fmt.Sprintf("%s, below %s, takes %s of the CPU: "+
					"what %s says of it is for the lock, too.", frameText(g.Where[0]), short(holder.Function), percent(g.Impact.Share),
					g.ID), "none"))
		}
	}
}

// sameWork reports whether those of a lock's places that have it, and half or more of those who wait, are in the
// function of the first.
func sameWork(where []casefile.Frame) bool {
	same, all := 0.0, 0.0
	for _, w := range where {
		switch of := w.Function == where[0].Function; {
		case w.Part == casefile.WaitsForLock && of:
			same, all = same+w.Share, all+w.Share
		case w.Part == casefile.WaitsForLock:
			all += w.Share
		case !of:
			return false
		}
	}
	return len(where) > 0 && 2*same >= all
}

// withinShare is the share of the CPU at a line and below, where a function is on the stack at it or above.
func withinShare(r *Reading, at casefile.Frame, within string) float64 {
	v := r.cpu()
	sum := int64(0)
	for i := range v.set.Samples {
		s := &v.set.Samples[i]
		from := slices.IndexFunc(s.Stack, func(id stacks.FrameID) bool {
			return r.Table.Func(id).Name == at.Function && r.Table.Line(id) == at.Line
		})
		if from >= 0 && r.Table.Has(s.Stack[from:], func(f *stacks.Func) bool { return f.Name == within }) {
			sum += v.weight(s)
		}
	}
	return float64(sum) / max(v.total, 1)
}
