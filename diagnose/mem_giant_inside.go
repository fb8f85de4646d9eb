package diagnose

import (
	"fmt"

	"github.com/gocasebook/casebook/casefile"
	"github.com/gocasebook/casebook/diagnose/known"
	"github.com/gocasebook/casebook/diagnose/stacks"
)

// A library may need a large block of a size of its own for each call or each value: scrypt fills 32 MiB whatever the
// password is, a compressor has its window and its tables. Nothing of the input is read whole then, and there are no
// pieces to work on. Where the sizes follow the input (photos, documents, uploads), they vary.

// insideLeast is how many blocks must have the same size: fewer may do so by chance.
const insideLeast = 3

// A fixedBlock is what a line's call into a library allocates, always as large.
type fixedBlock struct {
	enter *stacks.Func // what the user's line calls
}

// fixedInside is the call whose giants are made below a user's line, at each place in one size; nil where one is the
// line's own, reads its input whole, or varies. What two profiles differ in has no sizes any more, only means; the last
// profile has them, since the start.
func fixedInside(r *Reading, line stacks.FrameID) *fixedBlock {
	sizes := make(map[stacks.FrameID]int64)
	var fixed *fixedBlock
	var most, n float64
	for _, b := range r.heap().held().Held {
		if b.Line != line || b.Made.Objects <= 0 || b.Size < giantObject {
			continue
		}
		size := int64(b.Size)
		if old, ok := sizes[b.At]; b.At == line || ok && old != size || r.Table.Has(b.Inside(), func(f *stacks.Func) bool {
			return isGrowing(f) || f.Does(known.FindsFile)
		}) {
			return nil
		}
		sizes[b.At] = size
		if n += b.Made.Objects; b.Made.Bytes > most {
			most, fixed = b.Made.Bytes, &fixedBlock{r.Table.Func(b.Stack[len(b.Inside())-1])}
		}
	}
	if n < insideLeast {
		return nil
	}
	return fixed
}

// says puts the call in place of the input.
func (b *fixedBlock) says(f *casefile.Finding, at string) {
	f.Explanation = fmt.Sprintf("%s allocates blocks of one size, whatever it is given. There must be enough memory "+
		"for as many of them as calls run at the same time.", short(b.enter.Name))
	f.Remedies = b.remedies(at)
	f.Impact.Gain.Arithmetic = fmt.Sprintf("all of what %s allocates if its values are kept and used again, half if "+
		"half as many calls run at once", short(b.enter.Name))
}

// remedies are about the call: what it allocates is not the user's to divide.
func (b *fixedBlock) remedies(at string) []casefile.Remedy {
	name := short(b.enter.Name)
	bound := doChange("Bound how many run at once", fmt.Sprintf("At %s: a semaphore (a channel with as many places "+
		"as there are CPUs) around the call of %s: the peak is the block times the calls that run.", at, name),
		"calls wait when all places are taken")
	less := doChange("Set it smaller", fmt.Sprintf("If %s or its constructor takes a size (a window, a level, a cost), "+
		"choose one that this work needs.", name), "a lower ratio or a weaker hash: check what is required")
	if isMethod(b.enter) || b.enter.Does(known.MakesStream) {
		return []casefile.Remedy{doChange("Keep it and use it again", fmt.Sprintf("At %s: the block belongs to the "+
			"value on which %s works. Keep such values in a sync.Pool, or one for each worker, and Reset them for "+
			"the next use.", at, name), "as much memory stays for each value that is kept"), bound, less}
	}
	return []casefile.Remedy{bound, less}
}

// computesMore reports whether a line's own work takes more CPU than its memory does, allocating, clearing and
// collecting: then the work is the first to look at.
func computesMore(r *Reading, at stacks.FrameID) bool {
	v := r.cpu()
	if v == nil || v.samples < minCPUSamples {
		return false
	}
	var works, makes float64
	for i := range v.set.Samples {
		s := &v.set.Samples[i]
		if line, ok := r.UserLine(s); !ok || line != at {
			continue
		}
		if s.Class == stacks.Malloc || s.Class.GC() {
			makes += float64(v.weight(s)) / v.total
		} else {
			works += float64(v.weight(s)) / v.total
		}
	}
	if k := spentAt(r, at); k != nil {
		makes += k.Share - k.CPU
	}
	return works > makes
}
