package main

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/gocasebook/casebook/casefile"
	"github.com/gocasebook/casebook/diagnose"
)

func finding(kind, function string, score int) casefile.Finding {
	return casefile.Finding{Kind: kind, Score: score, Where: []casefile.Frame{{Function: function}}}
}

func TestJudge(t *testing.T) {
	ill := expectation{Kinds: []string{"alloc-fmt"}, Functions: []string{"main.key", "match.one"},
		Also: []string{"gc-cpu"}}
	well := expectation{Healthy: true, Tolerated: []string{"cpu-crypto"}}
	other := finding("cpu-sort", "main.sort", 60)
	for _, c := range []struct {
		name    string
		e       expectation
		say     []casefile.Finding
		verdict string
		false   int
		notices int
	}{
		{"kind and function", ill, []casefile.Finding{finding("alloc-fmt", "main.key", 30)}, hit, 0, 0},
		{"function of a package", ill, []casefile.Finding{finding("alloc-fmt", "shop.example/x/match.one", 30)}, hit, 0,
			0},
		{"body of a range over a function", ill, []casefile.Finding{finding("alloc-fmt", "main.key-range1", 30)}, hit,
			0, 0},
		{"generic function", ill, []casefile.Finding{finding("alloc-fmt", "main.key[...]", 30)}, hit, 0, 0},
		{"second", ill, []casefile.Finding{other, finding("alloc-fmt", "main.key", 30)}, hit, 1, 0},
		{"third", ill, []casefile.Finding{other, other, finding("alloc-fmt", "main.key", 30)}, partial, 2, 0},
		{"other kind", ill, []casefile.Finding{finding("gc-cpu", "main.key", 60)}, partial, 0, 0},
		{"other function", ill, []casefile.Finding{finding("alloc-fmt", "main.keys", 60)}, partial, 0, 0},
		{"too low", ill, []casefile.Finding{finding("alloc-fmt", "main.key", 24)}, miss, 0, 0},
		{"a symptom only", ill, []casefile.Finding{finding("gc-cpu", "main.f", 60)}, miss, 0, 0},
		{"no place", ill, []casefile.Finding{{Kind: "gc-cpu", Score: 60}}, miss, 0, 0},
		{"healthy", well, nil, clean, 0, 0},
		{"healthy, notice", well, []casefile.Finding{finding("cpu-sort", "main.f", 40),
			finding("cpu-crypto", "main.f", 40)}, clean, 0, 1},
		{"healthy, warning", well, []casefile.Finding{other}, falseAlarm, 1, 0},
		{"healthy, its work as a warning", well, []casefile.Finding{finding("cpu-crypto", "main.f", 50)}, falseAlarm, 1,
			0},
	} {
		t.Run(c.name, func(t *testing.T) {
			j := c.e.judge(c.say)
			if j.verdict != c.verdict || len(j.false) != c.false || j.notices != c.notices {
				t.Errorf("%s, %d not true, %d notices; want %s, %d, %d", j.verdict, len(j.false), j.notices, c.verdict,
					c.false, c.notices)
			}
		})
	}
}

// wanted are kinds that an expert would name and that no detector reports: an expectation with one of them is a miss
// until it exists.
var wanted = []string{
	"conn-shared", "gc-latency", "mem-pressure", "startup-only",
}

// TestExpectations: each service has its folder and each folder its row. The kinds exist or are wanted, and the
// functions are in the source.
func TestExpectations(t *testing.T) {
	kinds := map[string]bool{}
	for _, d := range diagnose.Detectors() {
		for _, name := range append(d.OtherNames, d.Kind) {
			kinds[name] = true
		}
	}
	for _, k := range wanted {
		kinds[k] = true
	}
	for name, list := range map[string]string{"holdout": "holdout.json", "holdout2": "holdout.json",
		"holdout3": "holdout.json", "holdout4": "holdout.json", "holdout5": "holdout.json", "holdout6": "holdout.json",
		"queues": "queues.json"} {
		t.Run(name, func(t *testing.T) {
			dir := filepath.Join("../../..", name)
			all, err := readExpectations(filepath.Join(dir, list))
			if err != nil {
				t.Fatal(err)
			}
			names := map[string]bool{"cmd": true, "internal": true}
			for _, e := range all {
				names[e.Name] = true
				e.check(t, kinds, sources(t, filepath.Join(dir, e.Name)))
			}
			everyFolder(t, dir, names)
		})
	}
}

// check holds an expectation against the kinds that there are and the service's source.
func (e expectation) check(t *testing.T, kinds map[string]bool, source string) {
	t.Helper()
	if e.Healthy == (len(e.Kinds) > 0) || (e.Healthy && len(e.Functions) > 0) || e.Why == "" {
		t.Errorf("%s: a fault wants kinds and why; a healthy service only why", e.Name)
	}
	for _, k := range slices.Concat(e.Kinds, e.Also, e.Tolerated) {
		if !kinds[k] {
			t.Errorf("%s: there is no kind %q", e.Name, k)
		}
	}
	for _, f := range e.Functions {
		f, _, _ = strings.Cut(f, ".func")
		bare := strings.NewReplacer("[...]", "", "(", "", ")", "", "*", "", "init.0", "init").Replace(f)
		bare = bare[strings.LastIndex(bare, ".")+1:]
		if !strings.Contains(source, bare+"(") && !strings.Contains(source, bare+"[") {
			t.Errorf("%s: no function %s in its source", e.Name, f)
		}
	}
}

// everyFolder fails for a folder that has no row.
func everyFolder(t *testing.T, dir string, names map[string]bool) {
	t.Helper()
	folders, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range folders {
		if f.IsDir() && !names[f.Name()] {
			t.Errorf("%s is not in the list of %s", f.Name(), dir)
		}
	}
}

// sources is all the Go in a folder and the folders directly in it.
func sources(t *testing.T, dir string) string {
	t.Helper()
	var all strings.Builder
	for _, pattern := range []string{"*.go", "*/*.go"} {
		files, err := filepath.Glob(filepath.Join(dir, pattern))
		if err != nil {
			t.Fatal(err)
		}
		for _, f := range files {
			text, err := os.ReadFile(f)
			if err != nil {
				t.Fatal(err)
			}
			all.Write(text)
		}
	}
	return all.String()
}
