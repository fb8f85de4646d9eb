package cgroup

import (
	"bytes"
	"os"
	"path/filepath"
)

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
