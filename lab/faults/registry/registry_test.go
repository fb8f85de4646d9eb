package registry

import (
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/gocasebook/casebook/diagnose"
	"github.com/gocasebook/casebook/lab/faults"
)

// TestComplete: every fault is complete, and its load can be sent.
func TestComplete(t *testing.T) {
	slug := regexp.MustCompile(`^[a-z][a-z0-9]*(-[a-z0-9]+)*$`)
	seen := make(map[string]bool)
	for _, f := range All() {
		if f.Kind == None {
			continue
		}
		t.Run(f.ID(), func(t *testing.T) {
			if !slug.MatchString(f.ID()) || !named(f.ID(), f.Kind) || seen[f.ID()] {
				t.Errorf("the name %q is not a slug that begins with the kind %q or another name of it, or is there twice",
					f.ID(), f.Kind)
			}
			seen[f.ID()] = true
			if f.Text == "" || f.Culprit == "" && !strings.HasPrefix(f.Kind, "evidence-") {
				t.Errorf("Text %q, Culprit %q: want both", f.Text, f.Culprit)
			}
			for _, name := range faults.Variants() {
				made, err := f.Variant(name)
				if err != nil {
					t.Error(err)
					continue
				}
				checkLoad(t, name, made().Load)
			}
		})
	}
}

func checkLoad(t *testing.T, variant string, calls []faults.Call) {
	t.Helper()
	for _, c := range calls {
		if !strings.HasPrefix(c.Path, "/") || strings.HasPrefix(c.Path, "/shop/") || c.PerSecond <= 0 {
			t.Errorf("%s: call of %q at %v a second: want a path outside /shop/ and a rate above 0", variant, c.Path,
				c.PerSecond)
		}
	}
}

// named reports whether a fault's name begins with its kind, or with another name of that.
func named(id, kind string) bool {
	return strings.HasPrefix(id, kind) || slices.ContainsFunc(diagnose.Detectors(), func(d diagnose.Detector) bool {
		return d.Kind == kind && slices.Contains(d.OtherNames, id)
	})
}
