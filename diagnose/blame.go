package diagnose

import (
	"slices"
	"strings"

	"github.com/gocasebook/casebook/casefile"
	"github.com/gocasebook/casebook/diagnose/stacks"
)

// Whom a finding blames. The reader can change their own code and nothing else, so the first place of a finding is the user's
// line: of the stack in question the frame nearest to the leaf that is of the main module. A dependency's or the standard
// library's function stands behind it, and says what the line calls.

// The roles of the user's lines by which a dependency's place can be found (foreign.go): they are not on its stack.
const (
	insideRole  = "the program's own code that it calls"
	packageRole = "the program's own code that calls the package"
)

// ownFirst puts the user's first line before places in dependencies and in the standard library.
func (r *Reading) ownFirst(fs []casefile.Finding) {
	owner := make(map[string]stacks.Owner, len(r.Table.Funcs))
	for i := range r.Table.Funcs {
		owner[r.Table.Funcs[i].Name] = r.Table.Funcs[i].Owner
	}
	own := func(f casefile.Frame) bool {
		o, known := owner[f.Function]
		return known && o == stacks.User && f.Role != insideRole && f.Role != packageRole
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

// lockOwner is the function that takes or gives back a lock: the first on a contention stack that is neither the runtime's nor
// package sync's.
func (r *Reading) lockOwner(stack []stacks.FrameID) *stacks.Func {
	for _, id := range stack {
		f := r.Table.Func(id)
		if f.Owner != stacks.Runtime && f.Class != stacks.Lock && f.Package != "sync" && f.Package != "internal/sync" {
			return f
		}
	}
	return nil
}

// lockInside is the library's function whose lock is taken below the user's line; nil where the lock is the user's own.
func (r *Reading) lockInside(stack []stacks.FrameID) *stacks.Func {
	f := r.lockOwner(stack)
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

// madeInside reports whether the user's line did not allocate on its own, but a dependency below it did: its arenas,
// memtables and tables are of the size that its settings say, and its own to fill.
func (r *Reading) madeInside(stack []stacks.FrameID) bool {
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

// isTree reports whether a function is of a tree or a list that is kept in order, by the words in its name. It answers what
// a cache cannot: the longest prefix, the next key, a range.
func isTree(name string) bool {
	return strings.Contains(name, "(*node)") || strings.Contains(name, "(*node[") || slices.ContainsFunc(wordsOf(name), func(w string) bool {
		switch w {
		case "tree", "trie", "radix", "iradix", "btree", "patricia", "skiplist", "skl", "critbit", "avl", "rtree", "quadtree", "kdtree", "treemap":
			return true
		}
		return false
	})
}

// wordsOf splits a name at capitals and at what is no letter: "github.com/acme/geo.(*PrefixTree).Add" has tree in it.
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

// treeRemedies are for structures of nodes: what is in the way is a pointer each.
func treeRemedies(name string) []casefile.Remedy {
	return []casefile.Remedy{
		doChange("Keep the nodes in one slice", "At "+name+": children as uint32 indexes into []node, keys as "+
			"offsets into one []byte: then a tree of any size is only a few objects, and is built and dropped as a "+
			"whole.",
			"a node is freed with the whole tree, or by a free list"),
		doChange("Give each node more", "A B-tree of a higher degree, or a radix tree that joins chains of single children (github.com/google/btree, github.com/plar/go-adaptive-radix-tree): fewer, larger nodes.",
			"another package, or more work for each change"),
		doChange("If it is built once and then only read, sort it", "A sorted []string or []entry with sort.Search "+
			"answers ranges, and prefixes if you try the longest first. It has no nodes at all.",
			"every change rebuilds it"),
	}
}
