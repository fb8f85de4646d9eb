package instance

import (
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"

	"github.com/gocasebook/casebook/internal/number"
)

// A standing is what the kernel tells of a process that need not answer: whether it runs, waits or is held.
type standing struct {
	State   string         `json:"state"`             // of its main thread, a letter as in proc(5): R S D T t Z
	Threads map[string]int `json:"threads,omitempty"` // how many are in each state
	// how many sleep in each function of the kernel, where that may be read
	Waits map[string]int `json:"waits_in,omitempty"`
}

// Standing describes the state of the target's process, as far as the kernel knows it; "" if it cannot be looked at. It
// is for a target that does not answer, and may run concurrently with Sample.
func (t *HTTP) Standing() string {
	p := t.proc.Load()
	if p == nil {
		return ""
	}
	s, err := p.standing()
	if err != nil {
		return ""
	}
	return s.words(p.pid, math.Float64frombits(t.known.cpu.Load()), p.limits.CPUs)
}

// traced reports whether a debugger holds the process.
func (t *HTTP) traced() bool {
	p := t.proc.Load()
	if p == nil {
		return false
	}
	s, err := p.standing()
	return err == nil && s.State == "t"
}

// busyShare is the part of the CPU it may use from which on a process that does not answer is called busy and not
// waiting.
const busyShare = 0.8

// words describe a process that used cpu cores of cpus (0 for unknown) when it was last sampled.
func (s *standing) words(pid int, cpu, cpus float64) string {
	threads := 0
	for _, n := range s.Threads {
		threads += n
	}
	head := fmt.Sprintf("process %d lives", pid)
	switch {
	case s.State == "T":
		return head + fmt.Sprintf(" and is stopped by a signal (state T): kill -CONT %d lets it continue", pid)
	case s.State == "t":
		return head + " and is held by a debugger (state t)"
	case s.Threads["D"] > 0 && 2*s.Threads["D"] >= threads:
		return head + fmt.Sprintf("; %d of its %d threads wait for a disk or a network file system (state D)%s",
			s.Threads["D"], threads, s.where())
	case cpus > 0 && cpu >= busyShare*cpus:
		return head + fmt.Sprintf(" and uses %s of the %s it may use: it spins, or has no CPU left to answer",
			number.Digits(cpu), number.Cores(cpus))
	case cpu >= busyShare:
		return head + fmt.Sprintf(" and uses %s: it works, and does not get round to answering", number.Cores(cpu))
	}
	return head + fmt.Sprintf(" and waits: %s used, %d of its %d threads sleep%s", number.Cores(cpu), s.Threads["S"],
		threads,
		s.where())
}

// where names the functions of the kernel that most threads sleep in, three at most.
func (s *standing) where() string {
	names := slices.SortedFunc(maps.Keys(s.Waits), func(a, b string) int { return s.Waits[b] - s.Waits[a] })
	var words []string
	for _, name := range names[:min(len(names), 3)] {
		words = append(words, fmt.Sprintf("%d in %s", s.Waits[name], name))
	}
	if len(words) == 0 {
		return ""
	}
	return " (" + strings.Join(words, ", ") + ")"
}
