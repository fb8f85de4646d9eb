package stacks_test

import (
	"bytes"
	"math"
	"testing"

	"github.com/google/pprof/profile"

	"github.com/gocasebook/casebook/diagnose/stacks"
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
