package assess

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/gocasebook/casebook/app/prove"
	"github.com/gocasebook/casebook/app/prove/trial"
	"github.com/gocasebook/casebook/casefile"
)

// proof adds the machine to what was measured. err is the reason if the measurement was cut short.
func (req *ProveRequest) proof(r trial.Result, same bool, err error) casefile.Proof {
	p := r.Proof
	p.Before, p.After = req.Sides.variant(0), req.Sides.variant(1)
	p.Taken = time.Now().UTC()
	p.Load = req.loadText(r.Slice)
	if len(r.Overloads) > 0 {
		p.Summary = strings.Join(append(slices.Clone(r.Overloads), p.Summary), " ")
	}
	if same {
		p.Summary = "A and B are the same, so any difference is noise: " + p.Summary
	}
	if err != nil && !judged(r) {
		p.Summary = fmt.Sprintf("Cut short after %s: %s", prove.BlocksText(len(r.Blocks)), p.Summary)
	}
	if r.Profiles != nil {
		p.Moved = r.Profiles.Moved
		p.Method += absentProfiles(r.Profiles)
	}
	if r.Limited != "" {
		p.Method += " The load generator was at its limit: " + r.Limited + "."
	}
	return p
}

// judged reports whether the measurement finished: profiles are taken after it.
func judged(r trial.Result) bool { return r.Profiles != nil }

// absentProfiles says which profiles could not be taken, in sentences with a space before each.
func absentProfiles(p *trial.Profiles) string {
	var b strings.Builder
	if p.Absent != "" {
		fmt.Fprintf(&b, " There are no CPU profiles from both sides: %s.", p.Absent)
	}
	if err := p.A.NoHeap; err != nil {
		fmt.Fprintf(&b, " There is no heap profile of A: %v.", err)
	}
	if err := p.B.NoHeap; err != nil {
		fmt.Fprintf(&b, " There is no heap profile of B: %v.", err)
	}
	return b.String()
}

// loadText says which load each server got.
func (req *ProveRequest) loadText(slice time.Duration) string {
	t := &req.Trial
	if t.Rate > 0 {
		return fmt.Sprintf("%g/s to %s, %s arrivals, open model, in turns of %s, the same for A and B",
			t.Rate, req.URL, t.Arrivals, slice)
	}
	spaced := ""
	if !strings.HasPrefix(t.Pace.Text, t.Pace.Arrivals) { // it does not say so itself
		spaced = t.Pace.Arrivals + " arrivals, "
	}
	return fmt.Sprintf("%s to %s, %sopen model, in turns of %s from all over it, the same for A and B",
		t.Pace.Text, req.URL, spaced, slice)
}
