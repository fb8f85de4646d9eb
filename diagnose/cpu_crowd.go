package diagnose

import (
	"fmt"
	"slices"

	"github.com/gocasebook/casebook/casefile"
	"github.com/gocasebook/casebook/diagnose/wait"
)

// Requests that all compute at one line share the processors, and so each of them takes as many times its CPU as there
// are for each core: by Little's law their number, divided by the cores that the process uses, is that factor. It is
// the scale of overload, which needs a trace and a machine of one's own; here two captures and a CPU profile tell.

// A crowdAtWork is requests that compute at one line.
type crowdAtWork struct {
	n, requests int64
	cores       float64
}

// times is how many times the CPU that it uses a request takes.
func (c crowdAtWork) times() float64 { return float64(c.n) / c.cores }

// computesAt is the requests that compute at the first line of a finding about CPU, if these are most of those in
// progress, in two captures, and each takes so many times its CPU that users feel it.
func computesAt(r *Reading, f casefile.Finding) (c crowdAtWork, ok bool) {
	g, v := r.waits(), r.cpu()
	last := len(g.Moments) - 1
	if v == nil || !v.level.known || v.level.cores <= 0 || last < 1 || len(f.Where) == 0 ||
		f.Impact.Resource != effectCPU {
		return c, false
	}
	var n [2]int64
	for _, p := range g.Piles {
		at := r.Frame(p.Line, 0, "")
		if p.Request && p.For == wait.Nothing && at.Function == f.Where[0].Function && at.Line == f.Where[0].Line {
			n[0], n[1] = n[0]+p.N[last-1], n[1]+p.N[last]
		}
	}
	c = crowdAtWork{n[1], g.Requests[last], v.level.cores}
	return c, mostAt(g, last-1, n[0]) && mostAt(g, last, n[1]) && c.times() >= overloadScale().Hurts
}

// sayCrowds says of findings about CPU that requests crowd at their lines, and what ends that.
func sayCrowds(r *Reading, fs []casefile.Finding) {
	for i := range fs {
		c, ok := computesAt(r, fs[i])
		if !ok {
			continue
		}
		at := frameText(fs[i].Where[0])
		fs[i].Summary += fmt.Sprintf(" %s of %s in progress compute there with %s: each takes %s times the CPU that it uses.",
			count(c.n), things(c.requests, "request"), cores(c.cores), count(c.times()))
		fewer := doChange("Let fewer in at a time", fmt.Sprintf("Around %s: a semaphore with as many places as CPUs, and "+
			"503 for who would wait too long: those that are let in end in a fraction of the time, with the same CPU.", at),
			"some requests are turned away under load")
		fs[i].Remedies = slices.Insert(slices.Clone(fs[i].Remedies), min(1, len(fs[i].Remedies)), fewer)
	}
}

// verdict is the sentence about a crowd at the line of a finding.
func (c crowdAtWork) verdict(root casefile.Finding) string {
	who := fmt.Sprintf("Requests are late because %s of %s in progress compute at %s, on %s: %s times their CPU",
		count(c.n), count(c.requests), frameText(root.Where[0]), cores(c.cores), count(c.times()))
	return firstThatFits(
		fmt.Sprintf("%s; change: %s, and let fewer in at a time.", who, changeText(root)),
		fmt.Sprintf("%s; change: let fewer in at a time.", who),
		who+".")
}
