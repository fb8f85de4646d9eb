package diagnose

import (
	"fmt"
	"slices"

	"github.com/gocasebook/casebook/casefile"
	"github.com/gocasebook/casebook/diagnose/stacks"
)

// Where a process does nothing but one call that computes, the hottest function may be repeated by one that should have
// ended: that down to which all stacks are one. Serving shows system calls; a profile of many samples without any is of
// such a call, or of a batch.

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
	for _, id := range v.set.Heaviest(w, func(*stacks.Sample) bool { return true }) {
		fn := r.Table.FuncID(id)
		if r.Table.Func(id).Owner != stacks.User {
			continue
		}
		lines, below := linesWithin(r.Table, v.set, w, fn)
		switch {
		case float64(below) < repeatAll*all:
		case fn == h.fn || isMain(r.Table.Func(id)):
			return nil
		default:
			return &repeat{lines[0].Key, float64(below) / v.total}
		}
	}
	return nil
}

// linesWithin are the lines of a function at which stacks are in it, with all that is below it.
func linesWithin(t *stacks.Table, set *stacks.Set, w stacks.Weight,
	fn stacks.FuncID) (lines []stacks.Entry[stacks.FrameID], below int64) {
	lines = stacks.SumBy(set, w, func(s *stacks.Sample) (stacks.FrameID, bool) {
		i := slices.IndexFunc(s.Stack, func(id stacks.FrameID) bool { return t.FuncID(id) == fn })
		if i < 0 {
			return stacks.NoFrame, false
		}
		return s.Stack[i], true
	})
	for _, l := range lines {
		below += l.Value
	}
	return lines, below
}

// says adds it to the hottest function. Whether it should have ended no profile says: what that costs less is no gain.
func (p *repeat) says(r *Reading, f *casefile.Finding) {
	at := r.Place(p.at)
	f.Summary += fmt.Sprintf(" All that the process does is below %s (%s), without a system call.", at, percent(p.share))
	f.Where = slices.Insert(f.Where, 1, r.Frame(p.at, p.share, "repeats it"))
	f.Remedies = append(f.Remedies, inGeneral("See that the loop ends", "At "+at+", if this is no batch: what it "+
		"waits for must change in each round, also where a call returns early or does nothing.", "none"))
}
