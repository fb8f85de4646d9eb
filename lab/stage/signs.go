package stage

import "github.com/gocasebook/casebook/vitals"

// Signs are the signals of a sample that say most of how a service stands, in one line.
func Signs(s *vitals.Sample) string {
	text := ""
	for _, g := range [...]struct {
		id    vitals.ID
		label string
	}{{vitals.CPU, "cpu"}, {vitals.GCCPU, "gc"}, {vitals.HeapObjects, "objects"}, {vitals.HeapAlloc, "heap"},
		{vitals.RSS, "rss"}} {
		value := "…"
		if v, ok := s.Get(g.id); ok {
			value = g.id.Signal().Unit.Format(v)
		}
		text += g.label + " " + value + "  "
	}
	return text
}
