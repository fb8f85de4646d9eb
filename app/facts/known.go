package facts

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/gocasebook/casebook/diagnose/known"
	"github.com/gocasebook/casebook/diagnose/stacks"
)

// mostKnown bounds the rows of a Sheet.
const mostKnown = 16

// seenBy is by which facts of package known a fact of a sort speaks. A row is asked for more than the engine would:
// what waits may be what stays, and whoever reads it decides.
func seenBy(s Sort) known.Seen {
	switch s {
	case Wait:
		return known.Waiting | known.Staying
	case Hold:
		return known.Holding | known.Staying
	case Cost:
		return known.OnCPU
	}
	return 0
}

// A rowAt is a row of package known at a frame of facts.
type rowAt struct {
	advice *known.Advice
	frame  Frame
	facts  []string
}

// addKnown adds what experts know of the functions at which facts stand.
func (s *Sheet) addKnown() {
	rows := s.rowsAt()
	for i := range rows[:min(len(rows), mostKnown)] {
		r := &rows[i]
		s.Facts = append(s.Facts, Fact{ID: "K" + strconv.Itoa(i+1), Sort: Known, Text: r.text(),
			Stacks: []Stack{{Frames: []Frame{r.frame}}}, Of: r.facts, Cure: r.advice.Do, Harm: s.harmOf(r.facts),
			governs: r.setting()})
	}
}

// rowsAt are the rows at the frames of facts: those of the most harmful fact first, of these the faults of a release,
// then those nearest to the leaf.
func (s *Sheet) rowsAt() (out []rowAt) {
	for i := range s.Facts {
		f := &s.Facts[i]
		by := seenBy(f.Sort)
		first := len(out)
		for _, stack := range f.Stacks {
			for _, at := range s.rowsOn(stack.Frames, by) {
				k := slices.IndexFunc(out, func(o rowAt) bool { return o.advice == at.advice })
				if k < 0 {
					k = len(out)
					out = append(out, at)
				}
				if !slices.Contains(out[k].facts, f.ID) {
					out[k].facts = append(out[k].facts, f.ID)
				}
			}
		}
		slices.SortStableFunc(out[first:], func(a, b rowAt) int {
			fault := func(s rowAt) int {
				if s.advice.About == known.AboutFault {
					return 0
				}
				return 1
			}
			return cmp.Compare(fault(a), fault(b))
		})
	}
	return out
}

// rowsOn are the rows that stand on a stack.
func (s *Sheet) rowsOn(frames []Frame, by known.Seen) (out []rowAt) {
	var below []*known.Advice
	for _, f := range frames {
		if f.Owner == User { // the user's own code may be one of the modules
			continue
		}
		knows := known.AdviceOf(f.Function)
		for _, a := range slices.Concat(knows.At, knows.Stays) {
			if a.Show(by) && (a.Below == nil || slices.Contains(below, a)) && a.HoldsFor(s.release(a, f)) {
				out = append(out, rowAt{advice: a, frame: f})
			}
		}
		below = append(below, knows.Below...)
	}
	return out
}

// release is that of the module of a row, as the file of a frame or the build has it; "" where nothing says it.
func (s *Sheet) release(a *known.Advice, f Frame) string {
	path, version, ok := stacks.ModuleOf(f.File)
	for _, m := range a.Modules {
		switch {
		case m.Path == known.Std:
			release, _, _ := strings.Cut(s.Subject.Go, " ") // "go1.26.1 X:greenteagc"
			return release
		case ok && (path == m.Path || strings.HasSuffix(path, "/"+m.Path)): // below any GOMODCACHE
			return version
		}
	}
	return ""
}

// setting is the one whose default a row is about; "" of other rows.
func (s rowAt) setting() string {
	name, _, _ := strings.Cut(s.advice.Subject, " ")
	if s.advice.About != known.AboutDefault {
		return ""
	}
	return name[strings.LastIndexByte(name, '.')+1:]
}

// text is what a row says, of which release, and where that was read.
func (s rowAt) text() string {
	m := s.advice.Modules[0]
	for _, other := range s.advice.Modules {
		if strings.HasPrefix(s.frame.Function, other.Path) {
			m = other
		}
	}
	from := s.advice.Source
	if !strings.Contains(from, "://") {
		from = fmt.Sprintf("%s %s, %s", m.Path, m.Version, from)
	}
	about := "of " + s.advice.Subject
	if s.advice.About == known.AboutFault {
		about = "a fault of releases " + releases(s.advice.Subject)
	}
	return fmt.Sprintf("%s (%s): %s. %s Read in %s.", m.Path, about, s.advice.Says, s.advice.Why, from)
}

// releases are those with a fault, of the first one that it came with, if that is known, and the one without it.
func releases(subject string) string {
	from, before, two := strings.Cut(subject, " ")
	if !two {
		return "before " + subject
	}
	return from + " and later, before " + before
}
