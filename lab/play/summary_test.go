package play

import (
	"bytes"
	"compress/gzip"
	"encoding/json"
	"os"
	"path/filepath"
	"testing"

	"github.com/gocasebook/casebook/internal/checkout"
	"github.com/gocasebook/casebook/internal/golden"
	"github.com/gocasebook/casebook/lab"
)

// The lab's page of `casebook serve` has the figures of the lab's last run: with -update it is written anew.
func TestSummary(t *testing.T) {
	checkout.Need(t)
	// through a link in this module: see lab/articles
	root := filepath.Join("testdata", "repository")
	f, err := os.Open(filepath.Join(root, "lab", "results.json.gz"))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	plain, err := gzip.NewReader(f)
	if err != nil {
		t.Fatal(err)
	}
	rep, err := Read(plain)
	if err != nil {
		t.Fatal(err)
	}
	var b bytes.Buffer
	if err := rep.WriteSummary(&b, lab.Services()); err != nil {
		t.Fatal(err)
	}
	const most = 40 << 10 // it is in every casebook
	if b.Len() > most {
		t.Errorf("the summary has %d bytes, want at most %d", b.Len(), most)
	}
	golden.Is(t, filepath.Join(root, "app", "server", "lab.json"), b.String())
}

// A row that failed, was cut short or has no finding is in the summary and says so.
func TestSummaryOfRowsThatFail(t *testing.T) {
	rep := recorded(t)
	var b bytes.Buffer
	if err := rep.WriteSummary(&b, services()); err != nil {
		t.Fatal(err)
	}
	var s summary
	if err := json.Unmarshal(b.Bytes(), &s); err != nil {
		t.Fatal(err)
	}
	if len(s.Rows) != len(rep.Rows) {
		t.Fatalf("%d rows, want %d", len(s.Rows), len(rep.Rows))
	}
	for i, row := range s.Rows {
		if want := rep.Rows[i].stateText(); row.Result != want || row.Figures == nil {
			t.Errorf("%s: the result is %q with figures %v, want %q", row.Name, row.Result, row.Figures, want)
		}
		if len(row.Figures) > 1 && (!row.Figures[0].Key || row.Figures[1].Key) {
			t.Errorf("%s: the first figures are %+v, want the key figure first", row.Name, row.Figures)
		}
	}
}
