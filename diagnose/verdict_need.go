package diagnose

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/gocasebook/casebook/casefile"
	"github.com/gocasebook/casebook/diagnose/stacks"
	"github.com/gocasebook/casebook/diagnose/traces"
	"github.com/gocasebook/casebook/diagnose/view"
	"github.com/gocasebook/casebook/vitals"
)

// A wanted is a capture that would say why a signal tripped.
type wantedCapture struct {
	kinds   []string // evidence that makes it needless
	take    string   // what a watch takes by itself; "" if it cannot
	command string
	look    string // what to look at in it
	later   bool   // the heap and the goroutines minutes later decide it, which a watch takes by itself
}

// readTrace prints what requests wait for, one by one.
const readTrace = captureTrace + "; casebook trace trace.out"

// Captures that decide what no finding explains.
func wantedCPU() wantedCapture {
	return wantedCapture{[]string{casefile.CPU}, casefile.CPU, captureCPU, "what takes the CPU", false}
}

func wantedHeap() wantedCapture {
	return wantedCapture{[]string{casefile.Heap, casefile.Allocs}, casefile.Heap, captureTwoHeaps, "which line grows", false}
}

func wantedGoroutines() wantedCapture {
	return wantedCapture{[]string{casefile.Goroutine, casefile.GoroutineDump}, casefile.Goroutine, captureTwoGo,
		"where goroutines wait", false}
}

func wantedDump() wantedCapture {
	return wantedCapture{[]string{casefile.GoroutineDump}, casefile.GoroutineDump, captureDump,
		"how long each has waited", false}
}

func wantedMutex() wantedCapture {
	return wantedCapture{[]string{casefile.Mutex}, "", captureMutex, "which line holds the lock", false}
}

func wantedTrace() wantedCapture {
	return wantedCapture{[]string{traces.KindSummary}, casefile.Trace, readTrace, "what the slowest requests wait for", false}
}

// wants are the captures that explain a signal of the class, the first that is missing first.
func (c tripClass) wants() []wantedCapture {
	switch c {
	case ofCPU:
		return []wantedCapture{wantedCPU(), wantedTrace()}
	case ofHeld:
		return []wantedCapture{wantedHeap(), {nil, "", captureLaterHeap, "which line still grows", true}}
	case ofOffHeap:
		return []wantedCapture{wantedCPU(), {nil, "", "cat /proc/PID/smaps > smaps.txt",
			"the largest mapping that is not Go's", false}}
	case ofAllocs:
		return []wantedCapture{wantedHeap(), wantedCPU(), {nil, "", captureTwoHeaps, "which line allocates most", true}}
	case ofLocks:
		return []wantedCapture{wantedMutex(), wantedGoroutines(), wantedTrace()}
	case ofWaits, ofThreads, ofFiles:
		return []wantedCapture{wantedGoroutines(), wantedDump(), {nil, "", captureTwoGo, "which line has more later", true}}
	}
	return []wantedCapture{wantedGoroutines(), wantedCPU(), wantedTrace()}
}

// needed is the verdict where nothing explains what is wrong: the one capture that would. It is nil where nothing is
// wrong.
func needed(r *Reading, us []casefile.Undecided, url string) *casefile.CaseVerdict {
	if v := unanswered(r); v != nil {
		return v
	}
	for _, trip := range r.Triggers {
		class, ok := tripOf(trip)
		if !ok {
			continue
		}
		wants := class.wants()
		i := slices.IndexFunc(wants, func(w wantedCapture) bool { return !hasCapture(r, w) })
		if i < 0 {
			i = len(wants) - 1
		}
		w := wants[i]
		w.command = atTarget(w.command, url)
		if w.take == casefile.Trace && r.unreadTrace != "" { // it is there, and this process cannot read it
			w.take, w.command = "", "casebook trace "+r.unreadTrace
		}
		return &casefile.CaseVerdict{Answer: casefile.AnswerUndecided, Settle: w.command + ": " + w.look, Take: w.take,
			Later: w.later, Text: undecidedText(cmp.Or(trip.Signal, stuckGoroutines), w.command)}
	}
	return cmp.Or(heldUndecided(r), offHeapUndecided(r), busyUndecided(r), poorEvidence(us, url))
}

// unanswered is the verdict of a process that did not answer until the end, and of which nothing but what the kernel
// tells is there; nil of one that did.
func unanswered(r *Reading) *casefile.CaseVerdict {
	if len(r.Sets) > 0 || len(r.Vitals) == 0 {
		return nil
	}
	silent, ok := r.Vitals[len(r.Vitals)-1].Get(vitals.Unanswered)
	if !ok || silent < starvedProbe {
		return nil
	}
	text := "It has not answered for " + seconds(silent)
	return &casefile.CaseVerdict{Answer: casefile.AnswerUndecided, Text: firstThatFits(text+"; "+whyLate(r)+".", text+"."),
		Settle: "kill -QUIT PID: it prints where its goroutines stand, and ends"}
}

// hasCapture reports whether a capture is there. A dump is known by the wait of each goroutine.
func hasCapture(r *Reading, w wantedCapture) bool {
	dumped := w.take == casefile.GoroutineDump && slices.ContainsFunc(r.Sets, func(s view.Captured) bool {
		return s.Goroutines != nil
	})
	return dumped || hasKinds(r, w.kinds)
}

