package assess_test

import (
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/gocasebook/casebook/app/assess"
	"github.com/gocasebook/casebook/app/casework"
	"github.com/gocasebook/casebook/app/facts"
	"github.com/gocasebook/casebook/casefile"
)

// A sheet of a case knows what case.json says; one of files has no case, and says what could not be read.
func TestSheet(t *testing.T) {
	now := time.Now().UTC()
	w, err := casefile.Dir(t.TempDir()).Create(casefile.Case{ID: casefile.NewID(now, "goroutines"), Opened: now,
		Target: casefile.Target{Name: "shop"}, Trigger: casefile.Trigger{Rule: "goroutines", Time: now,
			Signal: "goroutines", Value: 412, Unit: "count", Text: "goroutines was 412, above 100"},
		Missing: []casefile.Missing{{Kind: casefile.Heap, Phase: casefile.During, Reason: "the budget was spent"}}})
	if err != nil {
		t.Fatal(err)
	}
	e := casefile.Evidence{File: "goroutine.pb.gz", Kind: casefile.Goroutine, Phase: casefile.During, Taken: now}
	if err := w.Add(e, dump(t)); err != nil {
		t.Fatal(err)
	}
	f, err := w.Commit()
	if err != nil {
		t.Fatal(err)
	}
	s, folder, err := assess.Sheet(t.Context(), assess.DiagnoseRequest{What: []string{f.Path}})
	if err != nil || folder == nil || folder.Case.ID != f.Case.ID {
		t.Fatalf("of a case: folder %v, %v; want its folder", folder, err)
	}
	if s.Subject.Name != "shop" || !strings.Contains(s.Subject.Tripped, "goroutines") {
		t.Errorf("the subject is %+v; want the name and the trip of case.json", s.Subject)
	}
	if !says(s, facts.Felt, "412") || !says(s, facts.Missing, "the budget was spent") {
		t.Errorf("facts of a case: %+v; want the trip's number, and what is missing", s.Facts)
	}

	dir := t.TempDir()
	good := write(t, dir, "goroutine.pb.gz", dump(t))
	s, folder, err = assess.Sheet(t.Context(), assess.DiagnoseRequest{What: []string{good, dir + "/gone.pb.gz"}})
	if err != nil || folder != nil {
		t.Fatalf("of files: folder %v, %v; want a sheet of no case", folder, err)
	}
	if !says(s, facts.Missing, "gone.pb.gz") {
		t.Errorf("facts of files: %+v; want one for the file that is not there", s.Facts)
	}
	if _, _, err = assess.Sheet(t.Context(), assess.DiagnoseRequest{What: []string{dir + "/gone.pb.gz"}}); err == nil {
		t.Error("of nothing a sheet was made; want an error")
	}
}

// says reports whether a fact of a sort says something.
func says(s *facts.Sheet, sort facts.Sort, text string) bool {
	return slices.ContainsFunc(s.Facts, func(f facts.Fact) bool {
		return f.Sort == sort && strings.Contains(f.Text, text)
	})
}

// TestSheetOfKept: a case is known by as much of its ID as is unique, in the folder of cases.
func TestSheetOfKept(t *testing.T) {
	dir := t.TempDir()
	now := time.Date(2026, 11, 30, 12, 0, 0, 0, time.UTC)
	for i := range 2 {
		w, err := casefile.Dir(dir).Create(casefile.Case{ID: casefile.NewID(now.AddDate(0, 0, i), "heap"), Opened: now})
		if err != nil {
			t.Fatal(err)
		}
		e := casefile.Evidence{File: "goroutine.pb.gz", Kind: casefile.Goroutine, Phase: casefile.During, Taken: now}
		if err := w.Add(e, dump(t)); err != nil {
			t.Fatal(err)
		}
		if _, err := w.Commit(); err != nil {
			t.Fatal(err)
		}
	}
	for _, c := range []struct{ id, says string }{
		{"20261201", ""}, {"2026", "give more of the ID"}, {"20270101", "no case of " + dir},
	} {
		_, folder, err := assess.Sheet(t.Context(), assess.DiagnoseRequest{What: []string{c.id},
			Capture: casework.CaptureRequest{Dir: dir}})
		if c.says == "" && (err != nil || !strings.HasPrefix(folder.Case.ID, c.id)) {
			t.Errorf("%s: %v", c.id, err)
		}
		if c.says != "" && (err == nil || !strings.Contains(err.Error(), c.says)) {
			t.Errorf("%s: %v, want %q", c.id, err, c.says)
		}
	}
}
