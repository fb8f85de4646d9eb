package escape

import (
	"cmp"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"golang.org/x/tools/go/packages"

	"github.com/gocasebook/casebook/app/tool"
)

// A Gap is something that was left out of the answer, and why.
type Gap struct {
	What string `json:"what"` // a package, a file
	Why  string `json:"why"`
}

// A compiled is what the compiler and the source say of some packages.
type compiled struct {
	remarks []remark
	files   map[string]*parsed // by their path
	byBase  map[string][]*parsed
	asked   map[string]bool // the packages
	found   map[string]bool // those of them that are here
	silent  map[string]bool // those of which the compiler says nothing: it was not run
	version string          // of the Go that compiled
	gaps    []Gap
}

// A parsed file is looked over only when one of its lines is hot.
type parsed struct {
	path string
	pkg  *packages.Package
	nth  int // of pkg.Syntax
	once *sourceFile
	text []string // its lines
}

func (p *parsed) source() *sourceFile {
	if p.once == nil {
		p.once = newSourceFile(p.path, p.pkg, p.pkg.Syntax[p.nth])
	}
	return p.once
}

// maxSource bounds a source file that is read for its lines; generated code has some MB.
const maxSource = 16 << 20

// line is a line of the file; "" where it cannot be read.
func (p *parsed) line(n int) string {
	if p.text == nil {
		p.text = []string{}
		if info, err := os.Stat(p.path); err == nil && info.Mode().IsRegular() && info.Size() <= maxSource {
			if data, err := os.ReadFile(p.path); err == nil {
				p.text = strings.Split(string(data), "\n")
			}
		}
	}
	if n < 1 || n > len(p.text) {
		return ""
	}
	return p.text[n-1]
}

// load is what go/packages is asked for: the packages themselves from source, what they import as the build cache has
// it.
const load = packages.NeedName | packages.NeedFiles | packages.NeedCompiledGoFiles | packages.NeedImports |
	packages.NeedTypes | packages.NeedTypesSizes | packages.NeedSyntax | packages.NeedTypesInfo |
	packages.NeedExportFile | packages.NeedModule

// compile builds packages with the compiler's remarks switched on, and reads both. One call of the go command does
// all: go/packages runs `go list -export`, which compiles, and the flag is for these packages only, so that what they
// import comes from the build cache. The remarks go to a folder of their own, because the go command does not write
// them again for a package that it has compiled with the same flags.
func compile(ctx context.Context, dir string, flags, paths []string) (*compiled, error) {
	out, err := os.MkdirTemp("", "casebook-escape-*")
	if err != nil {
		return nil, fmt.Errorf("making a folder for what the compiler says: %w", err)
	}
	defer os.RemoveAll(out)
	pkgs, err := packages.Load(&packages.Config{Context: ctx, Mode: load, Dir: dir, Env: tool.Go{}.Environment(),
		BuildFlags: buildFlags(flags, paths, out)}, paths...)
	if err != nil {
		return nil, fmt.Errorf("building in %s: %w", cmp.Or(dir, "the working folder"), tidy(err))
	}
	c := &compiled{files: make(map[string]*parsed), byBase: make(map[string][]*parsed),
		asked: make(map[string]bool), found: make(map[string]bool), silent: make(map[string]bool)}
	for _, p := range paths {
		c.asked[p] = true
	}
	for _, p := range pkgs {
		c.addPackage(p)
	}
	if err := c.readLogs(out); err != nil {
		return nil, err
	}
	c.findSilent(pkgs)
	return c, nil
}

// findSilent notes the packages that were not compiled. Where nothing is wrong with one, something is with what it
// imports.
func (c *compiled) findSilent(pkgs []*packages.Package) {
	said := make(map[string]bool)
	for i := range c.remarks {
		r := &c.remarks[i]
		if p := c.files[r.At[len(r.At)-1].File]; p != nil {
			said[p.pkg.PkgPath] = true
		}
	}
	for _, p := range pkgs {
		if !c.found[p.PkgPath] || said[p.PkgPath] {
			continue
		}
		c.silent[p.PkgPath] = true
		if len(p.Errors) == 0 {
			c.gaps = append(c.gaps, Gap{What: p.PkgPath, Why: "it was not compiled: something that it imports does not build"})
		}
	}
}

// buildFlags are the flags of the go command. Profile-guided builds inline more, but which variant of a package a
// program has is not asked here: the reasons are those of a build without.
func buildFlags(flags, paths []string, out string) []string {
	all := append(slices.Clone(flags), tool.NoVCS, "-pgo=off")
	for _, p := range paths {
		all = append(all, "-gcflags="+p+"='-json=0,"+out+"'") // the go command splits at spaces outside of quotes
	}
	return all
}

func (c *compiled) addPackage(p *packages.Package) {
	if len(p.Errors) > 0 {
		c.gaps = append(c.gaps, Gap{What: p.PkgPath, Why: firstOf(p.Errors)})
	}
	if p.TypesInfo == nil || len(p.Syntax) == 0 {
		return
	}
	c.found[p.PkgPath] = true
	for i, s := range p.Syntax {
		path := filepath.Clean(p.Fset.Position(s.Package).Filename) // with what cgo made, the original
		f := &parsed{path: path, pkg: p, nth: i}
		c.files[path] = f
		c.byBase[filepath.Base(path)] = append(c.byBase[filepath.Base(path)], f)
	}
}

// firstOf is the error to mend first: one with a place in the source, as the go command's own only repeat those.
func firstOf(all []packages.Error) string {
	best := slices.IndexFunc(all, func(e packages.Error) bool {
		return e.Kind == packages.TypeError || e.Kind == packages.ParseError
	})
	e := all[max(best, 0)]
	var lines []string
	for line := range strings.Lines(e.Msg) {
		if line = strings.TrimSpace(line); line != "" && !strings.HasPrefix(line, "#") {
			lines = append(lines, line)
		}
	}
	why := "it does not build"
	if len(lines) > 0 {
		why, _, _ = strings.Cut(lines[0], "; to add")
	}
	if at, _, ok := strings.Cut(e.Pos, ":"); ok && at != "" && at != "-" {
		why = filepath.Base(at) + strings.TrimPrefix(e.Pos, at) + ": " + why
	}
	if len(all) > 1 {
		why += fmt.Sprintf(" (and %d more)", len(all)-1)
	}
	return why
}

// readLogs reads a folder of a package each, with a file for each source file.
func (c *compiled) readLogs(dir string) error {
	files, err := filepath.Glob(filepath.Join(dir, "*", "*.json"))
	if err != nil {
		return fmt.Errorf("looking for what the compiler says: %w", err)
	}
	for _, name := range files {
		f, err := os.Open(name)
		if err != nil {
			return fmt.Errorf("reading what the compiler says: %w", err)
		}
		remarks, damaged, err := readLog(f, &c.version)
		f.Close()
		if err != nil {
			c.gaps = append(c.gaps, Gap{What: filepath.Base(name), Why: err.Error()})
		}
		if damaged > 0 {
			c.gaps = append(c.gaps, Gap{What: filepath.Base(name), Why: fmt.Sprintf("%d lines of what the compiler "+
				"wrote cannot be read", damaged)})
		}
		c.remarks = append(c.remarks, remarks...)
	}
	return nil
}
