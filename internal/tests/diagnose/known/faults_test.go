package known_test

import (
	"strings"
	"testing"

	"github.com/gocasebook/casebook/diagnose/known"
)

// TestKnownFaultList: what an entry says can be checked by a reader, and its releases can be compared.
func TestKnownFaultList(t *testing.T) {
	for _, k := range known.Faults() {
		for _, a := range k.Releases {
			if !known.IsRelease(a.Fixed) || a.From != "" && (!known.IsRelease(a.From) ||
				known.CompareReleases(a.From, a.Fixed) >= 0) {
				t.Errorf("%s: from %q to %q: want two releases, the older first", a.Module, a.From, a.Fixed)
			}
			if (a.Module == known.GoItself) != strings.HasPrefix(a.Fixed, "go") {
				t.Errorf("%s is repaired in %s", a.Module, a.Fixed)
			}
		}
		if !strings.HasPrefix(k.Page, "https://") || k.What == "" || strings.HasSuffix(k.What, ".") || len(k.In) == 0 {
			t.Errorf("%v: page %q, what %q, in %q", k.Releases, k.Page, k.What, k.In)
		}
	}
}

func TestReleases(t *testing.T) {
	jwt := known.Affected{Module: "github.com/golang-jwt/jwt/v5", From: "v5.0.0", Fixed: "v5.2.2"}
	goes := known.Affected{Module: known.GoItself, From: "go1.25.0", Fixed: "go1.25.2"}
	for version, want := range map[string]bool{
		"v5.2.1": true, "v5.0.0": true, "v5.1.9": true, "v5.2.2": false, "v5.10.0": false, "v6.0.0": false,
		"v4.5.1":      false,
		"v5.0.0-rc.1": false, "v5.2.2-0.20250321132515-0951d184286d": false,
		"v5.2.1-0.20250301000000-0951d184286d": false,
		"v5.2.1+incompatible":                  true,
		"":                                     false, "v5.2": false, "5.2.1": false, "v5.2.x": false,
		"v5.2.1.1": false,
	} {
		if jwt.Has(version) != want {
			t.Errorf("jwt %q: has the fault: %v", version, !want)
		}
	}
	for version, want := range map[string]bool{
		"go1.25.1": true, "go1.25.0": true, "go1.25.2": false, "go1.26.0": false, "go1.24.9": false, "go1.25rc1": false,
		"go1.25.1-acme": false, "devel go1.26-abc": false, "go1.25.11": false,
	} {
		if goes.Has(version) != want {
			t.Errorf("%q: has the fault: %v", version, !want)
		}
	}
}
