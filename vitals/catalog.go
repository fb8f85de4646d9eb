package vitals

import (
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strings"
)

// MaxExtra is how many signals a Catalog may have beyond the built-in ones. A sample has room for all of them, used or
// not: 8 bytes each.
const MaxExtra = 32

// A Catalog is the signals that the samples of one watch have: the built-in ones, which are the same everywhere, and
// the extra ones of that watch. It is immutable, and so safe for concurrent use. The nil Catalog has the built-in
// signals.
type Catalog struct {
	extra []Signal // the i-th has ID NumSignals + i
}

// nameSyntax is that of signals; "t" is the time in the JSON-lines form.
var nameSyntax = regexp.MustCompile(`^[a-z0-9_]{1,60}$`)

// NewCatalog returns a catalog of the built-in signals and extra ones, whose IDs are NumSignals, NumSignals+1 and so
// on, in the order given. The error names every fault.
func NewCatalog(extra ...Signal) (*Catalog, error) {
	c := &Catalog{extra: make([]Signal, 0, min(len(extra), MaxExtra))}
	var errs []error
	if len(extra) > MaxExtra {
		errs = append(errs, fmt.Errorf("%d extra signals are more than the limit of %d: leave out the least useful",
			len(extra), MaxExtra))
	}
	for _, s := range extra[:min(len(extra), MaxExtra)] {
		if err := c.check(s); err != nil {
			errs = append(errs, fmt.Errorf("extra signal %q: %w", s.Name, err))
			continue
		}
		c.extra = append(c.extra, s)
	}
	if err := errors.Join(errs...); err != nil {
		return nil, err
	}
	return c, nil
}

// check says why a signal cannot be added.
func (c *Catalog) check(s Signal) error {
	id, taken := c.Lookup(s.Name)
	switch {
	case s.Name == "t" || !nameSyntax.MatchString(s.Name):
		return errors.New(
			`a name is 1–60 lower-case letters, digits and underscores, such as "queue_length", and not "t"`)
	case taken && int(id) < NumSignals:
		return errors.New("a built-in signal has this name: choose another")
	case taken:
		return errors.New("the name is given twice: choose another for one of them")
	case !s.Unit.Known():
		return fmt.Errorf("unknown unit %q; known: %s", s.Unit, strings.Join(unitNames(), ", "))
	}
	return nil
}

// Len is how many signals there are; the IDs are those below it.
func (c *Catalog) Len() int {
	if c == nil {
		return NumSignals
	}
	return NumSignals + len(c.extra)
}

// Lookup finds a signal by name.
func (c *Catalog) Lookup(name string) (ID, bool) {
	if id, ok := Lookup(name); ok || c == nil {
		return id, ok
	}
	i := slices.IndexFunc(c.extra, func(s Signal) bool { return s.Name == name })
	if i < 0 {
		return 0, false
	}
	return ID(NumSignals + i), true
}

// Signal describes a signal. Of an ID that the catalog does not have it says what ID.Signal says.
func (c *Catalog) Signal(id ID) Signal {
	if int(id) < NumSignals || int(id) >= c.Len() {
		return id.Signal()
	}
	return c.extra[int(id)-NumSignals]
}

// Signals lists all signals by ID: the built-in ones, then the extra ones.
func (c *Catalog) Signals() []Signal {
	all := slices.Clone(signals[:])
	if c != nil {
		all = append(all, c.extra...)
	}
	return all
}

// Extra lists the extra signals by ID.
func (c *Catalog) Extra() []Signal {
	if c == nil {
		return nil
	}
	return slices.Clone(c.extra)
}

// Join returns into with the extra signals of from added, and moves the values of samples, which are from's, to their
// places in it: two recordings may know the same extra signal by different IDs. What does not fit is dropped: signals
// beyond MaxExtra, and those that into has with another unit.
func Join(into, from *Catalog, samples []Sample) *Catalog {
	out := &Catalog{extra: into.Extra()}
	var moves [MaxExtra]ID // 0 for dropped: it is never the ID of an extra signal
	for i, s := range from.Extra() {
		id, ok := out.Lookup(s.Name)
		switch {
		case ok && out.Signal(id).Unit == s.Unit:
			moves[i] = id
		case !ok && len(out.extra) < MaxExtra:
			moves[i] = ID(out.Len())
			out.extra = append(out.extra, s)
		}
	}
	for k := range samples {
		moved := NewSample(samples[k].Time)
		copy(moved.Values[:NumSignals], samples[k].Values[:NumSignals])
		for i := range from.Extra() {
			if moves[i] != 0 {
				moved.Values[moves[i]] = samples[k].Values[NumSignals+i]
			}
		}
		samples[k] = moved
	}
	return out
}
