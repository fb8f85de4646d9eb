package gate

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os/exec"
	"strings"
	"time"
)

// waitDelay is how long a killed process's output may stay open in a child of its own.
const waitDelay = 5 * time.Second

// command is a child that dies with its children when the context ends.
func command(ctx context.Context, dir, name string, args ...string) *exec.Cmd {
	cmd := exec.CommandContext(ctx, name, args...)
	cmd.Dir = dir
	cmd.WaitDelay = waitDelay
	ownGroup(cmd)
	return cmd
}

// maxOutput bounds what is kept of a child's output; a million benchmark results are less.
const maxOutput = 256 << 20

// output runs a child and returns what it printed. The error ends with the tail of what it said.
func output(cmd *exec.Cmd) ([]byte, error) {
	var out, errs bounded
	cmd.Stdout, cmd.Stderr = &out, &errs
	err := cmd.Run()
	if err == nil {
		return out.b.Bytes(), nil
	}
	said := tail(errs.b.String())
	if said == "" {
		said = tail(out.b.String())
	}
	var exit *exec.ExitError
	if errors.As(err, &exit) && said != "" {
		return out.b.Bytes(), fmt.Errorf("%s: %w:\n%s", cmd.Args[0], err, said)
	}
	return out.b.Bytes(), fmt.Errorf("%s: %w", cmd.Args[0], err)
}

// tailLines is how much of what a failed child said is told.
const tailLines = 15

func tail(text string) string {
	lines := strings.Split(strings.TrimSpace(text), "\n")
	return strings.Join(lines[max(0, len(lines)-tailLines):], "\n")
}

// A bounded keeps the first maxOutput bytes and takes the rest without keeping it, so that the writer is not blocked.
type bounded struct{ b bytes.Buffer }

func (b *bounded) Write(p []byte) (int, error) {
	b.b.Write(p[:min(len(p), maxOutput-b.b.Len())])
	return len(p), nil
}
