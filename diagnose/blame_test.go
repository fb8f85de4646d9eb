package diagnose

import (
	"slices"
	"strings"
	"testing"

	"github.com/gocasebook/casebook/casefile"
	"github.com/gocasebook/casebook/diagnose/stacks"
	"github.com/gocasebook/casebook/diagnose/view"
)

func TestIsTree(t *testing.T) {
	for name, want := range map[string]bool{
		"github.com/armon/go-radix.(*Tree).Insert": true, "github.com/google/btree.(*BTree).ReplaceOrInsert": true,
		"main.(*PrefixTree).add":  true,
		"main.(*trieNode).insert": true, "main.(*node).child": true,
		"github.com/hashicorp/go-immutable-radix/v2.(*Txn[...]).Insert": true,
		"main.(*cache).entries": false, "main.countries": false, "main.retries.add": false,
		"github.com/bluele/gcache.(*LRUCache).set": false,
		"main.(*street).add":                       false, "main.(*cluster).addNode": false,
	} {
		if got := isTree(name); got != want {
			t.Errorf("isTree(%q) = %v, want %v (words %v)", name, got, want, wordsOf(name))
		}
	}
}

// TestOwnFirst: the first place is the user's line, wherever the detector put it, but it is not what a dependency
// calls.
func TestOwnFirst(t *testing.T) {
	r := &Reading{View: view.View{Table: tableOf(t, "main.handler", "main.inner", "github.com/x/y.(*Cache).set",
		"net/http.(*conn).serve")}}
	at := func(function, role string) casefile.Frame { return casefile.Frame{Function: function, Role: role} }
	for _, tt := range []struct {
		name  string
		where []casefile.Frame
		want  string
	}{
		{"a dependency's line, then the caller", []casefile.Frame{at("github.com/x/y.(*Cache).set",
			"holds the pointers"), at("main.handler", "called from")}, "main.handler"},
		{"the user's own", []casefile.Frame{at("main.inner", "holds"), at("main.handler", "called from")},
			"main.inner"},
		{"a dependency that calls the user", []casefile.Frame{at("github.com/x/y.(*Cache).set", ""),
			as(insidePart, at("main.inner", ""))}, "github.com/x/y.(*Cache).set"},
		{"none of the user's", []casefile.Frame{at("net/http.(*conn).serve", ""),
			at("github.com/x/y.(*Cache).set", "")}, "net/http.(*conn).serve"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			fs := []casefile.Finding{{Where: slices.Clone(tt.where)}}
			ownFirst(r, fs)
			if got := fs[0].Where; got[0].Function != tt.want || len(got) != len(tt.where) {
				t.Errorf("first of %d is %s, want %s of %d", len(got), got[0].Function, tt.want, len(tt.where))
			}
		})
	}
}

// TestTreeIsNoCache: a tree of nodes costs the collector as much as a cache of as many objects, and no cache can
// replace it.
func TestTreeIsNoCache(t *testing.T) {
	for holder, want := range map[string]string{
		"github.com/armon/go-radix.(*Tree).Insert": "Keep fewer of them",
		"github.com/bluele/gcache.(*LRUCache).set": "Keep the entries where the collector does not look",
		"main.(*prefixTrie).insert":                "Keep the nodes in one slice",
		"main.(*sessions).put":                     "Keep the entries where the collector does not look",
	} {
		heap := liveHeap(t, heapLine{holder + ":176 main.build:24 main.main:9", 8_000_000, 400 << 20, 0})
		rep := Run(t.Context(), Input{Evidence: []Evidence{{Name: "heap.pb.gz", Kind: casefile.Heap, Data: heap}}},
			Options{})
		i := slices.IndexFunc(rep.Findings, func(f casefile.Finding) bool { return f.Kind == "gc-pointer-heap" })
		if i < 0 {
			t.Errorf("%s: gc-pointer-heap is not among %v", holder, kinds(rep.Findings))
			continue
		}
		f := rep.Findings[i]
		if f.Remedies[0].Title != want || !strings.HasPrefix(f.Where[0].Function, "main.") {
			t.Errorf("%s: %q at %s, want %q at a line of main", holder, f.Remedies[0].Title, f.Where[0].Function, want)
		}
	}
}

// tableOf is a table of functions, filled from evidence.
func tableOf(t *testing.T, names ...string) *stacks.Table {
	t.Helper()
	tab := stacks.NewTable("")
	if _, err := tab.Read(stacks.Source{Name: "heap"},
		heapOf(t, heapSite{strings.Join(names, " "), 1 << 20})); err != nil {
		t.Fatal(err)
	}
	return tab
}
