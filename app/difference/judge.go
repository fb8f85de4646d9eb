package difference

import (
	"cmp"
	"math"
	"slices"

	"github.com/gocasebook/casebook/casefile"
	"github.com/gocasebook/casebook/diagnose"
	"github.com/gocasebook/casebook/vitals"
)

// judge looks up on both sides what a finding is about, and takes back what that contradicts.
func (c *Change) judge(base, now *side, oneBuild bool) {
	f := c.Finding()
	of := resourceOf(&f)
	b, n := base.by[of], now.by[of]
	switch {
	case b == nil || n == nil:
	case of == CPU:
		c.judgeSpent(base, now)
	default:
		before, after := held(b, n, f.Where[0], oneBuild)
		if before > 0 || after > 0 {
			c.Resource, c.Amount = of, &Amount{n.unit, &before, &after}
			c.judgeHeld(before, after, n.least, surely(b, n, before, after))
		}
	}
}

// resourceOf is what a finding's place has that is counted in a profile: goroutines that wait, bytes that are held, or
// CPU time; "" where there is none.
func resourceOf(f *casefile.Finding) string {
	waits := slices.ContainsFunc(f.Evidence, func(e casefile.Basis) bool {
		return e.Kind == casefile.Goroutine || e.Kind == casefile.GoroutineDump
	})
	switch of := f.Impact.Resource; {
	case len(f.Where) == 0:
		return ""
	case of == CPU, of == Memory:
		return of
	case of == Goroutines, waits:
		return Goroutines
	}
	return ""
}

// paired makes one change of a finding that is gone and one that is new where both are of what is held at one line: the
// same goroutines are a queue in one capture and a leak in the next.
func paired(changes []diagnose.Change) []diagnose.Change {
	var out []diagnose.Change
	for _, c := range changes {
		i := -1
		if c.State == diagnose.StateGone { // those that are new come first
			i = slices.IndexFunc(out, func(n diagnose.Change) bool { return n.Base == nil && atOneLine(c.Base, n.Now) })
		}
		if i < 0 {
			out = append(out, c)
			continue
		}
		p := &out[i]
		p.Base, p.State, p.Score = c.Base, diagnose.StateSame, p.Now.Score-c.Base.Score
		p.Share, p.Note = 0, "the same line, judged as another kind"
		if c.Base.Impact.Resource == p.Now.Impact.Resource {
			p.Share = p.Now.Impact.Share - c.Base.Impact.Share
		}
	}
	return out
}

// atOneLine reports whether two findings are of goroutines or of memory at the same line.
func atOneLine(a, b *casefile.Finding) bool {
	of := resourceOf(a)
	return (of == Goroutines || of == Memory) && of == resourceOf(b) && a.Where[0].Function == b.Where[0].Function &&
		a.Where[0].Line == b.Where[0].Line
}

// held is what stacks through a place have on both sides: through its line where both sides have it, or where they are
// of one build; otherwise through the function, because lines move.
func held(b, n *measure, at casefile.Frame, oneBuild bool) (before, after float64) {
	before, after = b.through(at.Function, at.Line), n.through(at.Function, at.Line)
	if (before == 0 || after == 0) && !oneBuild {
		return b.through(at.Function, 0), n.through(at.Function, 0)
	}
	return before, after
}

// judgeHeld judges a finding by what is held at its place, from the least on which is worth a word. Sure says that the
// two amounts differ by more than chance.
func (c *Change) judgeHeld(before, after, least float64, sure bool) {
	rose, fell := sure && after >= leastRatio*before, sure && before >= leastRatio*after
	there := min(before, after) >= least
	f := c.Finding()
	switch own := f.Impact.Resource == c.Resource; { // otherwise its place may be who holds up those that wait
	case !own && (c.Base == nil || c.Now == nil):
	case c.Now == nil:
		if c.State == diagnose.StateGone && there && after*leastRatio > before {
			c.becomes(chosen(rose, diagnose.StateWorse, diagnose.StateSame), "no finding says so now, but it is there")
		}
	case c.Base == nil:
		if there && before*leastRatio > after {
			c.becomes(chosen(fell, diagnose.StateBetter, diagnose.StateSame),
				"no finding said so in the base, but it was there")
		}
	case !own && c.Base.Kind == c.Now.Kind: // its share is of something else
		if rose && c.State == diagnose.StateBetter || fell && c.State == diagnose.StateWorse {
			c.becomes(diagnose.StateSame, "what waits there says otherwise")
		}
	case rose:
		c.becomes(diagnose.StateWorse, "")
	case fell && c.Base.Kind == c.Now.Kind && c.State == diagnose.StateWorse:
		c.becomes(diagnose.StateSame, "less is there, which weighs more")
	case fell:
		c.becomes(diagnose.StateBetter, "")
	case c.Base.Kind != c.Now.Kind: // scores of two kinds do not compare
		c.becomes(diagnose.StateSame, "")
	}
}

func chosen(first bool, a, b string) string {
	if first {
		return a
	}
	return b
}

// becomes changes the state, and says why where a reader may wonder.
func (c *Change) becomes(state, why string) {
	c.State = state
	if why != "" {
		c.Note = why
	}
}

// leastLoad is by how much CPU time must differ to contradict a share.
const leastLoad = 1.1

// judgeSpent adds what a share of the CPU comes to, and takes back a judgement that this contradicts: a larger part of
// less CPU may be the same work. With requests on both sides it is what each costs that counts.
func (c *Change) judgeSpent(base, now *side) {
	if c.Base == nil || c.Now == nil || c.Base.Impact.Resource != CPU || c.Now.Impact.Resource != CPU {
		return
	}
	before, after := c.Base.Impact.Share*base.by[CPU].total, c.Now.Impact.Share*now.by[CPU].total
	c.Resource, c.Amount = CPU, &Amount{vitals.Cores, &before, &after}
	load := cmp.Or(loadOf(base, now), 1)
	switch {
	case c.State == diagnose.StateSame:
	case c.mayBeChance(base.by[CPU], now.by[CPU]):
		c.becomes(diagnose.StateSame, "the share has not moved by more than chance")
	case c.State == diagnose.StateWorse && leastLoad*after < load*before:
		c.becomes(diagnose.StateSame, "a larger part of less CPU")
	case c.State == diagnose.StateBetter && after > leastLoad*load*before:
		c.becomes(diagnose.StateSame, "a smaller part of more CPU")
	}
}

// mayBeChance reports whether two shares of so many samples differ by less than two standard errors.
func (c *Change) mayBeChance(b, n *measure) bool {
	variance := func(share float64, m *measure) float64 {
		return share * (1 - share) / max(part(m.total, m.sample), 1)
	}
	x, y := c.Base.Impact.Share, c.Now.Impact.Share
	return math.Abs(y-x) < 2*math.Sqrt(variance(x, b)+variance(y, n))
}
