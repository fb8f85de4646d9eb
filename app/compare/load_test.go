package compare

import (
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/gocasebook/casebook/app/load"
	"github.com/gocasebook/casebook/casefile"
)

// loadFile is a run of n windows whose p99 is around a centre.
func loadFile(p99 float64, n int) *load.File {
	f := &load.File{Schema: load.FileSchema, Kind: load.FileKind, Plan: load.Plan{Pace: "constant 100"}}
	quantiles := func(v float64) load.Quantiles {
		return load.Quantiles{Count: 100, P50: v / 4, P99: v, P999: 1.5 * v}
	}
	for i, v := range spread(p99, 0.05, n) {
		w := load.FileWindow{Index: i, Seconds: 1}
		w.OK, w.Throughput, w.Latency = 100, 100, quantiles(v)
		f.Windows = append(f.Windows, w)
	}
	f.Total.Latency = quantiles(p99)
	return f
}

// TestOfLoadSpaced: runs whose requests were spaced in different ways cannot be compared. Files from before there was a
// choice are evenly spaced.
func TestOfLoadSpaced(t *testing.T) {
	for _, c := range []struct{ old, latest, want string }{
		{"", "poisson", "the arrivals differ: constant in OLD, poisson in NEW"},
		{"", "constant", ""},
		{"poisson", "poisson", ""},
	} {
		old, latest := loadFile(0.040, 30), loadFile(0.040, 30)
		old.Plan.Arrivals, latest.Plan.Arrivals = c.old, c.latest
		r, err := OfLoad("old.json", old, "new.json", latest, Options{})
		if err != nil {
			t.Fatal(err)
		}
		if got := strings.Join(r.Warnings, "\n"); !strings.HasPrefix(got, c.want) || (got == "") != (c.want == "") {
			t.Errorf("%q and %q: warnings are %q, want %q", c.old, c.latest, got, c.want)
		}
	}
}

func TestOfLoad(t *testing.T) {
	old, latest := loadFile(0.040, 30), loadFile(0.080, 30)
	latest.Plan.Pace = "constant 200"
	latest.Limited = "the CPU was full"
	r, err := OfLoad("old.json", old, "new.json", latest, Options{})
	if err != nil {
		t.Fatal(err)
	}
	verdicts := make(map[string]casefile.Verdict)
	for _, row := range r.Tables[0].Rows {
		verdicts[row.Name] = row.Verdict
	}
	if verdicts["p99"] != casefile.Worse || verdicts["throughput"] != casefile.Same {
		t.Errorf("verdicts = %v, want p99 worse and throughput the same", verdicts)
	}
	warned := strings.Join(r.Warnings, "\n")
	for _, want := range []string{"pace differs: constant 100 in OLD, constant 200 in NEW",
		"new.json: the generator limited the figures"} {
		if !strings.Contains(warned, want) {
			t.Errorf("no warning %q in %q", want, warned)
		}
	}
	writeAll(t, r)
}

func TestOfLoadWithoutWindows(t *testing.T) {
	_, err := OfLoad("old.json", loadFile(1, 10), "new.json", loadFile(1, 0), Options{})
	if err == nil || !strings.Contains(err.Error(), "new.json has no windows") ||
		!strings.Contains(err.Error(), "--out") {
		t.Errorf("error = %v, want it to name new.json and --out", err)
	}
}

func TestShortLastWindowIsLeftOut(t *testing.T) {
	f := loadFile(1, 10)
	f.Windows[9].Seconds = 0.2
	side, err := loadSide("f", f)
	if err != nil || len(side.Rounds) != 9 {
		t.Errorf("%d rounds, %v; want 9", len(side.Rounds), err)
	}
}

