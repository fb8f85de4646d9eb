// Package cpus confines processes to some of a machine's CPUs, as taskset does, so that a service has the CPUs that it
// says for itself, and what loads and watches it the others.
//
// The limits: the kernel and other people's processes run where they like.
package cpus

import (
	"errors"
	"fmt"
	"os"
	"runtime"
	"strconv"

	"golang.org/x/sys/unix"
)

// A Set is some of the machine's CPUs.
type Set struct{ mask unix.CPUSet }

// Allowed is what the calling thread may use.
func Allowed() (Set, error) {
	var s Set
	if err := unix.SchedGetaffinity(0, &s.mask); err != nil {
		return s, fmt.Errorf("reading the CPUs that may be used: %w", err)
	}
	return s, nil
}

// Count is how many there are.
func (s Set) Count() int { return s.mask.Count() }

// Split is the first n of a set, which has as many, and the rest.
func (s Set) Split(n int) (first, rest Set) {
	rest = s
	for cpu := 0; first.Count() < n; cpu++ {
		if s.mask.IsSet(cpu) {
			first.mask.Set(cpu)
			rest.mask.Clear(cpu)
		}
	}
	return first, rest
}

// Confine moves every thread of this process to a set.
//
// The mask belongs to threads; a new one takes that of its maker. One that is made by a thread not yet moved escapes
// the first round, so rounds are made until one finds nothing new.
func Confine(s Set) error {
	confined := map[int]bool{}
	for before := -1; len(confined) != before; {
		before = len(confined)
		if err := confineThreads(&s.mask, confined); err != nil {
			return err
		}
	}
	return nil
}

func confineThreads(mask *unix.CPUSet, confined map[int]bool) error {
	threads, err := os.ReadDir("/proc/self/task")
	if err != nil {
		return fmt.Errorf("listing the threads: %w", err)
	}
	for _, t := range threads {
		id, err := strconv.Atoi(t.Name())
		if err != nil || confined[id] {
			continue
		}
		if err := unix.SchedSetaffinity(id, mask); err != nil && !errors.Is(err, unix.ESRCH) {
			return fmt.Errorf("confining thread %d to %d CPUs: %w", id, mask.Count(), err)
		}
		confined[id] = true
	}
	return nil
}

// Run calls f on a thread that may use a set, so that a process that f starts may, too.
func Run(s Set, f func() error) error {
	before, err := lockedOn(s)
	if err != nil {
		return err
	}
	err = f()
	if back := unix.SchedSetaffinity(0, &before.mask); back != nil {
		// it stays locked, and ends with the goroutine
		return errors.Join(err, fmt.Errorf("confining a thread again: %w", back))
	}
	runtime.UnlockOSThread()
	return err
}

// lockedOn moves the calling goroutine's thread to a set, and says what it had before.
func lockedOn(s Set) (before Set, err error) {
	runtime.LockOSThread()
	if before, err = Allowed(); err == nil {
		err = unix.SchedSetaffinity(0, &s.mask)
	}
	if err != nil {
		runtime.UnlockOSThread()
		return before, fmt.Errorf("moving a thread to %d CPUs: %w", s.Count(), err)
	}
	return before, nil
}
