package history

import (
	"encoding/json"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// A step is a benchmark whose function mix costs more from a commit on, measured at each commit of a repository.
type step struct {
	t       *testing.T
	dir     string
	records []Record
}

// newStep makes a repository of n commits, of which the one at slower changes mix and others change other functions, and
// a record of each. The rest costs the same throughout, but for 1 % of noise.
func newStep(t *testing.T, n, slower int, by float64) *step {
	t.Helper()
	s := &step{t: t, dir: newRepository(t)}
	r := rand.New(rand.NewPCG(5, uint64(n)))
	work := 10
	for i := range n {
		subject, cost := fmt.Sprintf("docs: note %d", i), 4e-7
		if i == slower {
			subject, work = "codec: mix twice as much", 20
		}
		if i >= slower {
			cost *= by
		}
		source := fmt.Sprintf("package shop\n\nfunc mix() int {\n\treturn %d\n}\n\nfunc other() int {\n\treturn %d\n}\n", work, i)
		if err := os.WriteFile(filepath.Join(s.dir, "shop.go"), []byte(source), 0o600); err != nil {
			t.Fatal(err)
		}
		git(t, s.dir, "add", "-A")
		git(t, s.dir, "-c", "user.name=t", "-c", "user.email=t@example.com", "commit", "-q", "-m", subject)
		mix, rest := cost*math.Exp(.01*r.NormFloat64()), 6e-7*math.Exp(.01*r.NormFloat64())
		s.records = append(s.records, Record{Schema: schema, Time: november.AddDate(0, 0, i), Machine: Machine{ID: "m"},
			Commit: git(t, s.dir, "rev-parse", "HEAD"), Go: "go1.26.0",
			Functions: []Function{{"example.com/shop.other", "example.com/shop/shop.go"},
				{"example.com/shop.mix", "example.com/shop/shop.go"}},
			Benchmarks: []Benchmark{{"example.com/shop BenchmarkA", []Figure{{"time", "sec/op", mix + rest,
				[]Part{{0, rest / (mix + rest)}, {1, mix / (mix + rest)}}}}}}})
	}
	return s
}

func (s *step) analyze(opt Options) *Report {
	s.t.Helper()
	r, err := Analyze(s.t.Context(), s.records, opt)
	if err != nil {
		s.t.Fatal(err)
	}
	return r
}

// A step is found at its commit, with the function that moved and the commit that touched it, in every form.
func TestAnalyze(t *testing.T) {
	s := newStep(t, 24, 15, 1.25)
	r := s.analyze(Options{Repository: s.dir})
	if len(r.Changes) != 1 {
		t.Fatalf("%+v, want one change", r.Changes)
	}
	c := r.Changes[0]
	if c.Commit != s.records[15].Commit || c.Last != s.records[14].Commit || !c.Worse || c.Records != 9 ||
		math.Abs(c.After/c.Before-1.1) > .01 || c.Commits < 1 {
		t.Errorf("%+v; want +10 %% at commit 15", c)
	}
	if len(c.Functions) != 1 || c.Functions[0].Function != "example.com/shop.mix" || len(c.Functions[0].Commits) != 1 ||
		c.Functions[0].Commits[0].Subject != "codec: mix twice as much" {
		t.Errorf("%+v; want mix, and the one commit that touched it", c.Functions)
	}
	var b strings.Builder
	if err := Markdown(&b, r); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"1 change (1 worse) in 1 series, 24 records", "codec: mix twice as much", "**worse**"} {
		if !strings.Contains(b.String(), want) {
			t.Errorf("no %q in\n%s", want, b.String())
		}
	}
}

