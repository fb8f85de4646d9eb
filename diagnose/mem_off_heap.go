package diagnose

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/gocasebook/casebook/casefile"
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
		Text: `Compares what is resident with what the Go runtime holds (the vitals' rss and off_heap). The rest was
allocated by C code or mapped: no heap profile shows it, GOMEMLIMIT does not count it, but the kernel kills the process
for it all the same. 64 MiB or more; worth knowing from 30 % of the resident memory, hurting from 70 %; capped at 74
unless it grows: mapping a database file on purpose looks the same.

What it is, mapped files or anonymous memory, is taken from the process's mappings if the evidence has them.
Who allocates it is inferred: the user's lines above system calls that map memory, and above cgo, in the CPU and heap
profiles.`,
		Needs: []Need{{Kinds: []string{casefile.Vitals},
			Reason: "no vitals: what is resident is not in a profile", Capture: captureWatch}},
		Before:         `data, _ := syscall.Mmap(fd, 0, n, …) // for each request, and never Munmap`,
		After:          `data, _ := syscall.Mmap(fd, 0, n, …); defer syscall.Munmap(data)`,
		Explains:       related(nil, "mem-limit-near"),
		IsWholeProcess: true,
		NeedsPlace:     true,
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
	limit, growth := capUnsure, ""
	if more, span, grows := offHeapGrows(r); grows {
		limit, growth = noCap, fmt.Sprintf("%s more in %s", size(more), seconds(span.Seconds()))
	}
	score := min(offHeapScale().Score(share), limit)
	if score < worthKnowing {
		return Answer{}
	}
	f := casefile.Finding{
		Title:      fmt.Sprintf("%s of memory are outside Go's runtime", size(off)),
		Score:      score,
		Confidence: 0.8,
		Summary: joined(fmt.Sprintf("%s of the %s resident (%s) are not the Go runtime's", size(off), size(rss),
			percent(share)), outsideParts(r), growth) + ".",
		Explanation: "Memory that C code allocates, or that is mapped with mmap, is not in the heap profile, and the " +
			"collector does not free it: it must be released by hand, and " +
			"the limit of the container counts it.",
		Where: mappers(r),
		Evidence: []casefile.Basis{{File: "vitals", Kind: casefile.Vitals,
			Text: fmt.Sprintf("%d samples", len(r.Vitals))}},
		Remedies: []casefile.Remedy{
			doChange("Give it back", "Every Mmap needs a Munmap, every C.malloc and C.CString a C.free (defer it), "+
				"every handle of a C library a close.", "none"),
			doChange("See what it is", "/proc/PID/smaps names mapped files and the sizes of anonymous mappings; for "+
				"C memory use the heap profile of jemalloc or tcmalloc.", "none"),
			setValue("Lower GOMEMLIMIT by as much below the container's limit",
				fmt.Sprintf("The collector must leave room for the %s that it does not see.", size(off)),
				"more collections"),
		},
	}
	if len(f.Where) > 0 {
		f.Title += fmt.Sprintf("; %s maps or calls C", short(f.Where[0].Function))
	}
	f.Impact = casefile.Impact{Resource: "memory", Share: roundShare(share),
		Text: percent(share) + " of the resident memory",
		Gain: casefile.Gain{High: roundShare(share), Arithmetic: fmt.Sprintf("at most all %s, nothing if it is "+
			"mapped on purpose", size(off))}}
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

// lastOf is the latest value of a signal.
func lastOf(r *Reading, id vitals.ID) (float64, bool) {
	for _, s := range slices.Backward(r.Vitals) {
		if v, ok := s.Get(id); ok {
			return v, true
		}
	}
	return 0, false
}

// offHeapGrows compares the first and the last value: a tenth more, and 16 MiB.
func offHeapGrows(r *Reading) (more float64, span time.Duration, ok bool) {
	for i := range r.Vitals {
		if first, has := r.Vitals[i].Get(vitals.OffHeap); has {
			last, _ := lastOf(r, vitals.OffHeap)
			more, span = last-first, r.Vitals[len(r.Vitals)-1].Time.Sub(r.Vitals[i].Time)
			return more, span, more > 16<<20 && more > first/10
		}
	}
	return 0, 0, false
}

// mappers are the user's lines above calls that map memory or go to C, by what evidence there is.
func mappers(r *Reading) []casefile.Frame {
	var out []casefile.Frame
	add := func(set *stacks.Set, w stacks.Weight, role string, match func(*stacks.Func) bool) {
		calls := r.funcs(match)
		es := stacks.SumBy(set, w, func(s *stacks.Sample) (stacks.FrameID, bool) {
			id, hit := calls.belowUser(r.Table, s.Stack)
			return id, hit && id != stacks.NoFrame
		})
		sum := 0.0
		for _, e := range es {
			sum += float64(e.Value)
		}
		for _, e := range top(es, 2) {
			if p := r.Frame(e.Key, float64(e.Value)/sum, role); !hasPlace(out, p) {
				out = append(out, p)
			}
		}
	}
	mapping := named("syscall.(*mmapper).Mmap", "syscall.Mmap", "syscall.mmap", "golang.org/x/sys/unix.Mmap",
		"golang.org/x/sys/unix.(*mmapper).Mmap")
	v, h := r.cpu(), r.heap()
	if h != nil {
		add(h.set, h.space, "maps memory", mapping)
	}
	if v != nil {
		add(v.set, v.weight, "maps memory", mapping)
		add(v.set, v.weight, "calls C", named("runtime.cgocall", "runtime.asmcgocall"))
	}
	return out[:min(len(out), 4)]
}
