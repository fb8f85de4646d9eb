package source

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"unicode"

	"github.com/gocasebook/casebook/app/tool"
	"github.com/gocasebook/casebook/casefile"
	"github.com/gocasebook/casebook/diagnose/stacks"
	"github.com/gocasebook/casebook/internal/words"
)

// Places are the folders on this machine that may have the source of a program's frames: its own module, those that
// go.mod and go.work replace or use, a vendor folder, the module cache and the standard library. Nothing outside of
// them is read, whatever the names in the evidence say, and no link leads out.
type Places struct {
	Tree  Tree
	Build casefile.Build

	look    func() []module // of the build list here, the longest path first; asks the go command once
	cache   string          // GOMODCACHE; "" if there is none
	goroot  string          // "" if there is none
	version string          // of goroot
}

// A module is one of the build list that is on this machine.
type module struct {
	path, version, dir string
}

// A Found is a file on this machine.
type Found struct {
	File string // absolute
	// Stale says why the file may not be what was built; "" if nothing speaks against it.
	Stale string
}

// FindPlaces looks around the module that dir is in, as Find does. The go command is asked where the rest is; without
// one the usual places are tried.
func FindPlaces(ctx context.Context, dir string, build casefile.Build) (*Places, error) {
	tree, err := Find(dir, build)
	if err != nil {
		return nil, err
	}
	p := &Places{Tree: tree, Build: build}
	ask := tool.Go{Dir: tree.Dir, Offline: true}
	if err := p.askEnv(ctx, ask); err != nil {
		return nil, err
	}
	p.look = sync.OnceValue(func() []module {
		out, _ := ask.Output(ctx, "list", "-m", "-e", "-json=Path,Version,Dir,Replace", "all")
		return readModules(out)
	})
	return p, nil
}

// Elsewhere are the places of a program whose own source is not on this machine: the module cache, by the versions that
// the names of files have, and the standard library.
func Elsewhere(ctx context.Context, build casefile.Build) (*Places, error) {
	p := &Places{Build: build, look: func() []module { return nil }}
	// In a folder of no module: what a go.mod or go.work here says is about another program.
	return p, p.askEnv(ctx, tool.Go{Dir: os.TempDir(), Offline: true})
}

// askEnv asks the go command for its folders; without one the usual ones are tried.
func (p *Places) askEnv(ctx context.Context, ask tool.Go) error {
	var env struct{ GOMODCACHE, GOROOT, GOVERSION string }
	if out, err := ask.Output(ctx, "env", "-json", "GOMODCACHE", "GOROOT", "GOVERSION"); err == nil {
		if err := json.Unmarshal(out, &env); err != nil {
			return fmt.Errorf("looking for the source: what go env says: %w", err)
		}
	}
	p.cache, p.goroot, p.version = env.GOMODCACHE, env.GOROOT, env.GOVERSION
	if p.cache == "" {
		p.cache = usualCache()
	}
	return nil
}

func usualCache() string {
	if dir := os.Getenv("GOMODCACHE"); dir != "" {
		return dir
	}
	if dir := os.Getenv("GOPATH"); dir != "" {
		return filepath.Join(filepath.SplitList(dir)[0], "pkg", "mod")
	}
	home, err := os.UserHomeDir()
	if err != nil {
		return ""
	}
	return filepath.Join(home, "go", "pkg", "mod")
}

// readModules reads what go list -m says. A module that is not on this machine has no folder.
func readModules(out []byte) (all []module) {
	dec := json.NewDecoder(bytes.NewReader(out))
	for {
		var m struct {
			Path, Version, Dir string
			Replace            *struct{ Version, Dir string }
		}
		if dec.Decode(&m) != nil { // the end, or go list broke off: what it said until then is true
			break
		}
		if m.Replace != nil {
			m.Version, m.Dir = m.Replace.Version, m.Replace.Dir
		}
		if m.Dir != "" {
			all = append(all, module{m.Path, m.Version, m.Dir})
		}
	}
	slices.SortFunc(all, func(a, b module) int { return len(b.path) - len(a.path) })
	return all
}

// File returns where a frame's file is; a Found without a File if it is not on this machine.
func (p *Places) File(f casefile.Frame) Found {
	if file := p.Tree.File(f); file != "" {
		return Found{File: file}
	}
	for _, look := range []func(casefile.Frame) Found{p.std, p.cached, p.vendored, p.listed} {
		if found := look(f); found.File != "" {
			return found
		}
	}
	return Found{}
}

// Std reports whether a folder is one of the standard library.
func (p *Places) Std(dir string) bool {
	rel, err := filepath.Rel(filepath.Join(p.goroot, "src"), dir)
	return p.goroot != "" && err == nil && filepath.IsLocal(rel) || strings.Contains(slashed(dir), "/golang.org/toolchain@")
}

