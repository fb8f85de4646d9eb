package lint

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os/exec"
	"slices"
	"strings"
)

// A listed is a package as go list prints it.
type listed struct {
	ImportPath     string
	Dir            string
	Standard       bool
	ForTest        string
	GoFiles        []string
	CgoFiles       []string
	IgnoredGoFiles []string
	Module         *struct{ Path, Dir string }
	Error          *listError
	DepsErrors     []*listError
}

type listError struct {
	ImportStack []string
	Pos         string
	Err         string
}

func (e *listError) words() string {
	text := strings.TrimSpace(e.Err)
	if e.Pos != "" {
		text = e.Pos + ": " + text
	}
	return firstLines(text, 3)
}

// list finds the packages to analyze, and what of the patterns cannot be.
func (r *Request) list(ctx context.Context) (pkgs []listed, gaps []Gap, err error) {
	args := append([]string{"list", "-e", "-json=ImportPath,Dir,Standard,GoFiles,CgoFiles,IgnoredGoFiles,Module,Error," +
		"DepsErrors"}, r.tags()...)
	out, stderr, err := r.goCommand(ctx, append(append(args, "--"), r.Packages...)...)
	if err != nil {
		return nil, nil, fmt.Errorf("finding the packages: %w: %s", err, firstLines(stderr, 5))
	}
	dec := json.NewDecoder(bytes.NewReader(out))
	ignored := 0
	for {
		var p listed
		if err := dec.Decode(&p); errors.Is(err, io.EOF) {
			break
		} else if err != nil {
			return nil, nil, fmt.Errorf("finding the packages: what go list says cannot be read: %w", err)
		}
		ignored += len(p.IgnoredGoFiles)
		switch {
		case p.Error != nil && onlyIgnored(&p):
			gaps = append(gaps, Gap{p.ImportPath, "build constraints leave out all of its files; --tags sets others"})
			ignored -= len(p.IgnoredGoFiles)
		case p.Error != nil:
			gaps = append(gaps, Gap{p.ImportPath, p.Error.words()})
		case len(p.DepsErrors) > 0:
			gaps = append(gaps, Gap{p.ImportPath, p.DepsErrors[0].words()})
		case len(p.GoFiles)+len(p.CgoFiles) > 0: // else it has tests only
			pkgs = append(pkgs, p)
		}
	}
	if text := firstLines(stderr, 3); text != "" && len(pkgs)+len(gaps) == 0 {
		gaps = append(gaps, Gap{strings.Join(r.Packages, " "), text})
	}
	if ignored > 0 {
		gaps = append(gaps, Gap{fmt.Sprintf("%d files", ignored), "build constraints of this platform leave them out; " +
			"--tags sets others"})
	}
	return pkgs, append(gaps, r.otherModules(ctx, pkgs)...), nil
}

func onlyIgnored(p *listed) bool {
	return len(p.IgnoredGoFiles) > 0 && strings.Contains(p.Error.Err, "build constraints exclude all Go files")
}

// otherModules are those of a workspace, or below the folder, that the patterns did not reach.
func (r *Request) otherModules(ctx context.Context, pkgs []listed) (gaps []Gap) {
	out, _, err := r.goCommand(ctx, "list", "-m", "-f", "{{.Path}}\t{{.Dir}}")
	if err != nil {
		return nil // no module: the packages are named one by one
	}
	for line := range strings.Lines(string(out)) {
		path, dir, _ := strings.Cut(strings.TrimSpace(line), "\t")
		reached := slices.ContainsFunc(pkgs, func(p listed) bool { return p.Module != nil && p.Module.Path == path })
		if !reached && dir != "" && r.everything() {
			gaps = append(gaps, Gap{"module " + path, "go.work names it, and the patterns do not reach it; add " + dir +
				"/..."})
		}
	}
	return gaps
}

// everything reports whether a pattern means all that is here. Who names packages does not expect others.
func (r *Request) everything() bool {
	return slices.ContainsFunc(r.Packages, func(p string) bool { return strings.HasSuffix(p, "...") })
}

func (r *Request) tags() []string {
	if r.Tags == "" {
		return nil
	}
	return []string{"-tags=" + r.Tags}
}

// goCommand runs the go command of the folder.
func (r *Request) goCommand(ctx context.Context, args ...string) (stdout, stderr []byte, err error) {
	cmd := exec.CommandContext(ctx, "go", args...)
	cmd.Dir = r.Dir
	var out, errs bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &errs
	err = cmd.Run()
	if errors.Is(err, exec.ErrNotFound) {
		err = errors.New("the go command is not in $PATH, which analyzing needs")
	}
	if ctx.Err() != nil {
		err = errors.New("interrupted")
	}
	return out.Bytes(), errs.Bytes(), err
}

// firstLines are the first lines of a text, in one.
func firstLines[T []byte | string](text T, n int) string {
	lines := strings.Split(strings.TrimSpace(string(text)), "\n")
	for i := range lines {
		lines[i] = strings.TrimSpace(lines[i])
	}
	if len(lines) > n {
		lines = append(lines[:n], "…")
	}
	return strings.Join(lines, " ")
}
