package foreign

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
)

// Build installs a program into dir under name, from the module proxy, as its users do: go install package@version. A
// module whose go.mod has replace directives, as etcd's, is refused so, and so is one of which the proxy has a version
// but no list of them; it is copied and built without the replacements that lead to folders.
func (p Program) Build(ctx context.Context, dir, name string) error {
	bin := filepath.Join(dir, name)
	if _, err := os.Stat(bin); err == nil {
		return nil // of an earlier run in the same folder
	}
	scratch, err := os.MkdirTemp(dir, name+"-*")
	if err != nil {
		return err
	}
	defer os.RemoveAll(scratch)
	out, err := goCommand(ctx, "", "GOBIN="+scratch, "install", "-tags", p.Tags, p.Package+"@"+p.Version)
	if err == nil {
		return adopt(scratch, bin)
	}
	if !strings.Contains(out, "replace directives") && !strings.Contains(out, "loading deprecation") {
		return fmt.Errorf("building %s: %w\n%s", name, err, out)
	}
	return p.buildCopy(ctx, scratch, bin)
}

// adopt moves the one file of a folder.
func adopt(dir, to string) error {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return err
	}
	if len(entries) != 1 {
		return errors.New("go install left no program")
	}
	return os.Rename(filepath.Join(dir, entries[0].Name()), to)
}

// buildCopy builds the program in a copy of its module.
func (p Program) buildCopy(ctx context.Context, scratch, bin string) error {
	out, err := goCommand(ctx, scratch, "GOFLAGS=-mod=mod", "mod", "download", "-json", p.Module+"@"+p.Version)
	if err != nil {
		return fmt.Errorf("downloading %s: %w\n%s", p.Module, err, out)
	}
	var mod struct{ Dir string }
	if err := json.Unmarshal([]byte(out), &mod); err != nil {
		return fmt.Errorf("downloading %s: %w", p.Module, err)
	}
	src := filepath.Join(scratch, "src")
	if out, err := exec.CommandContext(ctx, "cp", "-r", "--no-preserve=mode", mod.Dir,
		src).CombinedOutput(); err != nil {
		return fmt.Errorf("copying %s: %w\n%s", p.Module, err, out)
	}
	if err := dropFolders(ctx, src); err != nil {
		return err
	}
	pkg := "." + strings.TrimPrefix(p.Package, p.Module)
	if out, err := goCommand(ctx, src, "GOFLAGS=-mod=mod -buildvcs=false", "build", "-tags", p.Tags, "-o", bin,
		pkg); err != nil {
		return fmt.Errorf("building %s: %w\n%s", p.Package, err, out)
	}
	return nil
}

// dropFolders removes the replacements that lead to folders, which a module from the proxy has not.
func dropFolders(ctx context.Context, src string) error {
	out, err := goCommand(ctx, src, "", "mod", "edit", "-json")
	if err != nil {
		return fmt.Errorf("reading go.mod: %w\n%s", err, out)
	}
	var mod struct {
		Replace []struct {
			Old, New struct{ Path, Version string }
		}
	}
	if err := json.Unmarshal([]byte(out), &mod); err != nil {
		return fmt.Errorf("reading go.mod: %w", err)
	}
	for _, r := range mod.Replace {
		if r.New.Version != "" {
			continue
		}
		if out, err := goCommand(ctx, src, "", "mod", "edit", "-dropreplace="+r.Old.Path); err != nil {
			return fmt.Errorf("editing go.mod: %w\n%s", err, out)
		}
	}
	return nil
}

// goCommand runs the go command outside of the workspace, and returns what it printed.
func goCommand(ctx context.Context, dir, env string, args ...string) (string, error) {
	cmd := exec.CommandContext(ctx, "go", args...)
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), "GOWORK=off", "GOTOOLCHAIN=auto")
	if env != "" {
		cmd.Env = append(cmd.Env, env)
	}
	var stderr strings.Builder
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	if err != nil {
		return string(out) + stderr.String(), err
	}
	return string(out), nil
}
