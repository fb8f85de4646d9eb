//go:build linux

// Install takes the files of a release, as `make dist` left them, to clean roots, and does there what people do.
//
// The problem: a file that was packed is not one that installs. So each of the archive, the Debian package and the
// container image is installed on a Debian that has nothing of ours and no Go, asked for its version, its manual and its
// completion, and runs the demo. Then a new user, in an empty folder with only the archive, runs the commands of
// README.md from "From a release" as they are printed there, against a service under load, and must be told of its
// fault; and against a service by other hands, built from the module proxy.
//
// It runs in namespaces of its own, so that the ports of README.md are free and nothing of it is seen elsewhere. It
// needs root, for that and for chroot, and debootstrap, which fetches the Debian once.
package main

import (
	"context"
	"flag"
	"fmt"
	"io"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"runtime"
)

func main() {
	files := flag.String("files", "../../bin/dist/v0.0.0-check", "the `folder` of the release")
	readme := flag.String("readme", "../../README.md", "the `page` whose commands are run")
	cache, err := os.UserCacheDir()
	if err != nil {
		cache = os.TempDir()
	}
	root := flag.String("root", filepath.Join(cache, "casebook-root"), "the `folder` of the clean Debian; made if absent")
	flag.Parse()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	err = check(ctx, *files, *readme, *root, os.Stdout)
	stop()
	if err != nil {
		fmt.Fprintln(os.Stderr, "install:", err)
		os.Exit(1)
	}
}

// A trial is one run. All that it starts, it starts on one thread: a process has the network and the mounts of the
// thread that forks.
type trial struct {
	files, readme string
	clean         string // the Debian that is copied for each step
	dir           string // for all that is thrown away
	out           io.Writer
	version       string
	mounted       []string
	box, user     *clean // the image's files; the root of a new user
}

func check(ctx context.Context, files, readme, root string, out io.Writer) error {
	if os.Geteuid() != 0 {
		return fmt.Errorf("this needs root, for chroot")
	}
	dir, err := os.MkdirTemp("", "casebook-install-")
	if err != nil {
		return err
	}
	t := &trial{files: files, readme: readme, clean: root, dir: dir, out: out}
	defer func() {
		if t.unmount() == nil {
			os.RemoveAll(dir)
		}
	}()
	if err := os.Chmod(dir, 0o755); err != nil { // the new user has to get through
		return err
	}
	if err := t.open(ctx); err != nil {
		return err
	}
	shop, err := build(ctx, dir)
	if err != nil {
		return err
	}
	other, err := buildTheirs(ctx, dir)
	if err != nil {
		return err
	}
	runtime.LockOSThread() // to the end: the thread is not what it was
	if err := apart(); err != nil {
		return fmt.Errorf("a network and mounts of its own: %w", err)
	}
	for _, step := range []func(context.Context) error{t.archive, t.debian, t.image, t.newUser} {
		if err := step(ctx); err != nil {
			return err
		}
	}
	if err := t.underLoad(ctx, shopService(shop), t.imageCaptures, t.firstDiagnosis); err != nil {
		return err
	}
	theirs, err := t.theirService(other)
	if err != nil {
		return err
	}
	return t.underLoad(ctx, theirs, t.theirDiagnosis)
}

// shopService is our own service, with a fault that the first diagnosis must name.
func shopService(file string) service {
	return service{rate: "1200", url: "http://127.0.0.1:8080/search?q=lamp,chair,mirror,no",
		start: func(ctx context.Context) *exec.Cmd { return exec.CommandContext(ctx, file) }}
}

// open checks the checksums and makes the clean Debian.
func (t *trial) open(ctx context.Context) error {
	sums := exec.CommandContext(ctx, "sha256sum", "--check", "--strict", "--quiet", "SHA256SUMS")
	sums.Dir = t.files
	if text, err := sums.CombinedOutput(); err != nil {
		return fmt.Errorf("SHA256SUMS of %s: %w\n%s", t.files, err, text)
	}
	fmt.Fprintln(t.out, "SHA256SUMS: all files are as they were made")
	archives, err := filepath.Glob(filepath.Join(t.files, "casebook_v*_linux_"+runtime.GOARCH+".tar.gz"))
	if err != nil || len(archives) != 1 {
		return fmt.Errorf("%d archives for linux/%s in %s, want one: make dist", len(archives), runtime.GOARCH, t.files)
	}
	t.version = filepath.Base(archives[0])
	t.version = t.version[len("casebook_") : len(t.version)-len("_linux_"+runtime.GOARCH+".tar.gz")]
	if _, err := os.Stat(filepath.Join(t.clean, "bin/bash")); err == nil {
		return nil
	}
	fmt.Fprintln(t.out, "Fetching a clean Debian into", t.clean)
	text, err := exec.CommandContext(ctx, "debootstrap", "--variant=minbase", "--include=bash-completion,man-db",
		"stable", t.clean).CombinedOutput()
	if err != nil {
		os.RemoveAll(t.clean)
		return fmt.Errorf("debootstrap: %w\n%s", err, tail(string(text)))
	}
	return nil
}

// build builds the service that is diagnosed.
func build(ctx context.Context, dir string) (string, error) {
	file := filepath.Join(dir, "shop")
	cmd := exec.CommandContext(ctx, "go", "build", "-o", file, "./install/shop")
	cmd.Env = append(os.Environ(), "GOWORK=off", "CGO_ENABLED=0")
	if text, err := cmd.CombinedOutput(); err != nil {
		return "", fmt.Errorf("building the service: %w\n%s", err, text)
	}
	return file, nil
}
