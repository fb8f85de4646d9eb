package diagnose

import (
	"cmp"
	"maps"
	"slices"
	"strings"

	"github.com/gocasebook/casebook/diagnose/known"
	"github.com/gocasebook/casebook/diagnose/refs"
	"github.com/gocasebook/casebook/diagnose/stacks"
)

// goref (github.com/cloudwego/goref, command grf) writes who refers to what as a pprof file: values inuse_objects and
// inuse_space alone, and in place of functions, without files, the names of a variable and of fields with their types:
// "main.app", "entries. (map[string]*main.order)", "$mapval. (*main.order)", "[7]. (main.row)" (pkg/proc/reference.go
// of goref 3a10bfe). The last location is the variable. Where it has no names it writes the functions of a goroutine,
// the outermost last.

// isReferences reports whether a set is a profile of goref.
func isReferences(s *stacks.Set) bool {
	if len(s.Types) != 2 || s.Value("inuse_objects", "count") < 0 || s.Value("inuse_space", "bytes") < 0 {
		return false
	}
	typed := 0
	for i := range s.Samples {
		for _, id := range s.Samples[i].Stack {
			f := s.Table.Func(id)
			if f.File != "" {
				return false
			}
			if _, typ := variable(f.Name); typ != "" {
				typed++
			}
		}
	}
	return typed > 0
}

// variable splits "main.cache. (map[...]*main.order)" into the name and the type; "" for the type of other names.
func variable(text string) (name, typ string) {
	name, typ, ok := strings.Cut(text, ". (")
	if !ok || !strings.HasSuffix(typ, ")") {
		return text, ""
	}
	return name, strings.TrimSuffix(typ, ")")
}

// maxSteps of a path below a root are followed, and fieldShare of the root's memory is what makes a field its.
const (
	maxSteps   = 32
	fieldShare = 0.8
)

// references makes a summary of goref's profile: the roots, the largest first, each with the fields that have most of
// its memory.
func references(s *stacks.Set) *refs.Summary {
	out := &refs.Summary{Name: s.Name, Symbols: true}
	all := newReferenceTree(s)
	out.Reached, out.Bytes, out.Objects = all.Amount, all.Bytes, all.Objects
	for _, n := range all.children() {
		out.Holders = append(out.Holders, refs.Holder{Amount: n.Amount,
			Share: float64(n.Bytes) / float64(max(all.Bytes, 1)), Root: n.root,
			Parts: []refs.Part{{Amount: n.Amount, Chain: n.fields()}}})
		if len(out.Holders) == mostRoots {
			break
		}
	}
	return out
}

// mostRoots of a profile are kept.
const mostRoots = 20

// A reference is a node of the tree of goref's paths, with all below it.
type reference struct {
	refs.Amount

	name  string
	root  refs.Root // of a node below the first
	below map[string]*reference
}

func newReferenceTree(s *stacks.Set) *reference {
	objects := stacks.ByValue(s.Value("inuse_objects", "count"))
	space := stacks.ByValue(s.Value("inuse_space", "bytes"))
	all := new(reference)
	for i := range s.Samples {
		x := &s.Samples[i]
		root, path := rootOfPath(s, x.Stack)
		at := all.child(string(root.Kind) + " " + root.Name + " " + root.Variable)
		at.root = root
		all.add(objects(x), space(x))
		at.add(objects(x), space(x))
		for _, name := range path {
			at = at.child(name)
			at.add(objects(x), space(x))
		}
	}
	return all
}

func (n *reference) add(objects, bytes int64) {
	n.Objects += uint32(min(max(objects, 0), 1<<31))
	n.Bytes += uint64(max(bytes, 0))
}

func (n *reference) child(name string) *reference {
	if n.below[name] == nil {
		if n.below == nil {
			n.below = make(map[string]*reference)
		}
		n.below[name] = &reference{name: name}
	}
	return n.below[name]
}

// children are those below a node, the largest first.
func (n *reference) children() []*reference {
	return slices.SortedFunc(maps.Values(n.below), func(a, b *reference) int {
		return cmp.Or(cmp.Compare(b.Bytes, a.Bytes), cmp.Compare(a.name, b.name))
	})
}

// fields are the steps below a root to where its memory comes together: the last map or slice on the way that most of
// the memory goes. An element is a step with the field "[]". The first step has what sort of structure the root is.
func (n *reference) fields() []refs.Step {
	steps, end := []refs.Step{{Holds: n.Bytes}}, 0
	for at := n; len(steps) < maxSteps; {
		below := at.children()
		if len(below) == 0 || float64(below[0].Bytes) < fieldShare*float64(n.Bytes) {
			break
		}
		at = below[0]
		name, typ := variable(at.name)
		step := refs.Step{Field: name, Type: typ, Holds: at.Bytes}
		switch sort := sortOf(name); {
		case strings.HasPrefix(name, "$sub"): // what goref found no names for
			return steps[:max(end, 1)]
		case typ == "":
			step.Field, step.Type = "", "closure "+name
		case sort != "":
			last := &steps[len(steps)-1]
			last.Type, end = cmp.Or(last.Type, sort), len(steps)
			step.Field = "[]"
		}
		steps = append(steps, step)
	}
	if end > 0 {
		return steps[:end]
	}
	return steps
}

// sortOf is the sort of structure that has an element of this name, as types begin.
func sortOf(name string) string {
	switch {
	case name == "$mapval", name == "$mapkey":
		return "map["
	case strings.HasPrefix(name, "["):
		return "[]"
	}
	return ""
}

// rootOfPath is the root of a path, and the names below it. Elements of a slice have one name.
func rootOfPath(s *stacks.Set, stack []stacks.FrameID) (root refs.Root, path []string) {
	for _, id := range slices.Backward(stack) {
		name := s.Table.Func(id).Name
		if field, typ := variable(name); typ != "" && strings.HasPrefix(field, "[") {
			name = "[]. (" + typ + ")"
		}
		path = append(path, name)
	}
	switch {
	case len(path) == 0:
		return refs.Root{Kind: refs.Other, Name: "unknown"}, nil
	case len(path) > 1 && known.Of(path[0]).Does(known.BeginsGoroutine):
		return refs.Root{Kind: refs.Goroutine, Name: path[1]}, path[2:]
	}
	return rootOfVariable(path[0]), path[1:]
}

// rootOfVariable is the root that a variable is: a global, or one of a function on a goroutine's stack.
func rootOfVariable(name string) refs.Root {
	switch dots := strings.Count(name[strings.LastIndexByte(name, '/')+1:], "."); {
	case strings.HasPrefix(name, known.SetFinalizer):
		return refs.Root{Kind: refs.Finalizer, Name: name}
	case strings.HasPrefix(name, known.RuntimePackage):
		return refs.Root{Kind: refs.Runtime, Name: name}
	case dots == 1 && !strings.Contains(name, " "):
		return refs.Root{Kind: refs.Global, Name: name}
	case dots > 1:
		i := strings.LastIndexByte(name, '.')
		return refs.Root{Kind: refs.Goroutine, Name: name[:i], Variable: name[i+1:]}
	}
	return refs.Root{Kind: refs.Other, Name: name} // a section without names
}
