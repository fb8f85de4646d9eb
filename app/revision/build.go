package revision

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"runtime"

	"github.com/gocasebook/casebook/app/tool"
)

// Build builds the Go package pkg (a path as `go build` takes it, relative to the tree's folder) with further flags of
// `go build`, and returns the binary, which Close removes.
func (t *Tree) Build(ctx context.Context, pkg string, flags ...string) (binary string, err error) {
	binary = filepath.Join(t.temporary, "server")
	if runtime.GOOS == "windows" {
		binary += ".exe"
	}
	args := append(append([]string{"build"}, flags...), "-o", binary, "--", pkg)
	if _, err := tool.Run(ctx, t.Dir, "go", args...); err != nil {
		return "", fmt.Errorf("building %s of %s: %w", pkg, t.Label(), err)
	}
	return binary, nil
}

// A Build is a program of a revision.
type Build struct {
	*Tree  // in whose Dir the program expects to run
	Binary string
}

// New checks revision out and builds the Go package pkg. Close must be called on what it returns. When ctx ends the
// tools are stopped and nothing is left.
func New(ctx context.Context, dir, revision, pkg string) (*Build, error) {
	tree, err := CheckOut(ctx, dir, revision)
	if err != nil {
		return nil, err
	}
	binary, err := tree.Build(ctx, pkg)
	if err != nil {
		return nil, errors.Join(err, tree.Close())
	}
	return &Build{tree, binary}, nil
}
