package main

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// A file of a release, by its path below a prefix: "bin/casebook" is at /usr/bin/casebook in a Debian package, and at
// /usr/local/bin/casebook where somebody unpacks an archive there.
type file struct {
	path string
	mode os.FileMode
	data []byte
}

// Where the shells look for completions. Debian's zsh has a place of its own for packages.
const (
	bashCompletions = "share/bash-completion/completions/casebook"
	fishCompletions = "share/fish/vendor_completions.d/casebook.fish"
	zshCompletions  = "share/zsh/site-functions/_casebook"
	zshOfDebian     = "share/zsh/vendor-completions/_casebook"
	powershell      = "share/casebook/completion.ps1"
	manual          = "share/man/man1/"
	documents       = "share/doc/casebook/"
)

// describe asks the program for its manual pages and completions. They are the same on all systems, and this one can
// run only its own.
func (r *release) describe(ctx context.Context) error {
	b, err := r.checkout.build(ctx, host(), r.binary(host()), r.cache)
	if err != nil {
		return err
	}
	for shell, path := range map[string]string{
		"bash": bashCompletions, "fish": fishCompletions, "zsh": zshCompletions, "powershell": powershell,
	} {
		text, err := run(ctx, r.checkout.dir, nil, b.file, "completion", shell)
		if err != nil {
			return err
		}
		r.texts = append(r.texts, file{path, 0o644, []byte(text)})
	}
	dir := r.checkout.dir + "-man"
	if _, err := run(ctx, r.checkout.dir, nil, b.file, "man", dir); err != nil {
		return err
	}
	pages, err := os.ReadDir(dir)
	if err != nil || len(pages) == 0 {
		return fmt.Errorf("casebook man wrote %d pages, error %v", len(pages), err)
	}
	for _, p := range pages {
		text, err := os.ReadFile(filepath.Join(dir, p.Name()))
		if err != nil {
			return err
		}
		r.texts = append(r.texts, file{manual + p.Name(), 0o644, text})
	}
	return nil
}

// layout is what a target gets, sorted by path.
func (r *release) layout(b *built, bill, notices []byte) ([]file, error) {
	program, err := os.ReadFile(b.file)
	if err != nil {
		return nil, err
	}
	files := []file{
		{"bin/" + b.exe(), 0o755, program},
		{documents + "THIRD-PARTY-LICENSES.txt", 0o644, notices},
		{documents + "casebook.spdx.json", 0o644, bill},
	}
	for _, name := range []string{"LICENSE", "CHANGELOG.md"} {
		text, err := os.ReadFile(filepath.Join(r.checkout.dir, name))
		if err != nil {
			return nil, err
		}
		files = append(files, file{documents + name, 0o644, text})
	}
	for _, f := range r.texts {
		if isPowershell := f.path == powershell; isPowershell == (b.os == "windows") {
			files = append(files, f)
		}
	}
	slices.SortFunc(files, func(a, b file) int { return strings.Compare(a.path, b.path) })
	return files, nil
}
