package pgo

import (
	"bufio"
	"bytes"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/google/pprof/profile"

	"github.com/gocasebook/casebook/internal/checkout"
)

// recorded returns the CPU profiles of a recorded program.
func recorded(t *testing.T, folder string) (out []*profile.Profile) {
	t.Helper()
	for name, data := range checkout.Case(t, folder) {
		if !strings.Contains(name, "cpu") || !strings.HasSuffix(name, ".pb.gz") {
			continue
		}
		p, err := profile.ParseData(data)
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		out = append(out, p)
	}
	if len(out) == 0 {
		t.Fatalf("no CPU profile in %s", folder)
	}
	return out
}

func count(t *testing.T, p *profile.Profile) Counted {
	t.Helper()
	c, err := Count(p)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// compiled is what the compiler reads of a profile, from its own tool: weights of "caller callee offset".
func compiled(t *testing.T, p *profile.Profile) Calls {
	t.Helper()
	dir := t.TempDir()
	in, out := filepath.Join(dir, "in.pgo"), filepath.Join(dir, "out.pgo")
	f, err := os.Create(in)
	if err != nil {
		t.Fatal(err)
	}
	if err := p.Write(f); err != nil {
		t.Fatal(err)
	}
	f.Close()
	cmd := exec.Command("go", "tool", "preprofile", "-i", in, "-o", out)
	if b, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("go tool preprofile: %v\n%s", err, b)
	}
	data, err := os.ReadFile(out)
	if err != nil {
		t.Fatal(err)
	}
	calls := Calls{}
	lines := bufio.NewScanner(bytes.NewReader(data))
	lines.Buffer(nil, 1<<20)
	for lines.Scan() { // the header
		break
	}
	for lines.Scan() {
		c := Call{Caller: lines.Text()}
		lines.Scan()
		c.Callee = lines.Text()
		lines.Scan()
		offset, weight, _ := strings.Cut(lines.Text(), " ")
		c.Offset, _ = strconv.Atoi(offset)
		calls[c], _ = strconv.ParseFloat(weight, 64)
	}
	if len(calls) == 0 {
		t.Fatalf("go tool preprofile wrote no calls:\n%.300s", data)
	}
	return calls
}

// The compiler reads the same from a profile of ours as from the one that went in, but for calls of no weight.
func TestCompilerReadsTheSame(t *testing.T) {
	for _, folder := range []string{"foreign/caddy-healthy", "holdout3/claims", "holdout3/switches"} {
		t.Run(folder, func(t *testing.T) {
			p := recorded(t, folder)[0]
			m, err := Merge([]Input{{Name: folder, Counted: count(t, p)}})
			if err != nil {
				t.Fatal(err)
			}
			before, after := compiled(t, p), compiled(t, m.Calls.Profile())
			tb, ta := before.Total(), after.Total()
			var lost float64
			for c, w := range before {
				got, ok := after[c]
				switch {
				case !ok:
					lost += w / tb
				case math.Abs(got/ta-w/tb) > 0.0002*math.Max(w/tb, 0.001):
					t.Errorf("%+v has %.6f of the weight, and had %.6f", c, got/ta, w/tb)
				}
			}
			for c := range after {
				if _, ok := before[c]; !ok {
					t.Errorf("%+v is new", c)
				}
			}
			if lost > 2*(1-keptShare) {
				t.Errorf("%.4f of the weight is lost", lost)
			}
			t.Logf("%d calls of %d kept", len(after), len(before))
		})
	}
}

// synthetic is a profile of one call in each function, with that many ticks.
func synthetic(at time.Time, ticks map[string]int64) *profile.Profile {
	p := &profile.Profile{
		SampleType: []*profile.ValueType{{Type: "samples", Unit: "count"}, {Type: "cpu", Unit: "nanoseconds"}},
		PeriodType: &profile.ValueType{Type: "cpu", Unit: "nanoseconds"}, Period: 1e7, TimeNanos: at.UnixNano(),
	}
	add := func(name string, line int64) *profile.Location {
		f := &profile.Function{ID: uint64(len(p.Function) + 1), Name: name, StartLine: 10}
		l := &profile.Location{ID: f.ID, Line: []profile.Line{{Function: f, Line: line}}}
		p.Function, p.Location = append(p.Function, f), append(p.Location, l)
		return l
	}
	for name, n := range ticks {
		p.Sample = append(p.Sample, &profile.Sample{
			Location: []*profile.Location{add(name+"Callee", 11), add(name, 12)}, Value: []int64{n, n * 1e7},
		})
	}
	return p
}

