package answer

import (
	"slices"

	"github.com/gocasebook/casebook/app/facts"
)

// A situation is what facts of weight show at the places of an answer, by what they are about.
type situation struct {
	c *check

	waits  []*facts.Fact // goroutines wait there
	stays  []*facts.Fact // goroutines stay there, or what begins them is there
	memory []*facts.Fact // memory is held that was made there
	costs  []*facts.Fact // CPU or garbage
	top    *facts.Fact   // the most harmful of them; nil without any
}

// situation reads the facts at the places. The answer's own citations count, too: a place may be where others' memory
// is dropped.
func (c *check) situation() *situation {
	s := &situation{c: c}
	for _, f := range append(slices.Clone(c.at), c.rests()...) {
		if !c.hasWeight(f) {
			continue
		}
		switch {
		case f.Sort == facts.Wait && f.Thing == facts.Running:
			continue
		case f.Sort == facts.Wait:
			add(&s.waits, f)
		case f.Sort == facts.Hold && bounds(f, "goroutines"):
			add(&s.stays, f)
		case f.Sort == facts.Hold:
			add(&s.memory, f)
		case f.Sort == facts.Cost:
			add(&s.costs, f)
		default:
			continue
		}
		if s.top == nil || f.Harm > s.top.Harm {
			s.top = f
		}
	}
	return s
}

func add(all *[]*facts.Fact, f *facts.Fact) {
	if !slices.Contains(*all, f) {
		*all = append(*all, f)
	}
}

// bounds reports whether a fact bounds what a change can bring of a resource.
func bounds(f *facts.Fact, resource string) bool {
	return slices.ContainsFunc(f.Bounds, func(b facts.Bound) bool { return b.Resource == resource })
}

// wait is the waits for one of some things.
func (s *situation) wait(things ...string) []*facts.Fact { return of(s.waits, things...) }

// of is those of some facts that are about one of some things.
func of(all []*facts.Fact, things ...string) (out []*facts.Fact) {
	for _, f := range all {
		if slices.Contains(things, f.Thing) {
			out = append(out, f)
		}
	}
	return out
}

// outsideHeap is the fact that most of the memory is outside of Go's heap; nil where it is not.
func (s *situation) outsideHeap() *facts.Fact {
	for i := range s.c.sheet.Facts {
		f := &s.c.sheet.Facts[i]
		if f.Thing == facts.OutsideHeap && slices.ContainsFunc(f.Bounds,
			func(b facts.Bound) bool { return b.High > half }) {
			return f
		}
	}
	return nil
}

const half = 0.5

// ended is the waits, and those of goroutines that stay, that somebody could end who does one of some things.
func (s *situation) ended(things ...string) (all []*facts.Fact) {
	for _, f := range slices.Concat(s.waits, s.stays) {
		if slices.ContainsFunc(f.Enders, func(does string) bool { return slices.Contains(things, does) }) {
			all = append(all, f)
		}
	}
	return all
}

// topIs reports whether the most harmful fact at the places is one of some.
func (s *situation) topIs(all []*facts.Fact) bool { return s.top != nil && slices.Contains(all, s.top) }

// itself is the waits for a place, or a lock, of which those who have one wait for another: no number of them is
// enough.
func (s *situation) itself() (all []*facts.Fact) {
	for _, f := range s.waits {
		if slices.Contains(f.Enders, f.Thing) {
			all = append(all, f)
		}
	}
	return all
}

// collector is the part of the CPU that allocating and collecting takes, by which fact; 0 where none says so.
func (s *situation) collector() (part float64, by *facts.Fact) {
	for i := range s.c.sheet.Facts {
		f := &s.c.sheet.Facts[i]
		if f.Sort != facts.Machine {
			continue
		}
		for _, n := range f.Numbers {
			if n.Name == facts.Collecting {
				return n.Value, f
			}
		}
	}
	return 0, nil
}

// cpuUsed is the part of the CPU that the process may use and does, of one core where its limit is not known; 1 where
// nothing tells.
func (s *situation) cpuUsed() (part float64, by *facts.Fact) {
	for i := range s.c.sheet.Facts {
		f := &s.c.sheet.Facts[i]
		used, limit := 0.0, 0.0
		for _, n := range f.Numbers {
			switch {
			case f.Sort == facts.Felt && n.Name == "cpu":
				used = n.Value
			case f.Sort == facts.Felt && n.Name == "cpu limit":
				limit = n.Value
			}
		}
		if used > 0 {
			return used / max(limit, 1), f
		}
	}
	return 1, nil
}

// costShare is the largest part of the CPU that a place of the answer takes.
func (s *situation) costShare() (part float64, by *facts.Fact) {
	for _, f := range s.costs {
		for _, b := range f.Bounds {
			if b.Resource == "cpu" && b.High > part {
				part, by = b.High, f
			}
		}
	}
	return part, by
}

// machine is the facts of weight about the machine.
func (s *situation) machine() (all []*facts.Fact) {
	for i := range s.c.sheet.Facts {
		if f := &s.c.sheet.Facts[i]; f.Sort == facts.Machine && s.c.hasWeight(f) {
			all = append(all, f)
		}
	}
	return all
}

// frames reports whether a stack of some facts has such a frame.
func frames(all []*facts.Fact, is func(facts.Frame) bool) bool {
	return slices.ContainsFunc(all, func(f *facts.Fact) bool { return passes(f, is) })
}
