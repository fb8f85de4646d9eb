package cli_test

import (
	"bytes"
	"os"
	"os/exec"
	"regexp"
	"sync"
	"testing"
	"time"
)

// A beside is a command that runs while the test goes on.
type beside struct {
	cmd   *exec.Cmd
	ended chan struct{}

	mu      sync.Mutex // guards what follows
	said    bytes.Buffer
	changed chan struct{} // closed when more has been printed
}

// Write takes what the command prints.
func (b *beside) Write(p []byte) (int, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	close(b.changed)
	b.changed = make(chan struct{})
	return b.said.Write(p)
}

// begin starts the command in a folder. It ends with the test at the latest.
func begin(t *testing.T, dir string, args ...string) *beside {
	t.Helper()
	return beginCommand(t, dir, exec.Command(bin, args...))
}

func beginCommand(t *testing.T, dir string, cmd *exec.Cmd) *beside {
	t.Helper()
	b := &beside{cmd: cmd, ended: make(chan struct{}), changed: make(chan struct{})}
	b.cmd.Dir, b.cmd.Stdout, b.cmd.Stderr = dir, b, b
	if err := b.cmd.Start(); err != nil {
		t.Fatal(err)
	}
	go func() {
		_ = b.cmd.Wait() // its exit code says it
		close(b.ended)
	}()
	t.Cleanup(func() {
		_ = b.cmd.Process.Kill()
		<-b.ended
	})
	return b
}

func (b *beside) text() (string, <-chan struct{}) {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.said.String(), b.changed
}

// await waits until the command has printed a text.
func (b *beside) await(t *testing.T, text string) {
	t.Helper()
	b.awaitMatch(t, regexp.MustCompile(regexp.QuoteMeta(text)))
}

func (b *beside) awaitMatch(t *testing.T, want *regexp.Regexp) {
	t.Helper()
	late := time.After(patience)
	for {
		said, changed := b.text()
		if want.MatchString(said) {
			return
		}
		select {
		case <-changed:
		case <-b.ended:
			if said, _ = b.text(); !want.MatchString(said) {
				t.Fatalf("it ended without saying %q; it said:\n%s", want, said)
			}
			return
		case <-late:
			t.Fatalf("it has not said %q in time; it said:\n%s", want, said)
		}
	}
}

// signal sends a signal.
func (b *beside) signal(t *testing.T, s os.Signal) {
	t.Helper()
	if err := b.cmd.Process.Signal(s); err != nil {
		t.Fatal(err)
	}
}

// stop ends the command by Ctrl-C and returns what it printed.
func (b *beside) stop(t *testing.T) result {
	t.Helper()
	b.signal(t, os.Interrupt)
	return b.wait(t)
}

func (b *beside) wait(t *testing.T) result {
	t.Helper()
	select {
	case <-b.ended:
	case <-time.After(patience):
		said, _ := b.text()
		t.Fatalf("it does not end; it said:\n%s", said)
	}
	said, _ := b.text()
	return result{code: b.cmd.ProcessState.ExitCode(), out: said}
}
