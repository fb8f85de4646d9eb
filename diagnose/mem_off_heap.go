package diagnose

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/gocasebook/casebook/casefile"
	"github.com/gocasebook/casebook/diagnose/hold"
	"github.com/gocasebook/casebook/diagnose/known"
	"github.com/gocasebook/casebook/diagnose/stacks"
	"github.com/gocasebook/casebook/vitals"
)

// offHeapScale is in shares of the resident memory that Go does not know about. The binary and the C library are about
// 10 to 40 MiB; below a third of a large process the heap is the better place to look.
func offHeapScale() Scale { return Scale{Worth: 0.30, Hurts: 0.70, Top: 1} }

const minOffHeap = 64 << 20 // bytes

func memOffHeap() Detector {
	return Detector{
		ID:    "MEM005",
		Kind:  "mem-off-heap",
		Title: "Much memory is outside Go's runtime",
		Text: `Compares what is resident with what Go holds (rss and off_heap in the vitals). The rest, from 64 MiB on,
was allocated by C or mapped: no heap profile shows it, GOMEMLIMIT does not count it, and the kernel does.

Growth of 16 MiB or more that does not slow down is scored as a leak's: from 64 MiB an hour, hurting from 1 GiB an
hour. Five minutes of it count without a limit; a minute, a rule that tripped, or a pace that explains all that is
there up to 74; else it is a notice, or undecided where nothing shows who asks for it. Without growth it is worth
knowing from 30 % of what is resident, up to 74, and only where the user's lines map memory or call C.

The lines are those above calls that map memory, above cgo, and above libraries known to hold such memory; where a
library takes it, the call below which its objects stay.`,
		Needs: []Need{{Kinds: []string{casefile.Vitals},
			Reason: "no vitals", Why: "what is resident is not in a profile", Capture: captureWatch}},
		Before:         `data, _ := syscall.Mmap(fd, 0, n, …) // for each request, and never Munmap`,
		After:          `data, _ := syscall.Mmap(fd, 0, n, …); defer syscall.Munmap(data)`,
		Explains:       related(nil, "mem-limit-near"),
		IsWholeProcess: true,
		Effect:         "Memory outside of the heap grows",
		Run:            runMemOffHeap,
	}
}

func runMemOffHeap(_ context.Context, r *Reading) Answer {
	off, ok1 := lastOf(r, vitals.OffHeap)
	rss, ok2 := lastOf(r, vitals.RSS)
	if !ok1 || !ok2 || rss <= 0 || off < minOffHeap {
		return Answer{}
	}
	share := min(off/rss, 1)
	by := mappers(r)
	g, grows := growthOffHeap(r)
	score := min(offHeapScale().Score(share), capUnsure)
	handle, kept := handleOutside(r, by)
	switch {
	case grows && kept && len(by) == 0:
		score = min(g.score(r, off, share, by), capNotice)
	case grows:
		if score = g.score(r, off, share, by); len(by) > 0 || score > capNotice {
			break
		}
		fallthrough
	case len(by) == 0 && score >= worthKnowing:
		return undecided(fmt.Sprintf("%s of the %s resident are outside Go, and nothing in the evidence shows who has "+
			"allocated it, nor that it grows", size(off), size(rss)), captureWatch)
	case len(by) == 0 || by[0].Role == known.KeepsOutside:
		return Answer{} // a library does what it is for
	}
	if score < worthKnowing {
		return Answer{}
	}
	f := casefile.Finding{
		Title:      fmt.Sprintf("%s of memory are outside Go's runtime", size(off)),
		Score:      score,
		Confidence: 0.8,
		Summary: joined(fmt.Sprintf("%s of the %s resident (%s) are not the Go runtime's", size(off), size(rss),
			percent(share)), outsideParts(r), g.String()) + ".",
		Explanation: "What C allocates, or mmap maps, is in no heap profile, and no collection frees it: it must be " +
			"released by hand, and the limit of the container counts it.",
		Where:    placesOutside(r, handle, by),
		Evidence: vitalsBasis(r),
		Remedies: offHeapRemedies(r, handle, by, off),
	}
	if kept && len(by) == 0 {
		f.Confidence = 0.6 // that this library takes the memory is a guess
	}
	if grows {
		f.Title = fmt.Sprintf("Memory outside Go's runtime grows: %s, %s", size(off), g)
	}
	switch {
	case kept:
		f.Title += fmt.Sprintf("; %s is most likely not given back at %s", whatStaysOpen(handle), r.Place(handle.Line))
	case len(by) > 0:
		f.Title += fmt.Sprintf("; %s %s", short(f.Where[0].Function), ledOutside(by[0]))
	}
	f.Impact = ofMemory(share, 0, share, percent(share)+" of the resident memory", fmt.Sprintf("at most all %s, nothing if "+
		"it is mapped on purpose", size(off)))
	return found(f)
}

