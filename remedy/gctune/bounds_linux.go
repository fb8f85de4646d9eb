package gctune

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"strconv"
	"time"

	"github.com/gocasebook/casebook/internal/cgroup"
)

// bounds reads the limits of memory, and how much of them is used.
type bounds struct {
	limit   int64        // of Config
	statm   *os.File     // of this process; nil without Config.Limit
	groups  *groupMemory // nil if no cgroup has a limit
	seen    []groupBound
	list    []bound
	renewed time.Duration
	fresh   bool // renewed at least once
	buf     [128]byte
}

const (
	// renewEvery is how often limits, and how much of the page cache the kernel could drop, are read. Usage is read at
	// each look; the rest costs about ten times as much.
	renewEvery = time.Second
)

func openBounds(c Config) (*bounds, error) {
	b := &bounds{limit: c.Limit}
	if c.Limit > 0 {
		f, err := os.Open("/proc/self/statm")
		if err != nil {
			return nil, fmt.Errorf("gctune: Config.Limit needs the process's size: %w", err)
		}
		b.statm = f
	}
	if data, err := os.ReadFile("/proc/self/cgroup"); err == nil {
		b.groups, _ = openGroups(cgroup.Find("/sys/fs/cgroup", string(data))) // without: no bound of a cgroup
	}
	return b, nil
}

// read lists the bounds; the list is valid until the next reading.
func (b *bounds) read(at time.Duration) ([]bound, error) {
	b.list = b.list[:0]
	if b.statm != nil {
		rss, err := b.resident()
		if err != nil {
			return nil, err
		}
		b.list = append(b.list, bound{"Config.Limit", b.limit, rss})
	}
	if b.groups == nil {
		return b.list, nil
	}
	refresh := !b.fresh || at-b.renewed >= renewEvery
	if refresh {
		b.renewed, b.fresh = at, true
	}
	var err error
	if b.seen, err = b.groups.bounds(b.seen[:0], refresh); err != nil {
		return nil, err
	}
	for _, s := range b.seen {
		b.list = append(b.list, bound{s.Dir, int64(s.Limit), int64(s.Usage - min(s.Reclaimable, s.Usage))})
	}
	return b.list, nil
}

// resident is the second number of /proc/self/statm, in bytes.
func (b *bounds) resident() (int64, error) {
	n, _ := b.statm.ReadAt(b.buf[:], 0) // always ends with io.EOF
	_, rest, _ := bytes.Cut(b.buf[:n], []byte(" "))
	field, _, _ := bytes.Cut(rest, []byte(" "))
	pages, err := strconv.ParseInt(string(field), 10, 64)
	if err != nil {
		return 0, errors.New("/proc/self/statm does not say how much memory is resident")
	}
	return pages * int64(os.Getpagesize()), nil
}

func (b *bounds) close() {
	if b.statm != nil {
		_ = b.statm.Close() // opened for reading
	}
	if b.groups != nil {
		b.groups.close()
	}
}
