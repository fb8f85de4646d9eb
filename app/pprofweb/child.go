package pprofweb

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"runtime"
	"runtime/debug"
	"strings"
	"time"

	"github.com/gocasebook/casebook/app/child"
	"github.com/gocasebook/casebook/internal/room"
)

// drawFlag makes a program draw one page. It looks like a flag, so that a program that does not call As refuses it
// instead of doing what it does otherwise.
const drawFlag = "--draw-page-of-pprof"

// As makes this process draw one page, if its arguments say so. It does not return then. Main calls it before it makes
// anything.
func As(args []string) {
	if len(args) == 1 && args[0] == drawFlag {
		os.Exit(drawAsked(os.Stdin, os.Stdout))
	}
}

// self is the command that draws a page.
func self() ([]string, error) {
	program, err := os.Executable()
	if err != nil {
		return nil, err
	}
	if runtime.GOOS == "linux" {
		program = "/proc/self/exe" // the same one, also where its file was replaced since
	}
	return []string{program, drawFlag}, nil
}

// asked is the first line of what the process reads; the profile follows.
type asked struct {
	Page   string
	Query  string
	Most   int64         // bytes of memory that the profile may need
	Within time.Duration // after which nobody waits any more, should the server have been killed
}

// answered is the first line of what it writes; the page follows, if there is no error.
type answered struct {
	Error    string
	TooLarge bool // otherwise it is refused
}

// Bounds of what is read of the process.
const (
	maxAnswered = 16 << 10
	maxStderr   = 4 << 10
)

// page has a process draw a page.
func (p *Pages) page(ctx context.Context, r Request) ([]byte, error) {
	data, err := r.Load(ctx)
	if err != nil {
		return nil, err
	}
	command := p.command
	if command == nil {
		if command, err = self(); err != nil {
			return nil, fmt.Errorf("looking for the program that draws pages: %w", err)
		}
	}
	first, err := json.Marshal(asked{r.Page, r.Query, min(room.Parsing(), maxNeeded), p.patience})
	if err != nil {
		return nil, err
	}
	out, errs := &child.Head{Most: maxPage + maxAnswered}, &child.Head{Most: maxStderr}
	cmd := exec.CommandContext(ctx, command[0], command[1:]...)
	cmd.Env = environment()
	cmd.Stdin = io.MultiReader(bytes.NewReader(append(first, '\n')), bytes.NewReader(data))
	cmd.Stdout, cmd.Stderr = out, errs
	cmd.WaitDelay = time.Second // for its pipes, should another process have got hold of them
	if room.Limit() > 0 {
		debug.FreeOSMemory() // what was read for other pages is garbage, which the process has no room beside
	}
	if err := cmd.Run(); err != nil {
		said, _, _ := strings.Cut(errs.String(), "\n")
		return nil, fmt.Errorf("drawing a page of pprof: %w: %s", err, said)
	}
	return read(out.Bytes())
}

// read takes the answer of a process apart.
func read(out []byte) ([]byte, error) {
	first, page, found := bytes.Cut(out, []byte("\n"))
	var a answered
	if err := json.Unmarshal(first, &a); !found || err != nil {
		return nil, errors.New("drawing a page of pprof: its process did not say what it drew")
	}
	switch {
	case a.TooLarge:
		return nil, fmt.Errorf("%w: %s", ErrTooLarge, a.Error)
	case a.Error != "":
		return nil, fmt.Errorf("%w: %s", ErrRefused, a.Error)
	}
	return page, nil
}

// environment has nothing of the server's: no secrets, no folder with settings of pprof, no path to programs. Where the
// server's memory has a limit, its collector keeps the process within half of that as long as it can.
func environment() []string {
	const none = "/nonexistent"
	env := []string{"HOME=" + none, "XDG_CONFIG_HOME=" + none, "AppData=" + none}
	if limit := room.Limit(); limit > 0 {
		env = append(env, fmt.Sprintf("GOMEMLIMIT=%d", limit/2))
	}
	return env
}

// drawAsked is all that the process does. It returns the exit code.
func drawAsked(in io.Reader, out io.Writer) int {
	_ = os.WriteFile("/proc/self/oom_score_adj", []byte("1000"), 0o600) // where memory ends, not the server ends
	r := bufio.NewReader(in)
	first, err := r.ReadBytes('\n')
	var q asked
	if err == nil {
		err = json.Unmarshal(first, &q)
	}
	var data []byte
	if err == nil {
		time.AfterFunc(q.Within, func() { os.Exit(1) })
		data, err = io.ReadAll(r)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "reading what to draw:", err)
		return 1
	}
	page, err := draw(data, q)
	var a answered
	if err != nil {
		a.Error, a.TooLarge = err.Error(), errors.Is(err, ErrTooLarge)
		for _, own := range []error{ErrTooLarge, ErrRefused} { // which the server says again
			a.Error = strings.TrimPrefix(a.Error, own.Error()+": ")
		}
		a.Error = a.Error[:min(len(a.Error), maxAnswered/8)] // escaped, each byte may become six
	}
	line, err := json.Marshal(a)
	if err == nil {
		_, err = out.Write(append(append(line, '\n'), page...))
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "answering:", err)
		return 1
	}
	return 0
}
