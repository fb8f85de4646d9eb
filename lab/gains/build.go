package gains

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"

	"golang.org/x/tools/txtar"
)

// A Builder makes programs of drivers.
type Builder struct {
	Drivers string // folder with harness.go and drivers.txtar, which has NAME.go
	Dir     string // where module copies and programs are written
}

// Build compiles the pair's driver as package main inside of a copy of the module, so that the module's code is the
// program's own, as it was for the author of the fix. It returns the program's path.
func (b Builder) Build(ctx context.Context, p Pair, version string) (string, error) {
	source, err := download(ctx, p.Module+"@"+version)
	if err != nil {
		return "", err
	}
	dir := filepath.Join(b.Dir, p.Name+"-"+version)
	if err := b.copyModule(dir, source, p); err != nil {
		return "", fmt.Errorf("copying %s %s: %w", p.Module, version, err)
	}
	bin := dir + ".bin"
	return bin, compile(ctx, dir, bin)
}

func compile(ctx context.Context, dir, bin string) error {
	cmd := exec.CommandContext(ctx, "go", "build", "-mod=mod", "-trimpath", "-buildvcs=false", "-o", bin,
		"./gainsdriver")
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), "GOWORK=off", "GOFLAGS=")
	if out, err := cmd.CombinedOutput(); err != nil {
		return fmt.Errorf("building the driver in %s: %w\n%s", dir, err, out)
	}
	return nil
}

// download is the folder of a module's release in the module cache.
func download(ctx context.Context, module string) (string, error) {
	cmd := exec.CommandContext(ctx, "go", "mod", "download", "-json", module)
	cmd.Dir = os.TempDir() // outside of any module
	cmd.Env = append(os.Environ(), "GOWORK=off", "GOFLAGS=")
	out, err := cmd.Output()
	var m struct{ Dir, Error string }
	if jsonErr := json.Unmarshal(out, &m); jsonErr == nil && m.Error != "" {
		err = errors.New(m.Error)
	} else if err == nil {
		err = jsonErr
	}
	if err != nil {
		return "", fmt.Errorf("downloading %s: %w", module, err)
	}
	return m.Dir, nil
}

// copyModule makes dir a writable copy of the module with the driver in it, without tests and vendored packages. A
// release from before modules gets a go.mod.
func (b Builder) copyModule(dir, source string, p Pair) error {
	if err := os.RemoveAll(dir); err != nil {
		return err
	}
	if err := copyTree(dir, source); err != nil {
		return err
	}
	mod := filepath.Join(dir, "go.mod")
	if _, err := os.Stat(mod); errors.Is(err, fs.ErrNotExist) {
		if err := os.WriteFile(mod, []byte("module "+p.Module+"\n\ngo 1.20\n"), 0o600); err != nil {
			return err
		}
	}
	to := filepath.Join(dir, "gainsdriver")
	if err := os.MkdirAll(to, 0o700); err != nil {
		return err
	}
	driver, err := readDriver(b.Drivers, p.Name)
	if err != nil {
		return err
	}
	return errors.Join(copyFile(filepath.Join(to, "main.go"), filepath.Join(b.Drivers, "harness.go")),
		os.WriteFile(filepath.Join(to, "work.go"), driver, 0o600))
}

// readDriver reads a pair's driver from the archive in a folder.
func readDriver(dir, name string) ([]byte, error) {
	file := filepath.Join(dir, "drivers.txtar")
	a, err := txtar.ParseFile(file)
	if err != nil {
		return nil, err
	}
	i := slices.IndexFunc(a.Files, func(f txtar.File) bool { return f.Name == name+".go" })
	if i < 0 {
		return nil, fmt.Errorf("%s has no %s.go", file, name)
	}
	return a.Files[i].Data, nil
}

func copyTree(to, from string) error {
	return filepath.WalkDir(from, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		rel, err := filepath.Rel(from, path)
		if err != nil {
			return err
		}
		switch name := d.Name(); {
		case d.IsDir() && (name == "vendor" || name == "testdata"):
			return filepath.SkipDir
		case d.IsDir():
			return os.MkdirAll(filepath.Join(to, rel), 0o700)
		case strings.HasSuffix(name, "_test.go"):
			return nil
		}
		return copyFile(filepath.Join(to, rel), path)
	})
}

func copyFile(to, from string) error {
	data, err := os.ReadFile(from)
	if err != nil {
		return err
	}
	return os.WriteFile(to, data, 0o600)
}
