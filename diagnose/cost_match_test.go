package diagnose

import (
	"slices"
	"strings"
	"testing"
)

// lists are all lists of functions of a row.
func (k *costKind) lists() (all []string) {
	all = slices.Concat(k.match.calls, k.match.not, k.match.heapLeaf, k.match.through, k.least)
	if k.slow != nil {
		all = append(all, k.slow.calls...)
	}
	return all
}

// TestListedExactly: every entry of every list takes its own name, closures and instances of it, and not the neighbour
// whose name goes on where it ends, unless it says that it is a family.
func TestListedExactly(t *testing.T) {
	entries := 0
	for _, k := range costKinds() {
		for _, e := range k.lists() {
			entries++
			name, family := strings.CutSuffix(e, "*")
			one := []string{e}
			if entryOf(one, name) == 0 || entryOf(one, name+"[...]") == 0 || entryOf(one, name+".func1") == 0 {
				t.Errorf("%s: %q does not take itself", k.kind, e)
			}
			if last := name[len(name)-1]; !family && isWord(last) && (entryOf(one, name+"X") > 0 || entryOf(one, name+"_") > 0) {
				t.Errorf("%s: %q takes %q", k.kind, e, name+"X")
			}
		}
	}
	if entries < 300 {
		t.Errorf("%d entries, want 300 or more: the test sees the wrong lists", entries)
	}
}
