package typed

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"time"

	"github.com/gocasebook/casebook/app/tool"
)

// A listing is what the go command says of packages, and of what they import.
type listing struct {
	Key    string             // of what it hangs on beside the source
	States map[string]string  // of the folders whose files people change (stateOf)
	Of     map[string]*listed // by import path
}

// A listed is a package, its parts named as the go command names them.
type listed struct {
	ImportPath               string
	Dir, Export              string            `json:",omitempty"`
	GoFiles, CompiledGoFiles []string          `json:",omitempty"`
	ImportMap                map[string]string `json:",omitempty"`
	Standard                 bool              `json:",omitempty"`
	Module                   *listedModule     `json:",omitempty"`
	Error                    *listedError      `json:",omitempty"`
}

type (
	listedModule struct {
		Version, GoVersion string
		Replace            *struct{ Version string }
	}
	listedError struct{ Err string }
)

const listedParts = "-json=ImportPath,Dir,Export,GoFiles,CompiledGoFiles,ImportMap,Standard,Module,Error"

// own reports whether people change a package's files where they are: it is none of the standard library's, nor of a
// released module.
func (p *listed) own() bool {
	m := p.Module
	return !p.Standard && (m == nil || m.Version == "" || m.Replace != nil && m.Replace.Version == "")
}

// list has the packages of some folders listed.
func (l *Loader) list(ctx context.Context, dirs []string) error {
	if l.listing == nil {
		l.listing = l.kept()
	}
	listed := func(dir string) bool { return l.listing.in(dir) != nil }
	patterns := l.patterns(slices.DeleteFunc(slices.Clone(dirs), listed))
	if len(patterns) == 0 {
		return nil
	}
	ask := l.ask
	if ask == nil {
		ask = l.askGo
	}
	out, err := ask(ctx, patterns)
	if err != nil {
		return err
	}
	l.listing.read(out)
	l.keep()
	return nil
}

func (l *Loader) askGo(ctx context.Context, patterns []string) ([]byte, error) {
	return tool.Go{Dir: l.Root, Offline: true, Set: []string{"PWD=" + l.Root}}.Output(ctx, "list",
		append([]string{"-e", "-export", "-compiled", "-deps", listedParts, "--"}, patterns...)...)
}

// patterns are the folders as the go command is asked for them: one outside of the program's module is of a dependency,
// and has its import path.
func (l *Loader) patterns(dirs []string) (out []string) {
	for _, dir := range dirs {
		if rel, err := filepath.Rel(l.Root, dir); err == nil && filepath.IsLocal(rel) {
			out = append(out, "./"+filepath.ToSlash(rel))
		} else if path := l.Path(dir); path != "" {
			out = append(out, path)
		}
	}
	return out
}

// in is the package of a folder; nil if it is not listed.
func (a *listing) in(dir string) *listed {
	for _, p := range a.Of {
		if p.Dir == dir {
			return p
		}
	}
	return nil
}

// read adds what the go command says.
func (a *listing) read(out []byte) {
	for dec := json.NewDecoder(bytes.NewReader(out)); ; {
		p := new(listed)
		if dec.Decode(p) != nil { // the end
			return
		}
		if a.Of[p.ImportPath] = p; p.Standard {
			a.Of[p.ImportPath] = &listed{ImportPath: p.ImportPath, Export: p.Export, Standard: true, Error: p.Error}
		} else if p.own() && p.Dir != "" {
			a.States[p.Dir] = stateOf(p.Dir)
		}
	}
}

// mostListing bounds what is read of a listing that was kept: of 1,000 packages it has half a MiB.
const mostListing = 64 << 20

