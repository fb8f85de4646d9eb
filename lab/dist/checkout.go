package main

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"time"
)

// A checkout is a clone of the repository at the commit of a version, with a workspace that has only what is released.
type checkout struct {
	dir     string // of the clone
	version string
	of      string // what was checked out, for people
	work    string // go.work
	date    time.Time
}

// check clones the repository into a new folder below dir. The tag that Go stamps the version from is the repository's
// own or, before there is one, made in the clone at HEAD.
func check(ctx context.Context, repository, dir, version string) (*checkout, error) {
	c := &checkout{dir: filepath.Join(dir, "casebook"), version: version, work: filepath.Join(dir, "go.work")}
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return nil, err
	}
	origin, err := run(ctx, repository, nil, "git", "rev-parse", "--show-toplevel")
	if err != nil {
		return nil, err
	}
	origin, tag := strings.TrimSpace(origin), "app/"+version
	if _, err := run(ctx, dir, nil, "git", "clone", "--quiet", "--shared", "--no-tags", origin, c.dir); err != nil {
		return nil, err
	}
	if _, err := run(ctx, origin, nil, "git", "rev-parse", "--verify", "--quiet", "refs/tags/"+tag); err == nil {
		c.of = "tag " + tag
		err = c.git(ctx, "fetch", "--quiet", "--no-tags", "origin", "refs/tags/"+tag+":refs/tags/"+tag)
		if err == nil {
			err = c.git(ctx, "checkout", "--quiet", tag)
		}
		if err != nil {
			return nil, err
		}
	} else {
		c.of = "HEAD, because there is no tag " + tag
		if err := c.git(ctx, "tag", tag); err != nil {
			return nil, err
		}
	}
	return c, c.settle(ctx)
}

// settle reads the date of the commit and writes the workspace. Without one the app module would look for the release
// of the root module that it requires, which nobody can download yet. The repository's own has the lab, too, whose
// dependencies raise the versions of others'.
func (c *checkout) settle(ctx context.Context) error {
	text, err := run(ctx, c.dir, nil, "git", "log", "-1", "--format=%ct")
	if err != nil {
		return err
	}
	seconds, err := strconv.ParseInt(strings.TrimSpace(text), 10, 64)
	if err != nil {
		return fmt.Errorf("the date of the commit: %w", err)
	}
	c.date = time.Unix(seconds, 0).UTC()
	revision, err := run(ctx, c.dir, nil, "git", "rev-parse", "--short=12", "HEAD")
	if err != nil {
		return err
	}
	c.of += ", revision " + strings.TrimSpace(revision)
	name := filepath.Base(c.dir)
	work := fmt.Sprintf("go 1.26.0\n\nuse (\n\t./%[1]s\n\t./%[1]s/app\n\t./%[1]s/remedy\n)\n", name)
	return os.WriteFile(c.work, []byte(work), 0o644)
}

func (c *checkout) git(ctx context.Context, args ...string) error {
	_, err := run(ctx, c.dir, nil, "git", args...)
	return err
}

// env is what a build depends on, whatever the user has set.
func (c *checkout) env(t target) []string {
	return []string{"GOWORK=" + c.work, "GOFLAGS=", "CGO_ENABLED=0", "GOEXPERIMENT=", "GOAMD64=v1", "GOARM64=v8.0",
		"GOOS=" + t.os, "GOARCH=" + t.arch}
}

// run runs a command in dir with these settings beside the environment, and returns what it printed.
func run(ctx context.Context, dir string, env []string, name string, args ...string) (string, error) {
	var out, problems bytes.Buffer
	cmd := exec.CommandContext(ctx, name, args...)
	cmd.Dir, cmd.Stdout, cmd.Stderr = dir, &out, &problems
	cmd.Env = append(os.Environ(), env...)
	if err := cmd.Run(); err != nil {
		return "", fmt.Errorf("%s: %w\n%s%s", strings.Join(cmd.Args, " "), err, out.String(), problems.String())
	}
	return out.String(), nil
}
