package catalogue_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/gocasebook/casebook/remedy/catalogue"
)

func TestEveryRemedyIsWhole(t *testing.T) {
	for _, kind := range catalogue.Kinds() {
		seen := make(map[catalogue.Remedy]bool)
		for i, r := range catalogue.For(kind) {
			if r.Do == "" || r.Price == "" {
				t.Errorf("%s, remedy %d: %+v lacks what to do or its price", kind, i, r)
			}
			if strings.HasSuffix(r.Do, ".") {
				t.Errorf("%s: %q is an imperative, not a sentence", kind, r.Do)
			}
			if seen[r] {
				t.Errorf("%s names %q twice", kind, r.Do)
			}
			seen[r] = true
			if _, known := catalogue.Lookup(r.Use); r.Use != "" && !known {
				t.Errorf("%s uses %s, which Packages does not list", kind, r.Use)
			}
		}
	}
}

func TestEveryPackageIsWhole(t *testing.T) {
	paths := make(map[string]bool)
	for _, p := range catalogue.Packages() {
		if paths[p.Path] {
			t.Errorf("%s is listed twice", p.Path)
		}
		paths[p.Path] = true
		if p.Does == "" || p.Not == "" {
			t.Errorf("%s lacks what it is for, or when not to take it", p.Path)
		}
		if p.Path != p.Module && p.Module != catalogue.Standard && !strings.HasPrefix(p.Path, p.Module+"/") {
			t.Errorf("%s is not in module %s", p.Path, p.Module)
		}
		if kept := p.Module != catalogue.Standard && p.Module != catalogue.Own; kept != (p.Version != "") ||
			kept != (p.Licence != "") {
			t.Errorf("%s: version %q and licence %q are for other people's packages, and those need both", p.Path,
				p.Version, p.Licence)
		}
		if len(catalogue.UsedFor(p.Path)) == 0 {
			t.Errorf("no remedy uses %s", p.Path)
		}
	}
}

func TestForIsACopy(t *testing.T) {
	catalogue.For("gc-cpu")[0].Do = "changed"
	if catalogue.For("gc-cpu")[0].Do == "changed" {
		t.Error("a caller's change shows in the catalogue")
	}
	if got := catalogue.For("no-such-kind"); got != nil {
		t.Errorf("For an unknown kind = %v, want nil", got)
	}
	if !slices.IsSorted(catalogue.Kinds()) {
		t.Error("Kinds is not sorted")
	}
}
