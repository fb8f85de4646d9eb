package casebook_test

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/gocasebook/casebook"
	"github.com/gocasebook/casebook/casefile"
)

// oldCases writes n cases, opened an hour apart, and returns them, oldest first.
func oldCases(t *testing.T, dir string, n int) []*casefile.Folder {
	t.Helper()
	var out []*casefile.Folder
	for i := range n {
		c := casefile.Case{Opened: time.Now().Add(time.Duration(i-n) * time.Hour),
			Trigger: casefile.Trigger{Rule: "test"}}
		w, err := casefile.Dir(dir).Create(c)
		if err != nil {
			t.Fatal(err)
		}
		f, err := w.Commit()
		if err != nil {
			t.Fatal(err)
		}
		out = append(out, f)
	}
	return out
}

// Old cases are removed at the start and after each case. One that cannot be removed is reported, and ends nothing.
func TestWatchPrunes(t *testing.T) {
	t.Parallel()
	addr, _ := start(t, "-park", "10")
	dir := t.TempDir()
	old := oldCases(t, dir, 5)
	lock := filepath.Join(old[1].Path, ".lock") // a folder in place of the lock: the case cannot be removed
	if err := os.Remove(lock); err != nil {
		t.Fatal(err)
	}
	if err := os.Mkdir(lock, 0o700); err != nil {
		t.Fatal(err)
	}
	closed, r := watch(t, casebook.Config{
		Target: httpTarget(t, addr), Dir: dir, Interval: 100 * time.Millisecond,
		Rules: when("goroutines", 5, casefile.Goroutine), Retention: casefile.Retention{MaxCases: 3},
	}, casebook.Closed)

	var got []string
	for _, e := range r.events { // the watch has ended
		switch e.Kind {
		case casebook.Pruned:
			got = append(got, strings.Join(e.Pruned.Removed, " "))
			if e.Err == nil || !strings.Contains(e.Err.Error(), old[1].Case.ID) {
				t.Errorf("pruned with the error %v, want one of case %s", e.Err, old[1].Case.ID)
			}
		case casebook.Started, casebook.Closed:
			got = append(got, string(e.Kind))
		}
	}
	want := []string{"started", old[2].Case.ID, "case", old[3].Case.ID}
	if !slices.Equal(got, want) {
		t.Errorf("it went %q, want %q", got, want)
	}
	list, err := casefile.Dir(dir).List()
	if err != nil {
		t.Fatal(err)
	}
	var left []string
	for _, e := range list {
		left = append(left, e.ID)
	}
	if want := []string{closed.CaseID, old[4].Case.ID, old[1].Case.ID, old[0].Case.ID}; !slices.Equal(left, want) {
		t.Errorf("%q are left, want %q", left, want)
	}
}

func TestRetentionIsValidated(t *testing.T) {
	_, err := casebook.New(casebook.Config{Retention: casefile.Retention{MaxAge: 30, MaxBytes: 1}})
	if err == nil || !strings.Contains(err.Error(), "field Retention: field MaxBytes is 1;") ||
		!strings.Contains(err.Error(), "field MaxAge is 30ns") {
		t.Errorf("error is %v, want both fields of Retention in it", err)
	}
}