// A host that was profiled ten times in an hour has one vote, as has one that was profiled once.
func TestNoHostOutvotesAnother(t *testing.T) {
	at := time.Date(2026, 11, 2, 10, 0, 0, 0, time.UTC)
	var inputs []Input
	for i := range 10 {
		inputs = append(inputs, Input{Host: "a:6060", Taken: at.Add(time.Duration(i) * time.Minute),
			Counted: count(t, synthetic(at, map[string]int64{"main.a": 1000}))})
	}
	inputs = append(inputs, Input{Host: "b:6060", Taken: at,
		Counted: count(t, synthetic(at, map[string]int64{"main.b": 10}))})
	m, err := Merge(inputs)
	if err != nil {
		t.Fatal(err)
	}
	a := m.Calls[Call{Caller: "main.a", Callee: "main.aCallee", Offset: 2}]
	b := m.Calls[Call{Caller: "main.b", Callee: "main.bCallee", Offset: 2}]
	if m.Votes != 2 || m.Hosts != 2 || math.Abs(a/b-1) > 1e-9 {
		t.Errorf("%d votes of %d hosts, and weights %g and %g: want two equal ones", m.Votes, m.Hosts, a, b)
	}
}

// A service that does something else at night is told, and one that does not is not, however few samples there are.
func TestLikeness(t *testing.T) {
	day := time.Date(2026, 11, 2, 10, 0, 0, 0, time.UTC)
	night := day.Add(12 * time.Hour)
	work := map[string]int64{"main.a": 300, "main.b": 200, "main.c": 100, "main.d": 7, "main.e": 3}
	other := map[string]int64{"main.a": 30, "main.x": 400, "main.y": 200}
	for _, c := range []struct {
		name  string
		night map[string]int64
		want  Verdict
	}{{"the same", work, NotCompared}, {"another", other, Narrow}} {
		t.Run(c.name, func(t *testing.T) {
			var inputs []Input
			for range 5 {
				inputs = append(inputs, Input{Host: "a", Taken: day, Counted: count(t, synthetic(day, work))},
					Input{Host: "a", Taken: night, Counted: count(t, synthetic(night, c.night))})
			}
			m, err := Merge(inputs)
			if err != nil {
				t.Fatal(err)
			}
			if r := Judge(m, nil); r.Verdict != c.want {
				t.Errorf("the verdict is %q (%v), want %q; %+v", r.Verdict, r.Reasons, c.want, r.Likeness)
			}
		})
	}
}

func TestCountRefuses(t *testing.T) {
	at := time.Now()
	heap := synthetic(at, map[string]int64{"main.a": 1})
	heap.SampleType = []*profile.ValueType{{Type: "inuse_space", Unit: "bytes"}}
	old := synthetic(at, map[string]int64{"main.a": 1})
	for _, f := range old.Function {
		f.StartLine = 0
	}
	for want, p := range map[string]*profile.Profile{"not a CPU profile": heap, "Go 1.19": old,
		"empty": synthetic(at, nil)} {
		if _, err := Count(p); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("the error is %v, want one with %q", err, want)
		}
	}
	if _, err := Merge(nil); err == nil {
		t.Error("nothing was merged without an error")
	}
}

func TestSplitName(t *testing.T) {
	for name, want := range map[string][3]string{
		"main.main":                                                    {"main", "main", ""},
		"main.(*server).ServeHTTP.func1":                               {"main", "(*server).ServeHTTP", "literal"},
		"gopkg.in/yaml%2ev3.(*parser).peek":                            {"gopkg.in/yaml.v3", "(*parser).peek", ""},
		"example.com/a/b.T.String":                                     {"example.com/a/b", "T.String", ""},
		"example.com/a/b.Map[go.shape.int].F":                          {"example.com/a/b", "Map.F", ""},
		"slices.SortFunc[go.shape.[]*example.com/x.Y,go.shape.*uint8]": {"slices", "SortFunc", ""},
		"main.glob..func1":                                             {"main", "glob", "literal"},
		"main.init.func2":                                              {"main", "init", "literal"},
		"main.run.gowrap1":                                             {"main", "run", "literal"},
		"main.run.func1.2":                                             {"main", "run", "literal"},
		"main.(*T[...]).M":                                             {"main", "(*T).M", ""},
		"time.Duration.String":                                         {"time", "Duration.String", ""},
		"runtime.mapaccess2":                                           {"runtime", "mapaccess2", ""},
		"main.run.deferwrap1":                                          {"main", "run", "literal"},
		"main.funcs":                                                   {"main", "funcs", ""},
		"main.T.func1":                                                 {"main", "T", "literal"},
		"net/http.HandlerFunc.ServeHTTP":                               {"net/http", "HandlerFunc.ServeHTTP", ""},
	} {
		path, rest := splitName(name)
		outer, literal := outermost(rest)
		got := [3]string{path, outer, ""}
		if literal {
			got[2] = "literal"
		}
		if got != want {
			t.Errorf("%s is %q, want %q", name, got, want)
		}
	}
}
