package escape

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"golang.org/x/tools/go/packages"
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
	asked   map[string]bool   // the packages
	missing map[string]string // those that do not build, and why
	version string            // of the Go that compiled
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
		p.once = newSourceFile(p.path, p.pkg.Fset, p.pkg.Syntax[p.nth], p.pkg.TypesInfo, p.pkg.TypesSizes)
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
	pkgs, err := packages.Load(&packages.Config{Context: ctx, Mode: load, Dir: dir, BuildFlags: buildFlags(flags, paths,
		out)}, paths...)
	if err != nil {
		return nil, fmt.Errorf("building in %s: %w", dir, err)
	}
	c := &compiled{files: make(map[string]*parsed), byBase: make(map[string][]*parsed),
		missing: make(map[string]string), asked: make(map[string]bool)}
	for _, p := range paths {
		c.asked[p] = true
	}
	for _, p := range pkgs {
		c.addPackage(p)
	}
	if err := c.readLogs(out); err != nil {
		return nil, err
	}
	return c, nil
}

// buildFlags are the flags of the go command. Profile-guided builds inline more, but which variant of a package a
// program has is not asked here: the reasons are those of a build without.
func buildFlags(flags, paths []string, out string) []string {
	all := append(slices.Clone(flags), "-pgo=off")
	for _, p := range paths {
		all = append(all, "-gcflags="+p+"=-json=0,"+out)
	}
	return all
}

func (c *compiled) addPackage(p *packages.Package) {
	var told []string
	for _, e := range p.Errors {
		told = append(told, e.Error())
	}
	if len(told) > 0 {
		why := shortenLines(told)
		c.missing[p.PkgPath] = why
		c.gaps = append(c.gaps, Gap{What: p.PkgPath, Why: why})
	}
	if p.TypesInfo == nil {
		return
	}
	for i, s := range p.Syntax {
		path := filepath.Clean(p.Fset.Position(s.Package).Filename) // with what cgo made, the original
		f := &parsed{path: path, pkg: p, nth: i}
		c.files[path] = f
		c.byBase[filepath.Base(path)] = append(c.byBase[filepath.Base(path)], f)
	}
}

// shortenLines is the first of some errors, and how many there are beside.
func shortenLines(told []string) string {
	first, _, _ := strings.Cut(strings.TrimSpace(told[0]), "\n")
	if len(told) > 1 {
		return fmt.Sprintf("%s (and %d more)", first, len(told)-1)
	}
	return first
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
