package assess_test

import (
	"io/fs"
	"os"
	"slices"
	"testing"
	"testing/fstest"

	"github.com/gocasebook/casebook/app/assess"
	"github.com/gocasebook/casebook/app/compare"
)

// What is open already is read there: a link in it is passed by, and of the rest what is evidence is judged.
func TestOpenedFolder(t *testing.T) {
	dir := t.TempDir()
	elsewhere := write(t, t.TempDir(), "goroutine.pb.gz", dump(t))
	write(t, dir, "goroutine.pb.gz", dump(t))
	write(t, dir, "notes.txt", []byte("no evidence"))
	if err := os.Symlink(elsewhere, dir+"/link.pb.gz"); err != nil {
		t.Skip(err)
	}
	root, err := os.OpenRoot(dir)
	if err != nil {
		t.Fatal(err)
	}
	defer root.Close()
	memory := fstest.MapFS{"goroutine.pb.gz": {Data: dump(t)}}
	for name, files := range map[string]fs.FS{"root": root.FS(), "memory": memory} {
		o := &assess.Opened{Name: name, Files: files}
		got, err := assess.Diagnose(t.Context(), assess.DiagnoseRequest{Opened: o})
		if err != nil || len(got.Report.Read) != 1 || len(got.Failed) != 0 {
			t.Errorf("%s: read %+v, failed %v, %v; want the one profile", name, got.Report.Read, got.Failed, err)
		}
		r := assess.CompareRequest{Options: compare.Options{Margin: compare.DefaultMargin, Alpha: compare.DefaultAlpha}}
		same, err := assess.CompareOpened(t.Context(), r, o, o)
		if err != nil || same.Worse() || same.Diagnosed.Comparison == nil {
			t.Errorf("%s compared with itself: %+v, %v", name, same, err)
		}
	}
	got, err := assess.Diagnose(t.Context(), assess.DiagnoseRequest{Opened: &assess.Opened{Name: "empty",
		Files: fstest.MapFS{}}})
	if err != nil || got.Read() || !slices.ContainsFunc(got.Failed, func(err error) bool { return err != nil }) {
		t.Errorf("an empty folder: %+v, %v; want that nothing could be read", got.Failed, err)
	}
}
