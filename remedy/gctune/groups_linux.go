package gctune

import (
	"bytes"
	"errors"
	"io"
	"os"
	"path/filepath"
	"strconv"

	"github.com/gocasebook/casebook/internal/cgroup"
)

// A groupMemory is the kernel's account of memory of a group and of all groups above it. The files stay open: reading
// them again costs about 1 µs each, and works when the process has run out of file descriptors. It is not safe for
// concurrent use.
type groupMemory struct {
	levels []*group // from the group itself upwards
	buf    []byte
}

// A groupBound is a group that limits the memory of the process, and what counts against the limit: the memory of all
// processes in and below the group.
type groupBound struct {
	Dir   string
	Limit uint64 // bytes; the smaller of memory.max, where the kernel kills, and memory.high, where it slows down
	Usage uint64 // bytes

	// Reclaimable is the part of Usage that the kernel takes back before it kills: page cache of files, and on v2
	// caches of the kernel's own. Only as of the last refresh.
	Reclaimable uint64
}

// A group is one of them.
type group struct {
	dir    string
	limits []*os.File
	usage  *os.File
	stat   *os.File
	bound  groupBound
}

// maxLevels bounds how deeply nested groups are followed. Kubernetes nests four deep.
const maxLevels = 16

// statSize holds memory.stat, which has less than 3 kB on Linux 6.18.
const statSize = 16 << 10

// errNoMemory: a kernel without the memory controller, another system, or files that may not be read.
var errNoMemory = errors.New("no cgroup with a memory controller was found: give the limit by hand")

// openGroups opens the accounts of the group and of those above it. Groups without a limit are kept too: they may be
// given one. Close it after use.
func openGroups(g cgroup.Group) (*groupMemory, error) {
	m := &groupMemory{buf: make([]byte, statSize)}
	for dir := g.Memory; dir != "" && dir != "/" && dir != "." && len(m.levels) < maxLevels; dir = filepath.Dir(dir) {
		if _, err := os.Stat(filepath.Join(dir, "cgroup.procs")); err != nil {
			break // above the root of the tree
		}
		if l := openGroup(dir); l != nil {
			m.levels = append(m.levels, l)
		}
	}
	if len(m.levels) == 0 {
		return nil, errNoMemory
	}
	return m, nil
}

// openGroup is nil for a group that tells no usage: v2's root.
func openGroup(dir string) *group {
	l := &group{dir: dir, bound: groupBound{Dir: dir}}
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

// bounds appends the groups that have a limit to dst. Usage is read each time; limits and what is reclaimable only with
// refresh, because the kernel may have to sum up memory.stat over all CPUs.
func (m *groupMemory) bounds(dst []groupBound, refresh bool) ([]groupBound, error) {
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
func (m *groupMemory) limit(l *group) (least uint64) {
	for _, f := range l.limits {
		if v, ok := amount(m.read(f)); ok && v < cgroup.NoLimit && (least == 0 || v < least) {
			least = v
		}
	}
	return least
}

// read is the content of a file now, nothing if it cannot be read. It is valid until the next reading.
func (m *groupMemory) read(f *os.File) []byte {
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
// those below it as total_; v2 has that one only. groupMemory of tmpfs is not in these lists: it cannot be dropped.
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

// close closes the files.
func (m *groupMemory) close() {
	for _, l := range m.levels {
		for _, f := range append(l.limits, l.usage, l.stat) {
			if f != nil {
				_ = f.Close() // opened for reading: nothing can be lost
			}
		}
	}
	m.levels = nil
}
