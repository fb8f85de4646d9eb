package lint

import (
	"bytes"
	"path/filepath"
	"slices"
	"testing"

	"github.com/google/pprof/profile"

	"github.com/gocasebook/casebook/app/heat"
	"github.com/gocasebook/casebook/casefile"
	"github.com/gocasebook/casebook/diagnose"
)

// heatOf is heat of one profile: a function of the program has each of its stacks at a line, below it what it calls.
func heatOf(t *testing.T, kind string, types []*profile.ValueType, file string, samples map[int][]below) *heat.Map {
	t.Helper()
	p := &profile.Profile{SampleType: types, PeriodType: types[0], Period: 1}
	at := func(name, file string, line int) *profile.Location {
		f := &profile.Function{ID: uint64(len(p.Function) + 1), Name: name, Filename: file}
		l := &profile.Location{ID: uint64(len(p.Location) + 1), Line: []profile.Line{{Function: f, Line: int64(line)}}}
		p.Function, p.Location = append(p.Function, f), append(p.Location, l)
		return l
	}
	for line, all := range samples {
		for _, b := range all {
			s := &profile.Sample{Value: b.values}
			for _, name := range b.frames {
				s.Location = append(s.Location, at(name, "x.go", 1))
			}
			s.Location = append(s.Location, at("example.com/shop.F", file, line))
			p.Sample = append(p.Sample, s)
		}
	}
	var b bytes.Buffer
	if err := p.Write(&b); err != nil {
		t.Fatal(err)
	}
	sets, problems := heat.Read(diagnose.Input{Build: casefile.Build{Module: "example.com/shop"},
		Evidence: []diagnose.Evidence{{Name: kind, Kind: kind, Data: b.Bytes()}}})
	if len(problems) > 0 {
		t.Fatal(problems[0])
	}
	return heat.Of(sets, nil)
}

// A below is what a line calls, from the leaf, and what that costs.
type below struct {
	frames []string
	values []int64
}

var (
	cpuTypes = []*profile.ValueType{{Type: "samples", Unit: "count"}, {Type: "cpu", Unit: "nanoseconds"}}
	allTypes = []*profile.ValueType{{Type: "alloc_objects", Unit: "count"}, {Type: "alloc_space", Unit: "bytes"},
		{Type: "inuse_objects", Unit: "count"}, {Type: "inuse_space", Unit: "bytes"}}
)

// heated is a report with what it costs.
func heated(r Request, c *Check, rep Report) Report {
	r.heat(&rep, c, &source{})
	return rep
}

// TestNamed: of a line only the function counts that the diagnostic names.
func TestNamed(t *testing.T) {
	file := filepath.Join(t.TempDir(), "a.go")
	r := Request{Heat: heatOf(t, casefile.CPU, cpuTypes, file, map[int][]below{3: {
		{[]string{"strings.ToLower"}, []int64{30, 30}}, {[]string{"strings.ToUpper"}, []int64{70, 70}}}})}
	c := &Check{By: onBoth, Named: true}
	rep := heated(r, c, Report{File: file, Line: 3, End: 3,
		Related: []Place{{File: file, Line: 3, End: 3, Message: "strings.ToLower"}}})
	if rep.Share != .3 {
		t.Errorf("it costs %v, want what ToLower takes: 0.3", rep.Share)
	}
}

// TestQuiet: what is made for a log counts where nothing is written below the line, and not where something is; what
// fmt writes to its own buffer is no writing.
func TestQuiet(t *testing.T) {
	file := filepath.Join(t.TempDir(), "a.go")
	c := &Check{By: onBoth, Calls: forLogs, Quiet: true}
	for _, test := range []struct {
		name  string
		below []below
		want  float64
	}{
		{"off", []below{{[]string{"fmt.(*buffer).write", "fmt.Sprintf"}, []int64{40, 40}}}, .4},
		{"a text", []below{{[]string{"example.com/shop.(*Order).String"}, []int64{40, 40}}}, .4},
		{"what is needed anyway", []below{{[]string{"net/http.(*Request).FormValue"}, []int64{40, 40}}}, 0},
		{"on", []below{{[]string{"fmt.Sprintf"}, []int64{30, 30}},
			{[]string{"os.(*File).Write", "log/slog.(*Logger).Debug"}, []int64{10, 10}}}, 0},
	} {
		r := Request{Heat: heatOf(t, casefile.CPU, cpuTypes, file, map[int][]below{3: test.below,
			9: {{nil, []int64{60, 60}}}})}
		if got := heated(r, c, Report{File: file, Line: 3, End: 3}).Share; got != test.want {
			t.Errorf("%s: it costs %v, want %v", test.name, got, test.want)
		}
	}
}

