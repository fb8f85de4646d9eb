package diagnose

import (
	"fmt"
	"slices"

	"github.com/gocasebook/casebook/casefile"
	"github.com/gocasebook/casebook/diagnose/known"
	"github.com/gocasebook/casebook/diagnose/stacks"
)

// A store with one writer makes all wait who ask to write, and syncs the disk for each. Who asks to write and only reads
// waits and syncs for nothing: no batch and no faster disk is the cure, but the call that reads.

// leastReads is how many different stacks below a line must show what is done there, and no change among them: a
// transaction that puts something allocates and computes for it each time.
const leastReads = 10

// readAlone gives findings about the time of requests at a line that takes the writer's turn of a store, and only reads
// there, that as their first change.
func readAlone(r *Reading, fs []casefile.Finding) {
	writers := known.Writers()
	if !slices.ContainsFunc(r.Table.Funcs, func(f stacks.Func) bool { return writerOf(writers, f.Name) != nil }) {
		return
	}
	for i := range fs {
		f := &fs[i]
		if f.Impact.Resource != effectLatency {
			continue
		}
		for _, w := range f.Where[:min(len(f.Where), 2)] {
			of, n := onlyReads(r, w, writers)
			if n < leastReads {
				continue
			}
			at := frameText(w)
			f.Title = fmt.Sprintf("Transactions at %s only read, and wait for each other as writers do", at)
			f.Brief = ""
			f.Summary = fmt.Sprintf("%s takes the turn of the one writer for what is done at %s. In %s of the profiles below "+
				"that line none changes anything. %s", short(of.Call), at, things(n, "stack"), f.Summary)
			f.Remedies = slices.Insert(slices.Clone(f.Remedies), 0, doChange("Read with "+of.Read, fmt.Sprintf("At %s: "+
				"%s for what only reads (a parameter or a second function for it); it waits for nobody, and nothing is written or "+
				"synced at its end. %s stays for what changes something.", at, of.Read, short(of.Call)), "none"))
			break
		}
	}
}

// onlyReads is the call at a user's line that takes a writer's turn, and in how many stacks something runs below it; 0
// if the line calls none, or something below it changes the store.
func onlyReads(r *Reading, w casefile.Frame, writers []known.Writer) (of *known.Writer, n int) {
	seen := make(map[string]bool)
	for _, set := range r.Sets {
		for _, s := range set.Samples {
			at := slices.IndexFunc(s.Stack, func(id stacks.FrameID) bool {
				return r.Table.Line(id) == w.Line && r.Table.Func(id).Name == w.Function
			})
			if at < 1 {
				continue
			}
			call := writerOf(writers, r.Table.Func(s.Stack[at-1]).Name)
			if call == nil {
				continue
			}
			of = call
			inner := s.Stack[:at-1]
			if r.Table.Has(inner, func(f *stacks.Func) bool { return slices.Contains(of.Changes, f.Name) }) {
				return of, 0
			}
			if r.Table.Has(inner, func(f *stacks.Func) bool { return f.Owner == stacks.User }) {
				seen[fmt.Sprint(inner)] = true
			}
		}
	}
	return of, len(seen)
}

// writerOf is the row of a function that takes the writer's turn; nil for others.
func writerOf(writers []known.Writer, function string) *known.Writer {
	if i := slices.IndexFunc(writers, func(w known.Writer) bool { return w.Call == function }); i >= 0 {
		return &writers[i]
	}
	return nil
}
