package report

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/google/pprof/profile"

	"github.com/gocasebook/casebook/diagnose/stacks"
	"github.com/gocasebook/casebook/internal/profiletest"
)

// folded makes a CPU profile from lines such as "main.a;main.b 3", root first. The values are in ticks of 10 ms.
func folded(t testing.TB, lines ...string) []byte {
	t.Helper()
	p := &profile.Profile{SampleType: []*profile.ValueType{{Type: "samples", Unit: "count"},
		{Type: "cpu", Unit: "nanoseconds"}}}
	locations := make(map[string]*profile.Location)
	for _, line := range lines {
		var n int64
		path, value, _ := strings.Cut(line, " ")
		if _, err := fmt.Sscan(value, &n); err != nil {
			t.Fatalf("%q: %v", line, err)
		}
		s := &profile.Sample{Value: []int64{n, n * 10_000_000}}
		for name := range strings.SplitSeq(path, ";") {
			l := locations[name]
			if l == nil {
				id := uint64(len(locations) + 1)
				f := &profile.Function{ID: id, Name: name, Filename: "/src/" + name + ".go"}
				l = &profile.Location{ID: id, Line: []profile.Line{{Function: f, Line: int64(id)}}}
				locations[name] = l
				p.Function, p.Location = append(p.Function, f), append(p.Location, l)
			}
			s.Location = append(s.Location, l)
		}
		slices.Reverse(s.Location)
		p.Sample = append(p.Sample, s)
	}
	return profiletest.Encode(t, p)
}

func graphOf(t testing.TB, data []byte) (*graph, *stacks.Table) {
	t.Helper()
	table := stacks.NewTable("")
	g := newGraph(Profile{File: "p", Kind: "cpu", Data: data}, table)
	if g.Problem != "" {
		t.Fatal(g.Problem)
	}
	g.prune(maxPageNodes, table)
	return g, table
}

// unfold turns what encode wrote back into lines, so that a test sees what the browser sees.
func unfold(d flameData) []string {
	g := d.Graphs[0]
	parent, depth := []int{-1}, []int{0}
	var out []string
	names := []string{""}
	for i, fn := range g.Fn {
		p := i
		for range g.Up[i] {
			p = parent[p]
		}
		parent, depth = append(parent, p), append(depth, depth[p]+1)
		names = append(names, names[p]+";"+d.Funcs[fn][0].(string))
	}
	for i, v := range g.Self[g.Default] {
		if v > 0 {
			out = append(out, fmt.Sprintf("%s %d", strings.TrimPrefix(names[i], ";"), v))
		}
	}
	return out
}

func TestEncodeRoundTrip(t *testing.T) {
	want := []string{"main.main;main.b;main.c 5", "main.main;main.b 1", "main.main;main.a 2", "main.x 1"}
	g, table := graphOf(t, folded(t, "main.x 1", "main.main;main.a 2", "main.main;main.b 1",
		"main.main;main.b;main.c 5"))
	e := newEncoder(table)
	e.add(g)
	got := unfold(e.out)
	slices.Sort(want)
	sorted := slices.Sorted(slices.Values(got))
	if !slices.Equal(sorted, want) {
		t.Errorf("the page draws %q, want %q", sorted, want)
	}
	if st := e.out.Graphs[0].Types[1]; st.Scale != 0.01 || st.Unit != "seconds" {
		t.Errorf("the CPU column is in %v %s, want in 0.01 seconds: ticks", st.Scale, st.Unit)
	}
	if first := e.out.Funcs[e.out.Graphs[0].Fn[1]][0]; first != "main.b" {
		t.Errorf("the first child of main.main is %v, want the heaviest, main.b", first)
	}
}

func TestInlinedFramesAreFrames(t *testing.T) {
	a := &profile.Function{ID: 1, Name: "main.outer", Filename: "a.go"}
	b := &profile.Function{ID: 2, Name: "main.inlined", Filename: "a.go"}
	l := &profile.Location{ID: 1, Line: []profile.Line{{Function: b, Line: 3}, {Function: a, Line: 9}}}
	p := &profile.Profile{SampleType: []*profile.ValueType{{Type: "cpu", Unit: "nanoseconds"}},
		Function: []*profile.Function{a, b}, Location: []*profile.Location{l},
		Sample: []*profile.Sample{{Location: []*profile.Location{l}, Value: []int64{10}}}}
	g, table := graphOf(t, profiletest.Encode(t, p))
	e := newEncoder(table)
	e.add(g)
	if got := unfold(e.out); !slices.Equal(got, []string{"main.outer;main.inlined 1"}) {
		t.Errorf("drawn: %q", got)
	}
	if lines := e.out.Graphs[0].Line; !slices.Equal(lines, []int32{9, -3}) {
		t.Errorf("lines %v, want 9, and −3 because it is inlined", lines)
	}
}

