package instance

import (
	"bytes"
	"errors"
	"fmt"
	"os"

	"github.com/gocasebook/casebook/casefile"
	"github.com/gocasebook/casebook/internal/cgroup"
)

// maxWalked is the resident memory up to which the mappings of a process are read. The kernel walks its page tables for
// that, 16 ms a GiB of pages of 4 KiB (Linux 6.18), and as long as it walks one mapping, the process cannot map or
// unmap. So the wait is at most what a stop of the world may take.
const maxWalked = 640 << 20

// memory reads what the kernel tells of the memory of a process; pid is a number or "self".
func (e *environment) setMemory(root, pid string) {
	dir := root + "/proc/" + pid
	status, err := os.ReadFile(dir + "/status")
	if err != nil {
		e.absent("memory", err)
		return
	}
	m, err := parseMemory(status)
	if err != nil {
		e.absent("memory", err)
		return
	}
	if m.Mapped, err = readMapped(dir, m.RSS); err != nil {
		e.absent("mappings", err)
	}
	groups, _ := os.ReadFile(dir + "/cgroup") // none: no group
	if c, ok := cgroup.Find(root+"/sys/fs/cgroup", string(groups)).Charged(); ok {
		m.Group = &casefile.GroupMemory{Usage: int64(c.Usage), Anonymous: int64(c.Anonymous),
			PageCache: int64(c.PageCache), Shared: int64(c.Shared), Kernel: int64(c.Kernel)}
	}
	e.Memory = &m
}

// parseMemory reads /proc/PID/status. The kernel counts a process's pages in batches on each CPU, so these may be off
// by some hundred KiB (Documentation/filesystems/proc.rst, VmRSS).
func parseMemory(status []byte) (m casefile.ProcessMemory, err error) {
	fields := map[string]*int64{"VmRSS": &m.RSS, "RssAnon": &m.Anonymous, "RssFile": &m.File, "RssShmem": &m.Shared,
		"VmSwap": &m.Swapped}
	found := 0
	for line := range bytes.Lines(status) {
		name, value, _ := bytes.Cut(line, []byte(":"))
		if at := fields[string(name)]; at != nil {
			*at = kilobytes(value)
			found++
		}
	}
	if found < len(fields) {
		return m, errors.New("/proc/PID/status does not tell what is resident; it does since Linux 4.5")
	}
	return m, nil
}

// readMapped reads the mappings of a process that has so much resident memory.
func readMapped(dir string, rss int64) (*casefile.MappedMemory, error) {
	if rss > maxWalked {
		return nil, fmt.Errorf("not read: %d MiB are resident, and beyond %d MiB it would keep the process from "+
			"mapping "+
			"memory for too long; /proc/PID/smaps has them", rss>>20, maxWalked>>20)
	}
	f, err := os.Open(dir + "/smaps")
	if err != nil {
		return nil, err
	}
	defer f.Close()
	all, err := parseMappings(f)
	if err != nil {
		return nil, fmt.Errorf("reading the mappings: %w", err)
	}
	exe, _ := os.Readlink(dir + "/exe") // not readable: no path is equal to it
	out := addUp(all, exe)
	if out.RSS == 0 {
		return nil, errors.New("the kernel shows no mappings to this user")
	}
	return &out, nil
}
