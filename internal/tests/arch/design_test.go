package arch

import (
	"fmt"
	"maps"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/gocasebook/casebook/internal/checkout"
	"github.com/gocasebook/casebook/internal/golden"
)

const (
	design = "../../../docs/design.md"
	begin  = "<!-- arrows: go test ./internal/tests/arch -run TestDesign -update -->\n\n"
	end    = "\n<!-- end of arrows -->\n"
	width  = 100
)

// TestDesign writes the table of arrows into docs/design.md with -update, and fails when the page is out of date.
func TestDesign(t *testing.T) {
	checkout.Need(t)
	b, err := os.ReadFile(design)
	if err != nil {
		t.Fatal(err)
	}
	before, rest, found := strings.Cut(string(b), begin)
	_, after, closed := strings.Cut(rest, end)
	if !found || !closed {
		t.Fatalf("docs/design.md has no arrows between %q and %q", begin, end)
	}
	golden.Is(t, design, before+begin+drawArrows()+end+after)
}

// TestDesignIsNarrow: docs/design.md is read in terminals beside code.
func TestDesignIsNarrow(t *testing.T) {
	checkout.Need(t)
	b, err := os.ReadFile(design)
	if err != nil {
		t.Fatal(err)
	}
	for i, line := range strings.Split(string(b), "\n") {
		if n := len([]rune(line)); n > width {
			t.Errorf("docs/design.md:%d has %d columns, want %d at most", i+1, n, width)
		}
	}
}

// drawArrows lists each package with how many rows may import it, how many packages it may import, and which.
func drawArrows() string {
	var b strings.Builder
	fmt.Fprintf(&b, "    %-26s %3s %3s  %s\n", "package", "in", "out", "may import")
	for _, path := range slices.SortedFunc(maps.Keys(arrows), rootFirst) {
		names := make([]string, len(arrows[path]))
		for i, imported := range arrows[path] {
			names[i] = short(imported)
		}
		slices.Sort(names)
		line := fmt.Sprintf("    %-26s %3d %3d ", short(path), importers(path), len(names))
		for _, name := range names {
			if len(line)+1+len(name) > width {
				b.WriteString(line + "\n")
				line = strings.Repeat(" ", 39)
			}
			line += " " + name
		}
		b.WriteString(strings.TrimRight(line, " ") + "\n")
	}
	return b.String()
}

// rootFirst orders the root module's packages before those of app.
func rootFirst(a, b string) int {
	inApp := func(path string) int {
		if strings.HasPrefix(path, root+"/app/") {
			return 1
		}
		return 0
	}
	if d := inApp(a) - inApp(b); d != 0 {
		return d
	}
	return strings.Compare(a, b)
}

func importers(path string) (n int) {
	for importer, allowed := range arrows {
		if importer != path && matches(allowed, path) {
			n++
		}
	}
	return n
}

// short is a package's path below the root.
func short(path string) string {
	switch path {
	case root:
		return "(root)"
	case root + "/...":
		return "everything"
	}
	return strings.TrimPrefix(path, root+"/")
}