func TestTopCountsRecursionOnce(t *testing.T) {
	g, _ := graphOf(t, folded(t, "main.f;main.f;main.g;main.f 3", "main.g 1"))
	got := ""
	for _, r := range g.Top {
		got += fmt.Sprintf("%s %s %s; ", r.Function.Name, percent(r.SelfShare), percent(r.TotalShare))
	}
	if want := "main.f 75\u00a0% 75\u00a0%; main.g 25\u00a0% 100\u00a0%; "; got != want {
		t.Errorf("top: %s, want %s", got, want)
	}
}

func TestPruneLosesNothing(t *testing.T) {
	var lines []string
	for i := range 300 {
		lines = append(lines, fmt.Sprintf("main.main;main.f%d;main.g%d %d", i%40, i, 1+i*i))
	}
	g, _ := graphOf(t, folded(t, lines...))
	before := g.tree.totals(1)[0]
	pruned, below := prune(g.tree, 100)
	if len(pruned.nodes) > 100 || len(pruned.nodes) < 50 || below <= 0 {
		t.Fatalf("%d nodes are left, below %v; want at most 100", len(pruned.nodes), below)
	}
	if after := pruned.totals(1)[0]; after != before {
		t.Errorf("the total went from %d to %d", before, after)
	}
	for i, n := range pruned.nodes[1:] {
		if int(n.parent) > i {
			t.Fatalf("node %d comes before its parent %d", i+1, n.parent)
		}
	}
}

func TestPruningIsSaid(t *testing.T) {
	table := stacks.NewTable("")
	g := newGraph(Profile{Kind: "cpu", Data: folded(t, "main.a;main.b 900", "main.a;main.c 1")}, table)
	g.prune(3, table)
	if len(g.Notes) != 1 || !strings.Contains(g.Notes[0],
		"Frames with 0.11\u00a0% of the profile or less are not drawn") {
		t.Errorf("notes: %q", g.Notes)
	}
}

func TestAllot(t *testing.T) {
	for _, tt := range []struct{ sizes, want []int }{
		{[]int{10, 500, 20}, []int{10, 70, 20}},
		{[]int{500, 500}, []int{50, 50}},
		{[]int{1, 2}, []int{1, 2}},
		{nil, []int{}},
	} {
		if got := allot(tt.sizes, 100); !slices.Equal(got, tt.want) {
			t.Errorf("allot(%v, 100) = %v, want %v", tt.sizes, got, tt.want)
		}
	}
}

func TestDeepStacksAreCut(t *testing.T) {
	g, _ := graphOf(t, folded(t, strings.Repeat("main.f;", 3*maxDepth)+"main.leaf 1"))
	if n := len(g.tree.nodes) - 1; n != maxDepth {
		t.Errorf("%d frames are drawn, want %d", n, maxDepth)
	}
	if total := g.tree.totals(1)[0]; total != 10_000_000 {
		t.Errorf("the total is %d, want 10 ms", total)
	}
}

// forest is a profile of about n distinct frames in trees of every shape.
func forest(t testing.TB, n int) []byte {
	t.Helper()
	r := rand.New(rand.NewPCG(1, 2))
	paths := []string{"main.main"}
	var lines []string
	for i := 1; i < n; i++ {
		p := paths[max(len(paths)-1-int(r.ExpFloat64()*float64(len(paths))/4), 0)]
		if strings.Count(p, ";") > 60 {
			p = "main.main"
		}
		p = fmt.Sprintf("%s;example.com/p%d.(*T).f%d", p, i%97, i)
		paths = append(paths, p)
		lines = append(lines, fmt.Sprintf("%s %d", p, 1+r.IntN(20)))
	}
	return folded(t, lines...)
}
