//go:build casebook_nodiagnose

package casebook

import (
	"testing"
	"time"

	"github.com/gocasebook/casebook/casefile"
)

// A case from a build without detectors must not read as "nothing found".
func TestDiagnoseLeftOut(t *testing.T) {
	out, err := casefile.Dir(t.TempDir()).Create(casefile.Case{Schema: casefile.Schema,
		ID: casefile.NewID(time.Now(), "test"), Opened: time.Now()})
	if err != nil {
		t.Fatal(err)
	}
	f, err := out.Commit()
	if err != nil {
		t.Fatal(err)
	}
	if err := Diagnose(t.Context(), f); err != nil {
		t.Fatal(err)
	}
	if u := f.Case.Undecided; len(u) != 1 || u[0].ID != "" || u[0].Reason == "" {
		t.Errorf("undecided is %+v, want one that covers every kind", u)
	}
}
