package facts

import (
	"slices"

	"github.com/gocasebook/casebook/casefile"
	"github.com/gocasebook/casebook/diagnose/known"
	"github.com/gocasebook/casebook/diagnose/stacks"
	"github.com/gocasebook/casebook/diagnose/traces"
	"github.com/gocasebook/casebook/internal/words"
)

// place is a line in words: "main.(*catalogue).load (main.go:34)".
func (b *builder) place(id stacks.FrameID) string { return clean(b.r.Place(id)) }

// frame is a line as facts have it.
func (b *builder) frame(id stacks.FrameID) Frame {
	return frameOf(b.r.Table.Func(id), b.r.Table.Line(id))
}

func frameOf(f *stacks.Func, line int) Frame {
	out := Frame{Function: clean(f.Name), File: clean(f.File), Line: line, Owner: ownerOf(f.Owner)}
	if f.Owner == stacks.Dependency {
		out.Module = clean(f.Module())
	}
	return out
}

func ownerOf(o stacks.Owner) string {
	switch o {
	case stacks.User:
		return User
	case stacks.Dependency, stacks.LabelValue:
		return Dependency
	case stacks.Std:
		return Std
	}
	return Runtime
}

// What is kept of a stack. Whoever reads it wants the user's lines, where a dependency is entered, and what it was at.
const (
	keptOfUser  = 5 // innermost frames of the user's
	keptNear    = 3 // frames of a dependency next to the user's line
	keptLeaves  = 3 // and next to the leaf
	keptOutside = 1 // that call the user's
)

// stack is a stack as facts have it.
func (b *builder) stack(ids []stacks.FrameID, of float64) Stack {
	t := b.r.Table
	telling := b.telling(ids)
	line := slices.IndexFunc(telling, func(id stacks.FrameID) bool { return t.Func(id).Owner == stacks.User })
	if line < 0 {
		line = len(telling)
	}
	inner, outer := telling[:line], telling[line:]
	out := Stack{Share: share(of)}
	if len(inner) > keptNear+keptLeaves {
		inner = slices.Concat(inner[:keptLeaves], inner[len(inner)-keptNear:])
	}
	for _, id := range inner {
		out.Frames = append(out.Frames, b.frame(id))
	}
	users, others := 0, 0
	for _, id := range outer {
		switch o := t.Func(id).Owner; {
		case o == stacks.User && users < keptOfUser:
			users++
		case o == stacks.Dependency && others < keptOutside && users > 0 && users < keptOfUser:
			others++
		default:
			continue
		}
		out.Frames = append(out.Frames, b.frame(id))
	}
	return out
}

// telling are the frames that are not of the runtime's and of the packages that wait for it, and of the standard
// library's those that are called by others; of a stack without any its leaf and its root.
func (b *builder) telling(ids []stacks.FrameID) (out []stacks.FrameID) {
	t := b.r.Table
	for i, id := range ids {
		f := t.Func(id)
		called := i+1 < len(ids) && t.Func(ids[i+1]).Owner != f.Owner
		switch {
		case f.Owner == stacks.User, f.Owner == stacks.Dependency:
		case f.Owner == stacks.Std && called && !known.IsPoll(f.Package):
		default:
			continue
		}
		out = append(out, id)
	}
	if len(out) == 0 && len(ids) > 0 {
		leaf, _ := t.Caller(ids)
		if leaf == stacks.NoFrame {
			leaf = ids[0]
		}
		out = append(out, leaf)
		if root := t.Root(ids); root != stacks.NoFrame && root != leaf {
			out = append(out, root)
		}
	}
	return out
}

// traced is a stack of a trace as facts have it.
func (b *builder) traced(s traces.Stack, of float64) Stack {
	out := Stack{Share: share(of)}
	for _, f := range s {
		fn := b.r.Traced(f)
		if fn.Owner == stacks.User || fn.Owner == stacks.Dependency {
			out.Frames = append(out.Frames, frameOf(&fn, f.Line))
		}
		if len(out.Frames) == keptOfUser+keptLeaves {
			break
		}
	}
	return out
}

func tracedPlace(f traces.Frame) string {
	return clean(words.Short(casefile.Frame{Function: f.Function, File: f.File, Line: f.Line}))
}

// ownLine is the line of a stack at which somebody may change something: the user's innermost, otherwise where a
// dependency is entered; NoFrame of the standard library's and the runtime's.
func (b *builder) ownLine(ids []stacks.FrameID) stacks.FrameID {
	if id, i := b.r.Table.UserFrame(ids); i >= 0 {
		return id
	}
	return b.r.Table.Entered(ids)
}

// frames are a call and the line that makes it.
func (b *builder) frames(calls, line stacks.FrameID) (s Stack) {
	for _, id := range []stacks.FrameID{calls, line} {
		if id != stacks.NoFrame {
			s.Frames = append(s.Frames, b.frame(id))
		}
	}
	return s
}
