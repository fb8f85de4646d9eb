package registry

import (
	"github.com/gocasebook/casebook/lab/faults"
	"github.com/gocasebook/casebook/lab/faults/gc_assist"
	"github.com/gocasebook/casebook/lab/faults/gc_ballast"
	"github.com/gocasebook/casebook/lab/faults/gc_cpu"
	"github.com/gocasebook/casebook/lab/faults/gc_death_spiral"
	"github.com/gocasebook/casebook/lab/faults/gc_finalizers"
	"github.com/gocasebook/casebook/lab/faults/gc_forced"
	"github.com/gocasebook/casebook/lab/faults/gc_frequency"
	"github.com/gocasebook/casebook/lab/faults/gc_pointer_heap"
	"github.com/gocasebook/casebook/lab/faults/mem_fragmentation"
	"github.com/gocasebook/casebook/lab/faults/mem_giant"
	"github.com/gocasebook/casebook/lab/faults/mem_leak"
	"github.com/gocasebook/casebook/lab/faults/mem_map_never_shrinks"
	"github.com/gocasebook/casebook/lab/faults/mem_off_heap"
	"github.com/gocasebook/casebook/lab/faults/mem_stacks"
	"github.com/gocasebook/casebook/lab/faults/mem_subslice_retained"
	"github.com/gocasebook/casebook/lab/faults/timer_leak"
)

// memoryFaults are those of memory and the collector.
func memoryFaults() []faults.Fault {
	return []faults.Fault{
		gc_cpu.Fault(),
		gc_assist.Fault(),
		gc_frequency.Fault(),
		gc_death_spiral.Fault(),
		gc_forced.Fault(),
		gc_pointer_heap.Fault(),
		gc_ballast.Fault(),
		gc_finalizers.Fault(),
		mem_leak.Fault(),
		mem_giant.Fault(),
		mem_map_never_shrinks.Fault(),
		mem_off_heap.Fault(),
		mem_fragmentation.Fault(),
		mem_stacks.Fault(),
		mem_subslice_retained.Fault(),
		timer_leak.Fault(),
	}
}