// TestLoud: a line of log counts where something is written below it, and not where its level is off.
func TestLoud(t *testing.T) {
	file := filepath.Join(t.TempDir(), "a.go")
	c := &Check{By: onBoth, Loud: true}
	for _, test := range []struct {
		name  string
		below []below
		want  float64
	}{
		{"off", []below{{[]string{"fmt.Sprintf"}, []int64{40, 40}}}, 0},
		{"on", []below{{[]string{"fmt.Sprintf"}, []int64{30, 30}},
			{[]string{"os.(*File).Write", "log/slog.(*Logger).Info"}, []int64{10, 10}}}, .4},
	} {
		r := Request{Heat: heatOf(t, casefile.CPU, cpuTypes, file, map[int][]below{3: test.below,
			9: {{nil, []int64{60, 60}}}})}
		if got := heated(r, c, Report{File: file, Line: 3, End: 3}).Share; got != test.want {
			t.Errorf("%s: it costs %v, want %v", test.name, got, test.want)
		}
	}
}

// TestWithout: what an encoder writes to, and what Marshal gives, is no cost of encoding.
func TestWithout(t *testing.T) {
	file := filepath.Join(t.TempDir(), "a.go")
	c := charges()["codechot"]
	check := &c
	r := Request{Heat: heatOf(t, casefile.CPU, cpuTypes, file, map[int][]below{3: {
		{[]string{"encoding/json.(*encodeState).marshal", "encoding/json.(*Encoder).Encode"}, []int64{30, 30}},
		{[]string{"compress/flate.(*Writer).Write", "compress/gzip.(*Writer).Write", "encoding/json.(*Encoder).Encode"},
			[]int64{70, 70}}}})}
	if got := heated(r, check, Report{File: file, Line: 3, End: 3}).Share; got != .3 {
		t.Errorf("encoding costs %v, want what is not compressing: 0.3", got)
	}
	r = Request{Heat: heatOf(t, casefile.Heap, allTypes, file, map[int][]below{3: {
		{[]string{"reflect.unsafe_New", "encoding/json.Marshal"}, []int64{100, 25 << 20, 0, 0}},
		{[]string{"encoding/json.Marshal"}, []int64{100, 75 << 20, 0, 0}}}})}
	if got := heated(r, check, Report{File: file, Line: 3, End: 3}).Share; got != .25 {
		t.Errorf("encoding allocates %v, want what is not the result: 0.25", got)
	}
}

// TestWaitsElsewhere: who waits at a Lock waits for another who holds it; what counts is behind the Lock.
func TestWaitsElsewhere(t *testing.T) {
	file := filepath.Join(t.TempDir(), "a.go")
	c := &Check{Queue: true, Related: true}
	rep := &Report{File: file, Line: 3, End: 3, Related: []Place{{File: file, Line: 3, End: 7}}}
	if got, want := c.where(rep, &source{}), [][2]int{{4, 7}}; !slices.Equal(got, want) {
		t.Errorf("lines %v count, want %v", got, want)
	}
	rep.Related[0].End = 3
	if got, want := c.where(rep, &source{}), [][2]int{{3, 3}}; !slices.Equal(got, want) {
		t.Errorf("of one line %v counts, want %v", got, want)
	}
}

