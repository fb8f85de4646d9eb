package diagnose

import (
	"testing"

	"github.com/gocasebook/casebook/casefile"
)

// kindsNamedBy are the kinds that a detector names, by the field that names them.
func kindsNamedBy(d Detector) map[string][]string {
	kinds := func(rs []Relation) (out []string) {
		for _, r := range rs {
			out = append(out, r.Kind)
		}
		return out
	}
	out := map[string][]string{
		"Explains": kinds(d.Explains), "Refines": d.Refines, "Absorbs": kinds(d.Absorbs), "Merges": kinds(d.Merges),
		"Settles": d.Settles,
	}
	for _, n := range d.Notes {
		out["Notes"] = append(out["Notes"], n.Kind)
	}
	return out
}

// TestRelationsNameKinds: a relation to a kind that does not exist, to the own kind, or twice to one kind has no
// effect, silently.
func TestRelationsNameKinds(t *testing.T) {
	n := 0
	for _, d := range Detectors() {
		for field, kinds := range kindsNamedBy(d) {
			seen := map[string]bool{}
			for _, kind := range kinds {
				n++
				switch {
				case builtIn().of[kind] == nil:
					t.Errorf("%s: %s names %q, which no detector finds", d.Kind, field, kind)
				case kind == d.Kind:
					t.Errorf("%s: %s names the kind itself", d.Kind, field)
				case seen[kind]:
					t.Errorf("%s: %s names %q twice", d.Kind, field, kind)
				}
				seen[kind] = true
			}
		}
	}
	if n < 100 {
		t.Errorf("%d kinds are named, want 100 or more: the test reads the wrong fields", n)
	}
}

// TestRelationsAreOneWay: if two kinds replaced each other, their scores would decide which one stays.
func TestRelationsAreOneWay(t *testing.T) {
	for _, d := range Detectors() {
		for field, kinds := range kindsNamedBy(d) {
			for _, kind := range kinds {
				for _, back := range kindsNamedBy(*builtIn().kind(kind))[field] {
					if back == d.Kind {
						t.Errorf("%s of %s names %s, and the other way round", field, d.Kind, kind)
					}
				}
			}
		}
	}
}

// TestUnknownKind: findings of kinds that no detector has, as in the case of a later version, stay as they are.
func TestUnknownKind(t *testing.T) {
	fs := builtIn().relate([]casefile.Finding{finding("X1", "later-kind", 95, "main.a", 1),
		finding("GC001", "gc-cpu", 90, "main.a", 1)})
	if len(fs) != 2 || len(fs[1].CausedBy) != 0 {
		t.Errorf("%d findings, the last caused by %v; want both, and no cause", len(fs), fs[1].CausedBy)
	}
}
