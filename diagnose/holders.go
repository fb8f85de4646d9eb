package diagnose

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"path"
	"slices"

	"github.com/gocasebook/casebook/casefile"
	"github.com/gocasebook/casebook/diagnose/hold"
	"github.com/gocasebook/casebook/diagnose/refs"
	"github.com/gocasebook/casebook/diagnose/stacks"
	"github.com/gocasebook/casebook/diagnose/view"
)

// A heap profile shows what allocated the memory that stays, and not who holds it. Findings of kinds with IsHeld name
// the holder where a heap dump or a profile of references is among the evidence.

// isHolders reports whether evidence is a refs.Summary as JSON.
func isHolders(e Evidence) bool {
	switch e.Kind {
	case casefile.HeapRefs:
		return !stacks.IsGzip(e.Data) // otherwise a profile of references
	case "":
		head := bytes.TrimLeft(e.Data[:min(len(e.Data), 1024)], " \t\r\n")
		return bytes.HasPrefix(head, []byte("{")) && bytes.Contains(head, []byte(`"reached"`)) &&
			bytes.Contains(head, []byte(`"objects"`))
	}
	return false
}

// mostHolderBytes bounds a summary, in bytes: one of a heap of a million sites has less than 1 MB.
const mostHolderBytes = 16 << 20

func readHolders(r *Reading, e Evidence, rep *Report) {
	s := new(refs.Summary)
	err := fmt.Errorf("larger than %d MiB", mostHolderBytes>>20)
	if len(e.Data) <= mostHolderBytes {
		err = json.Unmarshal(e.Data, s)
	}
	if err != nil {
		rep.Problems = append(rep.Problems, Problem{e.Name, "no summary of a heap dump: " + err.Error(),
			"make it again: casebook heap --json --binary PROGRAM heap.dump > refs.json"})
		return
	}
	e.Value = s
	readValue(r, withKind(e, casefile.HeapRefs), rep)
}

func withKind(e Evidence, kind string) Evidence {
	e.Kind = kind
	return e
}

// holders is the last summary that says who holds memory; nil without one.
func holders(r *Reading) (last *refs.Summary, from view.Made) {
	for _, e := range r.Values(casefile.HeapRefs) {
		if s, ok := e.Value.(*refs.Summary); ok && (last == nil || !e.Taken.Before(from.Taken)) {
			last, from = s, e
		}
	}
	return last, from
}

// nameHolders adds to findings about memory that stays who holds it.
func (t relations) nameHolders(r *Reading, fs []casefile.Finding) {
	s, from := holders(r)
	if s == nil {
		return
	}
	for i := range fs {
		if t.kind(fs[i].Kind).IsHeld && len(fs[i].Where) > 0 {
			nameHolder(r, &fs[i], s, from)
		}
	}
}

// Bounds on who is named.
const (
	leastHeld   = 0.1 // of the memory at the place
	mostlyHeld  = 0.5 // from here on it is the holder
	heldObjects = 3   // sampled objects at least: one may be a chance
	mostHeld    = 3
)

func nameHolder(r *Reading, f *casefile.Finding, s *refs.Summary, from view.Made) {
	roots, least := heldAt(s, f.Where[0]), false
	if len(s.Stacks) == 0 {
		roots, least = heldAtLeast(r, s, f.Where[0]), true
	}
	if len(roots) == 0 || !(roots[0].Share >= mostlyHeld) || !roots[0].Root.Known() {
		return
	}
	for _, h := range roots[:min(len(roots), mostHeld)] {
		if h.Share >= leastHeld && h.Root.Known() {
			f.Held = append(f.Held, casefile.Held{Kind: string(h.Root.Kind), Name: h.Root.Name,
				Text: s.Describe(h.Root), Share: roundShare(h.Share), Least: least})
		}
	}
	holder, amount := f.Held[0], ""
	if least {
		amount = "at least "
	}
	f.Explanation += fmt.Sprintf(" %s of what %s allocated is held by %s (%s).",
		upperFirst(amount+percent(holder.Share)), short(f.Where[0].Function), holder.Text, path.Base(from.Name))
	f.Evidence = addBasis(f.Evidence, []casefile.Basis{{File: from.Name, Kind: casefile.HeapRefs, Text: s.String()}})
	f.Remedies = holderRemedies(f.Remedies, roots[0].Root, holder.Text)
}

