package diagnose

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/gocasebook/casebook/casefile"
	"github.com/gocasebook/casebook/diagnose/cost"
	"github.com/gocasebook/casebook/diagnose/known"
	"github.com/gocasebook/casebook/diagnose/stacks"
	"github.com/gocasebook/casebook/diagnose/traces"
)

// What happens below a line of the user's decides what to write there. Rows over the facts of package cost say it;
// docs/evidence/costs.md has, for each condition, programs that it must and must not speak on.

// newSpent computes the costs of all lines; nil without a CPU profile that can be judged.
func newSpent(r *Reading) *cost.Costs {
	v, c := r.cpu(), r.costs()
	if v == nil || c.cpu == nil {
		return nil
	}
	e := cost.Evidence{Table: r.Table, CPU: v.set, Total: v.total, Garbage: c.garbage.set, Bytes: c.garbage.weight,
		AllBytes: c.garbage.total, Collector: c.collect,
		Weight: func(s *stacks.Sample) int64 {
			if !computes(r.Table, s) {
				return 0
			}
			return v.weight(s)
		},
		At: func(stack []stacks.FrameID) int { return hangsOn(r.Table, stack) }}
	if h := r.heap(); h != nil {
		e.Heap = h.set
	}
	return cost.New(e)
}

// spentAt is what hangs on a line; nil where that is not known.
func spentAt(r *Reading, line stacks.FrameID) *cost.Cost {
	if c := r.spent(); c != nil {
		return c.Of(line)
	}
	return nil
}

// hangsOn is the position of the line that a stack hangs on: the user's, or where that only passes a request on, or
// there is none, the outermost of a dependency that does not.
func hangsOn(t *stacks.Table, stack []stacks.FrameID) int {
	_, u := t.UserFrame(stack)
	if u >= 0 && !passesOn(t, stack, u) {
		return u
	}
	if u < 0 {
		u = len(stack)
	}
	for i := u - 1; i >= 0; i-- {
		if t.Func(stack[i]).Owner == stacks.Dependency && !passesOn(t, stack, i) {
			return i
		}
	}
	return -1
}

// A costRow is one way in which a line costs more than it need.
type costRow struct {
	scale Scale
	limit int // of the score
	gain  [2]float64
	why   string // the gain's
	find  func(r *Reading, k *cost.Cost) (costAnswer, bool)
}

// A costAnswer is what a row found at a line.
type costAnswer struct {
	title, summary, explanation string
	part                        float64 // of the line that it is about
	places                      []casefile.Frame
	remedies                    []casefile.Remedy
}

// or lets others speak of a kind, too, as rows over costs do: the finding about the larger share stays.
func (d Detector) or(others ...func(*Reading) (casefile.Finding, bool)) Detector {
	run := d.Run
	d.Run = func(ctx context.Context, r *Reading) Answer {
		a := run(ctx, r)
		for _, other := range others {
			f, ok := other(r)
			if ok && (len(a.Findings) == 0 || f.Impact.Share >= a.Findings[0].Impact.Share) {
				a = found(f)
			}
		}
		return a
	}
	return d
}

// refines adds general kinds of which this one says more exactly what costs so much at a line.
func (d Detector) refines(kinds ...string) Detector {
	d.Refines = append(slices.Clip(d.Refines), kinds...)
	return d
}

// worst is the finding about the most expensive line of which a row speaks.
func (row costRow) worst(r *Reading) (casefile.Finding, bool) {
	c := r.spent()
	if c == nil {
		return casefile.Finding{}, false
	}
	for _, k := range c.All {
		if k.Share < row.scale.Worth {
			break
		}
		if a, ok := row.find(r, k); ok && k.Enough() {
			f := row.finding(r, k, a)
			return f, f.Score >= worthKnowing
		}
	}
	return casefile.Finding{}, false
}

