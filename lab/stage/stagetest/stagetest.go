// Package stagetest is for tests that run services of the lab: it builds the command, shows the progress in a test's
// log, and finds processes that a test left behind.
package stagetest

import (
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/gocasebook/casebook/internal/built"
)

// Lab builds the lab's command, which is its services too, into a folder of the test's.
func Lab(tb testing.TB) string {
	tb.Helper()
	bin := filepath.Join(tb.TempDir(), "lab")
	if err := built.Program(bin, "github.com/gocasebook/casebook/lab/cmd/lab", nil); err != nil {
		tb.Fatal(err)
	}
	return bin
}

// Children are the processes that run a binary with an argument that has that text in it; "" for any. There are none
// where the system has no /proc.
func Children(binary, argument string) []int {
	exes, _ := filepath.Glob("/proc/[0-9]*/exe") // the pattern is well-formed
	var pids []int
	for _, exe := range exes {
		target, err := os.Readlink(exe)
		if err != nil || strings.TrimSuffix(target, " (deleted)") != binary {
			continue
		}
		args, _ := os.ReadFile(filepath.Join(filepath.Dir(exe), "cmdline")) // it may have ended
		pid, err := strconv.Atoi(filepath.Base(filepath.Dir(exe)))
		if err == nil && strings.Contains(string(args), argument) {
			pids = append(pids, pid)
		}
	}
	return pids
}

// NoChildren fails the test when a process runs the binary.
func NoChildren(tb testing.TB, binary string) {
	tb.Helper()
	for _, pid := range Children(binary, "") {
		tb.Errorf("a process is left: %d", pid)
	}
}
