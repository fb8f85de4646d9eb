// Package source finds the code of a diagnosed program on this machine.
//
// The problem: evidence names files as the build recorded them: on another machine, below another folder, or with
// -trimpath as import paths. The approach: the module that a folder is in, if it is that of the build, and in it the
// file of a function's package. Nothing outside of the module is read, whatever the names in the evidence say.
package source

import (
	"fmt"
	"io/fs"
	"net/url"
	"os"
	"path"
	"path/filepath"
	"strings"

	"github.com/gocasebook/casebook/casefile"
	"github.com/gocasebook/casebook/internal/words"
)

// A Tree is where the diagnosed program's code is on this machine; the zero value is nowhere.
type Tree struct {
	Root   string // absolute: the repository, or the module's folder where that is in none; %SRCROOT% in SARIF
	Dir    string // absolute: the module's folder
	Module string // its path
	Main   string // the import path of the program's main package; "" if not known
}

// Find looks for the module that dir is in. It is an error if that is not the module of the build: file names of
// one program must not be mapped into another's. An unknown build matches.
func Find(dir string, build casefile.Build) (Tree, error) {
	dir, err := filepath.Abs(dir)
	if err != nil {
		return Tree{}, fmt.Errorf("looking for the source: %w", err)
	}
	mod, ok := upward(dir, "go.mod")
	if !ok {
		return Tree{}, fmt.Errorf("%s is not in a Go module: no go.mod there or above", dir)
	}
	name, err := moduleOf(filepath.Join(mod, "go.mod"))
	if err != nil {
		return Tree{}, err
	}
	if build.Module != "" && build.Module != name {
		return Tree{}, fmt.Errorf("%s is module %s, but the evidence comes from %s", mod, name, build.Module)
	}
	s := Tree{Root: mod, Dir: mod, Module: name, Main: build.Path}
	if repo, ok := upward(mod, ".git"); ok {
		s.Root = repo
	}
	return s, nil
}

// upward returns the nearest folder, from dir to the root, that holds name.
func upward(dir, name string) (string, bool) {
	for {
		if _, err := os.Lstat(filepath.Join(dir, name)); err == nil {
			return dir, true
		}
		parent := filepath.Dir(dir)
		if parent == dir {
			return "", false
		}
		dir = parent
	}
}

// moduleOf reads the module's path from go.mod.
func moduleOf(file string) (string, error) {
	data, err := os.ReadFile(file)
	if err != nil {
		return "", fmt.Errorf("looking for the source: %w", err)
	}
	for line := range strings.Lines(string(data)) {
		line, _, _ = strings.Cut(line, "//")
		if rest, ok := strings.CutPrefix(strings.TrimSpace(line), "module"); ok {
			if name := strings.Trim(strings.TrimSpace(rest), "\"`"); name != "" {
				return name, nil
			}
		}
	}
	return "", fmt.Errorf("%s names no module", file)
}

// URI returns where a frame's file is: relative to Root if it is there, otherwise as the build recorded it. It is ""
// for a frame without a file.
func (s Tree) URI(f casefile.Frame) (uri string, inRoot bool) {
	if f.File == "" {
		return "", false
	}
	if rel, ok := s.local(f); ok {
		return (&url.URL{Path: rel}).String(), true
	}
	file := strings.ReplaceAll(f.File, `\`, "/")
	if len(file) > 1 && file[1] == ':' {
		file = "/" + file // C:/src → file:///C:/src
	}
	if strings.HasPrefix(file, "/") {
		return (&url.URL{Scheme: "file", Path: file}).String(), false
	}
	return (&url.URL{Path: file}).String(), false
}

// File returns where a frame's file is on this machine; "" if it is not here.
func (s Tree) File(f casefile.Frame) string {
	rel, ok := s.local(f)
	if !ok {
		return ""
	}
	return filepath.Join(s.Root, filepath.FromSlash(rel))
}

// local returns a file's path from Root, slash-separated, if the function belongs to the module and the file exists
// here.
func (s Tree) local(f casefile.Frame) (string, bool) {
	if s.Dir == "" {
		return "", false
	}
	root, err := os.OpenRoot(s.Dir) // no name leads out of it
	if err != nil {
		return "", false
	}
	defer root.Close()
	for _, rel := range s.candidates(f) {
		if info, err := root.Stat(filepath.FromSlash(rel)); err == nil && info.Mode().IsRegular() {
			up, err := filepath.Rel(s.Root, s.Dir)
			return path.Join(filepath.ToSlash(up), rel), err == nil
		}
	}
	return "", false
}

// candidates returns the paths inside the module at which a frame's file may be.
func (s Tree) candidates(f casefile.Frame) []string {
	pkg, base := packageOf(f.Function), words.Base(f.File)
	if pkg == "main" {
		if s.Main != "" {
			pkg = s.Main
		} else {
			return s.suffixes(f.File)
		}
	}
	if rest, ok := strings.CutPrefix(pkg, s.Module); ok && (rest == "" || rest[0] == '/') {
		return []string{path.Join(".", strings.TrimPrefix(rest, "/"), base)}
	}
	return nil
}

// suffixes returns the ends of a path, longest first: for package main, only the file shows where it is.
func (s Tree) suffixes(file string) []string {
	file = path.Clean(strings.ReplaceAll(file, `\`, "/"))
	if rel, ok := strings.CutPrefix(file, filepath.ToSlash(s.Dir)+"/"); ok {
		return []string{rel}
	}
	if rel, ok := strings.CutPrefix(file, s.Module+"/"); ok { // -trimpath
		return []string{rel}
	}
	var out []string
	for parts := strings.Split(strings.TrimPrefix(file, "/"), "/"); len(parts) > 0; parts = parts[1:] {
		if rel := strings.Join(parts, "/"); fs.ValidPath(rel) {
			out = append(out, rel)
		}
	}
	return out
}

// packageOf returns the import path in a function's name, "" without one: "net/http" of "net/http.(*conn).serve".
func packageOf(function string) string {
	if i := strings.IndexByte(function, '['); i >= 0 {
		function = function[:i] // type arguments hold slashes and dots of their own
	}
	base := strings.LastIndexByte(function, '/') + 1
	dot := strings.IndexByte(function[base:], '.')
	if dot < 0 {
		return ""
	}
	return strings.ReplaceAll(function[:base+dot], "%2e", ".") // the linker escapes dots in the last element
}
