package diagnose

import (
	"testing"

	"github.com/gocasebook/casebook/casefile"
)

// TestMoreSavedFirst: garbage comes before the live objects if its gain is larger, and only then.
func TestMoreSavedFirst(t *testing.T) {
	finding := func(id, kind string, low, high float64) casefile.Finding {
		return casefile.Finding{ID: id, Kind: kind, Impact: casefile.Impact{Resource: "cpu",
			Gain: casefile.Gain{Low: low, High: high}}}
	}
	live := finding("GC003", "gc-pointer-heap", 0.3, 0.38)
	for _, tt := range []struct {
		name string
		low  float64
		want string
	}{{"saves more", 0.35, "alloc-site"}, {"saves less", 0.1, "gc-pointer-heap"}} {
		fs := []casefile.Finding{live, finding("GC001", "gc-cpu", 0.4, 0.5),
			finding("AL001", "alloc-site", tt.low, 2*tt.low)}
		moreSavedFirst(fs)
		if fs[0].Kind != tt.want || len(fs) != 3 {
			t.Errorf("%s: %v, want %s first", tt.name, kinds(fs), tt.want)
		}
	}
}
