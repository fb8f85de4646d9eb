package assess

import (
	"path"
	"slices"
	"strings"

	"github.com/gocasebook/casebook/casefile"
)

// An Agreement is a place that answers name, and who names it.
type Agreement struct {
	Place  casefile.At    `json:"place"` // as the first of them names it
	Agents []string       `json:"agents"`
	Checks map[string]int `json:"checks"` // how many of their answers have which verdict
}

// Agreements groups what several agents answered by the place to change. The place that most name comes first.
func Agreements(all []*Asked) (out []Agreement) {
	for _, a := range all {
		if a.Answered == nil || len(a.Opinion.Where) == 0 {
			continue
		}
		at := a.Opinion.Where[0]
		i := 0
		for i < len(out) && !samePlace(out[i].Place, at) {
			i++
		}
		if i == len(out) {
			out = append(out, Agreement{Place: at, Checks: make(map[string]int)})
		}
		out[i].Agents = append(out[i].Agents, a.Agent)
		out[i].Checks[a.Opinion.Verdict]++
	}
	slices.SortStableFunc(out, func(a, b Agreement) int { return len(b.Agents) - len(a.Agents) })
	return out
}

// samePlace reports whether two answers mean the same function: by its name, of which people leave out the beginning,
// or by the line where one of them has no function.
func samePlace(a, b casefile.At) bool {
	if a.Function != "" && b.Function != "" {
		return endsWith(a.Function, b.Function) || endsWith(b.Function, a.Function)
	}
	return a.Line == b.Line && a.File != "" && path.Base(a.File) == path.Base(b.File)
}

// endsWith reports whether a full name ends with a shorter one, at the beginning of a part.
func endsWith(full, name string) bool {
	rest, ok := strings.CutSuffix(full, name)
	return ok && (rest == "" || strings.HasSuffix(rest, ".") || strings.HasSuffix(rest, "/"))
}