// undecidedText says what to type, if that fits: otherwise the command is beside it, in Settle.
func undecidedText(signal, command string) string {
	return firstThatFits(
		fmt.Sprintf("Not enough evidence to say why %s tripped; capture: %s", signal, command),
		fmt.Sprintf("Not enough evidence to say why %s tripped; the capture that settles it is below.", signal),
		"Not enough evidence; the capture that settles it is below.")
}

// heldUndecided is the verdict where nothing is found and one line holds much of the heap: what it holds, and the
// capture that tells whether it grows; nil where none does.
func heldUndecided(r *Reading) *casefile.CaseVerdict {
	least := float64(heldWorth)
	if len(r.Vitals) == 0 && !hasKinds(r, []string{casefile.CPU, casefile.Goroutine}) { // looked at because of memory
		least = tripWorth
	}
	s, next := mostHeldLine(r.holds(), least)
	if s == nil {
		return nil
	}
	text := fmt.Sprintf("%s are held at %s", size(s.Now.Bytes), newKept(r, s).place())
	return &casefile.CaseVerdict{Answer: casefile.AnswerUndecided, Settle: next, Text: firstThatFits(
		fmt.Sprintf("%s (%s): a second heap profile, minutes later, tells whether they grow.", text, objectsText(s.Now)),
		text+".", "A second heap profile, minutes later, tells whether memory grows.")}
}

// offHeapUndecided is the verdict where nothing is found and memory outside of the heap grew while the evidence was
// taken: how much, and that a watch tells whether it goes on; nil where it did not.
func offHeapUndecided(r *Reading) *casefile.CaseVerdict {
	off, ok := lastOf(r, vitals.OffHeap)
	g, _ := growthOffHeap(r)
	if !ok || off < minOffHeap || g.more <= 0 {
		return nil
	}
	text := fmt.Sprintf("%s are outside Go's heap, %s", size(off), g)
	return &casefile.CaseVerdict{Answer: casefile.AnswerUndecided, Settle: captureWatch, Text: firstThatFits(
		text+"; a watch of some minutes tells whether that goes on.", text+".")}
}

// busyUndecided is the verdict where nothing is found, there is no profile of the CPU, and half of the goroutines or
// more are at work at once: a loop that does not end looks like that; nil where it is otherwise.
func busyUndecided(r *Reading) *casefile.CaseVerdict {
	set := r.Goroutines()
	if set == nil || hasKinds(r, []string{casefile.CPU}) {
		return nil
	}
	var most *view.Pile
	busy, all := int64(0), set.Total(set.Count())
	for _, p := range r.Piles(set) {
		works := p.Wait == stacks.WaitNothing || p.Wait == stacks.WaitUnknown && showsParking(r)
		if works && p.User {
			if busy += p.N; most == nil {
				most = p
			}
		}
	}
	if busy < riseLeast || 2*busy < all {
		return nil
	}
	text := fmt.Sprintf("%s of %s goroutines are at work at once, most at %s", count(busy), count(all), r.Place(most.At))
	return &casefile.CaseVerdict{Answer: casefile.AnswerUndecided, Settle: captureCPU, Text: firstThatFits(
		text+"; a CPU profile tells whether that is a loop that does not end.", text+".")}
}

// poorEvidence is the verdict where nothing is found and the evidence itself is too poor to find anything; nil if it
// is not. That evidence of a kind was not given at all says nothing about the rest.
func poorEvidence(us []casefile.Undecided, url string) *casefile.CaseVerdict {
	i := slices.IndexFunc(us, func(u casefile.Undecided) bool {
		return strings.HasPrefix(u.Kind, "evidence-") && u.CaptureNext != "" && len(u.Lacks) == 0
	})
	if i < 0 {
		return nil
	}
	next := atTarget(us[i].CaptureNext, url)
	return &casefile.CaseVerdict{Answer: casefile.AnswerUndecided, Settle: next,
		Text: firstThatFits("Not enough evidence: "+clause(us[i].Reason)+"; next: "+next,
			"Not enough evidence: "+clause(us[i].Reason)+".", "Not enough evidence.")}
}

// settles is what tells two causes of an effect apart, and the number to look at.
func settles(effect string) string {
	if effect == effectGoroutines {
		return captureTwoGo + ": which of the two lines has more goroutines in the second"
	}
	return readTrace + ": which of the two lines the slowest requests wait at longest"
}

func settleNoun(effect string) string {
	if effect == effectGoroutines {
		return "a second goroutine profile"
	}
	return "an execution trace"
}

// MayWant reports whether a verdict of a case may ask for evidence that a watch can take and the case does not have:
// the case was opened by a signal, and of what explains that signal something is missing, if only time.
func MayWant(c *casefile.Case) bool {
	class, ok := tripOf(c.Trigger)
	if !ok {
		return false
	}
	for _, w := range class.wants() {
		missing := !slices.ContainsFunc(c.Evidence, func(e casefile.Evidence) bool {
			return slices.Contains(w.kinds, e.Kind) || e.Kind == w.take
		})
		if missing {
			return w.take != "" || w.later
		}
	}
	return false
}
