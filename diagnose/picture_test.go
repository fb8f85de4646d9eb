package diagnose

import (
	"testing"

	"github.com/gocasebook/casebook/casefile"
	"github.com/gocasebook/casebook/diagnose/stacks"
	"github.com/gocasebook/casebook/diagnose/view"
)

// TestPictureOfAnything: a picture that panics is reported as a failure, and the findings stay.
func TestPictureOfAnything(t *testing.T) {
	var rep Report
	rep.draw(&Reading{View: view.View{Table: stacks.NewTable("")}}) // its views are missing
	if rep.Picture != nil || len(rep.Failed) != 1 {
		t.Errorf("picture %v, failures %v; want none and one", rep.Picture, rep.Failed)
	}
	if got := (*casefile.Picture)(nil).Lines(); got != nil {
		t.Errorf("no picture has the lines %v", got)
	}
}
