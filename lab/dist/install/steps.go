//go:build linux

package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"runtime"
	"strings"
	"time"

	"github.com/google/go-containerregistry/pkg/v1/layout"
	"github.com/google/go-containerregistry/pkg/v1/mutate"
)

// archive unpacks the archive below /usr/local.
func (t *trial) archive(ctx context.Context) error {
	root, err := t.root(ctx, "archive")
	if err != nil {
		return err
	}
	name := fmt.Sprintf("casebook_%s_linux_%s.tar.gz", t.version, runtime.GOARCH)
	if _, err := t.outside(ctx, "tar", "-C", filepath.Join(root.dir, "usr/local"), "-xzf",
		filepath.Join(t.files, name)); err != nil {
		return err
	}
	return t.installed(ctx, root, name, "/usr/local")
}

// debian installs the Debian package.
func (t *trial) debian(ctx context.Context) error {
	root, err := t.root(ctx, "debian")
	if err != nil {
		return err
	}
	packages, err := filepath.Glob(filepath.Join(t.files, "casebook_*_"+runtime.GOARCH+".deb"))
	if err != nil || len(packages) != 1 {
		return fmt.Errorf("%d Debian packages for %s, %v", len(packages), runtime.GOARCH, err)
	}
	name := filepath.Base(packages[0])
	if err := root.put(packages[0], "/tmp/"+name, 0o644); err != nil {
		return err
	}
	if _, err := root.run(ctx, "dpkg", "--install", "/tmp/"+name); err != nil {
		return err
	}
	if err := t.installed(ctx, root, name, "/usr"); err != nil {
		return err
	}
	if text, err := root.run(ctx, "dpkg", "--verify", "casebook"); err != nil || text != "" {
		return fmt.Errorf("dpkg --verify casebook: %q, error %v", text, err)
	}
	if _, err := root.run(ctx, "dpkg", "--purge", "casebook"); err != nil {
		return err
	}
	left, err := root.run(ctx, "find", "/usr", "-name", "*casebook*")
	if err == nil && left != "" {
		err = fmt.Errorf("dpkg --purge casebook leaves\n%s", left)
	}
	return err
}

// complete asks bash-completion, as the Tab key does, what can follow "casebook diagn".
const complete = `source /usr/share/bash-completion/bash_completion
_completion_loader casebook
COMP_WORDS=(casebook diagn) COMP_CWORD=1 COMP_LINE="casebook diagn" COMP_POINT=14 COMP_TYPE=9
__start_casebook
echo "${COMPREPLY[@]}"`

// installed does with an installed casebook what its user does first.
func (t *trial) installed(ctx context.Context, root *clean, name, prefix string) error {
	said, err := root.run(ctx, "casebook", "version")
	if err != nil {
		return err
	}
	if err := t.isVersion(said); err != nil {
		return err
	}
	for _, c := range []struct {
		what, want string
		args       []string
	}{
		{"the manual page", "/man/man1/casebook-diagnose.1", []string{"man", "-w", "casebook-diagnose"}},
		{"the manual", "casebook-watch", []string{"man", "-P", "cat", "casebook"}},
		{"the completion", "diagnose", []string{"bash", "-c", complete}},
		{"the licences", "modernc.org/sqlite",
			[]string{"cat", prefix + "/share/doc/casebook/THIRD-PARTY-LICENSES.txt"}},
		{"the explanation of a finding", "GC003", []string{"casebook", "explain", "GC003"}},
	} {
		text, err := root.run(ctx, c.args[0], c.args[1:]...)
		if err != nil || !strings.Contains(text, c.want) {
			return fmt.Errorf("%s: no %q in %q, error %v", c.what, c.want, tail(text), err)
		}
	}
	fmt.Fprintf(t.out, "%s: %s; manual, completion and licences are there\n", name, strings.TrimSpace(said))
	return t.demo(ctx, root, "casebook")
}

// What casebook demo prints of its finding, of the line in the source that it holds, and of its proof.
var (
	demoFinding = regexp.MustCompile(`(?m)^(?:NOTICE|WARNING|CRITICAL) .*`)
	demoLine    = regexp.MustCompile(`(?m)^> +\d+  .*regexp\.MatchString.*`)
	demoProof   = regexp.MustCompile(`(?m)^verdict: better.*`)
)

// demo runs the demonstration, which needs nothing but the program.
func (t *trial) demo(ctx context.Context, root *clean, program string) error {
	start := time.Now()
	said, err := root.run(ctx, program, "demo")
	if err != nil {
		return fmt.Errorf("%w\n%s", err, said)
	}
	fmt.Fprintf(t.out, "casebook demo, %.0f s:\n", time.Since(start).Seconds())
	for _, part := range []*regexp.Regexp{demoFinding, demoLine, demoProof} {
		found := part.FindString(said)
		if found == "" {
			return fmt.Errorf("casebook demo prints nothing like %s:\n%s", part, said)
		}
		fmt.Fprintf(t.out, "  %s\n", found)
	}
	left, err := filepath.Glob(filepath.Join(root.dir, "tmp/casebook-demo-*"))
	if err == nil && len(left) > 0 {
		err = fmt.Errorf("casebook demo leaves %s", left)
	}
	return err
}

// isVersion checks what casebook version says: the version, the revision, the date.
func (t *trial) isVersion(said string) error {
	want := regexp.MustCompile(`^casebook ` + regexp.QuoteMeta(t.version) + ` [0-9a-f]{12} \d{4}-\d\d-\d\d go`)
	if !want.MatchString(said) {
		return fmt.Errorf("casebook version says %q, want %s with a revision and a date", said, t.version)
	}
	return nil
}

