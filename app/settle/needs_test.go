package settle

import (
	"os"
	"path/filepath"
	"regexp"
	"testing"
	"time"

	"github.com/gocasebook/casebook/app/txtartest"
	"github.com/gocasebook/casebook/casefile"
)

// needed is a comment "//need NEED: NAME" of testdata/needs.txtar: what stands in place of a remedy that needs this, at
// its line; "-" is the remedy itself.
var needed = regexp.MustCompile(`//need ([a-z-]+): ([\w-]+)`)

// TestNeeds: a remedy is left out where the source shows that what it needs is not so, and not on its like.
func TestNeeds(t *testing.T) {
	dir := t.TempDir()
	txtartest.Unpack(t, "testdata/needs.txtar", dir)
	d := &casefile.Diagnosis{}
	var want []string
	data, err := os.ReadFile(filepath.Join(dir, "needs.go"))
	if err != nil {
		t.Fatal(err)
	}
	function := regexp.MustCompile(`^func (?:\([^)]*\) )?(\w+)`)
	name := ""
	for i, line := range regexp.MustCompile("\n").Split(string(data), -1) {
		if m := function.FindStringSubmatch(line); m != nil {
			name = m[1]
		}
		if m := needed.FindStringSubmatch(line); m != nil {
			d.Findings = append(d.Findings, casefile.Finding{Kind: "other", Score: 74, Confidence: 0.7,
				Where:    []casefile.Frame{{Function: "example.com/needs." + name, Line: i + 1, File: "/build/needs.go"}},
				Remedies: []casefile.Remedy{{Name: "-", Needs: m[1]}}})
			want = append(want, m[2])
		}
	}
	if len(want) < 40 {
		t.Fatalf("%d comments were found", len(want))
	}
	res := Run(t.Context(), Config{Places: placesAt(t, dir), Limit: 10 * time.Minute}, d)
	for i, f := range d.Findings {
		if len(f.Remedies) == 0 || f.Remedies[0].Name != want[i] {
			t.Errorf("line %d: %+v is left, want %s; %s", f.Where[0].Line, f.Remedies, want[i], res.Note)
		}
	}
}
