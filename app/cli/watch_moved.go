package cli

import (
	"fmt"
	"strings"

	"github.com/gocasebook/casebook"
	"github.com/gocasebook/casebook/vitals"
)

// remember keeps what the summary says about a target's signals. If another process replaces the target, it starts
// again. v.mu is held.
func (v *watchView) remember(url string, e *casebook.Event) {
	switch e.Kind {
	case casebook.Sampled:
		if v.moves[url] == nil {
			v.moves[url] = &vitals.Moves{}
		}
		v.moves[url].Add(&e.Sample)
	case casebook.Restarted:
		delete(v.moves, url)
	}
}

// moved returns the signals of a target that moved, whether or not a rule tripped. v.mu is held.
func (v *watchView) moved(url string) []vitals.Move {
	if m := v.moves[url]; m != nil {
		return m.Moved()
	}
	return nil
}

// movedText is "heap_live ×8.30 (42.0 MiB → 347 MiB), goroutines ×6.40 (3240 → 20.6 k)"; "" for nothing.
func movedText(moves []vitals.Move) string {
	parts := make([]string, len(moves))
	for i, m := range moves {
		times := "×" + vitals.Three(m.Times())
		if m.Times() < 1 {
			times = "÷" + vitals.Three(1/m.Times())
		}
		parts[i] = fmt.Sprintf("%s %s (%s → %s)", m.Signal.Name, times, m.Signal.Unit.Format(m.From), m.Signal.Unit.Format(m.To))
	}
	return strings.Join(parts, ", ")
}
