package articles

import (
	"bytes"
	"testing"

	"github.com/gocasebook/casebook/lab/sidecar"
	"github.com/gocasebook/casebook/lab/stage/stagetest"
	"github.com/gocasebook/casebook/lab/tables"
)

// TestTables looks for the table, line and column of each figure in a small run of the micro-benchmarks, which leaves
// out the largest sizes, and then in docs/evidence/lab.md, which may be older than a table. What neither has is a mistake.
func TestTables(t *testing.T) {
	measured, err := tables.Run(t.Context(), tables.Options{Quick: true})
	if err != nil {
		t.Fatal(err)
	}
	hop, err := sidecar.Table(t.Context(), stagetest.Lab(t))
	if err != nil {
		t.Fatal(err)
	}
	measured = append(measured, hop)
	var page bytes.Buffer
	for _, m := range measured {
		if err := m.WriteMarkdown(&page, 3); err != nil {
			t.Fatal(err)
		}
	}
	today := &Figures{lab: tablesOf(page.String())}
	last, err := NewFigures(readPage)
	if err != nil {
		t.Fatal(err)
	}
	figures := 0
	for _, a := range table(t) {
		for _, thing := range a.Things() {
			for _, f := range thing.Ours {
				if f.Table == "" {
					continue
				}
				figures++
				if _, err := today.cell(f); err == nil {
					continue
				}
				if _, err := last.cell(f); err != nil {
					t.Errorf("%s, %s: no run of today's tables has it, and %v", a.Title, thing.What, err)
				}
			}
		}
	}
	if figures == 0 {
		t.Error("no figure of the table is one of a micro-benchmark")
	}
	no := Figure{Table: measured[0].Title, Line: "no such line", Column: measured[0].Columns[0]}
	if _, err := today.cell(no); err == nil {
		t.Error("a line that no table has was found")
	}
}
