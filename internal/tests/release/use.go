package main

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"path"
	"path/filepath"
	"strings"
)

// serve downloads a tagged module, with which it is in the proxy, and prints how large that is.
func (c *cloned) serve(ctx context.Context, m module, out io.Writer) error {
	text, err := run(ctx, c.places.dir, c.places.fromGit(c.dir), "go", "mod", "download", "-json",
		m.path()+"@"+c.version)
	if err != nil {
		return err
	}
	var got struct{ Zip string }
	if err := json.Unmarshal([]byte(text), &got); err != nil {
		return fmt.Errorf("go mod download -json: %w", err)
	}
	info, err := os.Stat(got.Zip)
	if err != nil {
		return err
	}
	fmt.Fprintf(out, "%s %s: a zip of %.2f MB\n", m.path(), c.version, float64(info.Size())/1e6)
	if m.maxZip != 0 && info.Size() > m.maxZip {
		return fmt.Errorf("the zip has %d bytes, %d are allowed: a go.mod above test data keeps it out",
			info.Size(), m.maxZip)
	}
	return nil
}

// use does with a module what users do, in an empty folder.
func (c *cloned) use(ctx context.Context, m module, dir string, out io.Writer) error {
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return err
	}
	for _, command := range m.commands {
		if err := c.install(ctx, below(m.path(), command.dir), command.args, dir, out); err != nil {
			return err
		}
	}
	if len(m.imports) == 0 {
		return nil
	}
	return c.build(ctx, m, dir, out)
}

// install installs a command and asks it for its version.
func (c *cloned) install(ctx context.Context, pkg string, args []string, dir string, out io.Writer) error {
	if _, err := run(ctx, dir, c.places.inside(), "go", "install", pkg+"@"+c.version); err != nil {
		return err
	}
	said, err := run(ctx, dir, nil, filepath.Join(c.places.dir, "bin", path.Base(pkg)), args...)
	if err != nil {
		return err
	}
	if !strings.Contains(" "+strings.Join(strings.Fields(said), " ")+" ", " "+c.version+" ") {
		return fmt.Errorf("%s %s says %q, which is not version %s", path.Base(pkg), strings.Join(args, " "), said,
			c.version)
	}
	fmt.Fprintf(out, "go install %s@%s: %s", pkg, c.version, said)
	return nil
}

// build gets the module into a new one, and builds and runs programs that import it.
func (c *cloned) build(ctx context.Context, m module, dir string, out io.Writer) error {
	list, err := programs(m, filepath.Join(c.dir, m.dir))
	if err != nil {
		return err
	}
	for _, p := range list {
		dir := filepath.Join(dir, p.name)
		if err := os.Mkdir(dir, 0o700); err != nil {
			return err
		}
		if err := c.buildOne(ctx, m, p, dir); err != nil {
			return err
		}
		fmt.Fprintf(out, "go get %s@%s: the program %s builds and runs\n", m.path(), c.version, p.name)
	}
	return nil
}

func (c *cloned) buildOne(ctx context.Context, m module, p program, dir string) error {
	if err := os.WriteFile(filepath.Join(dir, "main.go"), []byte(p.source), 0o600); err != nil {
		return err
	}
	for _, args := range [][]string{
		{"mod", "init", "example.com/shop"},
		append([]string{"get"}, packagesOf(m, c.version)...),
		{"build", "-o", "shop", "."},
	} {
		if _, err := run(ctx, dir, c.places.inside(), "go", args...); err != nil {
			return err
		}
	}
	said, err := run(ctx, dir, nil, filepath.Join(dir, "shop"))
	if err == nil && strings.TrimSpace(said) != strings.TrimSpace(p.output) {
		err = fmt.Errorf("%s printed %q, want %q", p.name, said, p.output)
	}
	return err
}

// packagesOf are the packages that people get. Getting a module alone leaves out of go.sum what only its packages need.
func packagesOf(m module, version string) (list []string) {
	for _, pkg := range m.imports {
		list = append(list, below(m.path(), pkg)+"@"+version)
	}
	return list
}