func (row costRow) finding(r *Reading, k *cost.Cost, a costAnswer) casefile.Finding {
	v := r.cpu()
	share := k.Share * a.part
	all := v.cured(k.CPU*a.part, k.Garbage*a.part)
	low, high := promised(row.gain[0]*all, row.gain[1]*all)
	f := casefile.Finding{Title: a.title, Summary: a.summary + " " + upperFirst(v.level.String()) + ".",
		Explanation: a.explanation, Remedies: a.remedies,
		Score:      min(row.scale.Score(share), row.limit, v.level.cap()),
		Confidence: Confidence(share, v.samples), Evidence: Basis(v.set),
		Where: append([]casefile.Frame{r.Frame(k.Line, share, "takes the CPU")}, a.places...)}
	if k.Garbage > 0 {
		f.Costs = []casefile.Cost{{Of: casefile.Garbage, Share: roundShare(k.Garbage)}}
		f.Evidence = addBasis(f.Evidence, Basis(r.costs().garbage.set))
	}
	f.Impact = onCPU(share, casefile.Gain{Low: low, High: high, Arithmetic: fmt.Sprintf("the line costs %s of the CPU, "+
		"%s of it in what is repeated; %s", percent(v.cured(k.CPU, k.Garbage)), percent(a.part), row.why)})
	return f
}

// enters is what a line calls, in short; the line's own function if it works itself.
func enters(r *Reading, k *cost.Cost) string {
	if k.Enter == stacks.NoFrame {
		return short(r.Table.Func(k.Line).Name)
	}
	return short(r.Table.Func(k.Enter).Name)
}

// preparedAnew is what prepares itself at its first use, and is used once.
func preparedAnew() costRow {
	return costRow{scale: onceScale(), limit: capUnsure, gain: [2]float64{0.7, 1}, why: onceGainWhy,
		find: func(r *Reading, k *cost.Cost) (costAnswer, bool) {
			if k.First*k.Share < onceScale().Worth {
				return costAnswer{}, false
			}
			at, calls := r.Place(k.Line), enters(r, k)
			return costAnswer{part: k.First,
				title: fmt.Sprintf("What prepares itself at its first use is made anew for each call, %s of the CPU, "+
					"at %s",
					percent(k.Share*k.First), at),
				summary: fmt.Sprintf("%s of what the line %s costs is below a sync.Once of what it calls, %s, and "+
					"what is made there is garbage soon: a value that prepares itself at its first use is used once.",
					percent(k.First), at,
					calls),
				explanation: "What is prepared for a single use costs many times that use. Made once, it serves all " +
					"requests, if it is safe for concurrent use; its documentation says so. Just after a start the " +
					"same is no fault.",
				remedies: []casefile.Remedy{doChange("Make it once, and keep it", fmt.Sprintf(
					"Make the value on which %s calls %s at start-up, in a package variable or a field, and use it "+
						"for every request.", at, calls), "it must be safe for concurrent use; otherwise a sync.Pool")},
			}, true
		}}
}

// wholePart is of the bytes below the line: a whole that is written into a buffer first, which doubles, and then copied
// out is a third of them.
const wholePart = 0.25

func quadraticCost() Scale { return Scale{Worth: 0.15, Hurts: 0.50, Top: 1} }