// heldAt is who holds what was allocated at a place: at the line, or in the function where another one was inlined.
func heldAt(s *refs.Summary, at casefile.Frame) (out []refs.HeldByRoot) {
	sums, all, samples := make(map[refs.Root]float64), 0.0, 0
	for _, stack := range s.Stacks {
		if !slices.ContainsFunc(stack.Frames, func(f refs.Site) bool { return sameSite(f, at) }) {
			continue
		}
		all += float64(stack.Bytes)
		samples += stack.Samples
		for _, h := range stack.Held {
			sums[h.Root] += h.Share * float64(stack.Bytes)
		}
	}
	if samples < heldObjects || all <= 0 {
		return nil
	}
	for root, sum := range sums {
		out = append(out, refs.HeldByRoot{Share: sum / all, Root: root})
	}
	slices.SortFunc(out, func(a, b refs.HeldByRoot) int {
		return cmp.Or(cmp.Compare(b.Share, a.Share), cmp.Compare(a.Root.String(), b.Root.String()))
	})
	return out
}

// sameSite reports whether a frame of a dump is a place of a profile. The profile has the user's line of an allocation
// in a function that was inlined; the dump has that function's line and the user's function.
func sameSite(f refs.Site, at casefile.Frame) bool {
	if f.File == at.File {
		return f.Line == uint64(max(at.Line, 0))
	}
	return plainFunction(f.Function) == at.Function
}

func plainFunction(name string) string { return stacks.FuncOf(name, "", "").Name }

// heldAtLeast is who must hold most of a place's memory, by evidence that does not know places: if a place has 80 % of
// the heap and a holder 90 %, at least 70 % of the heap is both.
func heldAtLeast(r *Reading, s *refs.Summary, at casefile.Frame) (out []refs.HeldByRoot) {
	h := r.heap()
	if h == nil || len(s.Holders) == 0 {
		return nil
	}
	here := h.held().Sum(func(b *hold.Held) bool {
		return slices.ContainsFunc(b.Stack, func(id stacks.FrameID) bool {
			f := r.Table.Func(id)
			return f.Name == at.Function && f.File == at.File && r.Table.Line(id) == at.Line
		})
	})
	if here == nil {
		return nil
	}
	site := here.Now.Bytes
	all := max(float64(s.Reached.Bytes), h.liveBytes)
	both := (site+float64(s.Holders[0].Bytes))/max(all, 1) - 1
	if share := both * all / max(site, 1); share > 0 {
		out = append(out, refs.HeldByRoot{Share: min(share, 1), Root: s.Holders[0].Root})
	}
	return out
}

// holderRemedies are a leak's remedies when its holder is known: what to do about that one comes first, and nobody
// needs to look for it any more. Other findings about memory keep theirs: what they ask for does not depend on the
// holder.
func holderRemedies(remedies []casefile.Remedy, root refs.Root, text string) []casefile.Remedy {
	if !slices.ContainsFunc(remedies, func(r casefile.Remedy) bool { return r.Name == whoRemedy }) {
		return remedies
	}
	first, ok := letGo(root, text)
	if !ok {
		return remedies
	}
	rest := slices.DeleteFunc(slices.Clone(remedies), func(r casefile.Remedy) bool {
		return r.Name == whoRemedy || r.Name == boundRemedy
	})
	return append([]casefile.Remedy{first}, rest...)
}

// aBound is the remedy that a known holder replaces.
func aBound(text, price string) casefile.Remedy {
	return withName(boundRemedy, doChange("Bound it", text, price))
}

// letGo is how a holder lets go of what it holds.
func letGo(root refs.Root, text string) (casefile.Remedy, bool) {
	switch kind := root.Kind; {
	case kind == refs.Global, root.Name == "main.main": // which ends with the process
		return aBound(fmt.Sprintf("What stays is kept by %s: limit the map, slice or list there by "+
			"number or bytes, and expire old entries; delete an entry where its owner ends.", text),
			"dropped entries must be made or fetched again"), true
	case kind == refs.Goroutine:
		return doChange("Let the goroutine end, or let go", fmt.Sprintf("What stays is held by %s: let it return when "+
			"its work is done (a context, a closed channel), or limit what it collects.", text), "none"), true
	case kind == refs.Timer:
		return doChange("Stop the timers", "What stays is held by timers until they fire: call Stop of the timer or ticker, "+
			"or the cancel function of the context, where the work ends.", "none"), true
	case kind == refs.Finalizer:
		return doChange("Free it without a finalizer", fmt.Sprintf("What stays is held by %s: one that blocks stops all "+
			"others, and a cycle with one is never freed. Close explicitly, or use runtime.AddCleanup.", text),
			"a Close to call at every place"), true
	}
	return casefile.Remedy{}, false
}
