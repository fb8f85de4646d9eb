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
