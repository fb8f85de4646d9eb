package casework

import (
	"errors"
	"os"
	"slices"
	"testing"
	"time"

	"github.com/gocasebook/casebook/app/report"
	"github.com/gocasebook/casebook/casefile"
)

// threeCases are of one rule, a day apart, the last an hour old. The middle one is neither the first, the worst nor the
// newest.
func threeCases(t *testing.T, dir string) (middle *casefile.Folder) {
	t.Helper()
	for i := range 3 {
		opened := time.Now().Add(-time.Hour - time.Duration(2-i)*24*time.Hour)
		w, err := casefile.Dir(dir).Create(casefile.Case{Opened: opened, Trigger: casefile.Trigger{Rule: "gc-cpu"}})
		if err != nil {
			t.Fatal(err)
		}
		f, err := w.Commit()
		if err != nil {
			t.Fatal(err)
		}
		if i == 1 {
			middle = f
		}
	}
	return middle
}

// Pruning by another process leaves a case alone while its page is being drawn, and removes it afterwards. A page that
// fails is left for the next watch.
func TestDrawingKeepsTheCase(t *testing.T) {
	dir := t.TempDir()
	f := threeCases(t, dir)
	prune := func() []string {
		p, err := casefile.Dir(dir).Prune(casefile.Retention{MaxCases: 1}, time.Now())
		if err != nil {
			t.Error(err)
		}
		return p.Removed
	}
	failed := errors.New("the browser is out of ink")
	err := whileNoted(f, func() error {
		if removed := prune(); len(removed) > 0 {
			t.Errorf("a pruning removed %q while its page is drawn", removed)
		}
		return failed
	})
	if !errors.Is(err, failed) {
		t.Errorf("a drawing that fails says %v", err)
	}
	if left, err := casefile.Dir(dir).Untold(); err != nil || len(left) != 1 || left[0].ID != f.Case.ID {
		t.Errorf("to be done is something of %+v (%v), want the case whose page failed", left, err)
	}
	if err := DrawPage(f, report.Links{}); err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(PagePath(f.Path)); err != nil {
		t.Error(err)
	}
	if left, err := casefile.Dir(dir).Untold(); err != nil || len(left) > 0 {
		t.Errorf("after the drawing something is to be done of %+v (%v)", left, err)
	}
	if removed := prune(); !slices.Equal(removed, []string{f.Case.ID}) {
		t.Errorf("after the drawing a pruning removed %q, want %s", removed, f.Case.ID)
	}
}
