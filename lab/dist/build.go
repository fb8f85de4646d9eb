package main

import (
	"bytes"
	"context"
	"crypto/sha256"
	"debug/buildinfo"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"time"
)

// A built program is casebook for one target.
type built struct {
	target
	file string
	info *buildinfo.BuildInfo
	took time.Duration
}

// build builds casebook with all drivers of databases and buckets: who downloads it compiles nothing, and needs no
// second program. -w leaves out what debuggers read, a tenth of the file; the symbols stay, because govulncheck needs
// them to say which vulnerable functions a binary has. cache is the build cache; "" is the user's.
func (c *checkout) build(ctx context.Context, t target, file, cache string) (*built, error) {
	start, env := time.Now(), c.env(t)
	if cache != "" {
		env = append(env, "GOCACHE="+cache)
	}
	if _, err := run(ctx, filepath.Join(c.dir, "app"), env, "go", "build", "-trimpath", "-buildvcs=true",
		"-gcflags=all=-dwarf=false", "-ldflags=-w", "-o", file, "./cmd/casebook-store"); err != nil {
		return nil, err
	}
	info, err := buildinfo.ReadFile(file)
	if err != nil {
		return nil, err
	}
	b := &built{target: t, file: file, info: info, took: time.Since(start)}
	return b, b.isOf(c)
}

// isOf checks that the program says which version and revision it is.
func (b *built) isOf(c *checkout) error {
	if b.info.Main.Version != c.version {
		return fmt.Errorf("the program for %s is stamped %q, want %s", b.target, b.info.Main.Version, c.version)
	}
	if b.setting("vcs.revision") == "" || b.setting("vcs.modified") != "false" {
		return fmt.Errorf("the program for %s names revision %q, modified %q", b.target, b.setting("vcs.revision"),
			b.setting("vcs.modified"))
	}
	return nil
}

func (b *built) setting(key string) string {
	for _, s := range b.info.Settings {
		if s.Key == key {
			return s.Value
		}
	}
	return ""
}

// again makes targets once more, from a clone in another folder and with this build cache, and compares the files. It
// clones the clone: the repository may have another HEAD by now.
func (r *release) again(ctx context.Context, o order, dir, cache string) error {
	c, err := check(ctx, r.checkout.dir, dir, o.version)
	if err != nil {
		return err
	}
	second := &release{checkout: c, dir: filepath.Join(dir, "files"), cache: cache, out: io.Discard}
	if err := os.Mkdir(second.dir, 0o755); err != nil {
		return err
	}
	start := time.Now()
	if err := second.make(ctx, o.verify); err != nil {
		return err
	}
	n, err := r.compare(second.dir, len(o.verify) == len(o.targets))
	if err != nil {
		return err
	}
	_, err = fmt.Fprintf(r.out, "Made again in another folder, with an empty build cache (%s, %.0f s): %d files have the "+
		"same bytes\n", o.verify, time.Since(start).Seconds(), n)
	return err
}

// compare counts the files in dir, which all must be as the release's. The image and the checksums are of all targets:
// where not all were made again, they differ.
func (r *release) compare(dir string, all bool) (n int, err error) {
	files, err := os.ReadDir(dir)
	if err != nil {
		return 0, err
	}
	for _, f := range files {
		if !all && (f.Name() == sumsName || strings.HasSuffix(f.Name(), imageSuffix)) {
			continue
		}
		first, err := sum(filepath.Join(r.dir, f.Name()))
		if err != nil {
			return n, err
		}
		second, err := sum(filepath.Join(dir, f.Name()))
		if err != nil {
			return n, err
		}
		if first != second {
			return n, fmt.Errorf("%s made again is not the same: %x and %x", f.Name(), first, second)
		}
		n++
	}
	return n, nil
}

func sum(file string) ([sha256.Size]byte, error) {
	data, err := os.ReadFile(file)
	return sha256.Sum256(data), err
}

// sumsName is the file with the checksums.
const sumsName = "SHA256SUMS"

// writeSums writes SHA256SUMS of all files in the folder, as sha256sum -c reads it.
func writeSums(dir string) error {
	files, err := os.ReadDir(dir)
	if err != nil {
		return err
	}
	var b bytes.Buffer
	for _, f := range files { // sorted
		s, err := sum(filepath.Join(dir, f.Name()))
		if err != nil {
			return err
		}
		fmt.Fprintf(&b, "%x  %s\n", s, f.Name())
	}
	return os.WriteFile(filepath.Join(dir, sumsName), b.Bytes(), 0o644)
}

// exe is the program's name on the target.
func (t target) exe() string {
	if t.os == "windows" {
		return "casebook.exe"
	}
	return "casebook"
}

// name is that of the target's files: casebook_v0.4.0_linux_amd64.
func (t target) name(version string) string {
	return strings.Join([]string{"casebook", version, t.os, t.arch}, "_")
}