// outsideParts says what the memory outside Go is, as far as the mappings tell; "" where they were not read.
func outsideParts(r *Reading) string {
	t := r.memoryTable()
	if t == nil || len(r.memory) == 0 || r.memory[len(r.memory)-1].Mapped == nil {
		return ""
	}
	var parts []string
	for _, row := range t.Rows {
		switch row.Kind {
		case "program", "files", "shared", "anonymous":
			if row.Bytes != nil && float64(*row.Bytes) >= pictureLeast*float64(t.Total) {
				parts = append(parts, size(float64(*row.Bytes))+" "+row.Name)
			}
		}
	}
	return strings.Join(parts, ", ")
}

// An offHeapGrowth is how the memory outside Go grew within the vitals.
type offHeapGrowth struct {
	more  float64
	span  time.Duration
	since time.Duration // for how long it must have grown as fast; span if no longer is known
}

func (g offHeapGrowth) String() string {
	if g.more <= 0 {
		return ""
	}
	return fmt.Sprintf("%s more in %s", size(g.more), seconds(g.span.Seconds()))
}

// leastOffHeap is the least growth that counts, in bytes: what threads' stacks and arenas of the C library scatter by.
const leastOffHeap = 16 << 20

// growthOffHeap compares the quarters of the vitals: what grows in steps is in their means. It must not slow down, as a
// cache that fills does.
func growthOffHeap(r *Reading) (g offHeapGrowth, ok bool) {
	s := signalOf(r, vitals.OffHeap)
	n := len(s.values) / 4
	if n == 0 {
		return g, false
	}
	mean := func(quarter int) (sum float64) {
		for _, x := range s.values[quarter*n : (quarter+1)*n] {
			sum += x / float64(n)
		}
		return sum
	}
	q1, q2, q3, q4 := mean(0), mean(1), mean(2), mean(3)
	g = offHeapGrowth{more: s.rise(), span: s.span()}
	if g.more < leastOffHeap || q4-q1 < leastOffHeap/2 || q4-q2 < evenAtLeast*(q3-q1) || q4 < q3 || g.span <= 0 {
		return offHeapGrowth{}, false
	}
	g.since = g.span
	if age := s.times[len(s.times)-1].Sub(r.Started); !r.Started.IsZero() && age > 0 {
		if pace := g.more / g.span.Seconds() * age.Seconds() / s.last(); pace >= 0.5 && pace <= 2 {
			g.since = max(age, g.span)
		}
	}
	return g, g.more > s.values[0]/10 || g.since > g.span
}

// score is by the bytes an hour, up to what its evidence allows.
func (g offHeapGrowth) score(r *Reading, off, share float64, by []hold.Mapper) int {
	perHour := g.more / g.span.Hours()
	score, limit := memRateScale().Score(perHour), capNotice
	if m := float64(r.Limits.MemoryBytes); m > 0 {
		score = max(score, memEndScale().Score(perHour/max(m-off, 0.01*m)))
	}
	last := r.Vitals[len(r.Vitals)-1].Time
	youth := !r.Started.IsZero() && last.Sub(r.Started) < youngAge
	trips := slices.ContainsFunc(r.Triggers, func(t casefile.Trigger) bool {
		return slices.ContainsFunc(tripSignals(t), func(name string) bool {
			return classOf(name) == ofOffHeap || name == vitals.RSS.String() || name == vitals.RSSAnon.String()
		})
	})
	switch {
	case g.span.Seconds() >= leakLong:
		limit = noCap
	case len(by) > 0 && by[0].Role != known.KeepsOutside:
		limit = offHeapScale().Score(share)
	case trips, !youth && g.since.Seconds() >= leakSoon:
		limit = capUnsure
	}
	if mostlyFiles(r, off) {
		limit = capNotice
	}
	return min(score, limit)
}

// mostlyFiles reports whether most of the memory outside Go is pages of mapped files.
func mostlyFiles(r *Reading, off float64) bool {
	if len(r.memory) == 0 {
		return false
	}
	m := r.memory[len(r.memory)-1]
	return m.Mapped != nil && float64(m.Mapped.Files) >= off/2
}

// mappers are the lines that lead to memory outside of the heap, by what was allocated and computed while the evidence
// was taken, or else by all that is known.
func mappers(r *Reading) (out []hold.Mapper) {
	add := func(s *stacks.Set, w stacks.Weight) {
		for _, m := range r.chain().Mappers(s, w) {
			if !slices.ContainsFunc(out, func(o hold.Mapper) bool { return o.Line == m.Line && o.Role == m.Role }) {
				out = append(out, m)
			}
		}
	}
	if g, ok := r.Growth(); ok {
		add(g.Diff, stacks.ByValue(g.Diff.Value("alloc_space", "bytes")))
	}
	if h := r.heap(); h != nil && !slices.ContainsFunc(out, func(m hold.Mapper) bool {
		return m.Role == known.KeepsOutside
	}) {
		add(h.set, stacks.ByValue(h.set.Value("alloc_space", "bytes")))
		add(h.set, h.space)
	}
	if v := r.cpu(); v != nil {
		add(v.set, v.weight)
	}
	order := []known.Role{known.MapsMemory, known.KeepsOutside, known.CallsC}
	slices.SortStableFunc(out, func(a, b hold.Mapper) int {
		return slices.Index(order, a.Role) - slices.Index(order, b.Role)
	})
	return out[:min(len(out), 4)]
}