// key is all but the source that a listing hangs on.
func (l *Loader) key() string {
	root := l.Root
	parts := []string{runtime.GOOS, runtime.GOARCH}
	for _, v := range os.Environ() {
		if strings.HasPrefix(v, "GO") || strings.HasPrefix(v, "CGO") || strings.HasPrefix(v, "PATH=") {
			parts = append(parts, v)
		}
	}
	slices.Sort(parts)
	if goes, err := exec.LookPath("go"); err == nil {
		if goes, err = filepath.EvalSymlinks(goes); err == nil {
			parts = append(parts, goes, contentOf(filepath.Join(filepath.Dir(filepath.Dir(goes)), "VERSION")))
		}
	}
	if config, err := os.UserConfigDir(); err == nil {
		parts = append(parts, contentOf(filepath.Join(config, "go", "env")))
	}
	for _, name := range []string{"go.mod", "go.sum", filepath.Join("vendor", "modules.txt")} {
		parts = append(parts, contentOf(filepath.Join(root, name)))
	}
	for up, last := root, ""; up != last; up, last = filepath.Dir(up), up { // the go command takes the next one above
		parts = append(parts, contentOf(filepath.Join(up, "go.work")))
	}
	return sumOf(parts...)
}

// file is where the listing of the module is kept.
func (l *Loader) file() string { return filepath.Join(l.Cache, sumOf(l.Root)+".json") }

func sumOf(parts ...string) string {
	sum := sha256.Sum256([]byte(strings.Join(parts, "\x00")))
	return hex.EncodeToString(sum[:16])
}

func contentOf(file string) string {
	data, _ := os.ReadFile(file) // one that is not there decides nothing
	return string(data)
}

// stateOf tells the source files of a folder from what they were, by their names, sizes and times.
func stateOf(dir string) string {
	entries, _ := os.ReadDir(dir)
	var parts []string
	for _, e := range entries {
		if i, err := e.Info(); err == nil && i.Mode().IsRegular() && !strings.HasSuffix(e.Name(), "_test.go") {
			parts = append(parts, fmt.Sprint(e.Name(), i.Size(), i.ModTime().UnixNano()))
		}
	}
	return sumOf(parts...)
}

// kept is what was kept for the module; an empty one if that does not hold any more.
func (l *Loader) kept() *listing {
	key, kept := l.key(), new(listing)
	i, err := os.Stat(l.file())
	if l.Cache == "" || err != nil || !i.Mode().IsRegular() || i.Size() > mostListing ||
		json.Unmarshal([]byte(contentOf(l.file())), kept) != nil || kept.Key != key || !kept.holds() {
		return &listing{Key: key, States: make(map[string]string), Of: make(map[string]*listed)}
	}
	return kept
}

// holds reports whether nothing has changed since. The go command deletes what it has not used for some days.
func (a *listing) holds() bool {
	for dir, was := range a.States {
		if stateOf(dir) != was {
			return false
		}
	}
	for _, p := range a.Of {
		if p == nil {
			return false
		}
		if i, err := os.Stat(p.Export); p.Export != "" && (err != nil || !i.Mode().IsRegular()) {
			return false
		}
	}
	return a.States != nil && a.Of != nil
}

// keptFor is how long a listing is kept that nobody has made anew.
const keptFor = 14 * 24 * time.Hour

// keep writes the listing for the next time, if nothing is missing in it, and deletes old ones of others. What cannot
// be written is asked for again.
func (l *Loader) keep() {
	for _, p := range l.listing.Of {
		if p.Error != nil {
			return
		}
	}
	data, err := json.Marshal(l.listing)
	if err != nil || l.Cache == "" || os.MkdirAll(l.Cache, 0o700) != nil {
		return
	}
	f, err := os.CreateTemp(l.Cache, "new")
	if err != nil {
		return
	}
	_, err = f.Write(data)
	if err = errors.Join(err, f.Close()); err == nil {
		err = os.Rename(f.Name(), l.file())
	}
	if err != nil {
		_ = os.Remove(f.Name())
	}
	entries, _ := os.ReadDir(l.Cache)
	for _, e := range entries {
		if i, err := e.Info(); err == nil && i.Mode().IsRegular() && time.Since(i.ModTime()) > keptFor {
			_ = os.Remove(filepath.Join(l.Cache, e.Name()))
		}
	}
}
