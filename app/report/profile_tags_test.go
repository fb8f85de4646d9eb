package report

import (
	"bytes"
	"encoding/json"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/pprof/profile"

	"github.com/gocasebook/casebook/casefile"
	"github.com/gocasebook/casebook/diagnose/stacks"
)

// taggedProfile has one function, main.work, for three endpoints and for nobody.
func taggedProfile(t *testing.T, attack string, seconds ...int64) []byte {
	t.Helper()
	fn := &profile.Function{ID: 1, Name: "main.work", Filename: "/src/main.go"}
	loc := &profile.Location{ID: 1, Line: []profile.Line{{Function: fn, Line: 7}}}
	p := &profile.Profile{SampleType: []*profile.ValueType{{Type: "samples", Unit: "count"},
		{Type: "cpu", Unit: "nanoseconds"}}, DurationNanos: 1e10, Function: []*profile.Function{fn},
		Location: []*profile.Location{loc}}
	labels := []map[string][]string{{"endpoint": {"/api/v1/pay"}, "tenant": {"acme"}}, {"endpoint": {"main.work"}},
		{"endpoint": {attack}, attack: {"x"}}, nil}
	for i, s := range seconds {
		p.Sample = append(p.Sample, &profile.Sample{Location: []*profile.Location{loc}, Label: labels[i],
			Value: []int64{100 * s, s * 1e9}})
	}
	var b bytes.Buffer
	if err := p.Write(&b); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// taggedPage is a page, and what its script reads.
func taggedPage(t *testing.T, in ProfileInput) (string, *profilePage, profileData) {
	t.Helper()
	in.Case = casefile.Case{ID: "c", Diagnosis: casefile.Diagnosis{Findings: []casefile.Finding{{ID: "CPU001",
		Where:    []casefile.Frame{{Function: "main.work"}},
		Evidence: []casefile.Basis{{File: "cpu.pb.gz"}}}}}, Evidence: []casefile.Evidence{
		{Kind: casefile.CPU, File: "cpu.pb.gz", GoFormat: true},
		{Kind: casefile.CPU, File: "old.pb.gz", GoFormat: true}}}
	if in.Base != nil {
		in.Base.Case = in.Case
	}
	in.File = "cpu.pb.gz"
	p, err := newProfilePage(in)
	if err != nil {
		t.Fatal(err)
	}
	var data profileData
	if err := json.Unmarshal([]byte(p.Data), &data); err != nil {
		t.Fatal(err)
	}
	var b bytes.Buffer
	drawn, err := DrawProfile(in)
	if err != nil {
		t.Fatal(err)
	}
	if err := drawn.Write(&b, in); err != nil {
		t.Fatal(err)
	}
	return b.String(), p, data
}

// tops are the frames at the root, and what they hold of the last type, in its unit.
func tops(d *flameData, graph int) map[string]float64 {
	g := d.Graphs[graph]
	last := len(g.Types) - 1
	out := make(map[string]float64)
	depth, at := 0, ""
	for i, fn := range g.Fn {
		depth += 1 - int(g.Up[i])
		if depth == 1 {
			at = d.Funcs[fn][0].(string)
		}
		out[at] += float64(g.Self[last][i+1]) * g.Types[last].Scale
	}
	for name, v := range out {
		out[name] = math.Round(1e6*v) / 1e6
	}
	return out
}

// The values of the label that the address names are the frames at the root.
func TestTagRoot(t *testing.T) {
	data := taggedProfile(t, "evil", 4, 3, 2, 1)
	_, _, plain := taggedPage(t, ProfileInput{Data: data})
	if got := tops(&plain.Flame, 0); len(got) != 1 || got["main.work"] != 10 {
		t.Errorf("without labels the roots are %v", got)
	}
	text, p, d := taggedPage(t, ProfileInput{Data: data, TagRoot: "endpoint"})
	got := tops(&d.Flame, 0)
	for name, want := range map[string]float64{"/api/v1/pay": 4, "main.work": 3, "evil": 2, "(no endpoint)": 1} {
		if got[name] != want {
			t.Errorf("%s holds %g, want %g of %v", name, got[name], want, got)
		}
	}
	values := 0
	for _, f := range d.Flame.Funcs { // the function and the value of the same name are two
		if f[2].(float64) == float64(stacks.LabelValue) {
			values++
		}
	}
	if values != 4 || len(d.Flame.Funcs) != 5 || d.TagRoot != "endpoint" {
		t.Errorf("functions %v, %d of them values; tagroot %q", d.Flame.Funcs, values, d.TagRoot)
	}
	root := p.Tags[0].Links
	if len(root) != 4 || root[1].Text != "endpoint" || !root[1].Here || root[0].Here ||
		root[1].Detail != spaced("90_% of cpu, 3 values") || root[0].URL != "/cases/c/profile?file=cpu.pb.gz" {
		t.Errorf("at the root are offered %+v", root)
	}
	const both = "/cases/c/profile?file=cpu.pb.gz&tagroot=endpoint&tagleaf=tenant"
	if leaf := p.Tags[1].Links; !leaf[0].Here || leaf[2].URL != both {
		t.Errorf("at the leaves are offered %+v", leaf)
	}
	if !strings.Contains(text, `<details id="labels" open>`) {
		t.Error("the page does not show that labels are frames")
	}
}

// Labels at the leaves split what a function holds itself.
func TestTagLeaf(t *testing.T) {
	_, p, d := taggedPage(t, ProfileInput{Data: taggedProfile(t, "evil", 4, 3, 2, 1), TagLeaf: "tenant"})
	g := d.Flame.Graphs[0]
	if len(g.Fn) != 3 || d.Flame.Funcs[g.Fn[1]][0] != "(no tenant)" || g.Self[1][1] != 0 ||
		2*g.Self[1][2] != 3*g.Self[1][3] {
		t.Errorf("the frames are %v with %v, want 6 s of no tenant and 4 s of the other", g.Fn, g.Self[1])
	}
	if p.Graph.Top[0].Function.Owner.String() != "label" {
		t.Errorf("the heaviest function is %+v", p.Graph.Top[0])
	}
	// A finding is about the function, though a value below it has its name.
	_, _, d = taggedPage(t, ProfileInput{Data: taggedProfile(t, "evil", 4, 3, 2, 1), TagLeaf: "endpoint"})
	if at := d.Flame.Funcs[d.Flame.Marks[0].Fn]; at[0] != "main.work" || at[2] == float64(stacks.LabelValue) {
		t.Errorf("the finding marks %v, want the function", at)
	}
}

// A base has the same frames, and other bases keep them.
func TestTagsOfDifference(t *testing.T) {
	_, p, d := taggedPage(t, ProfileInput{Data: taggedProfile(t, "evil", 4, 3, 2, 1), TagRoot: "endpoint",
		Base: &ProfileBase{File: "old.pb.gz", Data: taggedProfile(t, "evil", 1, 3, 2, 1)}})
	if got := tops(&d.Flame, 1); len(got) != 4 || got["(no endpoint)"] == 0 {
		t.Errorf("the roots of the difference are %v", got)
	}
	const want = "/cases/c/profile?file=cpu.pb.gz&base=c/old.pb.gz&tagroot=endpoint%2Ctenant"
	if got := p.Tags[0].Links[2].URL; got != want || p.Alone != "/cases/c/profile?file=cpu.pb.gz&tagroot=endpoint" {
		t.Errorf("another label is at %s, want %s; without the base at %s", got, want, p.Alone)
	}
}

// Several labels at one end stand in the order in which go tool pprof has them.
func TestSeveralTagsAsPprof(t *testing.T) {
	fn := &profile.Function{ID: 1, Name: "main.work", Filename: "/src/main.go"}
	loc := &profile.Location{ID: 1, Line: []profile.Line{{Function: fn}}}
	p := &profile.Profile{SampleType: []*profile.ValueType{{Type: "cpu", Unit: "nanoseconds"}},
		Function: []*profile.Function{fn}, Location: []*profile.Location{loc}}
	p.Sample = []*profile.Sample{{Location: []*profile.Location{loc}, Value: []int64{7}, Label: map[string][]string{
		"endpoint": {"pay"}, "tenant": {"acme"}, "zone": {"eu"}, "shard": {"s1"}}}}
	var b bytes.Buffer
	if err := p.Write(&b); err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(t.TempDir(), "p.pb.gz")
	if err := os.WriteFile(file, b.Bytes(), 0o600); err != nil {
		t.Fatal(err)
	}
	want := &stacks.Labels{Root: "endpoint,,tenant", Leaf: "zone,shard"}
	out, err := exec.Command("go", "tool", "pprof", "-traces", "-tagroot="+want.Root, "-tagleaf="+want.Leaf,
		file).CombinedOutput()
	if err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	set, err := stacks.NewTable("").Read(stacks.Source{Name: file, Labels: want}, b.Bytes())
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, frame := range set.Samples[0].Stack {
		names = append(names, set.Table.Func(frame).Name)
	}
	if got := strings.Join(names, " "); got != "s1 eu main.work acme pay" {
		t.Errorf("the stack is %s", got)
	}
	if text := strings.Join(strings.Fields(string(out)), " "); !strings.Contains(text, strings.Join(names, " ")) {
		t.Errorf("pprof has not the stack %q:\n%s", names, out)
	}
}

// A link to a label adds it to those that are frames, and one to a label that is one takes it away.
func TestToggledTags(t *testing.T) {
	for _, tt := range []struct {
		list, key, want string
		chosen          bool
	}{{"", "a", "a", false}, {"a", "b", "a,b", false}, {"a,b", "a", "b", true}, {"a", "a", "", true},
		{"a,b", "", "", false}, {"", "", "", true}} {
		if keys, chosen := toggled(tt.list, tt.key); keys != tt.want || chosen != tt.chosen {
			t.Errorf("of %q, %q makes %q, %t; want %q, %t", tt.list, tt.key, keys, chosen, tt.want, tt.chosen)
		}
	}
}

// What a profile does not have is said, and a profile without labels offers none.
func TestTagsThatAreNotThere(t *testing.T) {
	_, p, d := taggedPage(t, ProfileInput{Data: taggedProfile(t, "evil", 4), TagRoot: "nobody"})
	if got := tops(&d.Flame, 0); got["(no nobody)"] != 4 || !slices.ContainsFunc(p.Graph.Notes,
		func(n string) bool { return strings.Contains(n, `No sample has the label "nobody"`) }) {
		t.Errorf("the roots are %v, and the notes %q", got, p.Graph.Notes)
	}
	text, p, _ := taggedPage(t, ProfileInput{Data: taggedProfile(t, "evil", 0, 0, 0, 4)})
	if len(p.Tags) != 2 || p.Tags[0].Links[1].Detail != spaced("0_% of cpu, 3 values") {
		t.Errorf("labels of nothing: %+v", p.Tags)
	}
	if strings.Contains(text, `id="labels" open`) {
		t.Error("labels are open though none is chosen")
	}
	in := ProfileInput{TagLeaf: strings.Repeat("k", stacks.MaxLabelKey+1)}
	if in.Valid() == nil {
		t.Error("a label of any length is valid")
	}
}

// Keys and values of labels are other people's text.
func TestHostileTags(t *testing.T) {
	const attack = `"></script><img src=x onerror="window.owned=1">{{.}}`
	text, _, d := taggedPage(t, ProfileInput{Data: taggedProfile(t, attack, 4, 3, 2, 1), TagRoot: "endpoint",
		TagLeaf: attack})
	if strings.Contains(text, "<img") {
		t.Error("a label made an element")
	}
	if got := tops(&d.Flame, 0); got[attack] != 2 || d.TagLeaf != attack {
		t.Errorf("the attack is not there: %v, %q", got, d.TagLeaf)
	}
}

// A number of a label is written as go tool pprof writes it.
func TestLabelUnitsAsPprof(t *testing.T) {
	fn := &profile.Function{ID: 1, Name: "main.work", Filename: "/src/main.go"}
	loc := &profile.Location{ID: 1, Line: []profile.Line{{Function: fn}}}
	p := &profile.Profile{SampleType: []*profile.ValueType{{Type: "cpu", Unit: "nanoseconds"}},
		Function: []*profile.Function{fn}, Location: []*profile.Location{loc}}
	for _, l := range []struct {
		number int64
		unit   string
	}{{1, "bytes"}, {1023, "byte"}, {524288, "bytes"}, {-2048, "B"}, {1500, "kilobytes"}, {3 << 50, "bytes"},
		{1 << 60, "b"}, {90, "seconds"}, {7200, "s"}, {36 << 40, "ns"}, {1500, "microseconds"}, {999, "us"},
		{5, "hours"}, {42, "requests"}} {
		p.Sample = append(p.Sample, &profile.Sample{Location: []*profile.Location{loc}, Value: []int64{1},
			NumLabel: map[string][]int64{"size": {l.number}}, NumUnit: map[string][]string{"size": {l.unit}}})
	}
	p.Sample = append(p.Sample, &profile.Sample{Location: []*profile.Location{loc}, Value: []int64{1},
		Label: map[string][]string{"size": {"b", "a"}}, NumLabel: map[string][]int64{"size": {7}},
		NumUnit: map[string][]string{"size": {"kb"}}})
	var b bytes.Buffer
	if err := p.Write(&b); err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(t.TempDir(), "p.pb.gz")
	if err := os.WriteFile(file, b.Bytes(), 0o600); err != nil {
		t.Fatal(err)
	}
	out, err := exec.Command("go", "tool", "pprof", "-top", "-cum", "-nodecount=100", "-nodefraction=0",
		"-tagroot=size", file).CombinedOutput()
	if err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	set, err := stacks.NewTable("").Read(stacks.Source{Name: file, Labels: &stacks.Labels{Root: "size"}}, b.Bytes())
	if err != nil {
		t.Fatal(err)
	}
	for i := range set.Samples {
		stack := set.Samples[i].Stack
		if name := set.Table.Func(stack[len(stack)-1]).Name; !strings.Contains(string(out), "  "+name+"\n") {
			t.Errorf("pprof has no frame %q:\n%s", name, out)
		}
	}
}
