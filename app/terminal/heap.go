package terminal

import (
	"cmp"
	"fmt"
	"strings"

	"github.com/gocasebook/casebook/app/render"
	"github.com/gocasebook/casebook/diagnose/refs"
	"github.com/gocasebook/casebook/internal/number"
	"github.com/gocasebook/casebook/internal/words"
)

// Heap prints who holds the memory of a heap dump, on 80 columns.
func (p *Printer) Heap(s *refs.Summary) {
	p.Text("", fmt.Sprintf("%s: %s in %s objects, %s, %s %s", s.Name, number.Bytes(float64(s.Bytes)),
		number.Count(float64(s.Objects)), number.Things(s.Routines, "goroutine"), s.Version, s.Arch))
	if s.Bytes == 0 || s.Reached.Objects == 0 {
		return
	}
	p.Text("", "Held by "+rootsText(s)+".")
	h := heapTables{p, s}
	h.holders()
	h.sites()
	if !s.Symbols {
		p.Text("", "\nGlobals have no names here: give the program with --binary.")
	}
}

// rootsText is what the kinds of roots hold, and what none does.
func rootsText(s *refs.Summary) string {
	var parts []string
	for _, r := range s.Roots {
		parts = append(parts, fmt.Sprintf("%s %s", r.Kind.Plural(), ofBytes(r.Bytes, s.Bytes)))
	}
	if rest := s.Bytes - s.Reached.Bytes; rest > 0 {
		parts = append(parts, fmt.Sprintf("nothing that the dump has (garbage, cleanups) %s", ofBytes(rest, s.Bytes)))
	}
	return strings.Join(parts, ", ")
}

func ofBytes(part, whole uint64) string {
	return number.Share(float64(part) / float64(max(whole, 1)))
}

type heapTables struct {
	*Printer
	*refs.Summary
}

func (h *heapTables) holders() {
	if len(h.Holders) == 0 {
		return
	}
	fmt.Fprintf(h.W, "\n%10s %7s %8s  %s\n", "held", "share", "objects", "holder")
	for _, x := range h.Holders {
		label := fmt.Sprintf("%10s %7s %8s  ", number.Bytes(float64(x.Bytes)), number.Share(x.Share),
			number.Count(float64(x.Objects)))
		h.Text(label, x.Root.String())
		if len(x.Also) > 0 {
			var also []string
			for _, r := range x.Also {
				also = append(also, r.String())
			}
			h.note("also held by " + strings.Join(also, "; "))
		}
		for _, part := range x.Parts[:min(len(x.Parts), shownParts)] {
			h.part(x, part)
		}
		for _, a := range x.Allocated {
			h.note(fmt.Sprintf("allocated by %s, %s of it", siteText(a.Site), number.Share(a.Share)))
		}
	}
}

// shownParts of a holder are printed.
const shownParts = 3

// part prints the chain to where a holder's memory comes together.
func (h *heapTables) part(x refs.Holder, part refs.Part) {
	text := ""
	if len(x.Parts) > 1 {
		text = number.Bytes(float64(part.Bytes)) + " "
	}
	begin := words.Function(cmp.Or(part.Function, x.Root.Name))
	if len(part.Chain) == 0 && len(x.Parts) > 1 {
		h.note(text + "directly below " + begin)
	}
	if len(part.Chain) > 0 {
		h.note(text + "by " + begin + chainText(part.Chain))
	}
}

// chainText is the way from a root to a place: offsets of pointers, and sizes of objects or their types.
func chainText(chain []refs.Step) string {
	var b strings.Builder
	for i, s := range chain {
		if s.Skipped > 0 {
			fmt.Fprintf(&b, " → %s more", number.Count(float64(s.Skipped)))
		} else if i > 0 {
			fmt.Fprintf(&b, ".%s", cmp.Or(s.Field, fmt.Sprintf("+%d", s.Offset)))
		}
		fmt.Fprintf(&b, " → %s", cmp.Or(typeText(s.Type), number.Bytes(float64(s.Size))))
	}
	return b.String()
}

// typeText is a type or closure without the path of its package.
func typeText(name string) string {
	if fn, ok := strings.CutPrefix(name, "closure "); ok {
		return "closure " + words.Function(fn)
	}
	return words.Function(name)
}

func siteText(s refs.Site) string {
	if s.File == "" {
		return words.Function(s.Function)
	}
	return fmt.Sprintf("%s (%s:%d)", words.Function(s.Function), words.Base(s.File), s.Line)
}

// note prints lines below a row.
func (h *heapTables) note(text string) { h.Text(strings.Repeat(" ", 12), render.Plain(text)) }

func (h *heapTables) sites() {
	if len(h.Sites) == 0 {
		return
	}
	fmt.Fprintf(h.W, "\n%10s %8s  %s\n", "in use", "sampled", "allocated by")
	for _, s := range h.Sites {
		h.Text(fmt.Sprintf("%10s %8d  ", number.Bytes(float64(s.Bytes)), s.Samples), siteText(s.Site))
		for _, by := range s.Held {
			h.note(fmt.Sprintf("%s held by %s", number.Share(by.Share), by.Root))
		}
	}
}
