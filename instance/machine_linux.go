package instance

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"

	"github.com/gocasebook/casebook/internal/cgroup"
)

// machineFiles are what the signals of the machine are read from, kept open.
type machineFiles struct {
	stat      *keptFile
	mask      []bool // of the CPUs that the process may run on; nil if these are all
	noCPU     error  // known beforehand
	diskstats *keptFile
	disks     map[string]int // names, and their place among the counts
	snmp      *keptFile      // of the process's network namespace
	sockstat  *keptFile
}

// What is read of files with a line for each CPU or disk: 500 CPUs, or 500 disks and partitions.
const machineBytes = 64 << 10

// openMachine opens the machine's files; dir is the process's folder.
func openMachine(proc, sys, dir string) machineFiles {
	m := machineFiles{snmp: keepOpen(dir + "/net/snmp"), sockstat: keepOpen(dir + "/net/sockstat"),
		disks: diskNames(sys + "/block")}
	if m.mask = cpuMask(dir); allIn(m.mask, sys) {
		m.mask = nil
		m.stat = keepOpen(proc + "/stat") // the first line is enough
	} else {
		m.stat = keepOpenUpTo(proc+"/stat", machineBytes)
	}
	if coveredOver(proc, "/proc/stat") {
		m.noCPU = errVirtual
	}
	m.diskstats = keepOpenUpTo(proc+"/diskstats", machineBytes)
	return m
}

// coveredOver reports whether something else is mounted over a file of /proc, as lxcfs does in containers.
func coveredOver(proc, path string) bool {
	data, _ := os.ReadFile(proc + "/self/mountinfo") // not readable: not known
	for line := range bytes.Lines(data) {
		if f := bytes.Fields(line); len(f) > 4 && string(f[4]) == path { // the mount point: proc_pid_mountinfo(5)
			return true
		}
	}
	return false
}

// allIn reports whether a mask has every CPU that is online, or nobody knows which are.
func allIn(mask []bool, sys string) bool {
	online := cpuList(first(cgroup.Fields(sys+"/devices/system/cpu", "online")))
	for n, is := range online {
		if is && (n >= len(mask) || !mask[n]) {
			return len(mask) == 0
		}
	}
	return true
}

// diskNames are the machine's disks with their places: of /sys/block what is not made of others, such as a volume of
// LVM, a RAID or a file (loop), and is not memory. Partitions are not there.
func diskNames(block string) map[string]int {
	entries, _ := os.ReadDir(block) // not readable: none
	names := make(map[string]int)
	for _, e := range entries {
		name := e.Name()
		made, _ := os.ReadDir(filepath.Join(block, name, "slaves"))
		other := len(made) > 0
		for _, prefix := range [...]string{"loop", "ram", "zram", "fd", "sr", "nbd"} {
			other = other || strings.HasPrefix(name, prefix)
		}
		if !other {
			names[name] = len(names)
		}
	}
	return names
}

// read fills in what the kernel counts now. Why a file cannot be read is told in words made beforehand: those of an
// os.PathError are made anew each time.
func (m *machineFiles) read(c *machineCounts) {
	if c.noCPU = m.noCPU; c.noCPU == nil {
		if data, err := m.stat.read(); err == nil {
			c.all, c.allowed, c.noCPU = parseCPUs(data, m.mask)
		} else {
			c.noCPU = errNoMachine
		}
	}
	c.noDisks, c.noTCP, c.noWait = errNoDisks, errNoTCP, errNoSockstat
	if len(m.disks) > 0 {
		if data, err := m.diskstats.read(); err == nil && len(data) > 0 {
			c.disks, c.noDisks = parseDisks(data, m.disks), nil
		}
	}
	if data, err := m.snmp.read(); err == nil {
		c.tcp, c.noTCP = parseTCP(data)
	}
	if data, err := m.sockstat.read(); err == nil {
		c.waiting, c.noWait = parseTimeWait(data)
	}
}

func (m *machineFiles) close() {
	for _, k := range []*keptFile{m.stat, m.diskstats, m.snmp, m.sockstat} {
		if k != nil { // the process was gone before they were opened
			k.close()
		}
	}
}
