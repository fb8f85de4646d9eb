package likeness

import (
	"fmt"

	"github.com/gocasebook/casebook/casefile"
)

// OfCase compares a case with the profiles of the old version under a proof's load, which may be nil. read reads a file
// of the case. It is nil where there is nothing to compare; where a profile cannot be read, its text says so.
func OfCase(c *casefile.Case, read func(file string) ([]byte, error), cpu, heap []byte) *casefile.Similarity {
	f := remedied(c.Findings)
	load := Profile{casefile.CPU, cpu}
	if f != nil && (f.Impact.Resource == "memory" || f.Impact.Resource == "garbage") && heap != nil &&
		evidenceOf(c, casefile.Heap) != nil {
		load = Profile{casefile.Heap, heap}
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

// remedied is the finding that a remedy is tried for: the first that promises something, otherwise the first.
func remedied(findings []casefile.Finding) *casefile.Finding {
	for i := range findings {
		if findings[i].Impact.Gain.High > 0 {
			return &findings[i]
		}
	}
	if len(findings) == 0 {
		return nil
	}
	return &findings[0]
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
