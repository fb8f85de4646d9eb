package assess_test

import (
	"bytes"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/pprof/profile"

	"github.com/gocasebook/casebook/app/assess"
	"github.com/gocasebook/casebook/app/txtartest"
	"github.com/gocasebook/casebook/casefile"
)

// collections are lines of gctrace: a collection each two seconds, that leaves 2,000 MB and may let the heap grow by
// some.
func collections(room int, forced string) string {
	var b strings.Builder
	for i := range 9 {
		fmt.Fprintf(&b, "gc %d @%d.000s 18%%: 0.1+1900+0.03 ms clock, 0.2+1000/1000/900+0.1 ms cpu, "+
			"2000->2200->2000 MB, "+
			"%d MB goal, 48 MB stacks, 0 MB globals, 3 P%s\n", i+1, 100+2*i, 2000+room, forced)
	}
	return b.String()
}

// TestDiagnoseTexts: texts as people have them are judged, and say what they leave open.
func TestDiagnoseTexts(t *testing.T) {
	dead := "fatal error: all goroutines are asleep - deadlock!\n\ngoroutine 1 [chan receive]:\nmain.main()\n" +
		"\t/srv/app/main.go:9 +0x1\n"
	var journal strings.Builder
	for _, line := range strings.SplitAfter(dead, "\n") {
		if line != "" {
			journal.WriteString("Mar 01 09:00:00 host app[1]: " + line)
		}
	}
	for name, tt := range map[string]struct{ text, kind string }{
		"a crash in a journal":       {journal.String(), "goroutine-deadlock"},
		"a heap without room":        {collections(10, ""), "gc-death-spiral"},
		"a heap at GOGC=10":          {collections(200, ""), ""},
		"collections that are asked": {collections(10, " (forced)"), "refused"},
	} {
		file := write(t, t.TempDir(), "log.txt", []byte(tt.text))
		got, err := assess.Diagnose(t.Context(), assess.DiagnoseRequest{What: []string{file}})
		switch {
		case err != nil:
			t.Fatal(err)
		case tt.kind == "refused":
			if len(got.Failed) == 0 {
				t.Errorf("%s: %+v, want it refused", name, got.Findings)
			}
		case tt.kind == "" && len(got.Findings) > 0:
			t.Errorf("%s: found %s", name, got.Findings[0].Title)
		case tt.kind != "" && (len(got.Findings) == 0 || got.Findings[0].Kind != tt.kind):
			t.Errorf("%s: %+v, %v; want %s", name, got.Findings, got.Failed, tt.kind)
		}
	}
	table := "Saved profile in /tmp/pprof.gz\nType: inuse_space\n      flat  flat%   sum%        cum   cum%\n" +
		"  155.13MB 77.09% 77.09%   189.20MB 94.03%  compress/flate.NewWriter\n"
	file := write(t, t.TempDir(), "top.txt", []byte(table))
	got, err := assess.Diagnose(t.Context(), assess.DiagnoseRequest{What: []string{file}})
	if err != nil || got.Verdict == nil || !strings.Contains(got.Verdict.Text, "flate.NewWriter") ||
		!strings.HasSuffix(got.Verdict.Settle, "/tmp/pprof.gz") {
		t.Errorf("a table: %+v, %v; want what it shows, and the file that it was made from", got.Verdict, err)
	}
}

// TestTextsOfPeople: each text of the archive gets the answer in its name: the first finding's kind, "refused",
// "undecided" or "none", and words that the answer must have.
func TestTextsOfPeople(t *testing.T) {
	for _, f := range txtartest.Read(t, "testdata/texts.txtar").Files {
		name, want, _ := strings.Cut(f.Name, ": ")
		answer, words, _ := strings.Cut(want, " ")
		t.Run(name, func(t *testing.T) {
			file := write(t, t.TempDir(), "text.txt", bytes.ReplaceAll(f.Data, []byte(`\x1b`), []byte("\x1b")))
			d, err := assess.Diagnose(t.Context(), assess.DiagnoseRequest{What: []string{file}})
			if err != nil {
				t.Fatal(err)
			}
			got, said := firstAnswer(t, d)
			if got != answer || !strings.Contains(said, words) {
				t.Errorf("%s: %s; want %s with %q", got, said, answer, words)
			}
		})
	}
}

// firstAnswer is what a diagnosis says first, and its texts.
func firstAnswer(t *testing.T, d *assess.Diagnosed) (answer, said string) {
	t.Helper()
	all := fmt.Sprint(d.Failed)
	switch {
	case len(d.Findings) > 0:
		f := d.Findings[0]
		return f.Kind, fmt.Sprint(f.Title, f.Where)
	case len(d.Failed) > 0:
		return "refused", all
	case d.Verdict != nil && d.Verdict.Answer == casefile.AnswerUndecided:
		return "undecided", d.Verdict.Text
	}
	return "none", all
}