// TestAlone: what a line with an append allocates is not a conversion's on it.
func TestAlone(t *testing.T) {
	file := filepath.Join(t.TempDir(), "a.go")
	r := Request{Heat: heatOf(t, casefile.Heap, allTypes, file, map[int][]below{3: {{nil, []int64{100, 1 << 20, 0, 0}}}})}
	c := &Check{By: onBoth, Calls: bytesToString, Alone: true}
	for text, want := range map[string]float64{"all = append(all, row{string(k), i})": 0, "use(string(k))": 1} {
		if got := heated(r, c, Report{File: file, Line: 3, End: 3, Text: text}).Share; got != want {
			t.Errorf("the conversion of %q costs %v, want %v", text, got, want)
		}
	}
}

// TestOneSays: that others wait for a lock is left out where another report says what they wait for, if that counts.
func TestOneSays(t *testing.T) {
	known := map[string]*Check{"queue": {Related: true, Queue: true}, "work": {Related: true}, "other": {}}
	at := func(line int, check string, lock int, gain float64) Report {
		return Report{Check: check, Line: line, Gain: gain, Related: []Place{{File: "a.go", Line: lock, End: lock + 9}}}
	}
	got := oneSays([]Report{at(3, "queue", 3, .1), at(5, "work", 3, .1), at(13, "queue", 13, .1), at(14, "work", 13, 0),
		at(23, "queue", 23, .1), at(25, "other", 23, .1), {Check: "queue", Line: 33}, {Check: "alloc-site", Line: 34}}, known)
	var lines []int
	for _, rep := range got {
		lines = append(lines, rep.Line)
	}
	if want := []int{5, 13, 14, 23, 25, 33, 34}; !slices.Equal(lines, want) {
		t.Errorf("lines %v are kept, want %v", lines, want)
	}
}

// TestQueues: a lock counts where it is known that goroutines wait for it noticeably.
func TestQueues(t *testing.T) {
	file := filepath.Join(t.TempDir(), "a.go")
	r := Request{Heat: heatOf(t, casefile.CPU, cpuTypes, file, map[int][]below{4: {{nil, []int64{60, 60}}}})}
	if r.queues(&Report{File: file, Line: 3, End: 3, Related: []Place{{File: file, Line: 3, End: 7}}}) {
		t.Error("somebody waits in a program of which only the CPU is known")
	}
	if r.queues(&Report{File: file, Line: 3, End: 3}) {
		t.Error("somebody waits for a report without a lock")
	}
}

// TestMergeHot: of two reports about the same calls the one that is listed first stays, unless only the other counts.
func TestMergeHot(t *testing.T) {
	known := map[string]*Check{"first": {Name: "first", Calls: []string{"encoding/json.Marshal"}, order: 1},
		"second": {Name: "second", Calls: []string{"encoding/json."}, order: 2}}
	rep := func(check string, gain float64) Report {
		return Report{Check: check, File: "a.go", Line: 3, Gain: gain}
	}
	for _, test := range []struct {
		all  []Report
		want string
	}{
		{[]Report{rep("second", .3), rep("first", .1)}, "first"},
		{[]Report{rep("second", .3), rep("first", .001)}, "second"},
		{[]Report{rep("first", .3), rep("second", .1)}, "first"},
	} {
		got := new(Request).merge(test.all, known)
		if len(got) != 1 || got[0].Check != test.want || len(got[0].Also) != 1 {
			t.Errorf("of %s and %s are kept %+v, want %s alone", test.all[0].Check, test.all[1].Check, got, test.want)
		}
	}
}

// TestLeast: what stays in ReadAll's first buffer does not grow, what is larger does; a report that relates a place
// saves all of it either way.
func TestLeast(t *testing.T) {
	file := filepath.Join(t.TempDir(), "a.go")
	c := &Check{By: onMemory, Calls: readAll, Within: growth, Least: 1 << 10}
	for size, want := range map[int64]float64{512: 0, 64 << 10: .5} {
		r := Request{Heat: heatOf(t, casefile.Heap, allTypes, file, map[int][]below{
			3: {{[]string{"io.ReadAll"}, []int64{100, 100 * size, 0, 0}}}, 9: {{nil, []int64{1, 100 * size, 0, 0}}}})}
		rep := Report{File: file, Line: 3, End: 3}
		if got := heated(r, c, rep).Share; got != want {
			t.Errorf("objects of %d bytes cost %v, want %v", size, got, want)
		}
		rep.Related = []Place{{File: file, Line: 3, End: 3}}
		if got := heated(r, c, rep).Share; got != .5 {
			t.Errorf("objects of %d bytes that are there already cost %v, want 0.5", size, got)
		}
	}
}

