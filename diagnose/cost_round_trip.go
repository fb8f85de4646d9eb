package diagnose

import (
	"strings"

	"github.com/gocasebook/casebook/diagnose/stacks"
)

// A function that encodes a value and decodes it again to convert or copy it has two lines to change at once. Where the
// line that needs to decode is another function's, each of the two may cost less than that, and both together more.

// roundTripFirst puts the lines of such a function first, if no other function's lines cost more together.
func roundTripFirst(r *Reading, lines []*lineCost) []*lineCost {
	c, cost := r.costs(), map[stacks.FuncID]float64{}
	for _, l := range lines {
		cost[r.Table.FuncID(l.line)] += c.weigh(l)
	}
	for fn, there := range cost {
		if most := cost[r.Table.FuncID(lines[0].line)]; there <= most || !encodesThenDecodes(r, lines, fn) {
			continue
		}
		var own, others []*lineCost
		for _, l := range lines {
			if r.Table.FuncID(l.line) == fn {
				own = append(own, l)
			} else {
				others = append(others, l)
			}
		}
		lines = append(own, others...)
	}
	return lines
}

// encodesThenDecodes reports whether a function encodes at a line above one that decodes. A handler does it the other
// way round: it decodes what was asked, and encodes its answer.
func encodesThenDecodes(r *Reading, lines []*lineCost, fn stacks.FuncID) bool {
	var encodes, decodes int32
	for _, l := range lines {
		id, ok := l.topCall()
		if !ok || r.Table.FuncID(l.line) != fn {
			continue
		}
		name := short(r.Table.Func(id).Name)
		line := r.Table.Frames[l.line].Line
		switch {
		case strings.Contains(name, "Unmarshal") || strings.Contains(name, "Decode"):
			decodes = max(decodes, line)
		case strings.Contains(name, "Marshal") || strings.Contains(name, "Encode"):
			if encodes == 0 || line < encodes {
				encodes = line
			}
		}
	}
	return encodes > 0 && decodes > encodes
}
