package instance

import (
	"bytes"
	"errors"
	"os"
	"strconv"
	"strings"

	"github.com/gocasebook/casebook/internal/cgroup"
)

// The parsers of what the kernel writes. They work in place and allocate nothing unless the text is not what it should
// be, because they run at every tick.

// procStat is what /proc/PID/stat tells us, in clock ticks and pages.
type procStat struct{ user, system, threads, start, rss uint64 }

var errStat = errors.New("/proc/PID/stat has too few fields after the name")

// parseStat reads the fields after the command's name, which may itself hold spaces and parentheses (proc(5)).
func parseStat(data []byte) (procStat, error) {
	i := bytes.LastIndexByte(data, ')')
	if i < 0 {
		return procStat{}, errStat
	}
	var st procStat
	rest := data[i+1:]
	for n := 3; n <= 24; n++ { // numbered as in proc(5), from 1
		var w []byte
		if w, rest = word(rest); len(w) == 0 {
			return procStat{}, errStat
		}
		switch n {
		case 14:
			st.user = unsigned(w)
		case 15:
			st.system = unsigned(w)
		case 20:
			st.threads = unsigned(w)
		case 22:
			st.start = unsigned(w)
		case 24:
			st.rss = unsigned(w)
		}
	}
	return st, nil
}

// A throttling is the state of the CFS bandwidth controller since the cgroup was made.
type throttling struct {
	periods, throttled float64
	held               float64 // seconds in which a CPU's part of the group was held back, summed over CPUs
}

// parseThrottling reads a cgroup's cpu.stat, of v1 or v2. Lines that it does not know are skipped.
func parseThrottling(data []byte) throttling {
	var t throttling
	for len(data) > 0 {
		var line []byte
		line, data, _ = bytes.Cut(data, newline)
		name, value := word(line)
		value, _ = word(value)
		switch string(name) {
		case "nr_periods":
			t.periods = float64(unsigned(value))
		case "nr_throttled":
			t.throttled = float64(unsigned(value))
		case "throttled_time": // v1, in ns
			t.held = float64(unsigned(value)) / 1e9
		case "throttled_usec": // v2
			t.held = float64(unsigned(value)) / 1e6
		}
	}
	return t
}

// ioCalls is what /proc/PID/io counts since the process started: the system calls of the families read and write and
// the bytes that they moved, to and from files, pipes and connections alike (proc(5); fs/read_write.c counts a call
// also when it fails); and the bytes of files that are to be written to disks, where the kernel counts them.
type ioCalls struct {
	reads, writes, bytesRead, bytesWritten uint64
	toDisks                                uint64 // CONFIG_TASK_IO_ACCOUNTING
	disks                                  bool   // toDisks is known
}

var errIO = errors.New("/proc/PID/io does not count system calls; the kernel needs CONFIG_TASK_XACCT")

// parseIO reads "rchar: 6976" and the lines after it. Lines that it does not know are skipped.
func parseIO(data []byte) (ioCalls, error) {
	var c ioCalls
	seen := 0
	for len(data) > 0 {
		var line []byte
		line, data, _ = bytes.Cut(data, newline)
		name, value := word(line)
		value, _ = word(value)
		seen++
		switch string(name) {
		case "rchar:":
			c.bytesRead = unsigned(value)
		case "wchar:":
			c.bytesWritten = unsigned(value)
		case "syscr:":
			c.reads = unsigned(value)
		case "syscw:":
			c.writes = unsigned(value)
		case "write_bytes:":
			c.toDisks, c.disks = unsigned(value), true
			seen--
		default:
			seen--
		}
	}
	if seen != 4 {
		return ioCalls{}, errIO
	}
	return c, nil
}

var errPressure = errors.New(`pressure stall information does not begin with "some avg10="`)

// parsePressure reads avg10 of the line "some avg10=3.15 avg60=3.03 avg300=10.47 total=1677875722" as a share
// (kernel documentation, accounting/psi.rst: percentages over the last 10 s).
func parsePressure(data []byte) (float64, error) {
	line, _, _ := bytes.Cut(data, newline)
	some, rest := word(line)
	avg, _ := word(rest)
	number, ok := bytes.CutPrefix(avg, avg10)
	if string(some) != "some" || !ok {
		return 0, errPressure
	}
	percent, err := strconv.ParseFloat(string(number), 64)
	if err != nil || !(percent >= 0 && percent <= 100) {
		return 0, errPressure
	}
	return percent / 100, nil
}

var (
	newline = []byte("\n")
	avg10   = []byte("avg10=")
)

// word cuts the first word off a text; it is empty if there is none. Words are separated by spaces and newlines.
func word(b []byte) (first, rest []byte) {
	for len(b) > 0 && (b[0] == ' ' || b[0] == '\n') {
		b = b[1:]
	}
	for i, c := range b {
		if c == ' ' || c == '\n' {
			return b[:i], b[i:]
		}
	}
	return b, nil
}

// unsigned is 0 for what is not a number: the kernel writes numbers.
func unsigned(b []byte) uint64 {
	v, err := strconv.ParseUint(string(b), 10, 64)
	if err != nil {
		return 0
	}
	return v
}

// allowedCPUs counts the CPUs of the process's affinity mask; 0: not known.
func allowedCPUs(dir string) float64 {
	n := 0.0
	for _, may := range cpuMask(dir) {
		if may {
			n++
		}
	}
	return n
}

// cpuMask is the process's affinity mask, a byte for each CPU: "Cpus_allowed_list:	0-3,8". Nil: not known.
func cpuMask(dir string) []bool {
	data, _ := os.ReadFile(dir + "/status") // unreadable: not known
	for l := range strings.Lines(string(data)) {
		if list, ok := strings.CutPrefix(l, "Cpus_allowed_list:"); ok {
			return cpuList(list)
		}
	}
	return nil
}

// mostCPUs is how many CPUs a kernel may be built for (NR_CPUS).
const mostCPUs = 8192

// cpuList reads the kernel's form of a set of CPUs: "0-3,8".
func cpuList(list string) (mask []bool) {
	for _, r := range strings.Split(strings.TrimSpace(list), ",") {
		from, to, isRange := strings.Cut(r, "-")
		if !isRange {
			to = from
		}
		first, err1 := strconv.Atoi(from)
		last, err2 := strconv.Atoi(to)
		if err1 != nil || err2 != nil || first < 0 || last >= mostCPUs {
			continue
		}
		for n := first; n <= last; n++ {
			for len(mask) <= n {
				mask = append(mask, false)
			}
			mask[n] = true
		}
	}
	return mask
}

// machineMemory is MemTotal of /proc/meminfo in bytes, "MemTotal:       24629384 kB"; 0 if it cannot be read.
func machineMemory(proc string) float64 {
	data, _ := os.ReadFile(proc + "/meminfo") // unreadable: 0, not known
	for l := range strings.Lines(string(data)) {
		if rest, ok := strings.CutPrefix(l, "MemTotal:"); ok {
			if f := strings.Fields(rest); len(f) == 2 && f[1] == "kB" {
				return cgroup.Number(f[0]) * 1024
			}
		}
	}
	return 0
}