// TestHoldsUp: work under a lock counts where it is a good part of the CPU between Lock and Unlock.
func TestHoldsUp(t *testing.T) {
	file := filepath.Join(t.TempDir(), "a.go")
	r := Request{Heat: heatOf(t, casefile.CPU, cpuTypes, file, map[int][]below{4: {{nil, []int64{60, 60}}},
		5: {{nil, []int64{35, 35}}}, 6: {{nil, []int64{5, 5}}}, 9: {{nil, []int64{100, 100}}}})}
	held := Place{File: file, Line: 3, End: 7}
	for line, want := range map[int]bool{4: true, 5: true, 6: false, 7: false} {
		if got := r.holdsUp(&Report{File: file, Line: line, End: line, Related: []Place{held}}); got != want {
			t.Errorf("line %d holds up: %v, want %v", line, got, want)
		}
	}
	if r.holdsUp(&Report{File: file, Line: 4, End: 4}) {
		t.Error("a report without a lock holds somebody up")
	}
}

// TestOnePerLock: of work between one Lock and its Unlock the most expensive stays, that of another lock as well.
func TestOnePerLock(t *testing.T) {
	known := map[string]*Check{"w": {Works: true}, "x": {}}
	at := func(line int, check string, lock int, gain, cpu float64) Report {
		return Report{Check: check, Line: line, Gain: gain, Lines: map[string]float64{"cpu": cpu},
			Related: []Place{{Line: lock, End: lock + 9}}}
	}
	got := onePerLock([]Report{at(4, "w", 3, 0, .9), at(5, "w", 3, .1, .2), at(6, "w", 3, .1, .5), at(7, "x", 3, .1, .1),
		at(14, "w", 13, .1, .1)}, known)
	var lines []int
	for _, rep := range got {
		lines = append(lines, rep.Line)
	}
	if len(lines) != 3 || lines[0] != 6 || lines[1] != 7 || lines[2] != 14 {
		t.Errorf("lines %v are kept, want 6, 7 and 14", lines)
	}
}

// TestOnePerProgram: of reports that all have the cost of the whole program the one stays whose own lines ran most.
func TestOnePerProgram(t *testing.T) {
	known := map[string]*Check{"anywhere": {Reach: InProgram}, "here": {}}
	at := func(line int, check string, gain, ran float64) Report {
		return Report{Check: check, Line: line, Gain: gain, Lines: map[string]float64{"cpu": ran, "wait": 0}}
	}
	got := onePerProgram([]Report{at(3, "anywhere", .1, 0), at(4, "here", .1, .9), at(5, "anywhere", .1, .2),
		at(6, "anywhere", .1, .1), at(7, "anywhere", 0, .9), at(8, "here", .1, .1), {Check: "alloc-fmt", Line: 9}}, known)
	var lines []int
	for _, rep := range got {
		lines = append(lines, rep.Line)
	}
	if want := []int{5, 4, 7, 8, 9}; !slices.Equal(lines, want) {
		t.Errorf("lines %v are kept, want %v", lines, want)
	}
}

// TestIsKept: a map that goes into a field, an element or to the caller is not for one use.
func TestIsKept(t *testing.T) {
	for text, want := range map[string]bool{
		"s.ids = map[string]int{":               true,
		"rows[i] = make(map[string]int)":        true,
		"rows[i].ids = make(map[string]int)":    true,
		"return map[string]int{}":               true,
		"Tags: map[string]string{},":            true,
		"seen := make(map[string]bool)":         false,
		"if seen := make(map[string]bool); x {": false,
		"send(map[string]any{":                  false,
		"returned = map[string]bool{}":          false,
		"if s.n == len(map[string]int{}) {":     false,
	} {
		if got := isKept.MatchString(text); got != want {
			t.Errorf("%q is kept: %v, want %v", text, got, want)
		}
	}
}