// Where the function that moved was touched by nobody, or the repository does not have the commits, that is said.
func TestAnalyzeWithoutCommits(t *testing.T) {
	s := newStep(t, 24, 15, 1.25)
	for i := range s.records {
		s.records[i].Functions[1].Name = "example.com/shop.gone"
	}
	if c := s.analyze(Options{Repository: s.dir}).Changes[0]; len(c.Candidate) == 0 || c.Commits < 1 {
		t.Errorf("%+v; want the commits between as candidates", c)
	}
	other := newRepository(t)
	if c := s.analyze(Options{Repository: other}).Changes[0]; c.Commits != -1 || len(c.Notes) != 1 ||
		!strings.Contains(c.Notes[0], "not in this repository") {
		t.Errorf("%+v", c)
	}
	s.records[15].Go = "go1.27.0"
	if c := s.analyze(Options{}).Changes[0]; len(c.Notes) != 1 || !strings.Contains(c.Notes[0], "go1.26.0 to go1.27.0") {
		t.Errorf("%+v", c.Notes)
	}
}

// Another machine is another series: its level is no change.
func TestMachinesApart(t *testing.T) {
	s := newStep(t, 24, 99, 1)
	for i := range s.records {
		if i%2 == 1 {
			s.records[i].Machine.ID = "faster"
			s.records[i].Benchmarks[0].Figures[0].Value *= .7
		}
	}
	if r := s.analyze(Options{}); len(r.Series) != 2 || len(r.Changes) != 0 {
		t.Errorf("%d series and %d changes, want 2 and none", len(r.Series), len(r.Changes))
	}
	s.records = s.records[:10]
	if r := s.analyze(Options{}); r.Short != 2 || !strings.Contains(r.Summary(), "too few to judge") {
		t.Errorf("%d short series: %s", r.Short, r.Summary())
	}
}

// Values that do not vary are judged by their value, once they came twice.
func TestSteps(t *testing.T) {
	for name, c := range map[string]struct {
		values []float64
		want   string
	}{
		"level":          {[]float64{3, 3, 3, 3, 3, 3, 3, 3}, "[]"},
		"up":             {[]float64{3, 3, 3, 3, 3, 3, 4, 4}, "[6]"},
		"not yet":        {[]float64{3, 3, 3, 3, 3, 3, 3, 4}, "[]"},
		"up and down":    {[]float64{3, 3, 3, 5, 5, 5, 2, 2, 2}, "[3 6]"},
		"from 0":         {[]float64{0, 0, 0, 0, 1, 1, 1, 1}, "[4]"},
		"one in between": {[]float64{3, 3, 3, 4, 3, 3, 3, 3, 3}, "[]"},
	} {
		var at []int
		for _, change := range changes(c.values) {
			at = append(at, change.At)
		}
		if got := fmt.Sprint(at); got != c.want {
			t.Errorf("%s: %s, want %s", name, got, c.want)
		}
	}
}

// TestStationary: series that do not change have no change point, but for what the level allows. The numbers are the same
// in each run.
func TestStationary(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 1))
	for range 50 {
		if found := changes(noise{.02, 0, .05}.series(r, 40)); len(found) > 0 {
			t.Errorf("%+v", found)
		}
	}
}

// A change that is clear is found where it is, up and down, and its interval holds it.
func TestChanges(t *testing.T) {
	r := rand.New(rand.NewPCG(2, 2))
	x := noise{.01, 0, 0}.series(r, 60)
	for i := 20; i < 40; i++ {
		x[i] *= 1.1
	}
	found := changes(x)
	at := func(c Change) int { return c.At }
	if len(found) != 2 || found[0].Low > 20 || found[0].High < 20 || found[1].Low > 40 || found[1].High < 40 ||
		found[0].P > level || !slices.IsSortedFunc(found, func(a, b Change) int { return at(a) - at(b) }) {
		t.Errorf("%+v, want 20 and 40", found)
	}
	again := changes(x)
	if fmt.Sprint(found) != fmt.Sprint(again) {
		t.Errorf("%+v, then %+v for the same values", found, again)
	}
}

// recorded are series of benchmarks of Go's own packages, measured on a machine that others kept busy.
func recorded(t *testing.T) map[string][]float64 {
	t.Helper()
	data, err := os.ReadFile("testdata/recorded.json")
	if err != nil {
		t.Fatal(err)
	}
	var out map[string][]float64
	if err := json.Unmarshal(data, &out); err != nil || len(out) < 4 {
		t.Fatalf("%d series, %v", len(out), err)
	}
	return out
}
