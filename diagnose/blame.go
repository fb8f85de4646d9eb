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

// madeWithin names the line of a dependency that makes what stays below a user's line, where that is in another package
// than the one that the user's line calls: the program's own decides what the dependency is asked for, and not how it
// keeps that. What it is given in a package of its own API is still the user's to divide.
func madeWithin(r *Reading, f casefile.Finding, stack []stacks.FrameID, at stacks.FrameID) casefile.Finding {
	in, i := r.Table.Caller(stack)
	from := slices.Index(stack, at)
	if i < 0 || from <= i || r.Table.Func(in).Owner != stacks.Dependency ||
		r.Table.Func(in).Package == r.Table.Func(stack[from-1]).Package {
		return f
	}
	name, own := short(r.Table.Func(in).Name), r.Place(at)
	f.Title += ", in " + name
	f.Summary += " " + r.Place(in) + " makes them."
	f.Where = slices.Insert(f.Where, 1, r.Frame(in, f.Where[0].Share, "makes them"))
	f.Remedies = []casefile.Remedy{
		doChange("Give the dependency less to hold", "At "+own+": what "+name+" keeps follows what it is given, or told to "+
			"load. Look for its setting that bounds that, clears it, or writes it away earlier.", "more work for what was let go"),
		doChange("Have it made once, at its full size", r.Place(in)+" is a dependency's: a newer release, or a report there "+
			"with this profile. A slice that grows by append is copied at every step.", "an update to test")}
	return f
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
