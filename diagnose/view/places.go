package view

import (
	"github.com/gocasebook/casebook/casefile"
	"github.com/gocasebook/casebook/diagnose/stacks"
	"github.com/gocasebook/casebook/internal/words"
)

// Frame is a place as a finding shows it. share is from 0 to 1, of whatever the role says, rounded to four digits.
func (v *View) Frame(id stacks.FrameID, share float64, role string) casefile.Frame {
	f := v.Table.Func(id)
	return casefile.Frame{Function: f.Name, File: f.File, Line: v.Table.Line(id), Share: Share(share), Role: role}
}

// Frames are the n largest of sums by line as a finding shows them, with their shares of a total; those below a
// twentieth of the largest are left out.
func (v *View) Frames(es []stacks.Entry[stacks.FrameID], n int, of float64, role string) (out []casefile.Frame) {
	for _, e := range es[:min(len(es), n)] {
		if e.Value*20 >= es[0].Value {
			out = append(out, v.Frame(e.Key, float64(e.Value)/of, role))
		}
	}
	return out
}

// Share keeps four digits: more would be noise, and would make equal evidence differ in print.
func Share(s float64) float64 {
	return float64(int64(min(max(s, 0), 1)*1e4+0.5)) / 1e4
}

// Place writes a frame for prose: "main.handler (main.go:31)".
func (v *View) Place(id stacks.FrameID) string {
	return words.Short(v.Frame(id, 0, ""))
}

// UserLine is the frame of the user's own code that is nearest to the leaf of a sample's stack; false where there is
// none. It is a key for stacks.SumBy.
func (v *View) UserLine(s *stacks.Sample) (stacks.FrameID, bool) {
	id, i := v.Table.UserFrame(s.Stack)
	return id, i >= 0
}

// OwnLine is the program's line that a sample belongs to: the innermost of the user's, otherwise the one at which a
// dependency is entered; false where the stack is the standard library's and the runtime's alone.
func (v *View) OwnLine(s *stacks.Sample) (stacks.FrameID, bool) {
	if id, ok := v.UserLine(s); ok {
		return id, true
	}
	id := v.Table.Entered(s.Stack)
	return id, id != stacks.NoFrame
}
