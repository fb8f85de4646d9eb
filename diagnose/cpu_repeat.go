package diagnose

import (
	"fmt"
	"slices"

	"github.com/gocasebook/casebook/casefile"
	"github.com/gocasebook/casebook/diagnose/stacks"
)

// Where a process does nothing but one call that computes, the place is not the hottest of the functions that it calls:
// it is the function in which they are called again and again, down to which all stacks are one. Serving shows system
// calls; a profile of many samples without any is of such a call, which should have ended, or is a batch.

const (
	repeatSamples = 500  // in a server's that many, some are system calls
	repeatAll     = 0.98 // of what computes
)

// A repeat is such a function.
type repeat struct {
	at    stacks.FrameID // its line with most
	share float64        // of the CPU
}

// findRepeat looks for one above the hottest function; nil where that is all there is, or something else runs, too.
func (h *hotspot) findRepeat(r *Reading, v *cpuView, w stacks.Weight) *repeat {
	if v.samples < repeatSamples || v.class[stacks.Syscall] > 0 || r.Table.Funcs[h.fn].Owner != stacks.User {
		return nil
	}
	all := float64(v.set.Total(w))
	below := func(fn stacks.FuncID) func(*stacks.Sample) int64 {
		return func(s *stacks.Sample) int64 {
			for _, id := range s.Stack {
				if r.Table.FuncID(id) == fn {
					return w(s)
				}
			}
			return 0
		}
	}
	for _, id := range v.set.Heaviest(w, func(*stacks.Sample) bool { return true }) {
		fn := r.Table.FuncID(id)
		if r.Table.Func(id).Owner != stacks.User || float64(v.set.Total(below(fn))) < repeatAll*all {
			continue
		}
		if fn == h.fn || isMain(r.Table.Func(id)) {
			return nil
		}
		lines := stacks.SumBy(v.set, w, func(s *stacks.Sample) (stacks.FrameID, bool) {
			for _, id := range s.Stack {
				if r.Table.FuncID(id) == fn {
					return id, true
				}
			}
			return 0, false
		})
		return &repeat{lines[0].Key, float64(v.set.Total(below(fn))) / v.total}
	}
	return nil
}

// says puts it before the hottest function. How much of it is needed no profile says, so that no gain is promised.
func (p *repeat) says(r *Reading, f *casefile.Finding, hottest string) {
	at := r.Place(p.at)
	f.Title = fmt.Sprintf("%s takes %s of the CPU, most in %s", short(r.Table.Func(p.at).Name), percent(p.share), hottest)
	f.Summary = fmt.Sprintf("All that the process does is below %s (%s), and it makes no system calls: one call computes, "+
		"and does not end. %s", at, percent(p.share), f.Summary)
	f.Where = append([]casefile.Frame{r.Frame(p.at, p.share, "repeats it")}, f.Where...)
	f.Impact = casefile.Impact{Resource: "cpu", Share: roundShare(p.share),
		Text: percent(p.share) + " of the CPU the process used",
		Gain: casefile.Gain{Arithmetic: "all of it if the loop should have ended; nothing if it is a batch"}}
	first := 0 // behind what is known of the work itself
	if len(f.Remedies) > 0 && f.Remedies[0].Name != generalRemedy {
		first = 1
	}
	f.Remedies = slices.Insert(f.Remedies, first, inGeneral("See that the loop ends", "At "+at+": what it waits for must "+
		"change in each round, also where a call returns early or does nothing.", "none"))
}
