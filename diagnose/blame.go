package diagnose

import (
	"slices"
	"strings"

	"github.com/gocasebook/casebook/casefile"
	"github.com/gocasebook/casebook/diagnose/known"
	"github.com/gocasebook/casebook/diagnose/stacks"
)

// What a finding blames. The reader can change only their own code, so the first place of a finding is the user's line:
// the frame of the main module that is closest to the leaf of the stack. A function of a dependency or the standard
// library comes after it, and shows what the line calls.

// ownFirst puts the user's first line before places in dependencies and in the standard library.
func ownFirst(r *Reading, fs []casefile.Finding) {
	owner := make(map[string]stacks.Owner, len(r.Table.Funcs))
	for i := range r.Table.Funcs {
		owner[r.Table.Funcs[i].Name] = r.Table.Funcs[i].Owner
	}
	own := func(f casefile.Frame) bool {
		o, known := owner[f.Function]
		if !known && f.File != "" { // from a trace: no profile has it
			o, known = stacks.FuncOf(f.Function, f.File, r.Build.Module).Owner, true
		}
		return known && o == stacks.User && f.Part != insidePart && f.Part != packagePart
	}
	for i := range fs {
		where := fs[i].Where
		if len(where) < 2 || own(where[0]) {
			continue
		}
		if k := slices.IndexFunc(where, own); k > 0 {
			line := where[k]
			fs[i].Where = slices.Insert(slices.Delete(slices.Clone(where), k, k+1), 0, line)
		}
	}
}

// lockOwner is the function that takes or releases a lock: the first on a contention stack that belongs neither to the
// runtime nor to package sync.
func lockOwner(r *Reading, stack []stacks.FrameID) *stacks.Func {
	for _, id := range stack {
		f := r.Table.Func(id)
		if f.Owner != stacks.Runtime && f.Class != stacks.Lock && !known.IsSync(f.Package) {
			return f
		}
	}
	return nil
}

// lockInside is the library's function whose lock is taken below the user's line; nil if the lock is the user's own.
func lockInside(r *Reading, stack []stacks.FrameID) *stacks.Func {
	f := lockOwner(r, stack)
	if f != nil {
		if name, _, wrapped := strings.Cut(f.Name, ".deferwrap"); wrapped { // a deferred Unlock
			g := *f
			f, g.Name = &g, name
		}
	}
	if f == nil || f.Owner == stacks.User || f.Package == "" {
		return nil
	}
	return f
}

// madeInside reports whether a dependency below the user's line allocated, and not the line itself: the size of its
// arenas, memtables and tables depends on its settings, and it fills them itself.
func madeInside(r *Reading, stack []stacks.FrameID) bool {
	for _, id := range stack {
		switch r.Table.Func(id).Owner {
		case stacks.Dependency:
			return true
		case stacks.User:
			return false
		}
	}
	return false
}

// isTree reports whether a function belongs to a tree or a sorted list, by the words in its name. Such a structure can
// answer what a cache cannot: the longest prefix, the next key, a range.
func isTree(name string) bool {
	return strings.Contains(name, "(*node)") || strings.Contains(name, "(*node[") ||
		slices.ContainsFunc(wordsOf(name), func(w string) bool {
			switch w {
			case "tree", "trie", "radix", "iradix", "btree", "patricia", "skiplist", "skl", "critbit", "avl", "rtree",
				"quadtree", "kdtree", "treemap":
				return true
			}
			return false
		})
}

// wordsOf splits a name at capitals and at characters that are not letters: "github.com/acme/geo.(*PrefixTree).Add" has
// tree in it.
func wordsOf(name string) (words []string) {
	from := 0
	for i, r := range name + "." {
		letter := r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z'
		if letter && !(r <= 'Z' && i > from && name[i-1] >= 'a') {
			continue
		}
		if i > from {
			words = append(words, strings.ToLower(name[from:i]))
		}
		if from = i; !letter {
			from = i + 1
		}
	}
	return words
}

// treeRemedies are for structures of nodes, where each node costs a pointer.
func treeRemedies(name string) []casefile.Remedy {
	return []casefile.Remedy{
		doChange("Keep the nodes in one slice", "At "+name+": children as uint32 indexes into []node, keys as "+
			"offsets into one []byte: then a tree of any size is only a few objects, and is built and dropped as a "+
			"whole.",
			"a node is freed with the whole tree, or by a free list"),
		doChange("Give each node more",
			"A B-tree of a higher degree, or a radix tree that joins chains of single children "+
				"(github.com/google/btree, github.com/plar/go-adaptive-radix-tree): fewer, larger nodes.",
			"another package, or more work for each change"),
		doChange("If it is built once and then only read, sort it", "A sorted []string or []entry with sort.Search "+
			"answers ranges, and prefixes if you try the longest first. It has no nodes at all.",
			"every change rebuilds it"),
	}
}
