package gate

import (
	"bytes"
	"context"
	"errors"
	"slices"
	"strings"
	"testing"
	"time"
)

// quick are the settings of tests: they look only for changes that are far above any noise.
func quick(t *testing.T, r *repo, limits string) Config {
	t.Helper()
	ls, err := ParseLimits(limits)
	if err != nil {
		t.Fatal(err)
	}
	return Config{Dir: r.dir, Against: "main", Limits: ls, Benchtime: "2ms", Runs: 3, Rounds: 3, Confirm: 10,
		Progress: testWriter{t}}
}

type testWriter struct{ t *testing.T }

func (w testWriter) Write(p []byte) (int, error) {
	w.t.Log(strings.TrimSpace(string(p)))
	return len(p), nil
}

// TestFindsAnAllocationMore: also where a benchmark runs once or a few times, as on a busy machine, so that most of the
// profile is what package testing allocates for it.
func TestFindsAnAllocationMore(t *testing.T) {
	for _, benchtime := range []string{"2ms", "1x"} {
		t.Run(benchtime, func(t *testing.T) { findsAnAllocationMore(t, benchtime) })
	}
}

func findsAnAllocationMore(t *testing.T, benchtime string) {
	tmp := ownTemp(t)
	r := newRepo(t, shop{work: 1, allocs: 3})
	r.write("shop.go", shop{work: 1, allocs: 4}.source())
	cfg := quick(t, r, "allocs:+0%,bytes:+50%")
	cfg.Benchtime = benchtime
	res, err := Run(t.Context(), cfg)
	if err != nil {
		t.Fatal(err)
	}
	j := find(t, res, "example.com/shop BenchmarkEncode/size=small", "allocs")
	if j.Outcome != Fail || !j.Exact || j.Base != 3 || j.Head != 4 || j.Rounds != 10 {
		t.Errorf("%+v, want a failure by value from 3 to 4, confirmed in 10 rounds", j)
	}
	if len(j.Because) == 0 || j.Because[0].Function != "example.com/shop.fill" {
		t.Errorf("because %+v, want example.com/shop.fill", j.Because)
	} else if at := j.Because[0].Place; at == nil || *at != (Place{"shop.go", 20}) {
		t.Errorf("fill is at %+v, want shop.go:20", at)
	}
	if j.Place == nil || *j.Place != (Place{"bench_test.go", 7}) {
		t.Errorf("the benchmark is at %+v, want bench_test.go:7", j.Place)
	}
	if b := find(t, res, "example.com/shop BenchmarkEncode/size=small", "bytes"); b.Outcome != Pass {
		t.Errorf("bytes: %s, want pass: a third more is below the limit", b.Outcome)
	}
	if res.Outcome != Fail {
		t.Errorf("outcome %s, want fail", res.Outcome)
	}
	r.clean(tmp)
}

func TestFindsMoreWork(t *testing.T) {
	tmp := ownTemp(t)
	r := newRepo(t, shop{work: 10, allocs: 1})
	r.write("shop.go", shop{work: 200, allocs: 1}.source())
	r.commit()
	cfg := quick(t, r, "time:+20%")
	cfg.Against, cfg.Head, cfg.Bench = "HEAD~1", "HEAD", "Encode"
	res, err := Run(t.Context(), cfg)
	if err != nil {
		t.Fatal(err)
	}
	j := find(t, res, "example.com/shop BenchmarkEncode/size=small", "time")
	if j.Outcome != Fail || j.Change < 1 {
		t.Errorf("%+v, want a failure of more than +100 %%", j)
	}
	// mix did not change: Encode calls it with more.
	if b := j.Because; len(b) == 0 || b[0].Function != "example.com/shop.Encode" || !b[0].Changed ||
		b[0].In != "example.com/shop.mix" {
		t.Errorf("because %+v, want example.com/shop.Encode, which changed, in example.com/shop.mix", b)
	}
	if len(res.Judgements) != 1 {
		t.Errorf("%d judgements, want that of Encode only", len(res.Judgements))
	}
	r.clean(tmp)
}

func TestTheSameBinaryPassesUnmeasured(t *testing.T) {
	r := newRepo(t, shop{work: 1, allocs: 1})
	r.write("README", "words")
	res, err := Run(t.Context(), quick(t, r, "time:+0%"))
	if err != nil {
		t.Fatal(err)
	}
	if res.Outcome != Pass || !slices.Equal(res.Identical, []string{"example.com/shop"}) || len(res.Judgements) != 0 {
		t.Errorf("%+v, want a pass without measurements", res)
	}
}

