package stacks_test

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/gocasebook/casebook/diagnose/stacks"
	"github.com/gocasebook/casebook/internal/profiletest"
	"github.com/google/pprof/profile"
)

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
	twice := profiletest.Label("endpoint", "/a", "/b")
	twice.Value = []int64{1, 9e9}
	twice.NumLabel = map[string][]int64{"endpoint": {7}}
	other := profiletest.Label("tenant", "acme")
	other.Value = []int64{3, 1e9}
	data := profiletest.Labelled(t, nil, twice, other)
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
	data := profiletest.Labelled(t, nil, profiletest.Label("endpoint", "/a"), profiletest.Label("endpoint", "/b", "/a"),
		profiletest.Label("tenant", "acme"),
		numbers("bytes", "", 512), numbers("bytes", "", 1536<<10), profiletest.Label("endpoint", "main.work"),
		profiletest.Label("endpoint", long))
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
		samples = append(samples, profiletest.Label("request", fmt.Sprint("id-", i)))
	}
	for i := range maxLabelKeys + 50 {
		samples = append(samples, profiletest.Label(fmt.Sprint("key-", i), "x"))
	}
	samples = append(samples, profiletest.Label(strings.Repeat("k", stacks.MaxLabelKey+1), "x"))
	table := stacks.NewTable("")
	s := readLabels(t, table, profiletest.Labelled(t, nil, samples...), &stacks.Labels{Root: "request"})
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
