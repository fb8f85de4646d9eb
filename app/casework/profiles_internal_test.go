package casework

import (
	"bytes"
	"fmt"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/gocasebook/casebook/app/report"
	"github.com/gocasebook/casebook/app/store"
	"github.com/gocasebook/casebook/casefile"
)

// heapShelf is a folder with a case that has the heap profile of a gateway twice.
func heapShelf(t *testing.T) (*profiles, casefile.Case) {
	t.Helper()
	data, err := os.ReadFile(filepath.Join("../report/testdata/gateway", "heap.pb.gz"))
	if err != nil {
		t.Fatal(err)
	}
	at := time.Date(2026, 11, 21, 13, 25, 12, 0, time.UTC)
	dir := casefile.Dir(t.TempDir())
	w, err := dir.Create(casefile.Case{Schema: casefile.Schema, ID: casefile.NewID(at, "heap"), Opened: at,
		Target: casefile.Target{Name: "gateway"}})
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"before/heap.pb.gz", "during/heap.pb.gz"} {
		if err := w.Add(casefile.Evidence{Kind: casefile.Heap, File: name, GoFormat: true}, data); err != nil {
			t.Fatal(err)
		}
	}
	f, err := w.Commit()
	if err != nil {
		t.Fatal(err)
	}
	shelf, err := store.OpenShelf(string(dir))
	if err != nil {
		t.Fatal(err)
	}
	return &profiles{views: views{from: shelf}, drawings: drawings{most: 64 << 20}}, f.Case
}

// A page is the same when it is drawn already, and each has a drawing of its own: of a file, a base, a case as it is.
func TestDrawnOnce(t *testing.T) {
	p, c := heapShelf(t)
	page := func(query string) string {
		t.Helper()
		values, err := url.ParseQuery(query)
		if err != nil {
			t.Fatal(err)
		}
		var b bytes.Buffer
		if err := p.view(t.Context(), &b, c.ID, values); err != nil {
			t.Fatal(err)
		}
		return b.String()
	}
	during := page("file=during/heap.pb.gz")
	if page("file=during/heap.pb.gz") != during || len(p.drawings.held) != 1 {
		t.Errorf("the second page is another, or drawn anew: %d drawings", len(p.drawings.held))
	}
	if before := page("file=before/heap.pb.gz"); !strings.Contains(before, `"file":"before/heap.pb.gz"`) {
		t.Error("another file has not its own page")
	}
	diff := page("file=during/heap.pb.gz&base=" + c.ID + "/before/heap.pb.gz")
	if !strings.Contains(diff, "Base: before/heap.pb.gz") {
		t.Error("a difference has not its own page")
	}
	if len(p.drawings.held) != 3 {
		t.Errorf("%d drawings are kept, want 3", len(p.drawings.held))
	}
	in := report.ProfileInput{Case: c, File: "during/heap.pb.gz"}
	one, err := drawingKey(&in)
	in.Case.Findings = []casefile.Finding{{ID: "X", Title: "found later"}}
	other, err2 := drawingKey(&in)
	if err != nil || err2 != nil || one == other {
		t.Errorf("a case that was diagnosed meanwhile has the same drawing: %v, %v", err, err2)
	}
}

// What is kept is bounded, and what was asked for last stays.
func TestDrawingsAreBounded(t *testing.T) {
	d := drawings{most: 5 * new(report.Drawing).Bytes() / 2}
	id := func(i int) (id drawingID) { id[0] = byte(i); return id }
	for i := range 4 {
		d.put(id(i), new(report.Drawing))
		d.get(id(0))
	}
	got := ""
	for i := range 4 {
		got += fmt.Sprint(d.get(id(i)) != nil, " ")
	}
	if want := "true false false true "; got != want || len(d.held) != 2 {
		t.Errorf("kept: %s(%d), want %s", got, len(d.held), want)
	}
	d.most = 0
	d.put(id(9), new(report.Drawing))
	if len(d.held) != 0 || d.size != 0 {
		t.Errorf("%d are kept without room, %d bytes", len(d.held), d.size)
	}
}
