package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"

	"github.com/gocasebook/casebook/internal/flock"
)

// leastFree is how many bytes a disk has to have for a run, an estimate: eight people who built and tested at once used
// 9.3 GB of a build cache in 90 minutes, and the tests have some of their own.
const leastFree = 6_000_000_000

// needRoom says how much is free where a run writes. On a full disk tests of everything fail, each with an error of its
// own, such as "the store's database is locked": here it is said once.
func needRoom(ctx context.Context) error {
	out, err := exec.CommandContext(ctx, "go", "env", "GOCACHE").Output()
	if err != nil {
		return fmt.Errorf("asking for Go's build cache: %w", err)
	}
	cache := strings.TrimSpace(string(out))
	var short []error
	for _, dir := range []string{cache, os.TempDir()} {
		free, err := freeOf(dir)
		if err != nil {
			return fmt.Errorf("asking how much is free for %s: %w", dir, err)
		}
		fmt.Printf("== %.1f GB are free for %s\n", float64(free)/1e9, dir)
		if free < leastFree {
			short = append(short, fmt.Errorf("the disk of %s has %.1f GB free, and a run needs %.0f: make room, and "+
				"run it again; go clean -cache removes all that Go has built here (du -sh %s says how much that is)",
				dir, float64(free)/1e9, leastFree/1e9, cache))
		}
	}
	return errors.Join(short...)
}

// freeOf is how many bytes are free for a folder, which may not be there yet.
func freeOf(dir string) (bytes int64, err error) {
	for {
		var disk syscall.Statfs_t
		err = syscall.Statfs(dir, &disk)
		if above := filepath.Dir(dir); errors.Is(err, syscall.ENOENT) && above != dir {
			dir = above
			continue
		}
		return int64(disk.Bavail) * int64(disk.Bsize), err
	}
}

// A scratch is the folder that tests have for the system's temporary one: processes that they kill remove nothing, and
// neither do browsers and databases that end with their tests. It has one name, because a result that go test has kept
// is that of the same TMPDIR. Where another run has it, a second has a name of its own.
type scratch struct {
	dir  string
	lock *os.File
}

func newScratch() (s scratch, err error) {
	if cache, err := os.UserCacheDir(); err == nil {
		s.lock, _ = os.OpenFile(filepath.Join(cache, "casebook-tests.lock"), os.O_RDWR|os.O_CREATE, 0o600)
	}
	s.dir = filepath.Join(os.TempDir(), "casebook-tests-"+strconv.Itoa(os.Getuid()))
	if s.lock == nil || flock.Try(s.lock) != nil || os.RemoveAll(s.dir) != nil || os.Mkdir(s.dir, 0o755) != nil {
		s.dir, err = os.MkdirTemp("", "casebook-tests-")
	}
	if err == nil {
		err = os.Chmod(s.dir, 0o755) // PostgreSQL runs as a user of its own, whatever the umask is
	}
	if err == nil {
		err = os.Setenv("TMPDIR", s.dir)
	}
	return s, err
}

// end removes the folder, and names what was left in it.
func (s scratch) end() (left []string, err error) {
	entries, err := os.ReadDir(s.dir)
	for _, e := range entries {
		left = append(left, e.Name())
	}
	err = errors.Join(err, os.RemoveAll(s.dir))
	if s.lock != nil {
		err = errors.Join(err, s.lock.Close())
	}
	return left, err
}
