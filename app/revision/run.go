package revision

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/gocasebook/casebook/app/child"
)

// waitDelay is how long the output of a tool that has ended may stay open in its own child.
const waitDelay = 5 * time.Second

// Run runs a tool (git, go, a test binary) in dir and returns what it printed. It dies with its children when ctx ends,
// which gives the context's cause; other errors end with the last lines that it wrote. Of its output the first 256 MiB
// are kept.
func Run(ctx context.Context, dir, tool string, args ...string) ([]byte, error) {
	return Feed(ctx, dir, nil, tool, args...)
}

// Feed is Run of a tool that reads the input.
func Feed(ctx context.Context, dir string, input []byte, tool string, args ...string) ([]byte, error) {
	cmd := exec.CommandContext(ctx, tool, args...)
	out, errs := child.Head{Most: maxOutput}, child.Head{Most: maxOutput}
	cmd.Dir, cmd.Stdout, cmd.Stderr = dir, &out, &errs
	if input != nil {
		cmd.Stdin = bytes.NewReader(input)
	}
	cmd.Env = slices.DeleteFunc(os.Environ(), elsewhere)
	cmd.WaitDelay = waitDelay
	ownGroup(cmd)
	err := cmd.Run()
	if err == nil {
		return out.Bytes(), nil
	}
	if ctx.Err() != nil {
		return out.Bytes(), context.Cause(ctx)
	}
	last := lastLines(errs.String())
	if last == "" {
		last = lastLines(out.String())
	}
	return out.Bytes(), fmt.Errorf("%s: %w%s", nameOf(tool, args), err, last)
}

// nameOf returns a tool with its subcommand: "go build".
func nameOf(tool string, args []string) string {
	name := filepath.Base(tool)
	if len(args) > 0 && !strings.HasPrefix(args[0], "-") {
		name += " " + args[0]
	}
	return name
}

// elsewhere reports whether an environment variable would send git to another repository than the one of its folder:
// git sets these for its hooks.
func elsewhere(variable string) bool {
	name, _, _ := strings.Cut(variable, "=")
	switch name {
	case "GIT_DIR", "GIT_WORK_TREE", "GIT_IMPLICIT_WORK_TREE", "GIT_INDEX_FILE", "GIT_COMMON_DIR", "GIT_PREFIX":
		return true
	}
	return false
}

// maxOutput bounds what is kept of a tool's output; a million benchmark results are less.
const maxOutput = 256 << 20

// lastLines returns the last lines that a tool printed, indented.
func lastLines(text string) string {
	const most = 15
	if text = strings.TrimSpace(text); text == "" {
		return ""
	}
	lines := strings.Split(text, "\n")
	return "\n  " + strings.Join(lines[max(len(lines)-most, 0):], "\n  ")
}