// ImportPath is how the program's module imports the package in a folder of one of its dependencies, "" if it does not.
func (p *Places) ImportPath(dir string) string {
	for _, m := range p.look() {
		if rel, err := filepath.Rel(m.dir, dir); err == nil && filepath.IsLocal(rel) {
			return path.Join(m.path, filepath.ToSlash(rel))
		}
	}
	return ""
}

// in returns a file below a root, "" if it is not there.
func in(root, rel string) string {
	rel = path.Clean(rel)
	if root == "" || !fs.ValidPath(rel) {
		return ""
	}
	r, err := os.OpenRoot(root) // no link leads out of it
	if err != nil {
		return ""
	}
	defer r.Close()
	if info, err := r.Stat(filepath.FromSlash(rel)); err != nil || !info.Mode().IsRegular() {
		return ""
	}
	return filepath.Join(root, filepath.FromSlash(rel))
}

// std finds a file of the standard library: that of the build's toolchain if the module cache has it, otherwise that of
// the go command.
func (p *Places) std(f casefile.Frame) Found {
	rel := slashed(f.File)
	if i := strings.LastIndex(rel, "/src/"); i >= 0 && (strings.Contains(rel[:i], "/go") || strings.Contains(rel, "/toolchain@")) {
		rel = rel[i+len("/src/"):]
	}
	if o := stacks.FuncOf(f.Function, f.File, p.Tree.Module).Owner; o != stacks.Std && o != stacks.Runtime {
		return Found{}
	}
	if v := p.Build.GoVersion; v != "" && v != p.version {
		toolchains, err := filepath.Glob(filepath.Join(globQuoted(p.cache), "golang.org", "toolchain@*-"+globQuoted(v)+".*"))
		if err == nil && len(toolchains) > 0 {
			if file := in(filepath.Join(toolchains[0], "src"), rel); file != "" {
				return Found{File: file}
			}
		}
	}
	found := Found{File: in(filepath.Join(p.goroot, "src"), rel)}
	if v := p.Build.GoVersion; found.File != "" && v != "" && v != p.version {
		found.Stale = fmt.Sprintf("the standard library is that of %s, and the program was built with %s", p.version, v)
	}
	return found
}

// globQuoted takes the meaning from characters of a pattern.
func globQuoted(s string) string {
	return strings.NewReplacer(`\`, `\\`, "*", `\*`, "?", `\?`, "[", `\[`).Replace(s)
}

// cached finds the file of a module in the module cache, by the version that its name has. If the cache lacks that,
// what the build list has here is another version's.
func (p *Places) cached(f casefile.Frame) Found {
	mod, version, ok := stacks.ModuleOf(f.File)
	if !ok {
		return Found{}
	}
	_, rest, _ := strings.Cut(slashed(f.File), "@v")
	_, rest, _ = strings.Cut(rest, "/")
	if file := in(p.cache, escapeModule(mod)+"@"+escapeModule(version)+"/"+rest); file != "" {
		return Found{File: file}
	}
	for _, m := range p.look() {
		if m.path != mod {
			continue
		}
		if file := in(m.dir, rest); file != "" {
			return Found{file, p.otherVersion(m, version)}
		}
	}
	return Found{}
}

func (p *Places) otherVersion(m module, built string) string {
	switch {
	case m.version == built:
		return ""
	case m.version == "":
		return fmt.Sprintf("%s is replaced by %s here, and is %s in the program", m.path, m.dir, built)
	}
	return fmt.Sprintf("%s is %s here, and %s in the program", m.path, m.version, built)
}

// vendored finds a file in the vendor folder of the program's module.
func (p *Places) vendored(f casefile.Frame) Found {
	pkg := packageOf(f.Function)
	if pkg == "" || pkg == "main" {
		return Found{}
	}
	return Found{File: in(p.Tree.Dir, path.Join("vendor", pkg, words.Base(f.File)))}
}

// listed finds a file of a module in the build list, by the package of the function: one that is replaced by a folder
// or used by go.work has no version in its name.
func (p *Places) listed(f casefile.Frame) Found {
	pkg := packageOf(f.Function)
	for _, m := range p.look() {
		rest, ok := strings.CutPrefix(pkg, m.path)
		if !ok || rest != "" && rest[0] != '/' {
			continue
		}
		found := Found{File: in(m.dir, path.Join(strings.TrimPrefix(rest, "/"), words.Base(f.File)))}
		if _, version, ok := stacks.ModuleOf(f.File); ok && found.File != "" {
			found.Stale = p.otherVersion(m, version)
		}
		return found
	}
	return Found{}
}

func slashed(file string) string { return strings.ReplaceAll(file, `\`, "/") }

// escapeModule is how the module cache writes capitals: "BurntSushi" is "!burnt!sushi".
func escapeModule(s string) string {
	var b strings.Builder
	for _, r := range s {
		if unicode.IsUpper(r) {
			b.WriteByte('!')
			r = unicode.ToLower(r)
		}
		b.WriteRune(r)
	}
	return b.String()
}
