package trial

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
	"time"

	"github.com/gocasebook/casebook/casefile"
	"github.com/gocasebook/casebook/vitals"
)

// A line is what we read of a line of `casebook watch --json`; docs/watch-json.md has all of it.
type line struct {
	Event   string              `json:"event"`
	Time    time.Time           `json:"time"`
	Signals map[string]float64  `json:"signals"`
	Trigger *casefile.Trigger   `json:"trigger"`
	CaseID  string              `json:"case_id"`
	Path    string              `json:"path"`
	Result  *casefile.Diagnosis `json:"diagnosis"`
	Error   string              `json:"error"`
	Summary *Summary            `json:"summary"`
}

// A Summary is how a watch could keep to its times: of the samples that it took, so many were late, and further ones
// were left out.
type Summary struct {
	Samples int `json:"samples"`
	Late    int `json:"late"`
	LeftOut int `json:"left_out"`
}

// sample is the line's, of the built-in signals.
func (l *line) sample() vitals.Sample {
	s := vitals.NewSample(l.Time)
	for name, v := range l.Signals {
		if id, ok := vitals.Lookup(name); ok {
			s.Set(id, v)
		}
	}
	return s
}

// maxLine bounds a line: a diagnosis with its picture is far below.
const maxLine = 16 << 20

// A watcher is a process of the casebook command, followed by what it prints.
type watcher struct {
	cmd    *exec.Cmd
	lines  chan line // closed when the process has closed its output
	errors bytes.Buffer
}

// startWatcher runs casebook with args.
func startWatcher(ctx context.Context, binary string, args ...string) (*watcher, error) {
	w := &watcher{cmd: exec.CommandContext(ctx, binary, args...), lines: make(chan line, 64)}
	w.cmd.Cancel = func() error { return w.cmd.Process.Signal(os.Interrupt) }
	w.cmd.WaitDelay = 30 * time.Second
	w.cmd.Stderr = &w.errors
	out, err := w.cmd.StdoutPipe()
	if err != nil {
		return nil, fmt.Errorf("starting casebook: %w", err)
	}
	if err := w.cmd.Start(); err != nil {
		return nil, fmt.Errorf("starting casebook: %w", err)
	}
	go w.read(out)
	return w, nil
}

func (w *watcher) read(out io.Reader) {
	defer close(w.lines)
	scan := bufio.NewScanner(out)
	scan.Buffer(nil, maxLine)
	for scan.Scan() {
		var l line
		if err := json.Unmarshal(scan.Bytes(), &l); err != nil {
			l = line{Event: "failed", Error: fmt.Sprintf("not JSON: %v", err)}
		}
		w.lines <- l
	}
}

// wait waits for the end, after the lines have been read. Exit code 1 says that there are findings, and is none of
// ours.
func (w *watcher) wait() error {
	err := w.cmd.Wait()
	exit := (*exec.ExitError)(nil)
	if errors.As(err, &exit) && exit.ExitCode() == 1 || errors.Is(err, context.Canceled) {
		return nil
	}
	if err != nil {
		return fmt.Errorf("casebook: %w\n%s", err, w.errors.Bytes())
	}
	return nil
}

// capture takes a case now and returns its diagnosis.
func capture(ctx context.Context, binary, dir, url string) (*casefile.Diagnosis, error) {
	w, err := startWatcher(ctx, binary, "capture", "--json", "--dir", dir, url)
	if err != nil {
		return nil, err
	}
	var found *casefile.Diagnosis
	for l := range w.lines {
		if l.Result != nil {
			found = l.Result
		}
	}
	if err := w.wait(); err != nil {
		return nil, err
	}
	if found == nil {
		return nil, errors.New("casebook capture printed no diagnosis")
	}
	return found, nil
}
