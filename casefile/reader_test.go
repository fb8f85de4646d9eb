package casefile

import (
	"os"
	"path/filepath"
	"reflect"
	"testing"
)

// readerOf is a reader for which everything that was just written has settled.
func readerOf(dir string) *Reader {
	r := NewReader(Dir(dir))
	r.now = later
	return r
}

// wantRead wants a reader to list what the folder holds.
func wantRead(t *testing.T, r *Reader, when string) {
	t.Helper()
	var got []Summary
	if err := r.Walk(func(s Summary) bool { got = append(got, s); return true }); err != nil {
		t.Fatal(err)
	}
	if want := truth(t, string(r.dir)); !reflect.DeepEqual(got, want) {
		t.Errorf("%s: the reader lists\n%+v\nwant\n%+v", when, got, want)
	}
}

// A reader lists what WalkSummaries does, of a folder with and without an index, sees what changes, and writes nothing.
func TestReader(t *testing.T) {
	dir := t.TempDir()
	var ids []string
	for i := range indexWorth + 3 {
		ids = append(ids, plainCase(t, dir, i))
	}
	r := readerOf(dir)
	wantRead(t, r, "without an index")
	if _, err := os.Stat(filepath.Join(dir, indexName)); !os.IsNotExist(err) {
		t.Errorf("reading the folder made its index: %v", err)
	}
	wantProgress(t, r, len(ids), len(ids))
	if _, _, err := summaries(dir, later()); err != nil { // makes the index
		t.Fatal(err)
	}
	if n := indexed(t, dir); n != len(ids) {
		t.Fatalf("the index has %d cases, want %d", n, len(ids))
	}
	wantRead(t, r, "again")
	r = readerOf(dir)
	wantRead(t, r, "with an index")
	f, err := Open(filepath.Join(dir, ids[0]))
	if err != nil {
		t.Fatal(err)
	}
	if err := f.Update(func(c *Case) { c.Trigger.Text = "changed" }); err != nil {
		t.Fatal(err)
	}
	if err := os.RemoveAll(filepath.Join(dir, ids[1])); err != nil {
		t.Fatal(err)
	}
	wantRead(t, r, "after a change")
	wantProgress(t, r, len(ids)-1, len(ids)-1)
}

func wantProgress(t *testing.T, r *Reader, known, all int) {
	t.Helper()
	k, a, err := r.Progress()
	if err != nil || k != known || a != all {
		t.Errorf("the reader knows %d of %d cases, %v; want %d of %d", k, a, err, known, all)
	}
}

// What somebody stops in the middle is known the next time.
func TestReaderStops(t *testing.T) {
	dir := t.TempDir()
	for i := range 5 {
		plainCase(t, dir, i)
	}
	r := readerOf(dir)
	n := 0
	if err := r.Walk(func(Summary) bool { n++; return n < 3 }); err != nil {
		t.Fatal(err)
	}
	wantProgress(t, r, 3, 5)
	wantRead(t, r, "after a stop")
}
