package diagnose

import (
	"fmt"
	"math"
	"strings"

	"github.com/gocasebook/casebook/casefile"
	"github.com/gocasebook/casebook/diagnose/hold"
	"github.com/gocasebook/casebook/diagnose/stacks"
)

// The age of objects by Little's law, L = λW (J. D. C. Little, Operations Research 9, 1961; golang/go#55900): where a
// line's live objects L stand still, their mean lifetime W is L over the rate λ at which it allocates. L and λ are in
// bytes: by number, the many small buffers that io.ReadAll grows through hid the large ones that stayed. Both are of
// sampled objects, so W is a range: the logarithm of n samples has the standard deviation 1/√n.

const (
	ageLines   = 8    // that the table has at most
	ageLeast   = 0.01 // of the live heap
	ageSamples = 8    // that must be alive: with fewer the range spans a factor of four and more
	// ageSteady is by what part of its live bytes a line may differ between the profiles, if that is more than chance.
	ageSteady = 0.1
	// ageNone is what the expected number of allocations may be at 95 % where none was sampled (the rule of three).
	ageNone = 3
)

// A lived is what two heap profiles tell of the objects of a line.
type lived struct {
	*hold.Sum
	at                     stacks.FrameID
	samplesLive, samplesIn float64 // alive, on average, and made between the two
	seconds                float64 // between the two
}

// objectAges are the ages of what holds most of the heap; nil without two heap profiles of different collections.
func objectAges(r *Reading) []casefile.ObjectAge {
	g, ok := r.Growth()
	if !ok || g.Same || g.Seconds <= 0 || heapBefore(r, g) {
		return nil
	}
	lines := hold.By(r.holds().Held, func(b *hold.Held) stacks.FrameID {
		if b.Line != stacks.NoFrame {
			return b.Line
		}
		return r.Table.Entered(b.Stack)
	})
	var out []casefile.ObjectAge
	for _, s := range lines.Sorted(hold.AliveBytes) {
		came := s.Came()
		l := lived{Sum: s.Sum, at: s.Key, samplesLive: s.Samples - s.GrownSamples/2,
			samplesIn: sampled(came.Bytes, came.Objects, g.Last.Rate()), seconds: g.Seconds}
		if len(out) == ageLines || l.Now.Bytes < ageLeast*g.Live {
			break
		}
		if s.Key != stacks.NoFrame && l.samplesLive >= ageSamples {
			out = append(out, l.age(r))
		}
	}
	return out
}

// sayAges adds to findings about memory that stays how long it does, where the place is a line that stands still.
func (t relations) sayAges(r *Reading, fs []casefile.Finding) {
	for i := range fs {
		if f := &fs[i]; t.kind(f.Kind).IsHeld && len(f.Where) > 0 {
			if age, ok := ageAt(objectAges(r), f.Where[0]); ok {
				f.Explanation += " " + age
			}
		}
	}
}

// ageAt is a sentence on the age of what a line allocated; ok is false if it has none.
func ageAt(ages []casefile.ObjectAge, at casefile.Frame) (text string, ok bool) {
	for _, a := range ages {
		if a.Function != at.Function || a.Line != at.Line || a.Low == nil {
			continue
		}
		if a.Allocated == 0 {
			return "Nothing was allocated at this line between the two heap profiles: what is alive stays for " + a.Text + ".",
				true
		}
		return "What this line allocates stays for " + a.Text + " on average.", true
	}
	return "", false
}

// change is by how many bytes the live objects differ, if that is more than chance allows: samples that stay are in
// both profiles, so only those that came can differ.
func (l *lived) change() float64 {
	more := l.Grown().Bytes
	chance := 2 * math.Sqrt(min(2*l.samplesLive, 2*l.samplesIn)) * l.Now.Bytes / max(l.samplesLive, 1)
	if math.Abs(more) <= max(ageSteady*l.Now.Bytes, chance) {
		return 0
	}
	return more
}

func (l *lived) age(r *Reading) casefile.ObjectAge {
	f := r.Frame(l.at, 0, "")
	a := casefile.ObjectAge{Function: f.Function, File: f.File, Line: f.Line, Bytes: int64(l.Now.Bytes),
		Allocated: math.Round(l.Came().Bytes / l.seconds)}
	low, high := l.bounds()
	if change := l.change(); change != 0 {
		a.Text = "none: more at the end"
		if change < 0 {
			a.Text = "none: fewer at the end"
		}
		return a
	}
	a.Low = &low
	if high > 0 {
		a.High = &high
	}
	a.Text = ageText(low, high)
	return a
}

// bounds are the age's in seconds, with two digits; high is 0 without a bound: where nothing was seen to be allocated,
// or next to nothing.
func (l *lived) bounds() (low, high float64) {
	if l.samplesIn < 1 || l.Came().Bytes <= 0 {
		return twoDigits(l.seconds * l.samplesLive / ageNone), 0
	}
	age := l.seconds * (l.Before.Bytes + l.Now.Bytes) / 2 / l.Came().Bytes
	spread := math.Exp(2 * math.Sqrt(1/l.samplesLive+1/l.samplesIn))
	return twoDigits(age / spread), twoDigits(age * spread)
}

func twoDigits(v float64) float64 {
	unit := math.Pow(10, math.Floor(math.Log10(v))-1)
	return math.Round(v/unit) * unit
}

// ageText writes "2.1 to 3.4 s", "more than 5 min"; with one unit if both have the same.
func ageText(low, high float64) string {
	if high == 0 {
		return "more than " + seconds(low)
	}
	from, to := seconds(low), seconds(high)
	if n, unit, ok := strings.Cut(from, " "); ok && strings.HasSuffix(to, " "+unit) {
		from = n
	}
	return fmt.Sprintf("%s to %s", from, to)
}
