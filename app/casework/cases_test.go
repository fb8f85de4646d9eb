package casework_test

import (
	"errors"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/gocasebook/casebook/app/anonymize"
	"github.com/gocasebook/casebook/app/casework"
	"github.com/gocasebook/casebook/app/openfile"
	"github.com/gocasebook/casebook/app/report"
	"github.com/gocasebook/casebook/casefile"
)

// shelf makes a folder with cases and returns their IDs, oldest first.
func shelf(t *testing.T, cases int) (dir string, ids []string) {
	t.Helper()
	dir = t.TempDir()
	for i := range cases {
		opened := time.Now().Add(-time.Duration(cases-i) * time.Hour).UTC()
		w, err := casefile.Dir(dir).Create(casefile.Case{ID: casefile.NewID(opened, "gc-cpu"), Opened: opened,
			Target: casefile.Target{Name: "shop"}, Trigger: casefile.Trigger{Rule: "gc-cpu", Text: "a test",
				Time: opened}})
		if err != nil {
			t.Fatal(err)
		}
		f, err := w.Commit()
		if err != nil {
			t.Fatal(err)
		}
		ids = append(ids, f.Case.ID)
	}
	return dir, ids
}

func TestOpen(t *testing.T) {
	dir, ids := shelf(t, 3)
	for _, c := range []struct {
		name string
		of   casework.Which
		want string
	}{
		{"the newest", casework.Which{Dir: dir, Newest: true}, ids[2]},
		{"by its ID", casework.Which{Dir: dir, ID: ids[0]}, ids[0]},
		{"by its folder", casework.Which{Dir: "elsewhere", ID: filepath.Join(dir, ids[1])}, ids[1]},
	} {
		f, err := casework.Open(c.of)
		if err != nil || f.Case.ID != c.want {
			t.Errorf("%s: %+v, %v, want %s", c.name, f, err, c.want)
		}
	}
	if f, err := casework.Open(casework.Which{Dir: dir}); err == nil {
		t.Errorf("no ID opens %s, want an error: it matches three", f.Case.ID)
	}
	empty := t.TempDir()
	var none *casework.NoCaseError
	if _, err := casework.Open(casework.Which{Dir: empty, Newest: true}); !errors.As(err, &none) || none.Dir != empty {
		t.Errorf("the newest of an empty folder: %v, want a NoCaseError", err)
	}
}

func TestListAndRemove(t *testing.T) {
	dir, ids := shelf(t, 2)
	list := func() (got []string) {
		err := casework.List(dir, func(l casework.Listed) bool {
			if l.Case == nil || l.Case.ID != l.ID || l.Error != "" {
				t.Errorf("listed %+v", l)
			}
			got = append(got, l.ID)
			return true
		})
		if err != nil {
			t.Error(err)
		}
		return got
	}
	if got := list(); len(got) != 2 || got[0] != ids[1] || got[1] != ids[0] {
		t.Errorf("listed %v, want %v, newest first", got, ids)
	}
	if removed, err := casework.Remove(dir, ids[0]); err != nil || removed != ids[0] {
		t.Errorf("removed %q, %v", removed, err)
	}
	if got := list(); len(got) != 1 || got[0] != ids[1] {
		t.Errorf("listed %v after the removal", got)
	}
	if _, err := casework.Remove(dir, ids[0]); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("removing it again: %v", err)
	}
}

func TestPrune(t *testing.T) {
	dir, ids := shelf(t, 4)
	r := casework.PruneRequest{Dir: dir, Keep: casefile.Retention{MaxCases: 2}, DryRun: true}
	planned, err := casework.Prune(r)
	if err != nil || len(planned.Removed) == 0 {
		t.Fatalf("planned %+v, %v", planned, err)
	}
	for _, id := range ids {
		if !casework.IsCase(filepath.Join(dir, id)) {
			t.Errorf("a dry run removed %s", id)
		}
	}
	r.DryRun = false
	done, err := casework.Prune(r)
	if err != nil || len(done.Removed) != len(planned.Removed) || casework.IsCase(filepath.Join(dir, done.Removed[0])) {
		t.Errorf("removed %+v, %v, want what was planned: %+v", done, err, planned)
	}
}

// An exported case can be imported elsewhere, and gets a page there.
func TestExportImport(t *testing.T) {
	dir, ids := shelf(t, 1)
	zip := filepath.Join(t.TempDir(), "incident.zip")
	of := casework.Which{Dir: dir, Newest: true}
	written, err := casework.Export(t.Context(), casework.ExportRequest{Case: of, File: zip})
	if err != nil || written != zip {
		t.Fatalf("written %q, %v", written, err)
	}
	to := t.TempDir()
	got, err := casework.Import(to, zip, report.Links{})
	if err != nil || got.Undrawn != nil {
		t.Fatalf("imported %+v, %v", got, err)
	}
	if got.Folder.Case.ID != ids[0] || !casework.HasPage(got.Folder.Path) {
		t.Errorf("imported %s, with a page: %v; want %s with one", got.Folder.Case.ID,
			casework.HasPage(got.Folder.Path), ids[0])
	}
	var other *openfile.NotFileError
	if _, err := casework.Import(to, dir, report.Links{}); !errors.As(err, &other) || other.Name != dir {
		t.Errorf("importing a folder: %v, want a NotFileError", err)
	}
}

// An anonymized copy has another ID. What it leaves out is printed before the zip is written.
func TestExportAnonymized(t *testing.T) {
	dir, ids := shelf(t, 1)
	zip := filepath.Join(t.TempDir(), "anonymous.zip")
	told := false
	_, err := casework.Export(t.Context(), casework.ExportRequest{
		Case: casework.Which{Dir: dir, ID: ids[0]}, File: zip, Anonymize: &anonymize.Options{},
		LeftOut: func([]string) {
			_, err := os.Stat(zip)
			told = os.IsNotExist(err)
		},
	})
	if err != nil || !told {
		t.Fatalf("%v; reported before the zip was written: %v", err, told)
	}
	got, err := casework.Import(t.TempDir(), zip, report.Links{})
	if err != nil || got.Folder.Case.ID == ids[0] || got.Folder.Case.Target.Name == "shop" {
		t.Errorf("the copy is %+v, %v; want another ID and name", got.Folder, err)
	}
}
