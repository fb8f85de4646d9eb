package diagnose

import (
	"slices"
	"testing"

	"github.com/gocasebook/casebook/diagnose/known"
)

func TestNameWords(t *testing.T) {
	for _, tt := range []struct {
		name string
		want bool
	}{
		{"example.com/app/store.(*Index).mergeUsers", true}, {"main.all_pairs", true}, {"main.dedupUsers.func1", true},
		{"main.(*Group).Add", false},
		{"main.hash", false}, {"main.uniqueIDs", true}, {"main.Unique[...]", true},
		{"main.(*Set[...]).merge.func1", true}, {"main.func1", false}, {"main", false}, {"", false},
	} {
		if got := hasWord(tt.name, known.QuadraticWords()); got != tt.want {
			t.Errorf("%q is named for going through a collection: %v, want %v", tt.name, got, tt.want)
		}
	}
}

// TestCostKindsAreWhole: every row has everything that a finding needs, whatever its lines call.
func TestCostKindsAreWhole(t *testing.T) {
	for _, k := range costKinds() {
		t.Run(k.kind, func(t *testing.T) {
			switch any := func(f Remedy) bool { return f.Calls == "" }; {
			case k.title == "" || k.what == "" || k.looks == "" || k.scaleWhy == "" || k.explanation == "" ||
				k.before == "" || k.after == "" || k.gainWhy == "":
				t.Error("a text is missing")
			case !(0 < k.scale.Worth && k.scale.Worth < k.scale.Hurts && k.scale.Hurts < k.scale.Top &&
				k.scale.Top <= 1):
				t.Errorf("scale %+v, want rising limits", k.scale)
			case !(0 < k.gain[0] && k.gain[0] < k.gain[1] && k.gain[1] <= 2):
				t.Errorf("gain %v, want a range within 0–2", k.gain)
			case !slices.ContainsFunc(k.fixes, any):
				t.Error("no fix holds for any call")
			}
			for _, f := range k.fixes {
				if f.Title == "" || f.Text == "" || f.Price == "" || f.Kind == "" {
					t.Errorf("fix %+v, want kind, title, text and price", f)
				}
			}
		})
	}
}
