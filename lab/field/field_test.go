package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/gocasebook/casebook/internal/built"
	"github.com/gocasebook/casebook/lab/trial"
)

// TestField runs one row from a healthy start, with a rule that trips soon: the service is built and falls ill, the
// case is judged, and the page has it.
func TestField(t *testing.T) {
	if testing.Short() {
		t.Skip("runs a service for some seconds")
	}
	t.Chdir("..") // where the command runs
	dir := t.TempDir()
	casebook := filepath.Join(dir, "casebook")
	err := built.Program(casebook, "github.com/gocasebook/casebook/app/cmd/casebook", nil, "-ldflags=-w")
	if err != nil {
		t.Fatal(err)
	}
	rules := filepath.Join(dir, "rules.json")
	rule := `{"schema": 1, "rules": [{"name": "many", "when": {"signal": "goroutines", "above": 25}}]}`
	if err := os.WriteFile(rules, []byte(rule), 0o600); err != nil {
		t.Fatal(err)
	}
	page := filepath.Join(dir, "page.md")
	f, err := options{casebook: casebook, rows: "exports", forms: healthy, page: page, parallel: 2, calm: 2 * time.Second,
		watch: "--profile 1s --rules " + rules, kept: filepath.Join(dir, "results")}.prepare()
	if err != nil {
		t.Fatal(err)
	}
	defer os.RemoveAll(f.dir)
	if err := f.play(t.Context()); err != nil {
		t.Fatal(err)
	}
	if len(f.results) != 1 || f.results[0].Error != "" || len(f.results[0].False) > 0 || f.results[0].Rule != "many" ||
		!strings.HasSuffix(f.results[0].Answer, "@main.write") {
		t.Errorf("%+v", f.results)
	}
	text, err := os.ReadFile(page)
	if err != nil || !strings.Contains(string(text), "| exports | leak | many ") {
		t.Errorf("%v\n%s", err, text)
	}
}

// TestAlways: of a service that never changes no rule has to trip, and it is not counted; what a case says of it has to
// be true.
func TestAlways(t *testing.T) {
	r := Result{Form: healthy, Within: 60, Always: "it is so"}
	if text := strings.Join(sums([]Result{r}), ""); !r.OK() || strings.Contains(text, "of 1") {
		t.Errorf("ok %v, %q", r.OK(), text)
	}
	if r.Wrong = "the place is another"; r.OK() {
		t.Error("a wrong case is ok")
	}
	if r = (Result{Form: healthy, Within: 60}); r.OK() {
		t.Error("a fault that nothing noticed is ok")
	}
}

// TestLimits: a row on a machine that could not run the watch in time stands for nothing, and is not counted.
func TestLimits(t *testing.T) {
	for _, tt := range []struct {
		name    string
		summary trial.Summary
		want    bool
	}{
		{"in time", trial.Summary{Samples: 100, Late: 2}, false},
		{"late", trial.Summary{Samples: 100, Late: 8}, true},
		{"left out", trial.Summary{Samples: 60, LeftOut: 40}, true},
	} {
		r := Result{Form: healthy}
		r.limits(trial.Course{Summary: tt.summary})
		if got := r.Limited != ""; got != tt.want || r.OK() != tt.want {
			t.Errorf("%s: limited %v, ok %v", tt.name, got, r.OK())
		}
		if text := strings.Join(sums([]Result{r}), ""); strings.Contains(text, "not counted: 1") != tt.want {
			t.Errorf("%s: %s", tt.name, text)
		}
	}
}
