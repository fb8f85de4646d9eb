package serve

import (
	"errors"
	"fmt"
	"os"
	"runtime"
	"strconv"

	"golang.org/x/sys/unix"
)

// useCPUs confines the process to the first n of the CPUs that it may use, as taskset does. A machine that also runs the
// service's load and dependencies is shared with them by this, and the service is as large as it says.
//
// The mask belongs to threads; a new one takes that of its maker. One that is made by a thread not yet confined escapes
// the first round, so rounds are made until one finds nothing new.
func useCPUs(n int) error {
	mask, err := firstCPUs(n)
	if err != nil {
		return err
	}
	confined := map[int]bool{}
	for before := -1; len(confined) != before; {
		before = len(confined)
		if err := confineThreads(mask, confined); err != nil {
			return err
		}
	}
	runtime.GOMAXPROCS(n)
	return nil
}

func firstCPUs(n int) (*unix.CPUSet, error) {
	var all, first unix.CPUSet
	if err := unix.SchedGetaffinity(0, &all); err != nil {
		return nil, fmt.Errorf("reading the CPUs that may be used: %w", err)
	}
	if n > all.Count() {
		return nil, fmt.Errorf("-cpus %d: only %d CPUs may be used", n, all.Count())
	}
	for cpu := 0; first.Count() < n; cpu++ {
		if all.IsSet(cpu) {
			first.Set(cpu)
		}
	}
	return &first, nil
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
