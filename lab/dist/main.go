// Dist builds what people download of a release: archives for six systems, Debian packages and a container image, with
// checksums, the licences of everything linked, and an SBOM for each program.
//
// The problem: a binary is trusted as far as somebody else can make it again. So everything is made of one commit, in a
// clone, and nothing that belongs to this machine gets in: no paths (-trimpath), no C library (CGO_ENABLED=0), no time
// other than the commit's, no owner, no file that the machine happens to have. Who has the same Go builds the same
// bytes. With -verify this program does so itself: it makes the files once more, in another folder and with an empty build
// cache, and compares.
//
//	go run . -version v0.4.0 -out ../../bin/dist
//
// Where the repository has the tags of the version, its app/ tag is what is built; otherwise HEAD is, and says so. The
// limits: nothing is signed, because there is no key; Go itself is taken as it is here, and the SBOM names its version.
package main

import (
	"context"
	"flag"
	"fmt"
	"io"
	"os"
	"os/signal"
	"path/filepath"
	"regexp"
	"runtime"
	"strings"
)

// An order is what is wanted of a run.
type order struct {
	repository string
	version    string // such as v0.4.0
	out        string // the folder; a folder of the version's name is made in it
	targets    []target
	verify     []target // to build once more, and compare
}

func main() {
	var o order
	flag.StringVar(&o.repository, "repository", "../..", "the `folder` of the repository")
	flag.StringVar(&o.version, "version", "v0.0.0-check", "the `version` to build, such as v0.4.0")
	flag.StringVar(&o.out, "out", "../../bin/dist", "the `folder` for a folder of the version's name")
	wanted := flag.String("targets", "all", "`systems` to build for, such as linux/amd64,darwin/arm64")
	verify := flag.String("verify", "", "`what` to build again with an empty build cache, and compare: first, all")
	flag.Parse()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	err := o.targetsNamed(*wanted)
	if err == nil {
		err = o.verifyNamed(*verify)
	}
	if err == nil {
		err = dist(ctx, o, os.Stdout)
	}
	stop()
	if err != nil {
		fmt.Fprintln(os.Stderr, "dist:", err)
		os.Exit(1)
	}
}

// A target is a system to build for, in Go's words.
type target struct{ os, arch string }

func (t target) String() string { return t.os + "/" + t.arch }

// all are the targets of a release. The first is that of most servers.
var all = []target{
	{"linux", "amd64"}, {"linux", "arm64"}, {"darwin", "amd64"}, {"darwin", "arm64"}, {"windows", "amd64"},
	{"windows", "arm64"},
}

// host is the target of this machine, on which manual pages are made.
func host() target { return target{runtime.GOOS, runtime.GOARCH} }

func (o *order) targetsNamed(names string) error {
	if names == "all" {
		o.targets = all
		return nil
	}
	for name := range strings.SplitSeq(names, ",") {
		system, arch, found := strings.Cut(name, "/")
		if !found {
			return fmt.Errorf("target %q: want a system and an architecture, such as linux/amd64", name)
		}
		o.targets = append(o.targets, target{system, arch})
	}
	return nil
}

func (o *order) verifyNamed(what string) error {
	switch what {
	case "":
	case "first":
		o.verify = o.targets[:1]
	case "all":
		o.verify = o.targets
	default:
		return fmt.Errorf("-verify %q: want first or all", what)
	}
	return nil
}

// semver is what a release may be called (semver.org), with the v that Go's modules have. A file's name has it.
var semver = regexp.MustCompile(`^v\d+\.\d+\.\d+(-[0-9A-Za-z.-]+)?$`)

// dist makes the files of a release. They replace those that an earlier run made of the same version.
func dist(ctx context.Context, o order, out io.Writer) error {
	if !semver.MatchString(o.version) {
		return fmt.Errorf("version %q: want one such as v0.4.0", o.version)
	}
	work, err := os.MkdirTemp("", "casebook-dist-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(work)
	c, err := check(ctx, o.repository, filepath.Join(work, "first"), o.version)
	if err != nil {
		return err
	}
	fmt.Fprintf(out, "%s is %s\n", o.version, c.of)
	made := filepath.Join(work, "files")
	if err := os.Mkdir(made, 0o755); err != nil {
		return err
	}
	r := release{checkout: c, dir: made, out: out}
	if err := r.make(ctx, o.targets); err != nil {
		return err
	}
	if len(o.verify) > 0 {
		if err := r.again(ctx, o, filepath.Join(work, "second"), filepath.Join(work, "cache")); err != nil {
			return err
		}
	}
	return publish(made, filepath.Join(o.out, o.version), out)
}

// publish moves the files to where they are wanted, all or none of them.
func publish(made, dir string, out io.Writer) error {
	if err := os.MkdirAll(filepath.Dir(dir), 0o755); err != nil {
		return err
	}
	if err := os.RemoveAll(dir); err != nil {
		return err
	}
	if err := os.Rename(made, dir); err != nil { // another file system
		if err := os.CopyFS(dir, os.DirFS(made)); err != nil {
			return err
		}
	}
	where, err := filepath.Abs(dir)
	if err != nil {
		return err
	}
	_, err = fmt.Fprintf(out, "The files are in %s. To check them: sha256sum -c SHA256SUMS\n", where)
	return err
}
