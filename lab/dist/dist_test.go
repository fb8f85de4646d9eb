package main

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

const version = "v0.0.0-test"

// one is a release of one target, which all tests look at. Building it takes most of the tests' time: from an empty
// build cache two minutes, else the time of a link.
var one struct {
	order
	*release
	files string // the folder that people get
}

func TestMain(m *testing.M) {
	dir, err := os.MkdirTemp("", "dist-test-")
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	code := 1
	if err := makeOne(dir); err != nil {
		fmt.Fprintln(os.Stderr, "a release of linux/amd64:", err)
	} else {
		code = m.Run()
	}
	os.RemoveAll(dir)
	os.Exit(code)
}

func makeOne(dir string) error {
	one.order = order{repository: "../..", version: version, targets: all[:1]}
	one.files = filepath.Join(dir, "files")
	if err := os.Mkdir(one.files, 0o755); err != nil {
		return err
	}
	c, err := check(context.Background(), one.repository, filepath.Join(dir, "first"), version)
	if err != nil {
		return err
	}
	one.release = &release{checkout: c, dir: one.files, out: io.Discard}
	return one.make(context.Background(), one.targets)
}

// read is a file of the release.
func read(t *testing.T, name string) []byte {
	t.Helper()
	data, err := os.ReadFile(filepath.Join(one.files, name))
	if err != nil {
		t.Fatal(err)
	}
	return data
}

// The same commit, cloned into a folder of another name, gives the same program and the same archive, package and
// image. What is compiled is in the build cache already: -verify is for that.
func TestReproducible(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "another folder")
	c, err := check(t.Context(), one.repository, dir, version)
	if err != nil {
		t.Fatal(err)
	}
	again := &release{checkout: c, dir: filepath.Join(dir, "files"), out: io.Discard}
	if err := os.Mkdir(again.dir, 0o700); err != nil {
		t.Fatal(err)
	}
	if err := again.make(t.Context(), one.targets); err != nil {
		t.Fatal(err)
	}
	files, err := os.ReadDir(one.files)
	if err != nil || len(files) != 5 {
		t.Fatalf("%d files, %v; want an archive, a Debian package, an image, an SBOM and SHA256SUMS", len(files), err)
	}
	for _, f := range files {
		second, err := os.ReadFile(filepath.Join(again.dir, f.Name()))
		if first := read(t, f.Name()); err != nil || !bytes.Equal(first, second) {
			t.Errorf("%s has %d bytes, and made again %d others (%v)", f.Name(), len(first), len(second), err)
		}
	}
}

// Building again, as -verify does with an empty build cache, says that it is the same, and fails where it is not.
func TestAgain(t *testing.T) {
	var said bytes.Buffer
	r := &release{checkout: one.checkout, out: &said}
	err := r.again(t.Context(), one.order, t.TempDir(), "")
	if err != nil || !strings.Contains(said.String(), "the same") {
		t.Errorf("%v, %q", err, said.String())
	}
	r.checkout = &checkout{dir: filepath.Join(t.TempDir(), "c")}
	other := r.binary(one.targets[0])
	if err := os.MkdirAll(filepath.Dir(other), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(other, []byte("another program"), 0o600); err != nil {
		t.Fatal(err)
	}
	err = r.again(t.Context(), one.order, t.TempDir(), "")
	if err == nil || !strings.Contains(err.Error(), "not the same") {
		t.Errorf("another program is taken for the same: %v", err)
	}
}

// The program says which version and which commit it is, and holds no path of the machine that built it.
func TestProgram(t *testing.T) {
	file := one.binary(all[0])
	head, err := run(t.Context(), one.repository, nil, "git", "rev-parse", "--short=12", "HEAD")
	if err != nil {
		t.Fatal(err)
	}
	said, err := run(t.Context(), ".", nil, file, "version")
	if want := "casebook " + version + " " + strings.TrimSpace(head) + " "; err != nil || !strings.HasPrefix(said, want) {
		t.Errorf("it says %q, %v; want %q first", said, err, want)
	}
	data, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	for _, path := range []string{one.checkout.dir, filepath.Join("pkg", "mod", "github.com")} {
		if bytes.Contains(data, []byte(path)) {
			t.Errorf("the program holds the path %s", path)
		}
	}
}

func TestSums(t *testing.T) {
	out, err := run(t.Context(), one.files, nil, "sha256sum", "--check", "--strict", "SHA256SUMS")
	if err != nil || strings.Count(out, ": OK\n") != 4 {
		t.Errorf("sha256sum -c: %v, %q", err, out)
	}
}

func TestOrders(t *testing.T) {
	var o order
	if err := o.targetsNamed("linux/arm64,windows/amd64"); err != nil || len(o.targets) != 2 ||
		o.targets[1].name("v1.0.0") != "casebook_v1.0.0_windows_amd64" {
		t.Errorf("targets %v, %v", o.targets, err)
	}
	if err := o.targetsNamed("linux"); err == nil {
		t.Error("a target without an architecture is taken")
	}
	for _, v := range []string{"0.4.0", "v0.4", "v0.4.0/..", "v0.4.0+x", ""} {
		if err := dist(t.Context(), order{version: v}, io.Discard); err == nil || !strings.Contains(err.Error(), "v0.4.0") {
			t.Errorf("version %q: %v", v, err)
		}
	}
}

// Where the repository has the tag of the version, that commit is built, and not what came after it.
func TestTagIsBuilt(t *testing.T) {
	repository := t.TempDir()
	git := func(args ...string) {
		t.Helper()
		args = append([]string{"-c", "user.name=test", "-c", "user.email=test@localhost", "-c", "commit.gpgSign=false",
			"-c", "tag.gpgSign=false"}, args...)
		if _, err := run(t.Context(), repository, nil, "git", args...); err != nil {
			t.Fatal(err)
		}
	}
	git("init", "--quiet")
	git("commit", "--quiet", "--allow-empty", "--message", "released", "--date", "2026-11-01T00:00:00Z")
	git("tag", "--annotate", "--message", "the release", "app/v1.0.0")
	git("commit", "--quiet", "--allow-empty", "--message", "afterwards")
	for version, want := range map[string]string{"v1.0.0": "released", "v1.0.1": "afterwards"} {
		c, err := check(t.Context(), repository, filepath.Join(t.TempDir(), "clone"), version)
		if err != nil {
			t.Fatal(err)
		}
		subject, err := run(t.Context(), c.dir, nil, "git", "log", "-1", "--format=%s")
		if err != nil || strings.TrimSpace(subject) != want {
			t.Errorf("%s is built of %q, %v; want %q", version, subject, err, want)
		}
	}
}