// builtAs is a CPU profile of a program.
func builtAs(t *testing.T, file, build string, at int64) []byte {
	t.Helper()
	f := &profile.Function{ID: 1, Name: "main.work", Filename: "/srv/main.go"}
	m := &profile.Mapping{ID: 1, File: file, BuildID: build, Limit: 1 << 20}
	l := &profile.Location{ID: 1, Mapping: m, Line: []profile.Line{{Function: f, Line: 7}}}
	cpu := &profile.ValueType{Type: "cpu", Unit: "nanoseconds"}
	p := &profile.Profile{SampleType: []*profile.ValueType{cpu}, PeriodType: cpu, Period: 1e7, DurationNanos: 1e10,
		TimeNanos: at, Function: []*profile.Function{f}, Location: []*profile.Location{l},
		Mapping: []*profile.Mapping{m}, Sample: []*profile.Sample{{Location: []*profile.Location{l},
			Value: []int64{1e7}}}}
	var b bytes.Buffer
	if err := p.Write(&b); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// calling is a CPU profile of a function that calls another one in every sample, which calls several.
func calling(t *testing.T, caller, callee profile.Function) []byte {
	t.Helper()
	cpu := &profile.ValueType{Type: "cpu", Unit: "nanoseconds"}
	p := &profile.Profile{SampleType: []*profile.ValueType{cpu}, PeriodType: cpu, Period: 1e7, DurationNanos: 30e9}
	at := func(f profile.Function) *profile.Location {
		f.ID = uint64(len(p.Function) + 1)
		l := &profile.Location{ID: f.ID, Line: []profile.Line{{Function: &f, Line: 7}}}
		p.Function, p.Location = append(p.Function, &f), append(p.Location, l)
		return l
	}
	outer, inner := at(caller), at(callee)
	for i := range 10 {
		leaf := callee
		leaf.Name += fmt.Sprint("step", i)
		stack := []*profile.Location{at(leaf), inner, outer}
		p.Sample = append(p.Sample, &profile.Sample{Value: []int64{3e9}, Location: stack})
	}
	var b bytes.Buffer
	if err := p.Write(&b); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// TestProgramOfModule: where main hands all over to a module, no place in main is named; a function that calls a module
// is.
func TestProgramOfModule(t *testing.T) {
	callee := profile.Function{Name: "example.com/emu/play.Check",
		Filename: "/go/pkg/mod/example.com/emu@v1.2.0/play/play.go"}
	for name, want := range map[string]string{"main.main": "", "main.render": "cpu-hot-function"} {
		data := calling(t, profile.Function{Name: name, Filename: "/srv/emu/main.go"}, callee)
		file := write(t, t.TempDir(), "cpu.pb.gz", data)
		d, err := assess.Diagnose(t.Context(), assess.DiagnoseRequest{What: []string{file}})
		if err != nil {
			t.Fatal(err)
		}
		got := ""
		for _, f := range d.Findings {
			got = f.Kind
		}
		if got != want {
			t.Errorf("%s: found %q, want %q", name, got, want)
		}
	}
}

// TestDiagnoseOfTwo: profiles that cannot be of one process are said to be so.
func TestDiagnoseOfTwo(t *testing.T) {
	const day = int64(24 * 3600e9)
	dir := t.TempDir()
	a := write(t, dir, "a.pb.gz", builtAs(t, "/srv/shop", "x1", 100*day))
	for want, data := range map[string][]byte{
		"two builds of shop":          builtAs(t, "/srv/shop", "x2", 100*day),
		"two programs, shop and cart": builtAs(t, "/srv/cart", "x1", 100*day),
		"18 days apart":               builtAs(t, "/srv/shop", "x1", 118*day),
		"":                            builtAs(t, "/opt/shop", "x1", 100*day+1),
	} {
		var said []string
		r := assess.DiagnoseRequest{What: []string{a, write(t, dir, "b.pb.gz", data)},
			Mixed: func(two assess.Two) { said = append(said, two.Why) }}
		got, err := assess.Diagnose(t.Context(), r)
		if err != nil {
			t.Fatal(err)
		}
		if compared := want != "" && !strings.Contains(want, "programs"); got.Beside != compared ||
			(got.Comparison != nil) != compared || compared && len(got.Report.Read) != 1 {
			t.Errorf("%s: compared %v, %+v; want it to be %v", want, got.Beside, got.Comparison, compared)
		}
		if want == "" && len(said) > 0 || want != "" && !slices.ContainsFunc(said, func(s string) bool {
			return strings.Contains(s, want)
		}) {
			t.Errorf("said %q, want %q", said, want)
		}
	}
}