func TestBenchmarksOfOneSide(t *testing.T) {
	r := newRepo(t, shop{work: 1, allocs: 1})
	r.write("bench_test.go", strings.ReplaceAll(benchSource, "BenchmarkPlain", "BenchmarkOther"))
	r.write("sub/sub_test.go",
		strings.ReplaceAll("package sub\n\nimport \"testing\"\n\nfunc BenchmarkS(b *testing.B) {}\n", "\t", ""))
	res, err := Run(t.Context(), quick(t, r, "allocs:+0%"))
	if err != nil {
		t.Fatal(err)
	}
	notes := strings.Join(res.Notes, "\n")
	for _, want := range []string{"example.com/shop/sub has no benchmarks in the base", "BenchmarkOther", "is new",
		"is gone"} {
		if !strings.Contains(notes, want) {
			t.Errorf("no %q in %q", want, notes)
		}
	}
}

func TestRefusals(t *testing.T) {
	r := newRepo(t, shop{work: 1, allocs: 1})
	broken := func(file, text string) func() {
		return func() { r.write(file, text) }
	}
	for _, c := range []struct {
		name   string
		before func()
		change func(*Config)
		want   []string
	}{
		{"an unknown revision", nil, func(c *Config) { c.Against = "nowhere" },
			[]string{`does not know the revision "nowhere"`, "git fetch"}},
		{"a revision that is an option", nil, func(c *Config) { c.Against = "--output=x" },
			[]string{"does not know the revision"}},
		{"no repository", nil, func(c *Config) { c.Dir = "/" }, []string{"not in a git repository"}},
		{"no benchmark of that name", broken("shop.go", shop{work: 2}.source()),
			func(c *Config) { c.Bench = "Nothing" }, []string{`matches "Nothing"`}},
		{"a figure that nobody measures", nil, func(c *Config) { c.Limits = []Limit{{"p99", true, 0.05}} },
			[]string{`measures "p99"`, "allocs, bytes, time"}},
		{"packages that do not exist", nil, func(c *Config) { c.Packages = []string{"./none"} },
			[]string{"listing the packages", "./none: "}},
		{"code that does not compile", broken("shop.go", "package shop\n\nfunc Encode(int) uint64 { return x }\n"), nil,
			[]string{"building the tests", "the working tree", "undefined: x"}},
		{"a benchmark that fails",
			broken("shop.go",
				"package shop\n\nfunc Encode(int) uint64 { panic(\"no luck\") }\nfunc mix(int) uint64 { return 1 }\n"),
			nil,
			[]string{"running the benchmarks of example.com/shop in the working tree", "no luck"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			tmp := ownTemp(t)
			if c.before != nil {
				c.before()
			}
			cfg := quick(t, r, "time:+50%")
			if c.change != nil {
				c.change(&cfg)
			}
			_, err := Run(t.Context(), cfg)
			for _, want := range c.want {
				if err == nil || !strings.Contains(err.Error(), want) {
					t.Errorf("error = %v, want it to say %q", err, want)
				}
			}
			r.clean(tmp)
		})
	}
}

// TestInterrupted: Ctrl-C leaves no process, folder or worktree, whenever it comes.
func TestInterrupted(t *testing.T) {
	for _, at := range []string{"building", "round 1"} {
		t.Run(at, func(t *testing.T) {
			tmp := ownTemp(t)
			r := newRepo(t, shop{work: 1, allocs: 1})
			r.write("shop.go", shop{work: 2, allocs: 1}.source())
			ctx, cancel := context.WithCancel(t.Context())
			defer cancel()
			cfg := quick(t, r, "time:+5%")
			cfg.Benchtime = "50ms"
			cfg.Progress = onLine{at, cancel}
			began := time.Now()
			if _, err := Run(ctx, cfg); !errors.Is(err, context.Canceled) {
				t.Errorf("error = %v, want that it was cancelled", err)
			}
			t.Logf("ended after %s", time.Since(began))
			r.clean(tmp)
		})
	}
}

// onLine calls do when a line of progress begins as wanted.
type onLine struct {
	begin string
	do    func()
}

func (o onLine) Write(p []byte) (int, error) {
	if bytes.HasPrefix(p, []byte(o.begin)) {
		o.do()
	}
	return len(p), nil
}

// ownTemp gives the test a temporary folder of its own, in which leftovers show.
func ownTemp(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	t.Setenv("TMPDIR", dir)
	return dir
}

func find(t *testing.T, res *Result, subject, figure string) Judgement {
	t.Helper()
	for _, j := range res.Judgements {
		// The name ends with the number of CPUs if there is more than one.
		if strings.HasPrefix(j.Subject, subject) && j.Figure == figure {
			return j
		}
	}
	t.Fatalf("no judgement of %s of %s in %+v", figure, subject, res.Judgements)
	return Judgement{}
}
