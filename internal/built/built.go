// Package built lets the tests of several packages share the programs that they build: linking one takes seconds of CPU,
// and the packages that run a victim, or the lab, are ten. Only tests import it.
package built

import (
	"errors"
	"fmt"
	"hash/fnv"
	"os"
	"os/exec"
	"path/filepath"
	"time"

	"github.com/gocasebook/casebook/internal/flock"
)

// Folder names the variable with the folder in which the programs of a run are; internal/tests/suite sets it, and a
// program is built once in a run: go build takes seconds of CPU to see that the lab's has not changed. Without it each
// call builds one.
const Folder = "CASEBOOK_TEST_PROGRAMS"

// Program builds a main package into the file to, with variables such as "GOWORK=off" and flags of go build. The file is
// the caller's own: a process is known by the file that it runs.
func Program(to, pkg string, env []string, flags ...string) error {
	dir := os.Getenv(Folder)
	if dir == "" {
		return build(to, pkg, env, flags)
	}
	h := fnv.New64a()
	fmt.Fprintf(h, "%q %q %q %q", pkg, env, flags, os.Getenv("GOEXPERIMENT"))
	shared := filepath.Join(dir, fmt.Sprintf("%x", h.Sum64()))
	lock, err := os.OpenFile(shared+".lock", os.O_RDWR|os.O_CREATE, 0o600)
	if err != nil {
		return err
	}
	defer lock.Close() // which unlocks it
	for errors.Is(flock.Try(lock), flock.ErrInUse) {
		time.Sleep(20 * time.Millisecond)
	}
	if _, err := os.Stat(shared); err != nil { // not yet, in this run
		if err := build(shared+".new", pkg, env, flags); err != nil {
			return err
		}
		if err := os.Rename(shared+".new", shared); err != nil {
			return err
		}
	}
	if os.Link(shared, to) == nil {
		return nil
	}
	data, err := os.ReadFile(shared) // on another file system
	if err != nil {
		return err
	}
	return os.WriteFile(to, data, 0o700)
}

func build(to, pkg string, env, flags []string) error {
	cmd := exec.Command("go", append(append([]string{"build"}, flags...), "-o", to, pkg)...) // -C, if any, is first
	cmd.Env = append(os.Environ(), env...)
	if out, err := cmd.CombinedOutput(); err != nil {
		return fmt.Errorf("building %s: %w\n%s", pkg, err, out)
	}
	return nil
}
