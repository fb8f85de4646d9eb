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
	one.order = order{repository: "../..", version: version, targets: all[:1], verify: all[:1]}
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
// image, and who makes them again is told where they differ. What is compiled is in the build cache already: -verify is
// for that.
func TestReproducible(t *testing.T) {
	files, err := os.ReadDir(one.files)
	if err != nil || len(files) != 5 {
		t.Fatalf("%d files, %v; want an archive, a Debian package, an image, an SBOM and SHA256SUMS", len(files), err)
	}
	var said bytes.Buffer
	r := &release{checkout: one.checkout, dir: one.files, out: &said}
	second := filepath.Join(t.TempDir(), "another folder")
	if err := r.again(t.Context(), one.order, second, ""); err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(said.String(), "[linux/amd64], ") || !strings.Contains(said.String(), "5 files have the same") {
		t.Errorf("it says %q", said.String())
	}

	second = filepath.Join(second, "files")
	for _, name := range []string{"casebook_" + version + imageSuffix, sumsName} {
		if err := os.WriteFile(filepath.Join(second, name), []byte("of other targets"), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if n, err := r.compare(second, false); n != 3 || err != nil {
		t.Errorf("of the first target alone %d files are the same, %v; want 3", n, err)
	}
	if _, err := r.compare(second, true); err == nil || !strings.Contains(err.Error(), "made again is not the same") {
		t.Errorf("another image and other checksums are taken for the same: %v", err)
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
	for what, want := range map[string]int{"": 0, "first": 1, "all": 2} {
		o.verify = nil
		if err := o.verifyNamed(what); err != nil || len(o.verify) != want {
			t.Errorf("-verify %q is %v, %v", what, o.verify, err)
		}
	}
	if err := o.verifyNamed("linux/arm64"); err == nil {
		t.Error("-verify takes a target")
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