// ledOutside is what a line that leads to memory outside of the heap does.
func ledOutside(m hold.Mapper) string {
	return map[known.Role]string{known.MapsMemory: "maps memory", known.CallsC: "calls C",
		known.KeepsOutside: "calls what holds memory outside of the heap"}[m.Role]
}

func mapperPlaces(r *Reading, by []hold.Mapper) (out []casefile.Frame) {
	for _, m := range by {
		out = addPlaces(out, r.Frame(m.Line, m.Share, ledOutside(m)))
		if m.Calls != stacks.NoFrame && m.Role == known.KeepsOutside {
			out = addPlaces(out, r.Frame(m.Calls, 0, "the library's function that it calls"))
		}
	}
	return out[:min(len(out), 4)]
}

// handleOutside is what a library that takes memory outside of the heap gave the user's line, and has not got back. Where
// nothing shows who takes it, any library may, if only one keeps something.
func handleOutside(r *Reading, by []hold.Mapper) (hold.Handle, bool) {
	h := r.holds()
	if h == nil || len(by) > 0 && (by[0].Library == "" || by[0].Role == known.KeepsOutside) {
		return hold.Handle{}, false
	}
	module := ""
	if len(by) > 0 {
		module = by[0].Library
	}
	all := r.chain().Handles(h, module)
	if len(all) == 0 || module == "" && slices.ContainsFunc(all, func(o hold.Handle) bool {
		return o.Module != all[0].Module
	}) {
		return hold.Handle{}, false
	}
	return all[0], true
}

// whatStaysOpen is the thing that must be given back, for prose.
func whatStaysOpen(o hold.Handle) string {
	switch {
	case o.Is == hold.Receiver && o.Maker != "":
		return fmt.Sprintf("the %s that %s returned", cmp.Or(o.Type, "value"), o.Maker)
	case o.Is == hold.Receiver:
		return "the " + cmp.Or(o.Type, "receiver of "+o.Of)
	}
	return "what " + o.Of + " returned"
}

// placesOutside are the line that has what must be given back, and the lines that lead to memory outside of the heap.
func placesOutside(r *Reading, o hold.Handle, by []hold.Mapper) (out []casefile.Frame) {
	if o.Kept.Held != nil {
		out = []casefile.Frame{r.Frame(o.Line, 0, "calls what keeps something for it"),
			r.Frame(o.Calls, 0, "the library's function that it calls")}
	}
	out = addPlaces(out, mapperPlaces(r, by)...)
	return out[:min(len(out), 4)]
}

// giveBack is for a handle of a library: it takes the memory, and gives it back when the handle is closed.
func giveBack(r *Reading, o hold.Handle) casefile.Remedy {
	return doChange("Close "+whatStaysOpen(o), fmt.Sprintf("At %s: %s keeps memory outside of the heap for it until "+
		"it is closed: defer its Close (Release, Free) right after the error check. %s of it are alive on the heap, "+
		"nearly all that were ever made.", r.Place(o.Line), shortModule(o.Module), things(o.Kept.Now.Objects, "object")),
		"none")
}

// offHeapRemedies are what the lines that are known to lead there can do, and what would show them.
func offHeapRemedies(r *Reading, o hold.Handle, by []hold.Mapper, off float64) (out []casefile.Remedy) {
	if o.Kept.Held != nil {
		out, by = append(out, giveBack(r, o)), nil
	}
	for _, m := range by[:min(len(by), 1)] {
		at := r.Place(m.Line)
		text := fmt.Sprintf("At %s: %s.", at, m.Of.Remedy())
		if m.Library != "" && m.Role != known.KeepsOutside {
			text = fmt.Sprintf("At %s: %s takes the memory for what %s is called for. Close (Release, Free) what it "+
				"returned, or what it is called on, on every path.", at, shortModule(m.Library),
				short(r.Table.Func(m.Calls).Name))
		}
		if m.Calls != stacks.NoFrame && m.Role == known.KeepsOutside {
			text = fmt.Sprintf("At %s: %s holds %s. %s.", at, short(r.Table.Func(m.Calls).Name), m.Of.What(),
				upperFirst(m.Of.Remedy()))
		}
		out = append(out, doChange("Give the memory back", text, "none"))
	}
	see := doChange("See what it is, and who asks for it", "/proc/PID/smaps names mapped files; strace -k -f -e "+
		"trace=mmap,munmap -p PID prints the stack of each mapping; for C memory use the heap profile of jemalloc or "+
		"tcmalloc. It is given back by the Munmap, free or Close of what asked for it.",
		"strace slows the process down while it runs")
	return append(out, see, setValue("Lower GOMEMLIMIT by as much below the container's limit",
		fmt.Sprintf("The collector must leave room for the %s that it does not see.", size(off)), "more collections"))
}
