package answer

import (
	"context"
	"encoding/json"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"sync"

	"golang.org/x/mod/modfile"
	"golang.org/x/mod/module"
	"golang.org/x/mod/semver"

	"github.com/gocasebook/casebook/app/facts"
	"github.com/gocasebook/casebook/app/tool"
	"github.com/gocasebook/casebook/diagnose/known"
)

// modules is what this machine knows of modules: those on the stacks, of the source's go.mod and go.sum, of package
// known, of the module cache. Nothing of a module is built or run.
type modules struct {
	ctx    context.Context // of the check that it is made for, and lives as long as
	sheet  *facts.Sheet
	online bool

	required map[string]string   // by go.mod
	summed   map[string][]string // versions by go.sum
	env      func() goEnv
	sources  map[string]*exported
}

// A goEnv is where the go command has things.
type goEnv struct{ GOMODCACHE, GOROOT, GOVERSION string }

func newModules(ctx context.Context, s *facts.Sheet, o Options) *modules {
	m := &modules{ctx: ctx, sheet: s, online: o.Online, required: map[string]string{}, summed: map[string][]string{},
		sources: map[string]*exported{}}
	m.env = sync.OnceValue(func() (env goEnv) {
		out, err := tool.Go{Dir: os.TempDir(), Offline: true}.Output(ctx, "env", "-json", "GOMODCACHE", "GOROOT",
			"GOVERSION")
		if err == nil {
			_ = json.Unmarshal(out, &env) // without it nothing is known of modules on this machine
		}
		return env
	})
	if o.Source != nil {
		m.readMod(o.Source.Tree.Dir)
	}
	return m
}

// readMod reads go.mod and go.sum.
func (m *modules) readMod(dir string) {
	root, err := os.OpenRoot(dir)
	if err != nil {
		return
	}
	defer root.Close()
	if data, err := root.ReadFile("go.mod"); err == nil && len(data) <= maxFile {
		if file, err := modfile.ParseLax("go.mod", data, nil); err == nil {
			for _, r := range file.Require {
				m.required[r.Mod.Path] = r.Mod.Version
			}
		}
	}
	data, err := root.ReadFile("go.sum")
	if err != nil || len(data) > maxFile {
		return
	}
	for line := range strings.Lines(string(data)) {
		if f := strings.Fields(line); len(f) == 3 {
			m.summed[f[0]] = append(m.summed[f[0]], strings.TrimSuffix(f[1], "/go.mod"))
		}
	}
}

// isGo reports whether a module is Go itself.
func isGo(said string) bool {
	switch strings.ToLower(said) {
	case "go", "golang", "std", "stdlib", "runtime", "toolchain":
		return true
	}
	return false
}

// resolve is the module that somebody names: by its path, by one of its packages, or by the end of its path.
func (m *modules) resolve(said string) (found string, ok bool) {
	said = strings.Trim(said, "/ `")
	all := m.paths()
	for _, p := range all { // its own path, then that of a package of it; the longest path counts
		if said == p || strings.HasPrefix(said, p+"/") && len(p) > len(found) {
			found = p
		}
		if said == p {
			break
		}
	}
	if found != "" {
		return found, true
	}
	for _, p := range all {
		if samePackage(said, p) || strings.Contains(said, "/") && strings.HasSuffix(withoutMajor(p), "/"+said) {
			return p, true
		}
	}
	if m.cacheOf(said) != "" || m.versions(said).any() {
		return said, true
	}
	return "", false
}

// withoutMajor is the path of a module without its major version.
func withoutMajor(p string) string {
	prefix, _, ok := module.SplitPathVersion(p)
	if !ok {
		return p
	}
	return prefix
}

// paths are the modules that are known: those on the stacks first, then of go.mod, then of package known.
func (m *modules) paths() (all []string) {
	add := func(p string) {
		if p != "" && p != known.Std && !slices.Contains(all, p) {
			all = append(all, p)
		}
	}
	for _, x := range m.sheet.Modules {
		add(x.Path)
	}
	for _, f := range m.sheet.Facts {
		for _, s := range f.Stacks {
			for _, x := range s.Frames {
				add(x.Module)
			}
		}
	}
	required := make([]string, 0, len(m.required))
	for p := range m.required {
		required = append(required, p)
	}
	slices.Sort(required)
	for _, p := range required {
		add(p)
	}
	rows, _ := known.Advices()
	for _, a := range rows {
		for _, r := range a.Modules {
			add(r.Path)
		}
	}
	for _, f := range known.Faults() {
		for _, r := range f.Releases {
			add(r.Module)
		}
	}
	return all
}