// wholeForPart is a large object that is made again for each part of it.
func wholeForPart() costRow {
	return costRow{scale: quadraticCost(), limit: capUnsure, gain: [2]float64{0.5, 0.98},
		why: "made once, it costs as much as one of them",
		find: func(r *Reading, k *cost.Cost) (costAnswer, bool) {
			w := k.Whole
			if w == nil || w.Part < wholePart || r.costs().joins(k.Line) {
				return costAnswer{}, false
			}
			at, calls := r.Place(k.Line), enters(r, k)
			a := costAnswer{part: 1,
				title: fmt.Sprintf("The whole, up to %s, is made again for each of its parts, %s of the CPU, at %s",
					size(w.Size), percent(k.Share), at),
				summary: fmt.Sprintf("Below the line %s %s allocates objects that grow in equal steps up to %s, %s "+
					"on average, %s times or more for each request.",
					at, calls, size(w.Size), size(w.Mean), count(w.Times)),
				explanation: "Whoever adds to a whole, or takes from it, one part at a time, and copies it each " +
					"time, takes steps that grow with the square of the number of parts: twice as many parts cost " +
					"four times as much.",
				remedies: []casefile.Remedy{
					doChange("Build it once from all its parts", fmt.Sprintf("At %s: gather the parts in the loop (a "+
						"slice, a map, one bytes.Buffer) and make the whole of them after it, in one call, instead "+
						"of passing the whole through %s for each.", at, calls), "none"),
					doChange("Read it once", fmt.Sprintf("If %s takes parts away: decode the whole into a struct or "+
						"map before the loop, and take the parts from there.", calls), "memory for what is decoded"),
				}}
			if k.Enter != stacks.NoFrame {
				a.places = []casefile.Frame{r.Frame(k.Enter, k.Share, "called for each part")}
			}
			return a, true
		}}
}

// joins reports whether a line's cost is that of joining strings, of which that kind speaks.
func (c *costView) joins(line stacks.FrameID) bool {
	return slices.ContainsFunc(c.lines["alloc-string-concat"], func(l *lineCost) bool { return l.line == line })
}

// moduleText is the module of a frame, with its version where that is known.
func moduleText(r *Reading, id stacks.FrameID) string {
	f := r.Table.Func(id)
	if path, version, ok := stacks.ModuleOf(f.File); ok {
		here := path + ", here " + cmp.Or(version, "of no version")
		if newer := known.Newer(path, version); newer != "" {
			return here + " (" + newer + " is out)"
		}
		return here
	}
	return f.Package
}

// mostCallers is the part of a line's CPU from which on asking who called is what it costs.
const mostCallers = 0.5

// dependencyRemedies are the remedies for a line that takes most of its time in a dependency: its algorithm is not the
// user's, but what it is given is, and how often it is called.
func dependencyRemedies(r *Reading, k *cost.Cost) (out []casefile.Remedy) {
	at, calls := r.Place(k.Line), enters(r, k)
	if k.Callers >= mostCallers {
		return []casefile.Remedy{
			doChange("Do not record the stack", fmt.Sprintf("%s of what %s costs at %s is asking which functions have "+
				"called it. Where the result is expected and handled (not found, no permission, end of data): "+
				"return an "+
				"error that was made once (a package variable), or fmt.Errorf with %%w, or a bool; keep the stack "+
				"for what "+
				"somebody will read.", percent(k.Callers), calls, at), "no stack in what is logged of them"),
			doChange("Record it once", fmt.Sprintf("Record the stack where an error is first seen, and not again "+
				"at %s and "+
				"at each place that passes it on; a shorter stack, or a setting of %s that leaves it out, costs "+
				"less.", at,
				shortModule(r.Table.Func(k.Enter).Module())), "none"),
		}
	}
	if s := k.Step; s != nil {
		does, uses := short(r.Table.Func(s.Does).Name), short(r.Table.Func(s.Uses).Name)
		out = append(out, withNeeds(casefile.NeedsSameInput, inGeneral("Do "+does+" once, if it is given the same each "+
			"time", fmt.Sprintf("%s of what %s costs at %s is %s, which can be called by itself; what is left is for %s, "+
			"which likely works on what that returns. If what it is made from does not differ from request to request: call "+
			"it at start-up, or when that changes, keep what it returns, and leave only %s at %s.",
			percent(s.Part), calls, at, does, uses, uses, at),
			"what is kept must be made again when its inputs change")))
	}
	for _, pkg := range k.Asks {
		if what, smaller := known.Input(pkg); smaller != "" {
			out = append(out, doChange(smaller, fmt.Sprintf("%s goes through %s: it costs in proportion to them. At "+
				"%s: %s, to the size that the result shows.",
				calls, what, at, lowerFirst(smaller)), "a result of less detail"))
			break
		}
	}
	_, method, ok := strings.Cut(calls, ").")
	if ok && known.HandsOutByName(method) || onlySends(r, k.Line) {
		return append(out, inGeneral("Hand over more in one call, and less in all", fmt.Sprintf("At %s %s does "+
			"something outside with what it is given: nothing of it can be kept. Gather what goes to the same place, "+
			"and hand it over in one call where one takes many; leave out what the other side does not need; look for "+
			"its options of batches, of the format and of compression.", at, calls), "what is gathered waits"))
	}
	if ok && known.ChangesByName(method) {
		return append(out, inGeneral("Change it in fewer calls", fmt.Sprintf("At %s: %s changes what it is called on, "+
			"and may move, rewrite or look through what is there each time: as many calls as there are parts then "+
			"cost their square. Put each part at its last place the first time (at the end, or from the last to the "+
			"first), or hand over all of them in one call, where one takes many. Otherwise call it less often.", at,
			calls),
			"other code"))
	}
	if known.MakesByName(calls) {
		return append(out, inGeneral("Make it once, and keep it", fmt.Sprintf("At %s: call %s at start-up, or once for each "+
			"of few settings, keep what it returns in a variable or a field, and end it when the program ends. Where many "+
			"may not use one at a time: a pool, or one for each worker.", at, calls), "it is there as long as it is kept"))
	}
	return append(out,
		withNeeds(casefile.NeedsSameInput, inGeneral("Do it once for the same input, else give it less", fmt.Sprintf(
			"At %s: what does not differ from request to request (a text, a file, settings, a key, a schema) is given to %s "+
				"at start-up, or when it changes, and the result is kept in a variable or a field. If each request brings its own: call it less "+
				"often (out of loops, once for many where one call takes many), hand over only what the result needs, of "+
				"bounded size, and look for the option or the call that does less.", at, calls), "a cache can be stale "+
			"and takes memory")))
}

