//go:build linux

package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"time"
)

// A clean is a root file system, and who works in it.
type clean struct {
	dir  string
	user uint32
	home string // where commands run
}

// root copies the clean Debian.
func (t *trial) root(ctx context.Context, name string) (*clean, error) {
	r := &clean{dir: filepath.Join(t.dir, name), home: "/"}
	if _, err := t.outside(ctx, "cp", "--archive", "--reflink=auto", t.clean, r.dir); err != nil {
		return nil, err
	}
	return r, t.mountProc(r)
}

// run runs a command inside. Its error has what it printed last.
func (r *clean) run(ctx context.Context, name string, args ...string) (string, error) {
	return printed(r.command(ctx, name, args...))
}

// command is a command that runs inside.
func (r *clean) command(ctx context.Context, name string, args ...string) *exec.Cmd {
	cmd := exec.CommandContext(ctx, name, args...)
	cmd.Path, cmd.Err = name, nil
	if !strings.Contains(name, "/") {
		cmd.Path = r.look(name)
	}
	cmd.Dir = r.home
	cmd.Env = []string{"PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin", "HOME=" + r.home,
		"LANG=C.UTF-8", "DEBIAN_FRONTEND=noninteractive"}
	cmd.SysProcAttr = &syscall.SysProcAttr{Chroot: r.dir, Credential: &syscall.Credential{Uid: r.user, Gid: r.user}}
	return cmd
}

// look finds a command inside, whose path the kernel resolves there.
func (r *clean) look(name string) string {
	for _, dir := range []string{"/usr/local/bin", "/usr/bin", "/usr/sbin", "/bin", "/sbin"} {
		if _, err := os.Stat(filepath.Join(r.dir, dir, name)); err == nil {
			return dir + "/" + name
		}
	}
	return "/usr/bin/" + name // which fails with its name
}

// put copies a file to a path inside.
func (r *clean) put(file, path string, mode os.FileMode) error {
	data, err := os.ReadFile(file)
	if err != nil {
		return err
	}
	return os.WriteFile(filepath.Join(r.dir, path), data, mode)
}

// unpack makes the root of a tar.
func (r *clean) unpack(ctx context.Context, files io.Reader) error {
	if err := os.Mkdir(r.dir, 0o755); err != nil {
		return err
	}
	cmd := exec.CommandContext(ctx, "tar", "-C", r.dir, "--same-permissions", "--numeric-owner", "-x")
	cmd.Stdin = files
	_, err := printed(cmd)
	return err
}

// outside runs a command of this machine.
func (t *trial) outside(ctx context.Context, name string, args ...string) (string, error) {
	return printed(exec.CommandContext(ctx, name, args...))
}

func printed(cmd *exec.Cmd) (string, error) {
	var out, problems bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &problems
	err := cmd.Run()
	if err != nil {
		err = fmt.Errorf("%s: %w\n%s", strings.Join(cmd.Args, " "), err, tail(out.String()+problems.String()))
	}
	return out.String(), err
}

// tail is the end of a text, for an error.
func tail(text string) string { return text[max(0, len(text)-2000):] }

func exitCode(err error) int {
	var ended *exec.ExitError
	switch {
	case err == nil:
		return 0
	case errors.As(err, &ended):
		return ended.ExitCode()
	}
	return -1
}

// A service is a program that serves profiles at 127.0.0.1:6060, and its load.
type service struct {
	start     func(context.Context) *exec.Cmd
	rate, url string
}

// underLoad runs a service, and the release's own casebook as its load, while the steps are done.
func (t *trial) underLoad(ctx context.Context, s service, steps ...func(context.Context) error) (err error) {
	ctx, cancel := context.WithCancel(ctx)
	var said bytes.Buffer
	running := s.start(ctx)
	running.Stdout, running.Stderr = &said, &said
	if err := running.Start(); err != nil {
		cancel()
		return err
	}
	defer func() {
		cancel()
		ended := running.Wait() // killed, unless it ended by itself
		if err != nil {
			err = fmt.Errorf("%w\nthe service ended (%v), and had said last:\n%s", err, ended, tail(said.String()))
		}
	}()
	if err := t.answers(ctx); err != nil {
		return err
	}
	load := exec.CommandContext(ctx, filepath.Join(t.dir, "archive/usr/local/bin/casebook"), "load", "--rate", s.rate,
		"--duration", "1h", s.url)
	load.Dir = t.dir
	if err := load.Start(); err != nil {
		return err
	}
	defer load.Wait()
	defer cancel()
	for _, step := range steps {
		if err := step(ctx); err != nil {
			return err
		}
	}
	return nil
}

// answers waits until the service serves profiles. It asks from a process: this one has threads in another network.
func (t *trial) answers(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(ctx, time.Minute)
	defer cancel()
	for {
		_, err := t.outside(ctx, filepath.Join(t.dir, "archive/usr/local/bin/casebook"), "doctor",
			"http://127.0.0.1:6060")
		if code := exitCode(err); code == 0 || code == 1 {
			return nil
		}
		select {
		case <-ctx.Done():
			return fmt.Errorf("the service serves no profiles: %w", err)
		case <-time.After(200 * time.Millisecond):
		}
	}
}
