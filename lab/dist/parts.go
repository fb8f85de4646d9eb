package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"strings"

	"github.com/gocasebook/casebook/internal/tests/supply"
)

// A part is something of others that is in a program: a Go module, Go itself, or a script of the pages.
type part struct {
	name, version string
	purl          string // package URL (github.com/package-url/purl-spec)
	sum           string // of go.sum; "" for what is no module
	dir           string // with its licence files
	licences      []string
}

const root = "github.com/gocasebook/casebook"

// ours reports whether a module is of this repository.
func ours(path string) bool { return path == root || strings.HasPrefix(path, root+"/") }

// parts are what is in the program besides our own modules. What is linked is read from the program itself.
func (c *checkout) parts(ctx context.Context, b *built) (list []part, err error) {
	folders, err := c.folders(ctx, b)
	if err != nil {
		return nil, err
	}
	for _, m := range b.info.Deps {
		if ours(m.Path) {
			continue
		}
		if m.Replace != nil {
			return nil, fmt.Errorf("%s is replaced: a release must have what its go.mod names", m.Path)
		}
		list = append(list, part{name: m.Path, version: m.Version, sum: m.Sum, dir: folders[m.Path],
			purl: "pkg:golang/" + strings.ToLower(m.Path) + "@" + strings.ReplaceAll(m.Version, "+", "%2B")})
	}
	goRoot, err := run(ctx, filepath.Join(c.dir, "app"), c.env(b.target), "go", "env", "GOROOT")
	if err != nil {
		return nil, err
	}
	version := strings.TrimPrefix(b.info.GoVersion, "go")
	list = append(list, part{name: "stdlib", version: version, dir: strings.TrimSpace(goRoot),
		purl: "pkg:golang/stdlib@" + version})
	scripts, err := c.scripts()
	if err != nil {
		return nil, err
	}
	list = append(list, scripts...)
	for i, p := range list {
		if list[i].licences, err = supply.Licences(p.dir); err != nil {
			return nil, fmt.Errorf("%s %s: %w", p.name, p.version, err)
		}
	}
	return list, nil
}

// folders are where the modules of a program lie, by their path.
func (c *checkout) folders(ctx context.Context, b *built) (map[string]string, error) {
	args := []string{"list", "-m", "-json"}
	for _, m := range b.info.Deps {
		args = append(args, m.Path)
	}
	text, err := run(ctx, filepath.Join(c.dir, "app"), c.env(b.target), "go", args...)
	if err != nil {
		return nil, err
	}
	folders, d := make(map[string]string), json.NewDecoder(strings.NewReader(text))
	for {
		var m struct{ Path, Dir string }
		if err := d.Decode(&m); errors.Is(err, io.EOF) {
			return folders, nil
		} else if err != nil {
			return nil, fmt.Errorf("go list -m: %w", err)
		}
		folders[m.Path] = m.Dir
	}
}

// npmPackage is how the VERSION file of a script names its npm package: "npm pack uplot@1.6.32".
var npmPackage = regexp.MustCompile(`npm pack ([\w@/.-]+)@([\w.-]+)`)

// scripts are what is embedded into the pages that Casebook writes.
func (c *checkout) scripts() (list []part, err error) {
	folders, err := filepath.Glob(filepath.Join(c.dir, "app/report/assets/third_party/*"))
	if err != nil {
		return nil, err
	}
	for _, dir := range folders {
		text, err := os.ReadFile(filepath.Join(dir, "VERSION"))
		if err != nil {
			return nil, err
		}
		found := npmPackage.FindStringSubmatch(string(text))
		if found == nil {
			return nil, fmt.Errorf("%s names no npm package", filepath.Join(dir, "VERSION"))
		}
		list = append(list, part{name: found[1], version: found[2], dir: dir,
			purl: "pkg:npm/" + strings.ReplaceAll(found[1], "@", "%40") + "@" + found[2]})
	}
	return list, nil
}

// notices are the texts that go with every copy: the licences of all parts, and the notices that Apache's asks to keep.
func notices(parts []part) ([]byte, error) {
	var b bytes.Buffer
	b.WriteString("Casebook is under the Apache License 2.0. Its programs contain the works of others below, under the\n" +
		"licences that follow each.\n")
	for _, p := range parts {
		names, err := supply.Files(p.dir)
		if err != nil {
			return nil, err
		}
		notice, err := filepath.Glob(filepath.Join(p.dir, "NOTICE*"))
		if err != nil {
			return nil, err
		}
		for _, n := range notice {
			names = append(names, filepath.Base(n))
		}
		for _, name := range names {
			text, err := os.ReadFile(filepath.Join(p.dir, name))
			if err != nil {
				return nil, err
			}
			fmt.Fprintf(&b, "\n%s\n%s %s, %s\n\n%s\n", strings.Repeat("=", 80), p.name, p.version, name,
				bytes.TrimSpace(text))
		}
	}
	return b.Bytes(), nil
}
