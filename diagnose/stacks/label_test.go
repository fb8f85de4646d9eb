package stacks

import (
	"bytes"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

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

func numbers(key, unit string, values ...int64) profile.Sample {
	s := profile.Sample{NumLabel: map[string][]int64{key: values}}
	if unit != "" {
		s.NumUnit = map[string][]string{key: slices.Repeat([]string{unit}, len(values))}
	}
	return s
}

// namesOf are the functions of each sample, the leaf first.
func namesOf(s *Set) (out []string) {
	for i := range s.Samples {
		var of []string
		for _, id := range s.Samples[i].Stack {
			of = append(of, s.Table.Func(id).Name)
		}
		out = append(out, strings.Join(of, " "))
	}
	return out
}

func readLabels(t testing.TB, table *Table, data []byte, want *Labels) *Set {
	t.Helper()
	s, err := table.Read(Source{Name: "cpu.pb.gz", Labels: want}, data)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func TestLabelFrames(t *testing.T) {
	long := strings.Repeat("ü", maxLabelText)
	data := labelled(t, nil, text("endpoint", "/a"), text("endpoint", "/b", "/a"), text("tenant", "acme"),
		numbers("bytes", "", 512), numbers("bytes", "", 1536<<10), text("endpoint", "main.work"),
		text("endpoint", long))
	for _, c := range []struct {
		name string
		want Labels
		got  []string
	}{
		{"none", Labels{}, slices.Repeat([]string{"main.work main.main"}, 7)},
		{"root", Labels{Root: "endpoint"}, []string{"main.work main.main /a", "main.work main.main /b,/a",
			"main.work main.main (no endpoint)", "main.work main.main (no endpoint)",
			"main.work main.main (no endpoint)",
			"main.work main.main main.work", "main.work main.main " + strings.Repeat("ü", maxLabelText/2) + "…"}},
		{"leaf", Labels{Leaf: "bytes"}, []string{"(no bytes) main.work main.main", "(no bytes) main.work main.main",
			"(no bytes) main.work main.main", "512B main.work main.main", "1.50MB main.work main.main",
			"(no bytes) main.work main.main", "(no bytes) main.work main.main"}},
		{"both", Labels{Root: "tenant", Leaf: "nobody"}, slices.Concat(
			slices.Repeat([]string{"(no nobody) main.work main.main (no tenant)"}, 2),
			[]string{"(no nobody) main.work main.main acme"},
			slices.Repeat([]string{"(no nobody) main.work main.main (no tenant)"}, 4))},
	} {
		s := readLabels(t, NewTable(""), data, &c.want)
		if got := namesOf(s); !slices.Equal(got, c.got) {
			t.Errorf("%s:\n%q, want\n%q", c.name, got, c.got)
		}
	}
}

// The value of a label is no function, whatever it is called, and stays one when the table learns whose code is whose.
func TestLabelFrameIsNoFunction(t *testing.T) {
	table := NewTable("")
	s := readLabels(t, table, labelled(t, nil, text("endpoint", "main.work")), &Labels{Root: "endpoint"})
	code, value := table.Func(s.Samples[0].Stack[0]), table.Func(s.Samples[0].Stack[2])
	if code == value || code.Owner != User || *value != (Func{Name: "main.work", File: "endpoint", Owner: LabelValue}) {
		t.Errorf("the function is %+v, the value %+v", code, value)
	}
	moved := labelled(t, func(p *profile.Profile) {
		p.Function[1].Filename = "/root/go/pkg/mod/example.com/tool@v1.2.3/main.go"
	}, text("endpoint", "/a"))
	readLabels(t, table, moved, nil)
	if table.module != "example.com/tool" || table.Func(s.Samples[0].Stack[2]).Owner != LabelValue {
		t.Errorf("in the module %q the value's owner is %v", table.module, table.Func(s.Samples[0].Stack[2]).Owner)
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
	samples = append(samples, text(strings.Repeat("k", MaxLabelKey+1), "x"))
	table := NewTable("")
	s := readLabels(t, table, labelled(t, nil, samples...), &Labels{Root: "request"})
	if len(s.Labels) != maxLabelKeys || s.Labels[0].Key != "request" || s.Labels[0].Values != MaxLabelValues {
		t.Errorf("%d labels, the first with %d values: want %d with %d", len(s.Labels), s.Labels[0].Values,
			maxLabelKeys, MaxLabelValues)
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

// A label that makes no sense is passed over, and the sample is still one.
func TestDamagedLabel(t *testing.T) {
	p := &proto{strings: []string{"", "endpoint", "/a"}, types: []ValueType{{"cpu", unitNs}}}
	r := newLabelReader(NewTable(""), p, &Labels{Root: "endpoint"})
	good := []byte{1 << 3, 1, 2 << 3, 2} // key = 1, str = 2
	for _, bad := range [][]byte{{1 << 3, 9, 2 << 3, 2}, {1 << 3, 1, 2 << 3, 99}, {1 << 3, 1}, {0xff}, {2 << 3, 2}} {
		r.add([][]byte{bad}, []int64{1})
	}
	r.add([][]byte{{0xff}, good}, []int64{1})
	if len(r.keys) != 1 || r.keys["endpoint"].sums[0] != 1 || r.whole[0] != 6 || len(r.root[0].of) != 6 {
		t.Errorf("keys %v of %v, %d frames: want one label in six samples", r.keys, r.whole, len(r.root[0].of))
	}
}

func TestScaled(t *testing.T) {
	for _, c := range []struct {
		number int64
		unit   string
		want   string
	}{
		{0, "bytes", "0"}, {1, "bytes", "1B"}, {1023, "byte", "1023B"},
		{524288, "bytes", "512kB"}, {-2048, "B", "-2kB"},
		{3 << 50, "bytes", "3PB"}, {1 << 60, "b", "1024PB"}, {1500, "kilobytes", "1.46MB"}, {90, "seconds", "90s"},
		{7200, "s", "2hrs"}, {1, "ns", "1ns"}, {1500, "microseconds", "1.50ms"}, {42, "id", "42"}, {42, "", "42"},
		{math.MinInt64, "bytes", "-8192PB"},
	} {
		if got := scaled(c.number, c.unit); got != c.want {
			t.Errorf("%d %s is %s, want %s", c.number, c.unit, got, c.want)
		}
	}
}
