package blackbox

import (
	"bytes"
	"io"
	"os"
	"path/filepath"
	"strconv"
	"strings"
)

// A system is where the kernel tells of itself: /proc and /sys/fs/cgroup, or recorded trees in tests. Other systems
// than Linux have neither; what they do not tell is unknown.
type system struct {
	proc    string
	cgroups string
}

func thisSystem() system { return system{"/proc", "/sys/fs/cgroup"} }

// boot is the kernel's random name of the time since it was started; empty when unknown.
func (s system) boot() string {
	data, _ := readSmall(filepath.Join(s.proc, "sys/kernel/random/boot_id"))
	return strings.TrimSpace(string(data))
}

// An oomCounter counts the processes of a cgroup that the kernel's OOM killer killed: the group's own limit, a
// parent's, or the machine's (mm/oom_kill.c counts each in the victim's group).
type oomCounter struct {
	File  string `json:"file"`  // memory.events (v2) or memory.oom_control (v1, since Linux 4.13)
	Inode uint64 `json:"inode"` // of the group's folder: another group of the same name has another
	Kills int64  `json:"kills"`
}

// findOOMCounter reads the counter of the calling process's cgroup; nil if there is none.
func (s system) findOOMCounter() *oomCounter {
	data, err := readSmall(filepath.Join(s.proc, "self/cgroup"))
	if err != nil {
		return nil
	}
	for line := range strings.Lines(string(data)) {
		parts := strings.SplitN(strings.TrimSpace(line), ":", 3) // "4:memory:/path", or "0::/path" for v2
		if len(parts) != 3 {
			continue
		}
		for _, file := range s.counterFiles(parts[1], parts[2]) {
			if kills, ok := readKills(file); ok {
				return &oomCounter{File: file, Inode: inode(filepath.Dir(file)), Kills: kills}
			}
		}
	}
	return nil
}

// counterFiles are where a line of /proc/self/cgroup says that the counter may be. Inside a container the path of the
// host's view does not exist, and the root of the tree is the container's own group.
func (s system) counterFiles(controllers, path string) []string {
	path = filepath.Join("/", path) // no way out by "/.."
	switch controllers {
	case "memory":
		tree := filepath.Join(s.cgroups, "memory")
		return []string{filepath.Join(tree, path, "memory.oom_control"), filepath.Join(tree, "memory.oom_control")}
	case "":
		both := filepath.Join(s.cgroups, "unified")
		return []string{
			filepath.Join(s.cgroups, path, "memory.events"), filepath.Join(s.cgroups, "memory.events"),
			filepath.Join(both, path, "memory.events"), filepath.Join(both, "memory.events"),
		}
	}
	return nil
}

// killsSince is how many more the counter has than when c was read; ok is false if that cannot be known, because the
// group is gone or another one has its name.
func (s system) killsSince(c *oomCounter) (n int64, ok bool) {
	if c == nil || !s.isCounter(c.File) || c.Inode == 0 || inode(filepath.Dir(c.File)) != c.Inode {
		return 0, false
	}
	now, ok := readKills(c.File)
	return max(now-c.Kills, 0), ok
}

// isCounter reports whether a path, which was read from a file, is one that findOOMCounter gives.
func (s system) isCounter(file string) bool {
	base := filepath.Base(file)
	return filepath.Clean(file) == file && strings.HasPrefix(file, s.cgroups+"/") &&
		(base == "memory.events" || base == "memory.oom_control")
}

// readKills reads the line "oom_kill N".
func readKills(file string) (int64, bool) {
	data, err := readSmall(file)
	if err != nil {
		return 0, false
	}
	for line := range bytes.Lines(data) {
		if f := bytes.Fields(line); len(f) == 2 && string(f[0]) == "oom_kill" {
			n, err := strconv.ParseInt(string(f[1]), 10, 64)
			return n, err == nil
		}
	}
	return 0, false
}

// readSmall reads a file of the kernel's, a few hundred bytes.
func readSmall(name string) ([]byte, error) {
	f, err := os.Open(name)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	return io.ReadAll(io.LimitReader(f, 64<<10))
}
