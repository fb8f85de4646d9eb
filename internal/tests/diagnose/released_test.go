package diagnose_test

import (
	"reflect"
	"testing"

	"github.com/gocasebook/casebook/diagnose"
)

// TestReleased: evidence that is let go of gives the same findings, and is gone afterwards.
func TestReleased(t *testing.T) {
	const dir = "foreign/caddy-hangs"
	want := diagnose.Run(t.Context(), loadCase(t, dir), diagnose.Options{})
	in := loadCase(t, dir)
	in.Release = true
	got := diagnose.Run(t.Context(), in, diagnose.Options{})
	if len(want.Findings) == 0 || !reflect.DeepEqual(got.Diagnosis, want.Diagnosis) {
		t.Errorf("%d findings, want %d, and the same", len(got.Findings), len(want.Findings))
	}
	for _, e := range in.Evidence {
		if e.Data != nil {
			t.Errorf("%s still has %d bytes", e.Name, len(e.Data))
		}
	}
}
