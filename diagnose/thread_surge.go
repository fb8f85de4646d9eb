package diagnose

import (
	"context"
	"fmt"
	"strings"

	"github.com/gocasebook/casebook/casefile"
	"github.com/gocasebook/casebook/diagnose/known"
	"github.com/gocasebook/casebook/diagnose/stacks"
	"github.com/gocasebook/casebook/diagnose/view"
	"github.com/gocasebook/casebook/vitals"
)

// threadScale is in threads that goroutines of one line occupy in C code or in system calls. 200 are more than files
// and name lookups of an ordinary service need. Container platforms allow a pod 1,024 to 4,096, and at 10,000 the
// runtime ends the process (runtime/debug.SetMaxThreads): 2,000 are on the way there.
func threadScale() Scale { return Scale{Worth: 200, Hurts: 2000, Top: 10_000} }

func threadSurge() Detector {
	return Detector{
		ID:         "GO010",
		Kind:       "thread-surge",
		Title:      "Many goroutines hold a thread each",
		OtherNames: []string{"threads-growth"},
		Text: `A goroutine that waits for a channel, a lock or the network needs no thread. One inside a C function or
a system call that blocks (a file on a slow disk, flock, a device, a name lookup by libc) keeps its thread as long as
that takes, and the runtime starts another for the rest. Threads stay after the calls end.

Groups the goroutines in C code or in system calls by the line of the user's code. A running goroutine is in the kernel
only for a moment, and at most GOMAXPROCS goroutines run. Worth knowing from 200 at one line, hurting from 2,000:
container platforms allow a pod 1,024 to 4,096 threads, and at 10,000 the runtime ends the process. Nothing is found if
the vitals or the threadcreate profile show less than half as many threads as goroutines in such calls. Capped at 74 if
neither exists.

If there are 200 threads and no line that holds them now, a goroutine profile from the right moment is requested.`,
		Needs: needGoroutines(),
		Before: `// as many at once as there are requests
func handle(w http.ResponseWriter, r *http.Request) { C.resize(img) }`,
		After:      `sem := make(chan struct{}, runtime.NumCPU()); … sem <- struct{}{}; C.resize(img); <-sem`,
		Remedies:   threadRemedies(),
		Waits:      knowsWhat,
		NeedsPlace: true,
		Effect:     "Threads pile up",
		Run:        runThreadSurge,
	}
}

func runThreadSurge(_ context.Context, r *Reading) Answer {
	threads, known := threads(r)
	set := r.Goroutines()
	var worst *view.Pile
	for _, p := range r.Piles(set) { // the largest first
		if p.Wait == stacks.WaitSyscall && p.User {
			worst = p
			break
		}
	}
	if worst == nil || float64(worst.N) < threadScale().Worth {
		if known && threads.n >= threadScale().Worth {
			return undecided(fmt.Sprintf("the process has %s threads (%s), and no line holds many of them now: "+
				"threads stay after the calls that needed them",
				count(threads.n), threads.from), captureGoroutine+" at the moment of load")
		}
		return Answer{}
	}
	if known && 2*threads.n < float64(worst.N) { // the two are not of the same moment
		return Answer{}
	}
	limit := noCap
	if !known {
		limit = capUnsure
	}
	return found(threadFinding(r, set, worst, threads, min(threadScale().Score(float64(worst.N)), limit)))
}

// A threadCount is how many threads the process has, and where the number comes from; zero where nobody knows.
type threadCount struct {
	n    float64
	from string
}

// threads takes the most that the vitals show, else the threadcreate profile: threads are seldom ended.
func threads(r *Reading) (threadCount, bool) {
	c := threadCount{from: "vitals"}
	for i := range r.Vitals {
		if v, ok := r.Vitals[i].Get(vitals.Threads); ok {
			c.n = max(c.n, v)
		}
	}
	if c.n > 0 {
		return c, true
	}
	for _, s := range r.All(casefile.ThreadCreate) {
		c.n = max(c.n, float64(s.Total(stacks.ByValue(s.Value(casefile.ThreadCreate, "count")))))
	}
	c.from = "threadcreate profile"
	return c, c.n > 0
}

func threadFinding(r *Reading, set *stacks.Set, p *view.Pile, threads threadCount, score int) casefile.Finding {
	total := float64(set.Total(set.Count()))
	doing := "in a system call"
	if callsC(r.Table, p.Stack) {
		doing = "in C code"
	}
	number := ""
	if threads.n > 0 {
		number = fmt.Sprintf("; the process has %s threads (%s)", count(threads.n), threads.from)
	}
	f := pileFinding(r, set, p, fmt.Sprintf("%s goroutines at %s hold a thread each", count(float64(p.N)), r.Place(p.At)),
		"goroutines here are "+doing, joined(fmt.Sprintf("%s of %s goroutines are %s below %s, each on a thread of its own%s",
			count(float64(p.N)), count(total), doing, r.Place(p.At), number), pileAge(p)))
	f.Score, f.Confidence, f.Remedies = score, 0.95, remediesAt(r.Place(p.At), threadRemedies()...)
	f.Explanation = "While a goroutine is in C or in a system call that blocks, its thread can do nothing else, and the " +
		"runtime starts another. Threads do not end when the calls return. Each takes a kernel stack and a C stack, and " +
		"counts towards the process limits of the user and the container; if no more can be started, or at 10,000, the " +
		"process ends."
	f.Impact = casefile.Impact{Resource: "goroutines", Share: roundShare(float64(p.N) / max(total, 1)),
		Text: fmt.Sprintf("%s threads held", count(float64(p.N))),
		Gain: casefile.Gain{Low: roundShare(float64(p.N) / max(total, 1) / 2),
			High: roundShare(float64(p.N) / max(total, 1)), Arithmetic: fmt.Sprintf(
				"with as many concurrent calls as there are CPUs, or a few dozen if they wait, nearly all of the %s "+
					"threads are not needed", count(float64(p.N)))}}
	return f
}

func threadRemedies() []Remedy {
	return []Remedy{
		byChange("", "Limit how many are in the call at once", "At "+Line+": a semaphore (a buffered channel, "+
			"golang.org/x/sync/semaphore) around the call, runtime.NumCPU() wide for C that computes, "+
			"a few dozen for calls that wait. A goroutine that waits for a channel needs no thread.",
			"requests queue, or are rejected"),
		byChange("", "Use a call that does not block the thread", "Use package net instead of a C client; an os.File "+
			"of a pipe or socket, which the poller handles; flock with LOCK_NB and a later retry; "+
			"net.Resolver{PreferGo: true} instead of libc's lookup.", "more code"),
		byChange("", "Give the call an end", "A timeout on the C side or the device: a call that never returns holds "+
			"its thread forever, and no context can interrupt it.", "none"),
	}
}

// callsC reports whether a stack is in C code, seen from the user's line inwards.
func callsC(t *stacks.Table, stack []stacks.FrameID) bool {
	for _, id := range stack {
		f := t.Func(id)
		if f.Owner == stacks.User {
			return false
		}
		if f.Does(known.CallsIntoC) || strings.Contains(f.Name, "._Cfunc_") {
			return true
		}
	}
	return false
}
