package rule_test

import (
	"bytes"
	"path/filepath"
	"slices"
	"testing"

	"github.com/gocasebook/casebook/internal/checkout"
	"github.com/gocasebook/casebook/internal/truth"
	"github.com/gocasebook/casebook/rule"
	"github.com/gocasebook/casebook/vitals"
)

// TestRecordedHealthy plays the vitals of all cases of healthy and repaired programs through the default rules: nothing
// trips. Most of these series are short, so that only rules that need no minute of history judge them.
func TestRecordedHealthy(t *testing.T) {
	checkout.Need(t)
	played := 0
	for _, name := range quietCases(t) {
		samples, catalog := vitalsOf(t, name)
		if len(samples) == 0 {
			continue
		}
		outcomes, err := rule.Replay(rule.Default(), samples, catalog, nil)
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		played++
		for _, o := range outcomes {
			for _, f := range o.Firings {
				t.Errorf("%s: %s after %s of %d samples: %s", name, o.Rule.Name, f.Time.Sub(samples[0].Time), len(samples), f.Text)
			}
		}
	}
	if t.Logf("%d series", played); played < 100 {
		t.Errorf("only %d series were found", played)
	}
}

// quietCases are the cases of evidence/cases of which nothing is to be said.
func quietCases(t *testing.T) (names []string) {
	t.Helper()
	table, err := truth.Read(filepath.Join("..", "..", "..", "diagnose", "testdata", "truth.tsv"))
	if err != nil {
		t.Fatal(err)
	}
	for name, row := range table {
		if row.Kinds[0] == "quiet" {
			names = append(names, name)
		}
	}
	return slices.Sorted(slices.Values(names))
}

// vitalsOf are the vitals of a case, before and during its capture.
func vitalsOf(t *testing.T, name string) (samples []vitals.Sample, catalog *vitals.Catalog) {
	t.Helper()
	files := checkout.Case(t, name)
	for _, file := range []string{"vitals-before.jsonl", "vitals-during.jsonl"} {
		if files[file] == nil {
			continue
		}
		h, more, err := vitals.ReadJSONL(bytes.NewReader(files[file]))
		if err != nil {
			t.Fatalf("%s: %s: %v", name, file, err)
		}
		catalog = vitals.Join(catalog, h.Catalog, more)
		samples = append(samples, more...)
	}
	return samples, catalog
}
