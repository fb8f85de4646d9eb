package prove

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"strconv"
	"strings"
	"syscall"
	"time"
	"unsafe"
)

// userHZ is the unit of the times in /proc/PID/stat: 100 a second on every architecture that Go has (proc(5), USER_HZ).
const userHZ = 100

// readProcess reads a process's figures from /proc/PID/stat and /proc/PID/status.
func readProcess(pid int) (reading, error) {
	stat, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	if err != nil {
		return reading{}, gone(err)
	}
	r, err := parseStat(string(stat))
	if err != nil {
		return reading{}, err
	}
	status, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", pid))
	if err != nil {
		return reading{}, gone(err)
	}
	if err := r.parseStatus(string(status)); err != nil {
		return reading{}, err
	}
	if cpu, ok := cpuClock(pid); ok {
		r.cpu = cpu
	}
	r.at = time.Now()
	return r, nil
}

// gone says that a process has ended in words, when that is what the error means.
func gone(err error) error {
	if errors.Is(err, fs.ErrNotExist) || errors.Is(err, syscall.ESRCH) {
		return errors.New("there is no such process: has it ended?")
	}
	return err
}

// parseStat reads the CPU time and the start of a process from /proc/PID/stat (proc(5): fields 14, 15 and 22).
func parseStat(text string) (reading, error) {
	// Field 2 is the command in parentheses, and may itself hold spaces and parentheses.
	end := strings.LastIndexByte(text, ')')
	fields := strings.Fields(text[end+1:])
	const state = 3 // the field that comes first after the command
	if end < 0 || len(fields) <= 22-state {
		return reading{}, errors.New("/proc/PID/stat has too few fields")
	}
	var ticks [3]uint64
	for i, field := range []int{14, 15, 22} {
		v, err := strconv.ParseUint(fields[field-state], 10, 64)
		if err != nil {
			return reading{}, fmt.Errorf("field %d of /proc/PID/stat: %w", field, err)
		}
		ticks[i] = v
	}
	return reading{cpu: float64(ticks[0]+ticks[1]) / userHZ, started: ticks[2]}, nil
}

// parseStatus reads the memory and the threads from /proc/PID/status. A process that is a zombie has no memory left.
func (r *reading) parseStatus(text string) error {
	for line := range strings.Lines(text) {
		key, rest, _ := strings.Cut(line, ":")
		var err error
		switch key {
		case "VmRSS":
			r.rss, err = kilobytes(rest)
		case "VmHWM":
			r.peakRSS, err = kilobytes(rest)
		case "Threads":
			r.threads, err = strconv.Atoi(strings.TrimSpace(rest))
		}
		if err != nil {
			return fmt.Errorf("%s in /proc/PID/status: %w", key, err)
		}
	}
	if r.rss == 0 {
		return errors.New("it has no memory: the process has ended")
	}
	return nil
}

// kilobytes reads "  1234 kB" as bytes.
func kilobytes(s string) (int64, error) {
	n, err := strconv.ParseInt(strings.TrimSpace(strings.TrimSuffix(strings.TrimSpace(s), "kB")), 10, 64)
	return n << 10, err
}

// cpuClock reads the process's CPU-time clock: the same time as utime+stime, in nanoseconds rather than in ticks of
// 10 ms, which are 10 % of what a service that uses a tenth of a core does in a second. False if it is not allowed.
func cpuClock(pid int) (seconds float64, ok bool) {
	const sched = 2 // CPUCLOCK_SCHED (linux/posix-timers_types.h): the clock number is (^pid << 3) | sched
	id := ^pid<<3 | sched
	var ts syscall.Timespec
	_, _, errno := syscall.Syscall(syscall.SYS_CLOCK_GETTIME, uintptr(uint32(id)), uintptr(unsafe.Pointer(&ts)), 0)
	if errno != 0 {
		return 0, false
	}
	return time.Duration(ts.Nano()).Seconds(), true
}
