package articles

import (
	"flag"
	"os"
	"path/filepath"
	"slices"
	"testing"
)

var update = flag.Bool("update", false, "write docs/evidence/articles.md instead of comparing")

// repository is a link to the root of this repository. Without it Go would keep the result of a test when a page that
// it reads has changed, because the page is outside of this module.
const repository = "testdata/repository"

func readPage(path string) (string, error) {
	text, err := os.ReadFile(filepath.Join(repository, path))
	return string(text), err
}

func table(t *testing.T) []Article {
	t.Helper()
	all, err := All()
	if err != nil {
		t.Fatal(err)
	}
	return all
}

// TestPage fails when the table or the lab's last run has changed and `make articles` was forgotten.
func TestPage(t *testing.T) {
	figures, err := NewFigures(readPage)
	if err != nil {
		t.Fatal(err)
	}
	want, err := Page(table(t), figures)
	if err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(repository, "docs/evidence/articles.md")
	if *update {
		if err := os.WriteFile(path, []byte(want), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	if got, err := os.ReadFile(path); err != nil || string(got) != want {
		t.Errorf("docs/evidence/articles.md is not what lab/articles and docs/evidence/lab.md say (%v): run make articles", err)
	}
}

// TestThings wants of each thing what its state promises.
func TestThings(t *testing.T) {
	states := []State{Full, Answered, Partly, Missing}
	for _, a := range table(t) {
		seen := make(map[string]bool)
		for _, thing := range a.Things() {
			name := a.Title + ", " + thing.What
			switch {
			case thing.What == "" || thing.Has == "" || !slices.Contains(states, thing.State):
				t.Errorf("%s: it has no text, nothing to say or the state %q", name, thing.State)
			case seen[thing.What]:
				t.Errorf("%s is there twice", name)
			case thing.State != Missing && len(thing.Run) == 0:
				t.Errorf("%s: %q and no command that shows it", name, thing.State)
			case thing.State == Answered && (thing.Why == "" || len(thing.Ours) == 0):
				t.Errorf("%s: answered, without a figure or a reason", name)
			case thing.Said != "" && len(thing.Ours) == 0 && thing.Why == "" && thing.State != Missing:
				t.Errorf("%s: a figure of the article (%s), none of ours, and no reason", name, thing.Said)
			}
			seen[thing.What] = true
		}
	}
}

// TestFigures are the ways of writing where a figure is, and mistakes in them.
func TestFigures(t *testing.T) {
	pages := map[string]string{
		labPage: "### phones/gcache\n\n| figure | sick | cured | change | verdict |\n|---|---:|---:|---:|---|\n" +
			"| **gc_cpu** | 27.7 % | 0.4 % | ÷69 | better |\n\n" +
			"### ads/all\n\n| figure | sick | cured | change | verdict |\n|---|---:|---:|---:|---|\n" +
			"| rss | 2 MiB | 1 MiB | −50 % | better |\n\n" +
			"### Range\n\n| element | forms | value | []*T |\n|---|---:|---:|---:|\n| 96 B | 2 | 1 ns | 3 ns |\n" +
			"| 96 B | 20 | 2 ns | 4 \\| 5 ns |\n" +
			"| *b | 1 | 6 ns | 7 ns |\n",
		"docs/a.md": "one\ntwo three", "README.md": "four",
	}
	figures, err := NewFigures(func(path string) (string, error) { return pages[path], nil })
	if err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct {
		figure Figure
		want   string // "": an error
	}{
		{Figure{Row: "phones/gcache", Name: "gc_cpu"},
			"gc_cpu 27.7 % → 0.4 % (÷69) ([phones/gcache](lab.md#phonesgcache))"},
		{Figure{Row: "phones/gcache", Name: "p99"}, ""},
		{Figure{Row: "phones/gcache", Name: "rss"},
			"rss: not told from noise in the lab's last run ([phones/gcache](lab.md#phonesgcache))"},
		{Figure{Row: "phones/new", Name: "p99"}, "`phones/new`: not in the lab's last run"},
		{Figure{Table: "Range", Line: "96 B, 2", Column: "[]*T"}, "96 B, 2: []*T 3 ns ([table](lab.md#range))"},
		{Figure{Table: "Range", Line: "96 B, 20", Column: "[]*T"}, "96 B, 20: []*T 4 | 5 ns ([table](lab.md#range))"},
		{Figure{Table: "Range", Line: "*b", Column: "value"}, "*b: value 6 ns ([table](lab.md#range))"},
		{Figure{Table: "Range", Line: "2 kB", Column: "value"}, "2 kB, value (Range): not in the lab's last run"},
		{Figure{Table: "Range", Line: "96 B", Column: "index"}, "96 B, index (Range): not in the lab's last run"},
		{Figure{Table: "Ranges", Line: "96 B", Column: "value"}, "96 B, value (Ranges): not in the lab's last run"},
		{Figure{Page: "docs/a.md", Text: "one two"}, "one two ([a.md](../a.md))"},
		{Figure{Page: "README.md", Text: "four"}, "four ([README.md](../../README.md))"},
		{Figure{Page: "docs/a.md", Text: "three four"}, ""},
	} {
		got, err := figures.Words(tt.figure)
		if got != tt.want || (err == nil) != (tt.want != "") {
			t.Errorf("Words(%+v) = %q, %v; want %q", tt.figure, got, err, tt.want)
		}
	}
}
