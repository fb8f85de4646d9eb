package stacks

import (
	"fmt"
	"slices"
	"strings"

	"github.com/gocasebook/casebook/casefile"
	"github.com/gocasebook/casebook/diagnose/known"
)

// Profilers outside the process (Parca's and Grafana's agents, OpenTelemetry's, perf) sample whole machines: their
// stacks continue into the kernel, they count samples and leave the time to the period, and they may know only the name
// of a function. Go's own profiler ends a stack at the system call and gives CPU time, which is the form that detectors
// read.

// unitNs is the unit of a CPU profile's period and of its time.
const unitNs = "nanoseconds"

// isCPUPeriod reports whether a profile samples CPU time: "samples" counts anything otherwise.
func (p *proto) isCPUPeriod() bool {
	return p.periodType.Type == "cpu" && p.periodType.Unit == unitNs && p.period > 0
}

// completeCPU gives a CPU profile both of the values that Go's have, samples and nanoseconds: the period turns one into
// the other. told says so, and is "" if both were there.
func (s *Set) completeCPU() (told string) {
	ns, n := s.Value("cpu", unitNs), s.Value("samples", "count")
	if s.Kind != casefile.CPU || s.Period <= 0 || ns >= 0 == (n >= 0) {
		return ""
	}
	if ns < 0 {
		s.Types = append(slices.Clip(s.Types), ValueType{"cpu", unitNs})
		s.appendValue(func(v []int64) int64 { return mulSat(v[n], s.Period) })
		return fmt.Sprintf("CPU time is its samples times its period of %.3g ms", float64(s.Period)/1e6)
	}
	if tick := s.leastTick(ns); tick < s.Period {
		s.Period = tick
	}
	s.Types = append(slices.Clip(s.Types), ValueType{"samples", "count"})
	s.appendValue(func(v []int64) int64 { return (v[ns] + s.Period/2) / s.Period })
	return fmt.Sprintf("its samples are CPU time by its period of %.3g ms", float64(s.Period)/1e6)
}

// leastTick is the smallest CPU time of a sample, a millisecond at least: no sample is shorter than a tick, but an
// engine that merges profiles may write another period.
func (s *Set) leastTick(ns int) int64 {
	const millisecond = 1_000_000
	least := s.Period
	for i := range s.Samples {
		if v := s.Samples[i].Values[ns]; v > 0 {
			least = min(least, v)
		}
	}
	return max(least, min(millisecond, s.Period))
}

// appendValue gives every sample one more value.
func (s *Set) appendValue(value func([]int64) int64) {
	for i := range s.Samples {
		v := s.Samples[i].Values
		s.Samples[i].Values = append(slices.Clip(v), value(v))
	}
	if s.Observed != nil {
		s.Observed = append(slices.Clip(s.Observed), value(s.Observed))
	}
}

func mulSat(a, b int64) int64 {
	if c := a * b; a == 0 || c/a == b && c >= 0 {
		return c
	}
	return 1<<63 - 1
}

// isKernel reports whether a mapping's name is the kernel's: "[kernel.kallsyms]" (perf), "[kernel]", "vmlinux".
func isKernel(mapping string) bool {
	return strings.HasPrefix(mapping, "[kernel") || mapping == "kernel" || strings.HasPrefix(mapping, "vmlinux") ||
		mapping == "[k]"
}

// A border is where the kernel begins in a stack.
type border uint8

const (
	noBorder    border = iota
	intoKernel         // Go's last function before a system call: what is further in is the kernel's
	kernelEntry        // the kernel's first function after an interrupt or a fault
)

// borderOf tells the functions that make a system call themselves, and knows the entries of Linux.
func borderOf(name, pkg string, is known.Function) border {
	switch {
	case is.Does(known.EntersKernel):
		return intoKernel
	case pkg != "":
		return noBorder
	}
	for _, p := range []string{"entry_SYSCALL", "asm_sysvec_", "asm_exc_", "asm_common_interrupt", "do_syscall_64",
		"el0t_64_", "el1h_64_", "el0_svc"} {
		if strings.HasPrefix(name, p) {
			return kernelEntry
		}
	}
	return noBorder
}

// ownStack is a stack without the frames that cannot be blamed: the kernel's, whose time is the system call's as in
// Go's own profiles, and those that Casebook puts around the service's work. A stack of nothing else stays as it is.
func (t *Table) ownStack(stack []FrameID) (own []FrameID, kernel bool) {
	from, around := 0, false
	for i, id := range stack {
		switch f := t.Func(id); {
		case f.border == intoKernel:
			from = i
		case f.border == kernelEntry:
			from = i + 1
		case f.around:
			around = true
		}
	}
	if from > 0 && from < len(stack) {
		stack, kernel = stack[from:], true
	}
	if !around {
		return stack, kernel
	}
	own = slices.DeleteFunc(slices.Clone(stack), func(id FrameID) bool { return t.Func(id).around })
	if len(own) == 0 {
		return stack, kernel
	}
	return own, kernel
}

// remark says how a profile was completed, and what it does not show.
func (s *Set) remark(p *proto) {
	told := s.completeCPU()
	if s.Kind != casefile.CPU || told == "" && !s.kernel && len(p.functions) == 0 {
		return
	}
	parts := []string{told}
	if s.kernel {
		parts = append(parts, "what the kernel did counts for the function that called it, as in Go's own profiles")
	}
	if told != "" && len(s.Samples) > 0 && !s.hasLines() {
		parts = append(parts, "no line numbers: places are functions")
	}
	s.Remark = strings.Join(slices.DeleteFunc(parts, func(p string) bool { return p == "" }), "; ")
}

// hasLines reports whether any frame has a line.
func (s *Set) hasLines() bool {
	return slices.ContainsFunc(s.Samples, func(s2 Sample) bool {
		return slices.ContainsFunc(s2.Stack, func(id FrameID) bool { return s.Table.Line(id) > 0 })
	})
}
