package arch

import (
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// TestFuzzRows: docs/evidence/attacks.md has one row for each fuzz target of all modules, as `make fuzz` prints it. A
// target that
// has tried no inputs, or has failed and was not mended, has none.
func TestFuzzRows(t *testing.T) {
	page, err := os.ReadFile(filepath.Join("..", "..", "..", "docs", "evidence", "attacks.md"))
	if err != nil {
		t.Fatal(err)
	}
	row := regexp.MustCompile(`(?m)^\| (\S+) \| (Fuzz\w*) \| [0-9hms.]+ \| [0-9,]*[1-9][0-9,]* \| (?:\d+|not counted) \| [^*|]+ \|$`)
	rows := map[string]int{}
	for _, found := range row.FindAllStringSubmatch(string(page), -1) {
		rows[found[1]+" "+found[2]]++
	}
	targets := fuzzTargets(t)
	if len(targets) == 0 {
		t.Fatal("found no fuzz target")
	}
	for _, name := range targets {
		if rows[name] != 1 {
			t.Errorf("docs/evidence/attacks.md has %d rows for %s; want one: make fuzz GUIDED=1 FUZZTIME=10m FUZZ='^%s'",
				rows[name], name, name)
		}
		delete(rows, name)
	}
	for _, name := range slices.Sorted(maps.Keys(rows)) {
		t.Errorf("docs/evidence/attacks.md has a row for %s, which does not exist", name)
	}
	if count := fmt.Sprintf("%d fuzz targets", len(targets)); !strings.Contains(string(page), count) {
		t.Errorf("docs/evidence/attacks.md does not speak of %s", count)
	}
}

// fuzzTargets are the fuzz targets of all modules, nested ones too: package and name.
func fuzzTargets(t *testing.T) (targets []string) {
	t.Helper()
	target := regexp.MustCompile(`(?m)^func (Fuzz\w*)\(`)
	for _, name := range textFiles(t) {
		if !strings.HasSuffix(name, "_test.go") {
			continue
		}
		text, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		folder := strings.TrimPrefix(filepath.ToSlash(filepath.Dir(name)), "../../../")
		for _, found := range target.FindAllStringSubmatch(string(text), -1) {
			targets = append(targets, folder+" "+found[1])
		}
	}
	return targets
}
