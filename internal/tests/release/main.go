// Command release makes the tags of a release, and proves that they work before anybody gets them.
//
// In a checkout, app/go.mod and others replace the root module by the folder beside them, so that a change to both is
// built, tested and tidied together before any version of it exists. A release must not have that: go install
// PACKAGE@VERSION refuses a go.mod with a replace, and elsewhere the replace is ignored and the version must exist. So
// this command works in a clone of HEAD. Module by module, required ones first, it takes the replacements out, requires
// the version instead, commits and tags. Then it does what users do, in empty folders with a module cache that has none
// of ours: go install, go get, go build.
//
// Without -tag nothing of that stays. With -tag the repository gets the tags. Nothing is pushed.
//
// The limits: other people's modules come from this machine's module cache and are not verified again; their checksums
// are in our go.sum files, and make check reads those. Our modules come from the tags in the clone, by the same code of
// the go command that proxy.golang.org runs, but not from GitHub.
package main

import (
	"context"
	"flag"
	"fmt"
	"io"
	"os"
	"os/signal"
	"path/filepath"
)

func main() {
	version := flag.String("version", "v0.0.0-check", "the `version` to make, such as v0.4.0")
	tag := flag.Bool("tag", false, "put the tags into this repository once all is proved")
	size := flag.Bool("sizes", false, "print how large a clone and the root module are, and make nothing")
	flag.Parse()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	var err error
	if *size {
		err = sizes(ctx, ".", os.Stdout)
	} else {
		err = release(ctx, *version, *tag, os.Stdout)
	}
	stop()
	if err != nil {
		fmt.Fprintln(os.Stderr, "release:", err)
		os.Exit(1)
	}
}

// release makes the version in a temporary folder and proves it. With tag it puts the tags into the repository of the
// current folder.
func release(ctx context.Context, version string, tag bool, out io.Writer) error {
	dir, err := os.MkdirTemp("", "casebook-release-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	c, err := clone(ctx, dir, version, tag)
	if err != nil {
		return err
	}
	for _, m := range released() {
		if err := c.cut(ctx, m); err != nil {
			return fmt.Errorf("%s: %w", m.path(), err)
		}
		if err := c.serve(ctx, m, out); err != nil {
			return fmt.Errorf("%s: %w", m.path(), err)
		}
	}
	for _, m := range released() {
		if err := c.use(ctx, m, filepath.Join(dir, "use", m.dir), out); err != nil {
			return fmt.Errorf("using %s: %w", m.path(), err)
		}
	}
	if tag {
		return c.handOver(ctx, out)
	}
	return nil
}
