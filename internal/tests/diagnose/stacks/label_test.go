package stacks_test

import (
	"bytes"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/gocasebook/casebook/diagnose/stacks"
	"github.com/google/pprof/profile"
)

// labelled makes a CPU profile whose samples all have the stack main.work, main.main and one second each.
func labelled(t testing.TB, change func(p *profile.Profile), labels ...profile.Sample) []byte {
	t.Helper()
	p := &profile.Profile{SampleType: []*profile.ValueType{{Type: "samples", Unit: "count"},
		{Type: "cpu", Unit: "nanoseconds"}}, Period: 1e7}
	var stack []*profile.Location
	for i, name := range []string{"main.work", "main.main"} {
		fn := &profile.Function{ID: uint64(i + 1), Name: name, Filename: "/src/main.go"}
		p.Function = append(p.Function, fn)
		line := []profile.Line{{Function: fn, Line: int64(i + 1)}}
		stack = append(stack, &profile.Location{ID: uint64(i + 1), Line: line})
	}
	p.Location = stack
	for _, s := range labels {
		s.Location = stack
		if s.Value == nil {
			s.Value = []int64{100, 1e9}
		}
		p.Sample = append(p.Sample, &s)
	}
	if change != nil {
		change(p)
	}
	var b bytes.Buffer
	if err := p.Write(&b); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

func text(key string, values ...string) profile.Sample {
	return profile.Sample{Label: map[string][]string{key: values}}
}

func readLabels(t testing.TB, table *stacks.Table, data []byte, want *stacks.Labels) *stacks.Set {
	t.Helper()
	s, err := table.Read(stacks.Source{Name: "cpu.pb.gz", Labels: want}, data)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// How much of a profile has a label: by type, a sample once, and nothing where nobody asks.
func TestLabelShares(t *testing.T) {
	twice := text("endpoint", "/a", "/b")
	twice.Value = []int64{1, 9e9}
	twice.NumLabel = map[string][]int64{"endpoint": {7}}
	other := text("tenant", "acme")
	other.Value = []int64{3, 1e9}
	data := labelled(t, nil, twice, other)
	s := readLabels(t, stacks.NewTable(""), data, &stacks.Labels{})
	want := []stacks.Label{{Key: "endpoint", Values: 3, Shares: []float64{0.25, 0.9}},
		{Key: "tenant", Values: 1, Shares: []float64{0.75, 0.1}}}
	if len(s.Labels) != len(want) {
		t.Fatalf("labels %+v, want %+v", s.Labels, want)
	}
	for i, l := range s.Labels {
		if l.Key != want[i].Key || l.Values != want[i].Values || math.Abs(l.Shares[0]-want[i].Shares[0]) > 1e-9 ||
			math.Abs(l.Shares[1]-want[i].Shares[1]) > 1e-9 {
			t.Errorf("label %+v, want %+v", l, want[i])
		}
	}
	table := stacks.NewTable("")
	if s := readLabels(t, table, data, nil); s.Labels != nil || len(table.Funcs) != 2 {
		t.Errorf("labels %+v and %d functions where nobody asks", s.Labels, len(table.Funcs))
	}
}

func numbers(key, unit string, values ...int64) profile.Sample {
	s := profile.Sample{NumLabel: map[string][]int64{key: values}}
	if unit != "" {
		s.NumUnit = map[string][]string{key: slices.Repeat([]string{unit}, len(values))}
	}
	return s
}

// namesOf are the functions of each sample, the leaf first.
func namesOf(s *stacks.Set) (out []string) {
	for i := range s.Samples {
		var of []string
		for _, id := range s.Samples[i].Stack {
			of = append(of, s.Table.Func(id).Name)
		}
		out = append(out, strings.Join(of, " "))
	}
	return out
}

func TestLabelFrames(t *testing.T) {
	long := strings.Repeat("ü", maxLabelText)
	data := labelled(t, nil, text("endpoint", "/a"), text("endpoint", "/b", "/a"), text("tenant", "acme"),
		numbers("bytes", "", 512), numbers("bytes", "", 1536<<10), text("endpoint", "main.work"),
		text("endpoint", long))
	for _, c := range []struct {
		name string
		want stacks.Labels
		got  []string
	}{
		{"none", stacks.Labels{}, slices.Repeat([]string{"main.work main.main"}, 7)},
		{"root", stacks.Labels{Root: "endpoint"}, []string{"main.work main.main /a", "main.work main.main /b,/a",
			"main.work main.main (no endpoint)", "main.work main.main (no endpoint)",
			"main.work main.main (no endpoint)",
			"main.work main.main main.work", "main.work main.main " + strings.Repeat("ü", maxLabelText/2) + "…"}},
		{"leaf", stacks.Labels{Leaf: "bytes"}, []string{"(no bytes) main.work main.main", "(no bytes) main.work main.main",
			"(no bytes) main.work main.main", "512B main.work main.main", "1.50MB main.work main.main",
			"(no bytes) main.work main.main", "(no bytes) main.work main.main"}},
		{"both", stacks.Labels{Root: "tenant", Leaf: "nobody"}, slices.Concat(
			slices.Repeat([]string{"(no nobody) main.work main.main (no tenant)"}, 2),
			[]string{"(no nobody) main.work main.main acme"},
			slices.Repeat([]string{"(no nobody) main.work main.main (no tenant)"}, 4))},
	} {
		s := readLabels(t, stacks.NewTable(""), data, &c.want)
		if got := namesOf(s); !slices.Equal(got, c.got) {
			t.Errorf("%s:\n%q, want\n%q", c.name, got, c.got)
		}
	}
}

// Labels are bounded: values, keys and their lengths. What is left out is still in the stacks.
func TestLabelBounds(t *testing.T) {
	var samples []profile.Sample
	for i := range maxLabelFrames + 50 {
		samples = append(samples, text("request", fmt.Sprint("id-", i)))
	}
	for i := range maxLabelKeys + 50 {
		samples = append(samples, text(fmt.Sprint("key-", i), "x"))
	}
	samples = append(samples, text(strings.Repeat("k", stacks.MaxLabelKey+1), "x"))
	table := stacks.NewTable("")
	s := readLabels(t, table, labelled(t, nil, samples...), &stacks.Labels{Root: "request"})
	if len(s.Labels) != maxLabelKeys || s.Labels[0].Key != "request" || s.Labels[0].Values != stacks.MaxLabelValues {
		t.Errorf("%d labels, the first with %d values: want %d with %d", len(s.Labels), s.Labels[0].Values,
			maxLabelKeys, stacks.MaxLabelValues)
	}
	frames := make(map[string]int)
	for _, name := range namesOf(s) {
		_, root, _ := strings.Cut(name, "main.main ")
		frames[root]++
	}
	if frames["id-0"] != 1 || frames[otherValues] != 50+maxLabelKeys+50+1 || len(frames) != maxLabelFrames+1 {
		t.Errorf("%d frames, %d samples in that of other values", len(frames), frames[otherValues])
	}
}