// image runs the container: its files are all that there is, and its user is not root.
func (t *trial) image(ctx context.Context) error {
	name := "casebook_" + t.version + "_image.tar"
	root, err := t.container(ctx, filepath.Join(t.files, name))
	if err != nil {
		return err
	}
	if err := errors.Join(nullDevice(root), t.mountProc(root)); err != nil {
		return err
	}
	said, err := root.run(ctx, inImage, "version")
	if err == nil {
		err = t.isVersion(said)
	}
	if err != nil {
		return err
	}
	t.box = root
	fmt.Fprintf(t.out, "%s: %s, as user 65532\n", name, strings.TrimSpace(said))
	return t.demo(ctx, root, inImage)
}

// inImage is where the image has the program.
const inImage = "/usr/bin/casebook"

// imageCaptures takes a case of a running service in the container.
func (t *trial) imageCaptures(ctx context.Context) error {
	if _, err := t.box.run(ctx, inImage, "capture", "--before", "0s", "--profile", "2s",
		"http://127.0.0.1:6060"); err != nil {
		return err
	}
	listed, err := t.box.run(ctx, inImage, "case", "ls")
	if err != nil || strings.Count(listed, "manual") == 0 {
		return fmt.Errorf("after casebook capture, case ls says %q, error %v", listed, err)
	}
	_, err = fmt.Fprintln(t.out, "The image wrote a case into /data")
	return err
}

// container unpacks the image's files for this architecture.
func (t *trial) container(ctx context.Context, file string) (*clean, error) {
	dir := filepath.Join(t.dir, "layout")
	if err := os.Mkdir(dir, 0o700); err != nil {
		return nil, err
	}
	if _, err := t.outside(ctx, "tar", "-C", dir, "-xf", file); err != nil {
		return nil, err
	}
	outer, err := layout.ImageIndexFromPath(dir)
	if err != nil {
		return nil, err
	}
	manifest, err := outer.IndexManifest()
	if err != nil {
		return nil, err
	}
	index, err := outer.ImageIndex(manifest.Manifests[0].Digest)
	if err != nil {
		return nil, err
	}
	if manifest, err = index.IndexManifest(); err != nil {
		return nil, err
	}
	for _, m := range manifest.Manifests {
		if m.Platform.Architecture != runtime.GOARCH {
			continue
		}
		img, err := index.Image(m.Digest)
		if err != nil {
			return nil, err
		}
		files := mutate.Extract(img)
		defer files.Close()
		root := &clean{dir: filepath.Join(t.dir, "container"), user: 65532, home: "/data"}
		return root, root.unpack(ctx, files)
	}
	return nil, fmt.Errorf("no image for linux/%s in %s", runtime.GOARCH, file)
}

// commands are the lines of README.md below "From a release", without their comments.
func (t *trial) commands() (list []string, err error) {
	page, err := os.ReadFile(t.readme)
	if err != nil {
		return nil, err
	}
	_, text, found := strings.Cut(string(page), "\nFrom a release")
	block := regexp.MustCompile(`(?m)(?:^    .+\n)+`).FindString(text)
	if !found || block == "" {
		return nil, fmt.Errorf("%s shows no commands below \"From a release\"", t.readme)
	}
	for line := range strings.Lines(block) {
		command, _, _ := strings.Cut(line, "#")
		list = append(list, strings.TrimSpace(command))
	}
	if len(list) != 3 {
		return nil, fmt.Errorf("%s shows %d commands, want three: %q", t.readme, len(list), list)
	}
	return list, nil
}

// newUser makes a root with a user who has never heard of Casebook.
func (t *trial) newUser(ctx context.Context) error {
	root, err := t.root(ctx, "user")
	if err != nil {
		return err
	}
	if _, err := root.run(ctx, "useradd", "--create-home", "--uid", "1000", "new"); err != nil {
		return err
	}
	t.user = root
	return t.mountSys(root)
}

// diagnosis is what the new user does: an empty folder, the archive, three commands. It returns what the last printed.
func (t *trial) diagnosis(ctx context.Context, name string) (said string, err error) {
	commands, err := t.commands()
	if err != nil {
		return "", err
	}
	folder := "/home/new/" + name
	if _, err := t.user.run(ctx, "install", "-d", "-o", "new", "-g", "new", folder); err != nil {
		return "", err
	}
	archive := fmt.Sprintf("casebook_%s_linux_%s.tar.gz", t.version, runtime.GOARCH)
	if err := t.user.put(filepath.Join(t.files, archive), folder+"/"+archive, 0o644); err != nil {
		return "", err
	}
	user := &clean{dir: t.user.dir, user: 1000, home: folder}
	start := time.Now()
	for _, c := range commands {
		fmt.Fprintf(t.out, "$ %s\n", c)
		said, err = user.run(ctx, "bash", "-c", c)
		fmt.Fprint(t.out, said)
		if code := exitCode(err); code != 0 && code != 1 { // 1: findings
			return said, fmt.Errorf("%s: %w", c, err)
		}
	}
	_, err = fmt.Fprintf(t.out, "From nothing to the first diagnosis: %d commands, %.0f s\n", len(commands),
		time.Since(start).Seconds())
	return said, err
}

// firstDiagnosis is that of our own service, whose fault must be named.
func (t *trial) firstDiagnosis(ctx context.Context) error {
	said, err := t.diagnosis(ctx, "empty")
	if err == nil && (!strings.Contains(said, "main.words") || !strings.Contains(said, "shop/main.go:")) {
		err = fmt.Errorf("the first diagnosis does not name main.words, where the service compiles its expressions")
	}
	return err
}
