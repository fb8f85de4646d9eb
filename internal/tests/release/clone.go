package main

import (
	"context"
	"fmt"
	"io"
	"path/filepath"
	"strings"
)

// A cloned is a clone of a repository, in which a release is made.
type cloned struct {
	origin  string // the repository
	dir     string // of the clone
	version string
	tags    []string // made so far
	places  places
}

// clone clones HEAD of the repository of the current folder. Commits and tags have an author: the user, or nobody in
// particular where they do not stay, because CI has none.
func clone(ctx context.Context, dir, version string, stays bool) (*cloned, error) {
	origin, err := run(ctx, ".", nil, "git", "rev-parse", "--show-toplevel")
	if err != nil {
		return nil, err
	}
	c := &cloned{origin: strings.TrimSpace(origin), dir: filepath.Join(dir, "clone"), version: version}
	if _, err := run(ctx, dir, nil, "git", "clone", "--quiet", "--shared", "--no-tags", c.origin, c.dir); err != nil {
		return nil, err
	}
	settings := []string{
		"user.name=release check", "user.email=release-check@localhost", "commit.gpgSign=false", "tag.gpgSign=false",
	}
	if stays {
		settings = nil
	}
	for _, s := range settings {
		key, value, _ := strings.Cut(s, "=")
		if _, err := run(ctx, c.dir, nil, "git", "config", key, value); err != nil {
			return nil, err
		}
	}
	c.places, err = newPlaces(ctx, dir)
	return c, err
}

// cut takes the replacements out of a module's go.mod, commits what that changes, and tags it.
func (c *cloned) cut(ctx context.Context, m module) error {
	dir := filepath.Join(c.dir, m.dir)
	// As it is in a checkout. This also brings into the module cache what the steps after this take from there.
	if _, err := run(ctx, dir, c.places.outside(), "go", "mod", "tidy", "-diff"); err != nil {
		return fmt.Errorf("go.mod is not tidy before the release: %w", err)
	}
	changed, err := require(ctx, dir, c.version)
	if err != nil {
		return err
	}
	if changed {
		if _, err := run(ctx, dir, c.places.inside(), "go", "mod", "tidy"); err != nil {
			return err
		}
		subject := fmt.Sprintf("%s: require casebook %s, replace nothing", m.dir, c.version)
		if _, err := run(ctx, dir, nil, "git", "commit", "--quiet", "--all", "--message", subject); err != nil {
			return err
		}
	}
	tag := m.tag(c.version)
	c.tags = append(c.tags, tag)
	_, err = run(ctx, dir, nil, "git", "tag", "--annotate", "--message", m.path()+" "+c.version, tag)
	return err
}

// handOver puts the tags into the repository. Git refuses where one is there already and differs.
func (c *cloned) handOver(ctx context.Context, out io.Writer) error {
	args := []string{"fetch", "--quiet", "--no-tags", c.dir}
	for _, tag := range c.tags {
		args = append(args, "refs/tags/"+tag+":refs/tags/"+tag)
	}
	if _, err := run(ctx, c.origin, nil, "git", args...); err != nil {
		return err
	}
	_, err := fmt.Fprintf(out, "The tags are in this repository. To release them:\n    git push origin %s\n",
		strings.Join(c.tags, " "))
	return err
}