func TestOfProofs(t *testing.T) {
	stat := func(v, half float64, n int) casefile.Stat {
		return casefile.Stat{Value: v, Low: v - half, High: v + half, N: n}
	}
	proof := func(figs ...casefile.Figure) *casefile.Proof {
		return &casefile.Proof{Figures: figs, Load: "100 req/s"}
	}
	figure := func(name, better string, s casefile.Stat) casefile.Figure {
		return casefile.Figure{Name: name, Unit: "seconds", Better: better, After: s}
	}
	for _, c := range []struct {
		name     string
		old, new casefile.Figure
		want     casefile.Verdict
	}{
		{"lower", figure("p99", lower, stat(1, 0.1, 8)), figure("p99", lower, stat(0.7, 0.1, 8)), casefile.Better},
		{"higher", figure("rate", higher, stat(1, 0.1, 8)), figure("rate", higher, stat(0.7, 0.1, 8)), casefile.Worse},
		{"intervals touch", figure("p99", lower, stat(1, 0.2, 8)), figure("p99", lower, stat(0.7, 0.2, 8)),
			casefile.CannotTell},
		{"few rounds", figure("p99", lower, stat(1, 0.1, 5)), figure("p99", lower, stat(0.7, 0.1, 8)),
			casefile.CannotTell},
		{"within the margin", figure("p99", lower, stat(1, 0.002, 8)), figure("p99", lower, stat(1.003, 0.002, 8)),
			casefile.Same},
		{"never any", figure("errors", lower, stat(0, 0, 4)), figure("errors", lower, stat(0, 0, 4)), casefile.Same},
		{"never any, in one block", figure("errors", lower, stat(0, 0, 1)), figure("errors", lower, stat(0, 0, 4)),
			casefile.CannotTell},
		{"always some", figure("errors", lower, stat(0, 0, 4)), figure("errors", lower, stat(0.1, 0, 4)),
			casefile.CannotTell},
		{"gone", figure("p99", lower, stat(1, 0.1, 8)), figure("p50", lower, stat(1, 0.1, 8)), casefile.CannotTell},
	} {
		t.Run(c.name, func(t *testing.T) {
			r, err := OfProofs("a", proof(c.old), "b", proof(c.new), Options{})
			if err != nil {
				t.Fatal(err)
			}
			if got := r.Tables[0].Rows[0]; got.Verdict != c.want {
				t.Errorf("%s (%s), want %s", got.Verdict, got.Reason, c.want)
			}
		})
	}
}

// TestOfLoadWhoseWindowsResembleEachOther: a change by a factor of four is reported even when each window is nearly the
// one before, and no change is reported where there is none.
func TestOfLoadWhoseWindowsResembleEachOther(t *testing.T) {
	drifting := func(p99 float64, seed uint64) *load.File {
		r, state := rand.New(rand.NewPCG(seed, 3)), 0.0
		f := loadFile(p99, 20)
		for i := range f.Windows {
			state = 0.9*state + 0.44*r.NormFloat64()
			f.Windows[i].Latency.P50 = p99 / 4 * math.Exp(0.05*state)
			f.Windows[i].Latency.P99 = p99 * math.Exp(0.1*state)
		}
		return f
	}
	for _, c := range []struct {
		after float64
		want  casefile.Verdict
	}{{0.010, casefile.Better}, {0.040, casefile.CannotTell}} {
		r, err := OfLoad("old.json", drifting(0.040, 1), "new.json", drifting(c.after, 2), Options{})
		if err != nil {
			t.Fatal(err)
		}
		for _, row := range r.Tables[0].Rows {
			if (row.Name == "p50" || row.Name == "p99") && row.Verdict != c.want {
				t.Errorf("%s to %v s: %s, want %s (%s)", row.Name, c.after, row.Verdict, c.want, row.Reason)
			}
			if c.want == casefile.CannotTell && row.Name == "p99" &&
				!strings.Contains(row.Reason, "20 rounds per side that resemble each other") {
				t.Errorf("reason %q, want it to say that the rounds resemble each other", row.Reason)
			}
		}
	}
}
