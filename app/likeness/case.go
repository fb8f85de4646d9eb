package likeness

import (
	"fmt"

	"github.com/gocasebook/casebook/casefile"
)

// Taken are the profiles of the old version under a proof's load; nil where there is none.
type Taken struct{ CPU, Heap []byte }

// OfCase compares a case with what was taken under a proof's load. f is the finding whose remedy is measured, nil for
// none; read reads a file of the case. It is nil where there is nothing to compare; where a profile cannot be read, its
// text says so.
func OfCase(c *casefile.Case, f *casefile.Finding, read func(file string) ([]byte, error), t Taken) *casefile.Similarity {
	load := Profile{casefile.CPU, t.CPU}
	if f != nil && (f.Impact.Resource == "memory" || f.Impact.Resource == "garbage") && t.Heap != nil &&
		evidenceOf(c, casefile.Heap) != nil {
		load = Profile{casefile.Heap, t.Heap}
	}
	e := evidenceOf(c, load.Kind)
	if e == nil || load.Data == nil {
		return nil
	}
	data, err := read(e.File)
	if err == nil {
		var s casefile.Similarity
		if s, err = Of(c.Target.Build.Module, Profile{load.Kind, data}, load, f); err == nil {
			return &s
		}
	}
	return &casefile.Similarity{Of: load.Kind,
		Text: fmt.Sprintf("Whether the load is like that of the case is not known: %v.", err)}
}

// evidenceOf is the case's profile of a kind from when it was ill, otherwise any; nil without one.
func evidenceOf(c *casefile.Case, kind string) (found *casefile.Evidence) {
	for i := range c.Evidence {
		e := &c.Evidence[i]
		if e.Kind == kind && (found == nil || e.Phase == casefile.During) {
			found = e
		}
	}
	return found
}
