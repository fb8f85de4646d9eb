package diagnose_test

import (
	"reflect"
	"testing"

	"github.com/gocasebook/casebook/diagnose"
	"github.com/gocasebook/casebook/vitals"
)

// TestUnclosedResults: results that stay open without a goroutine are found by the files that they keep; a pool that has
// filled, results that are freed, and as many goroutines as files are not.
func TestUnclosedResults(t *testing.T) {
	const rows = "database/sql.(*DB).conn:40 database/sql.(*DB).Query:90 main.(*store).newest:36 main.serve:4 " + conn
	in := func(l heapLine, files func(i int) float64, goroutines float64) diagnose.Input {
		return with(apart(0, liveHeap(t, l)), history(t, noon, map[vitals.ID]func(int) float64{vitals.OpenFiles: files,
			vitals.OpenFilesShare: func(i int) float64 { return files(i) / 20_000 }, vitals.Goroutines: constant(goroutines)}),
			diagnose.Evidence{Name: "g.txt", Taken: noon, Data: dumpOf(crowd{int(goroutines), "select", "main.wait:3 " + conn,
				""})})
	}
	rises := func(i int) float64 { return 100 + 5*float64(i) }
	open := heapLine{rows, 2500, 2500 * 208, 0}
	for _, tt := range []struct {
		name  string
		in    diagnose.Input
		finds bool
	}{
		{"files rise", in(open, rises, 10), true},
		{"the pool has filled", in(open, func(i int) float64 { return 100 + 10*float64(min(i, 8)) }, 10), false},
		{"files stay", in(open, constant(300), 10), false},
		{"a goroutine for each", in(open, rises, 300), false},
		{"results are freed", in(heapLine{rows, 2500, 2500 * 208, 90_000}, rises, 10), false},
	} {
		f, score := scoreOf(t, tt.in, "connection-leak")
		if (score > 0) != tt.finds || score > 0 && f.Where[0].Function != "main.(*store).newest" {
			t.Errorf("%s: scores %d (%s %v), want found: %v", tt.name, score, f.Summary, f.Where, tt.finds)
		}
	}
}

// TestReleased: evidence that is let go of gives the same findings, and is gone afterwards.
func TestReleased(t *testing.T) {
	const dir = "foreign/caddy-hangs"
	want := diagnose.Run(t.Context(), loadCase(t, dir), diagnose.Options{})
	in := loadCase(t, dir)
	in.Release = true
	got := diagnose.Run(t.Context(), in, diagnose.Options{})
	if len(want.Findings) == 0 || !reflect.DeepEqual(got.Diagnosis, want.Diagnosis) {
		t.Errorf("%d findings, want %d, and the same", len(got.Findings), len(want.Findings))
	}
	for _, e := range in.Evidence {
		if e.Data != nil {
			t.Errorf("%s still has %d bytes", e.Name, len(e.Data))
		}
	}
}
