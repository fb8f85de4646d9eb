// Package victimtest starts the real process that tests watch: the program internal/victim, a small service with
// net/http/pprof that falls ill on demand. Only tests import it.
package victimtest

import (
	"bufio"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/gocasebook/casebook/internal/built"
)

// Build builds the program into a folder, with further flags for go build, and returns its path.
func Build(dir string, flags ...string) (string, error) {
	bin := filepath.Join(dir, "victim")
	return bin, built.Program(bin, "github.com/gocasebook/casebook/internal/victim",
		[]string{"GOWORK=off"}, flags...) // in a module cache go.work names modules that are not there
}

// Start starts a built program and returns the address of its pprof endpoint and a func that ends it. It ends with the
// test at the latest.
func Start(tb testing.TB, bin string, args ...string) (addr string, stop func()) {
	tb.Helper()
	cmd := exec.Command(bin, args...)
	stdin, err := cmd.StdinPipe()
	if err != nil {
		tb.Fatal(err)
	}
	stdout, err := cmd.StdoutPipe()
	if err != nil {
		tb.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		tb.Fatal(err)
	}
	stop = func() {
		_ = stdin.Close() // the program ends with its input
		_ = cmd.Wait()    // a second call says that it has ended
	}
	tb.Cleanup(stop)
	addr, err = bufio.NewReader(stdout).ReadString('\n')
	if err != nil {
		tb.Fatalf("the victim did not print its address: %v", err)
	}
	return strings.TrimSpace(addr), stop
}
