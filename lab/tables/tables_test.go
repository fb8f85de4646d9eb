package tables

import (
	"context"
	"errors"
	"os"
	"slices"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/gocasebook/casebook/internal/leaktest"
)

func TestMain(m *testing.M) { os.Exit(leaktest.Check(m.Run(), "lab/tables")) }

// TestRun runs every table on a small scale. Run itself checks that all contestants of a group compute the same.
func TestRun(t *testing.T) {
	var told, finished []string
	tables, err := Run(t.Context(), Options{
		Quick: true, Progress: func(title string) { told = append(told, title) },
		Done: func(title string, _ time.Duration) { finished = append(finished, title) },
	})
	if err != nil {
		t.Fatal(err)
	}
	if len(tables) != len(groups()) || len(told) != len(tables) || !slices.Equal(told, finished) {
		t.Fatalf("%d tables, %d begun, %d finished, want %d", len(tables), len(told), len(finished), len(groups()))
	}
	names := map[string]bool{}
	for i, table := range tables {
		t.Run(table.Name, func(t *testing.T) { wantWhole(t, table) })
		if table.Title != told[i] || names[table.Name] {
			t.Errorf("table %q: reported %q; name taken: %v", table.Name, told[i], names[table.Name])
		}
		names[table.Name] = true
	}
}

// wantWhole looks for a table with a cell for each column that fits a terminal.
func wantWhole(t *testing.T, table Table) {
	t.Helper()
	if table.Name == "" || table.Text == "" || table.Said == "" || table.Holds == "" || len(table.Rows) == 0 {
		t.Fatalf("an unfinished table: %+v", table)
	}
	for _, row := range table.Rows {
		if len(row) != len(table.Columns) {
			t.Errorf("row %q has %d cells, want %d", row, len(row), len(table.Columns))
		}
		for i, cell := range row {
			if cell == "" {
				t.Errorf("row %q has no cell for %q", row, table.Columns[i])
			}
		}
	}
	var text, markdown strings.Builder
	if err := errors.Join(table.WriteText(&text), table.WriteMarkdown(&markdown, 3)); err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(text.String()) {
		if n := utf8.RuneCountInString(strings.TrimSuffix(line, "\n")); n > width {
			t.Errorf("a line of %d columns, want at most %d: %s", n, width, line)
		}
	}
	if n := strings.Count(markdown.String(), "\n| "); n != len(table.Rows)+1 {
		t.Errorf("%d lines of a Markdown table, want %d:\n%s", n, len(table.Rows)+1, markdown.String())
	}
}

func TestRunEnds(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	tables, err := Run(ctx, Options{Quick: true, Progress: func(string) { cancel() }})
	if !errors.Is(err, context.Canceled) || len(tables) > 0 {
		t.Errorf("Run with a context that ends in the first table = %d tables, %v; want none and context.Canceled",
			len(tables), err)
	}
}
