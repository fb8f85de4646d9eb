package release

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/pprof/profile"

	"github.com/gocasebook/casebook/app/engine"
	"github.com/gocasebook/casebook/app/engine/enginetest"
	"github.com/gocasebook/casebook/app/report"
	"github.com/gocasebook/casebook/casefile"
	"github.com/gocasebook/casebook/instance"
)

// spent is a CPU profile with seconds by function of the program, with noise, below main.main.
func spent(random *rand.Rand, seconds map[string]float64) *profile.Profile {
	p := &profile.Profile{SampleType: []*profile.ValueType{{Type: "samples", Unit: "count"},
		{Type: "cpu", Unit: "nanoseconds"}}, PeriodType: &profile.ValueType{Type: "cpu", Unit: "nanoseconds"},
		Period: 10_000_000, DurationNanos: 15e9}
	place := func(name string) *profile.Location {
		n := uint64(len(p.Function) + 1)
		f := &profile.Function{ID: n, Name: name, Filename: "/src/shop/main.go"}
		at := &profile.Location{ID: n, Line: []profile.Line{{Function: f, Line: int64(n)}}}
		p.Function, p.Location = append(p.Function, f), append(p.Location, at)
		return at
	}
	root := place("main.main")
	for name, s := range seconds {
		ns := int64(s * 1e9 * (0.95 + 0.1*random.Float64()))
		p.Sample = append(p.Sample, &profile.Sample{Location: []*profile.Location{place(name), root},
			Value: []int64{ns / 10_000_000, ns}})
	}
	return p
}

// push has an engine know a version for ten minutes up to some time ago.
func push(s *enginetest.Server, version string, ended time.Duration, seconds map[string]float64) {
	random := rand.New(rand.NewPCG(1, uint64(len(version))))
	for i := range 40 {
		s.Add(map[string]string{"service_name": "shop", "service_version": version}, "process_cpu",
			time.Now().Add(-ended-time.Duration(i)*15*time.Second), spent(random, seconds))
	}
}

// A function that costs more than before is worse, one that costs as much is not, whatever the load is.
func TestCompare(t *testing.T) {
	for name, start := range map[string]func(testing.TB) *enginetest.Server{engine.Pyroscope: enginetest.NewPyroscope,
		engine.Parca: enginetest.NewParca} {
		t.Run(name, func(t *testing.T) {
			s := start(t)
			push(s, "v1", 3*time.Hour, map[string]float64{"main.price": 2, "main.render": 6, "main.rest": 2})
			push(s, "v2", -time.Minute, map[string]float64{"main.price": 8, "main.render": 12, "main.rest": 4}) // twice the load
			d, err := engine.NewDirectory(name+"://"+s.Host, engine.Options{})
			if err != nil {
				t.Fatal(err)
			}
			c, err := Compare(t.Context(), d, "shop", "")
			if err != nil {
				t.Fatal(err)
			}
			if c.Report.Old != "v1" || c.Report.New != "v2" {
				t.Errorf("%s was compared with %s, want v2 with v1", c.Report.New, c.Report.Old)
			}
			verdicts := make(map[string]casefile.Verdict)
			for _, row := range c.Report.Tables[0].Rows {
				verdicts[row.Name] = row.Verdict
			}
			if verdicts["main.price"] != casefile.Worse || verdicts["main.render"] != casefile.Better ||
				verdicts["main.rest"] == casefile.Worse {
				t.Errorf("verdicts %v; want that main.price became worse, and the others not", verdicts)
			}
			var page bytes.Buffer
			if err := report.WriteComparison(&page, c.Page()); err != nil || !strings.Contains(page.String(), "main.price") {
				t.Errorf("the page: %v, %d bytes", err, page.Len())
			}
		})
	}
}

// A function that is worse names the commits that touched it, where the repository is at hand.
func TestCompareNamesCommits(t *testing.T) {
	s := enginetest.NewPyroscope(t)
	push(s, "v1", 3*time.Hour, map[string]float64{"main.price": 2, "main.render": 6})
	push(s, "v2", -time.Minute, map[string]float64{"main.price": 8, "main.render": 6})
	d, err := engine.NewDirectory("pyroscope://"+s.Host, engine.Options{})
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	git := func(args ...string) {
		t.Helper()
		cmd := exec.Command("git", append([]string{"-c", "user.name=t", "-c", "user.email=t@example.com"}, args...)...)
		cmd.Dir = dir
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Fatalf("git %v: %v\n%s", args, err, out)
		}
	}
	git("init", "-q", "-b", "main")
	for i, body := range []string{"return 1", "return slowly()"} {
		text := "package main\n\nfunc price() int {\n\t" + body + "\n}\n"
		if err := os.WriteFile(filepath.Join(dir, "main.go"), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		git("add", ".")
		git("commit", "-q", "-m", "price: "+body)
		git("tag", fmt.Sprint("v", i+1))
	}
	c, err := Compare(t.Context(), d, "shop", dir)
	if err != nil {
		t.Fatal(err)
	}
	if got := c.Commits["main.price"]; len(got) != 1 || got[0].Subject != "price: return slowly()" {
		t.Errorf("main.price was touched by %+v", got)
	}
	data, err := json.Marshal(c)
	if err != nil || !strings.Contains(string(data), `"subject":"price: return slowly()"`) ||
		!strings.Contains(string(data), `"verdict":"worse"`) {
		t.Errorf("as JSON: %s, %v", data, err)
	}
	var page bytes.Buffer
	if err := report.WriteComparison(&page, c.Page()); err != nil || !strings.Contains(page.String(), "return slowly()") {
		t.Errorf("the page does not name the commit: %v", err)
	}
}

// One version, or too little of one, is no release to compare, and that is said.
func TestCompareNothing(t *testing.T) {
	s := enginetest.NewPyroscope(t)
	push(s, "v1", -time.Minute, map[string]float64{"main.price": 2})
	d, err := engine.NewDirectory("pyroscope://"+s.Host, engine.Options{})
	if err != nil {
		t.Fatal(err)
	}
	var none *instance.EmptyError
	if _, err := Compare(t.Context(), d, "shop", ""); !errors.As(err, &none) {
		t.Errorf("one version: %v", err)
	}
	s.Add(map[string]string{"service_name": "shop", "service_version": "v0"}, "process_cpu", time.Now().Add(-time.Hour),
		spent(rand.New(rand.NewPCG(1, 1)), map[string]float64{"main.price": 2}))
	if _, err := Compare(t.Context(), d, "shop", ""); !errors.As(err, &none) || !strings.Contains(err.Error(), "are needed") {
		t.Errorf("a version with one profile: %v", err)
	}
}