// used is the release of a module that the program has; "" if that is not known.
func (m *modules) used(p string) string {
	for _, x := range m.sheet.Modules {
		if x.Path == p && x.Version != "" {
			return x.Version
		}
	}
	return m.required[p]
}

// releases are what is known of a module's releases.
type releases struct {
	there  []string // that exist
	listed []string // by the module cache's list, which has all that there were when it was made
}

func (r releases) any() bool { return len(r.there)+len(r.listed) > 0 }

func (r releases) has(version string) bool {
	return slices.Contains(r.there, version) || slices.Contains(r.listed, version)
}

// newest is the newest release that is known; "" without any.
func (r releases) newest() (version string) {
	for _, v := range slices.Concat(r.there, r.listed) {
		if semver.IsValid(v) && semver.Prerelease(v) == "" && semver.Compare(v, version) > 0 {
			version = v
		}
	}
	return version
}

// versions are the releases of a module that this machine knows of.
func (m *modules) versions(p string) (r releases) {
	if v := m.used(p); v != "" {
		r.there = append(r.there, v)
	}
	r.there = append(append(r.there, m.summed[p]...), knownReleases(p)...)
	escaped, err := module.EscapePath(p)
	if err != nil || m.env().GOMODCACHE == "" {
		return r
	}
	dir := filepath.Join(m.env().GOMODCACHE, "cache", "download", filepath.FromSlash(escaped), "@v")
	if data, err := os.ReadFile(filepath.Join(dir, "list")); err == nil && len(data) <= maxFile {
		r.listed = strings.Fields(string(data))
	}
	entries, err := os.ReadDir(dir)
	if err != nil {
		return r
	}
	for _, e := range entries {
		name, isInfo := strings.CutSuffix(e.Name(), ".info")
		if !isInfo {
			name, isInfo = strings.CutSuffix(e.Name(), ".mod")
		}
		if v, err := module.UnescapeVersion(name); err == nil && isInfo {
			r.there = append(r.there, v)
		}
	}
	return r
}

// knownReleases are those that package known names.
func knownReleases(p string) (all []string) {
	rows, _ := known.Advices()
	for _, a := range rows {
		for _, r := range a.Modules {
			if r.Path != p {
				continue
			}
			all = append(all, r.Version)
			if a.About == known.AboutFault {
				all = append(all, strings.Fields(a.Subject)...)
			}
			all = append(all, strings.Fields(a.Holds)...)
		}
	}
	for _, f := range known.Faults() {
		for _, r := range f.Releases {
			if r.Module == p {
				all = append(all, r.From, r.Fixed)
			}
		}
	}
	return slices.DeleteFunc(all, func(v string) bool { return !semver.IsValid(v) })
}

// asked reports whether the module proxy has a release; false, too, if nobody may ask it.
func (m *modules) asked(p, version string) bool {
	if !m.online {
		return false
	}
	_, err := tool.Go{Dir: os.TempDir()}.Output(m.ctx, "list", "-m", "--", p+"@"+version)
	return err == nil
}

// cacheOf is the folder of the module cache with a module's source: in the program's release, or in the newest that is
// there; "" if none is.
func (m *modules) cacheOf(p string) string {
	escaped, err := module.EscapePath(p)
	if err != nil || m.env().GOMODCACHE == "" {
		return ""
	}
	base := filepath.Join(m.env().GOMODCACHE, filepath.FromSlash(escaped))
	if v, err := module.EscapeVersion(m.used(p)); err == nil && v != "" && isDir(base+"@"+v) {
		return base + "@" + v
	}
	entries, err := os.ReadDir(filepath.Dir(base))
	if err != nil {
		return ""
	}
	best, dir := "", ""
	for _, e := range entries {
		escaped, ok := strings.CutPrefix(e.Name(), path.Base(filepath.ToSlash(base))+"@")
		v, err := module.UnescapeVersion(escaped)
		if ok && err == nil && semver.IsValid(v) && (best == "" || semver.Compare(v, best) > 0) {
			best, dir = v, filepath.Join(filepath.Dir(base), e.Name())
		}
	}
	return dir
}

func isDir(name string) bool {
	info, err := os.Stat(name)
	return err == nil && info.IsDir()
}

// stdOf is the folder of a package of the standard library; "" if there is none of that path.
func (m *modules) stdOf(pkg string) string {
	root := m.env().GOROOT
	if root == "" || pkg == "" || !filepath.IsLocal(filepath.FromSlash(pkg)) || strings.Contains(pkg, "testdata") {
		return ""
	}
	dir := filepath.Join(root, "src", filepath.FromSlash(pkg))
	if files, err := filepath.Glob(filepath.Join(dir, "*.go")); err != nil || len(files) == 0 {
		return ""
	}
	return dir
}
