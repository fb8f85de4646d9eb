package diagnose_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/gocasebook/casebook/casefile"
	"github.com/gocasebook/casebook/diagnose"
)

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
		rep := diagnose.Run(t.Context(), diagnose.Input{Evidence: []diagnose.Evidence{{Name: "heap.pb.gz",
			Kind: casefile.Heap, Data: heap}}},
			diagnose.Options{})
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
