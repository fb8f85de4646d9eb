package cgroup

import (
	"bytes"
	"errors"
	"io"
	"os"
	"path/filepath"
	"strconv"
)

// Memory is the kernel's account of memory of a group and of all groups above it. The files stay open: reading them
// again costs about 1 µs each, and works when the process has run out of file descriptors. It is not safe for
// concurrent use.
type Memory struct {
	levels []*level // from the group itself upwards
	buf    []byte
}

// A MemoryBound is a group that limits the memory of the process, and what counts against the limit: the memory of all
// processes in and below the group.
type MemoryBound struct {
	Dir   string
	Limit uint64 // bytes; the smaller of memory.max, where the kernel kills, and memory.high, where it slows down
	Usage uint64 // bytes

	// Reclaimable is the part of Usage that the kernel takes back before it kills: page cache of files, and on v2
	// caches of the kernel's own. Only as of the last refresh.
	Reclaimable uint64
}

// level is one group.
type level struct {
	dir    string
	limits []*os.File
	usage  *os.File
	stat   *os.File
	bound  MemoryBound
}

// maxLevels bounds how deeply nested groups are followed. Kubernetes nests four deep.
const maxLevels = 16

// statSize holds memory.stat, which has less than 3 kB on Linux 6.18.
const statSize = 16 << 10

// errNoMemory: a kernel without the memory controller, another system, or files that may not be read.
var errNoMemory = errors.New("no cgroup with a memory controller was found: give the limit by hand")

// OpenMemory opens the accounts of the group and of those above it. Groups without a limit are kept too: they may be
// given one. Close it after use.
func (g Group) OpenMemory() (*Memory, error) {
	m := &Memory{buf: make([]byte, statSize)}
	for dir := g.Memory; dir != "" && dir != "/" && dir != "." && len(m.levels) < maxLevels; dir = filepath.Dir(dir) {
		if _, err := os.Stat(filepath.Join(dir, "cgroup.procs")); err != nil {
			break // above the root of the tree
		}
		if l := openLevel(dir); l != nil {
			m.levels = append(m.levels, l)
		}
	}
	if len(m.levels) == 0 {
		return nil, errNoMemory
	}
	return m, nil
}

// openLevel is nil for a group that tells no usage: v2's root.
func openLevel(dir string) *level {
	l := &level{dir: dir, bound: MemoryBound{Dir: dir}}
	for _, v := range [...]struct {
		usage  string
		limits []string
	}{
		{"memory.current", []string{"memory.max", "memory.high"}},
		{"memory.usage_in_bytes", []string{"memory.limit_in_bytes"}},
	} {
		var err error
		if l.usage, err = os.Open(filepath.Join(dir, v.usage)); err != nil {
			continue
		}
		for _, name := range v.limits {
			if f, err := os.Open(filepath.Join(dir, name)); err == nil {
				l.limits = append(l.limits, f)
			}
		}
		if f, err := os.Open(filepath.Join(dir, "memory.stat")); err == nil {
			l.stat = f
		}
		return l
	}
	return nil
}

// Bounds appends the groups that have a limit to dst. Usage is read each time; limits and what is reclaimable only with
// refresh, because the kernel may have to sum up memory.stat over all CPUs.
func (m *Memory) Bounds(dst []MemoryBound, refresh bool) ([]MemoryBound, error) {
	for _, l := range m.levels {
		if refresh {
			l.bound.Limit = m.limit(l)
		}
		if l.bound.Limit == 0 {
			continue
		}
		if refresh {
			l.bound.Reclaimable = reclaimable(m.read(l.stat))
		}
		usage, ok := amount(m.read(l.usage))
		if !ok {
			return dst, errors.New("the memory usage of " + l.dir + " can no longer be read: was the group removed?")
		}
		l.bound.Usage = usage
		dst = append(dst, l.bound)
	}
	return dst, nil
}

// limit is the smallest of a group, 0 without one.
func (m *Memory) limit(l *level) (least uint64) {
	for _, f := range l.limits {
		if v, ok := amount(m.read(f)); ok && v < noLimit && (least == 0 || v < least) {
			least = v
		}
	}
	return least
}

// read is the content of a file now, nothing if it cannot be read. It is valid until the next reading.
func (m *Memory) read(f *os.File) []byte {
	if f == nil {
		return nil
	}
	n, err := f.ReadAt(m.buf, 0)
	if err != nil && !errors.Is(err, io.EOF) {
		return nil
	}
	return m.buf[:n]
}

// amount reads a number on a line of its own; v2's "max" means none.
func amount(data []byte) (uint64, bool) {
	v, err := strconv.ParseUint(string(bytes.TrimSpace(data)), 10, 64)
	return v, err == nil
}

// reclaimable sums the page cache of files up, from memory.stat. v1 has each number twice, the one of the group with
// those below it as total_; v2 has that one only. Memory of tmpfs is not in these lists: it cannot be dropped.
func reclaimable(stat []byte) (sum uint64) {
	var own, total uint64
	for line := range bytes.Lines(stat) {
		name, value, _ := bytes.Cut(line, []byte(" "))
		switch string(name) { // does not allocate
		case "inactive_file", "active_file", "slab_reclaimable":
			v, _ := amount(value)
			own += v
		case "total_inactive_file", "total_active_file":
			v, _ := amount(value)
			total += v
		}
	}
	return max(own, total)
}

// Close closes the files.
func (m *Memory) Close() {
	for _, l := range m.levels {
		for _, f := range append(l.limits, l.usage, l.stat) {
			if f != nil {
				_ = f.Close() // opened for reading: nothing can be lost
			}
		}
	}
	m.levels = nil
}

// Charged is the memory that a group and those below it are charged for, in bytes.
type Charged struct {
	Usage     uint64
	Anonymous uint64
	PageCache uint64 // of files, without shared memory
	Shared    uint64
	Kernel    uint64 // 0 on v1, which does not tell
}

// Charged reads the group's account; false for v2's root, which has none, and where memory is not controlled. In v1,
// the names with total_ include the groups below, and cache includes shared memory (kernel documentation,
// admin-guide/cgroup-v1/memory.rst); so does v2's file.
func (g Group) Charged() (Charged, bool) {
	if g.Memory == "" {
		return Charged{}, false
	}
	data, err := os.ReadFile(filepath.Join(g.Memory, "memory.stat"))
	usage := Fields(g.Memory, "memory.current")
	if len(usage) == 0 {
		usage = Fields(g.Memory, "memory.usage_in_bytes")
	}
	if err != nil || len(usage) != 1 {
		return Charged{}, false
	}
	stat := make(map[string]uint64)
	for line := range bytes.Lines(data) {
		if f := bytes.Fields(line); len(f) == 2 {
			stat[string(f[0])] = uint64(Number(string(f[1])))
		}
	}
	c := Charged{Usage: uint64(Number(usage[0]))}
	cache := stat["file"]
	c.Anonymous, c.Shared, c.Kernel = stat["anon"], stat["shmem"], stat["kernel"]
	if total, isV1 := stat["total_cache"]; isV1 {
		cache, c.Anonymous, c.Shared = total, stat["total_rss"], stat["total_shmem"]
	}
	c.PageCache = cache - min(c.Shared, cache)
	return c, true
}