// sendsMost is how many times what receiving takes sending must take where an answer only acknowledges. A question and
// its answer are a write and a read, which take about as long.
const sendsMost = 4

// onlySends reports whether what is below a line sends to another process, and gets next to nothing back.
func onlySends(r *Reading, line stacks.FrameID) bool {
	sent, got := time.Duration(0), time.Duration(0)
	for _, c := range r.Summary().Syscalls {
		at := slices.IndexFunc(c.Stack, func(f traces.Frame) bool { return r.IsAt(line, f) })
		switch below := c.Stack[:max(at, 0)]; {
		case does(below, known.WritesAnswer, known.OfRequestConn): // what a request gets can be kept for the next
		case does(below, known.SendsOnSocket):
			sent += c.Times.Total
		case does(below, known.ReceivesOnSocket):
			got += c.Times.Total
		}
	}
	return sent > 0 && sent >= sendsMost*got
}

// largeHeader is in bytes: browsers and proxies send one or two KiB.
const largeHeader = 8 << 10

// ofHeaders are the remedies for work that a dependency does with a request's header before the user's code; none if
// headers are not large.
func ofHeaders(r *Reading, k *cost.Cost) []casefile.Remedy {
	c := r.spent()
	if k == nil || c.Requests.Header < largeHeader {
		return nil
	}
	return []casefile.Remedy{
		doChange("Limit the header of a request", fmt.Sprintf("Requests bring headers of %s on average, and %s may "+
			"go through them whole: set MaxHeaderBytes of http.Server to what your clients need, 16 KiB or so (the "+
			"default is 1 MiB), or limit it in the proxy before.", size(c.Requests.Header), enters(r, k)),
			"a client with larger headers gets 431"),
		laterRelease(r, k.Line, enters(r, k)),
	}
}

// laterRelease is for what a dependency does at a line of its own.
func laterRelease(r *Reading, line stacks.FrameID, what string) casefile.Remedy {
	return inGeneral("Look for a newer release", fmt.Sprintf("%s does this for each request, from %s. A newer one may "+
		"not: its notes and the Go vulnerability database (govulncheck) say so.", what, moduleText(r, line)),
		"an update to test")
}
