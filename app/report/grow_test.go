package report

import (
	"fmt"
	"slices"
	"testing"

	"github.com/gocasebook/casebook/diagnose/stacks"
)

// paths are the nodes of a tree as the functions from the root to them, with what each holds in all.
func (t *tree) paths(table *stacks.Table, k int) map[string]int64 {
	names := make([]string, len(t.nodes))
	out := map[string]int64{}
	for i, v := range t.totals(k) {
		if n := t.nodes[i]; i > 0 {
			names[i] = names[n.parent] + ";" + table.Funcs[n.fn].Name
		}
		out[names[i]] = v
	}
	return out
}

// allPaths are those of a set, added up one by one.
func allPaths(set *stacks.Set, k int) map[string]int64 {
	out := map[string]int64{}
	for i := range set.Samples {
		name, v := "", max(set.Samples[i].Values[k], 0)
		out[name] += v
		for _, id := range slices.Backward(set.Samples[i].Stack) {
			name += ";" + set.Table.Func(id).Name
			out[name] += v
		}
	}
	return out
}

// A tree of limited size has the heaviest nodes of the whole one, with all that they hold.
func TestGrow(t *testing.T) {
	table := stacks.NewTable("")
	set, err := table.Read(stacks.Source{Name: "p", Kind: "cpu"}, forest(t, 1500))
	if err != nil {
		t.Fatal(err)
	}
	whole := allPaths(set, 1)
	var weights []int64
	for _, v := range whole {
		weights = append(weights, v)
	}
	slices.Sort(weights)
	slices.Reverse(weights)
	for _, limit := range []int{1, 2, 50, 700, len(whole), 10_000} {
		tr, below, _ := grow(set, 1, limit)
		got := tr.paths(table, 1)
		least := int64(-1) // what a node must have more than
		if limit < len(whole) {
			least = weights[limit]
		}
		if want := float64(max(least, 0)) / float64(whole[""]); below != want {
			t.Errorf("limit %d: none above %v is left out, want %v", limit, below, want)
		}
		for name, v := range whole {
			have, drawn := got[name]
			if want := name == "" || v > least; drawn != want || drawn && have != v {
				t.Fatalf("limit %d: %q is there: %t with %d; want %t with %d", limit, name, drawn, have, want, v)
			}
		}
		if len(got) > len(whole) {
			t.Errorf("limit %d: %d nodes of %d", limit, len(got), len(whole))
		}
	}
}

// What functions and lines hold is what counting stack by stack gives, recursion once.
func TestCosts(t *testing.T) {
	table := stacks.NewTable("")
	set, err := table.Read(stacks.Source{Name: "p", Kind: "cpu"}, folded(t, "main.f;main.f;main.g;main.f 3", "main.g 1"))
	if err != nil {
		t.Fatal(err)
	}
	sums := costsOf(set)
	got := ""
	for fn, f := range table.Funcs {
		got += fmt.Sprintf("%s %d %d; ", f.Name, sums.funcSelf[0][fn], sums.funcTotal[0][fn])
	}
	if want := "main.f 3 3; main.g 1 4; "; got != want {
		t.Errorf("functions: %s, want %s", got, want)
	}
}
