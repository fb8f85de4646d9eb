package cli

import (
	"fmt"
	"strings"

	"github.com/gocasebook/casebook/internal/number"
	"github.com/gocasebook/casebook/vitals"
)

// movedText is "heap_live ×8.30 (42.0 MiB → 347 MiB), goroutines ×6.40 (3240 → 20.6 k)"; "" for nothing.
func movedText(moves []vitals.Move) string {
	parts := make([]string, len(moves))
	for i, m := range moves {
		times := "×" + number.Digits(m.Times())
		if m.Times() < 1 {
			times = "÷" + number.Digits(1/m.Times())
		}
		parts[i] = fmt.Sprintf("%s %s (%s → %s)", m.Signal.Name, times, m.Signal.Unit.Format(m.From),
			m.Signal.Unit.Format(m.To))
	}
	return strings.Join(parts, ", ")
}
