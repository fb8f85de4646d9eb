package diagnose

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/gocasebook/casebook/casefile"
	"github.com/gocasebook/casebook/diagnose/stacks"
	"github.com/gocasebook/casebook/vitals"
)

// `top` and `perf top` show in one list what a machine's CPUs do: this program's code, its runtime, the kernel, others.
// The kernel's account of the machine says how much each process and the kernel had, and the CPU profile divides what
// this process had in user mode. What the kernel did for whom, function by function, only perf can tell.

const (
	machineOthers = 3    // of the other processes, the largest: who they are matters where they have much
	machineLeast  = 0.01 // of the CPUs: less is not worth the space
)

// machineLine is what all CPUs did while the process was profiled; nil without an account of that.
func machineLine(r *Reading) *casefile.PictureLine {
	if len(r.machines) == 0 {
		return nil
	}
	m := &r.machines[len(r.machines)-1]
	total := m.All.Total()
	if total <= 0 {
		return nil
	}
	var rows []machineRow
	sum := 0.0
	add := func(what string, cores float64, other bool) {
		share := cores / total
		sum += share
		if share >= machineLeast {
			rows = append(rows, machineRow{casefile.PicturePlace{Share: share, What: what}, other})
		}
	}
	for _, p := range ownParts(r, m.Own) {
		add(p.what, p.amount, false)
	}
	for _, o := range m.Others {
		add(called(o), o.CPU(), true)
	}
	add("interrupts, most of them of the network", m.All.Interrupts, false)
	add("processes that cannot be seen from here", max(m.Unseen-m.All.Interrupts, 0), false)
	add("taken by the hypervisor", m.All.Steal, false)
	slices.SortStableFunc(rows, func(a, b machineRow) int { return cmp.Compare(b.Share, a.Share) })
	add("idle", m.All.Idle, false)
	add("idle while a task waits for a disk", m.All.IOWait, false)
	for i := range rows {
		// Processes are read one after the other, a moment after the CPUs, so that they may come to more.
		rows[i].Share = roundShare(rows[i].Share / max(sum, 1))
	}
	l := &casefile.PictureLine{Total: total, Unit: string(vitals.Cores), File: m.file, Places: largest(rows)}
	var texts []string
	for _, p := range l.Places {
		texts = append(texts, percent(p.Share)+" "+p.What)
	}
	l.Text = things(float64(int(total+0.5)), "CPU") + ": " + strings.Join(texts, ", ")
	return l
}

// A machineRow is what CPUs did, and whether for another process.
type machineRow struct {
	casefile.PicturePlace
	other bool
}

// largest makes one row of the processes behind the largest ones.
func largest(rows []machineRow) (out []casefile.PicturePlace) {
	var small []machineRow
	others := 0
	for _, row := range rows {
		if row.other {
			others++
		}
		if row.other && others > machineOthers {
			small = append(small, row)
			continue
		}
		out = append(out, row.PicturePlace)
	}
	if len(small) == 0 {
		return out
	}
	rest := small[0].PicturePlace
	for _, row := range small[1:] {
		rest.Share, rest.What = rest.Share+row.Share, fmt.Sprintf("%d more processes", len(small))
	}
	return append(out, rest)
}

// ownParts divides what the process used: the kernel's part as the kernel counts it, the rest by the CPU profile
// without its system calls. Without enough of a profile the rest is one part.
func ownParts(r *Reading, own casefile.ProcessUse) []pictured {
	out := []pictured{{what: "the kernel for this process", amount: own.System}}
	v := r.cpu()
	if v == nil || v.samples < pictureTicks {
		return append(out, pictured{what: "this process in user mode", amount: own.User})
	}
	all := v.total + v.idle - v.class[stacks.Syscall]
	gc, runtime := v.idle, 0.0
	for c, ns := range v.class {
		switch class := stacks.Class(c); {
		case class.GC() && class != stacks.GCIdle:
			gc += ns
		case class == stacks.GCIdle && v.idle == 0: // under a quota
			gc += ns
		case slices.Contains(runtimeClasses[:], class):
			runtime += ns
		}
	}
	if all <= 0 {
		return append(out, pictured{what: "this process in user mode", amount: own.User})
	}
	part := func(what string, ns float64) pictured {
		return pictured{what: what, amount: own.User * max(ns, 0) / all}
	}
	return append(out, part("this process: the garbage collector", gc), part("this process: Go's runtime", runtime),
		part("this process: its code and libraries", all-gc-runtime))
}

// runtimeClasses are what the runtime does for the program beside collecting: allocating, scheduling, copying.
var runtimeClasses = [...]stacks.Class{stacks.Memmove, stacks.Chan, stacks.Clock, stacks.Timer, stacks.Lock,
	stacks.StackGrow, stacks.Malloc, stacks.Scheduler, stacks.Scavenge}
