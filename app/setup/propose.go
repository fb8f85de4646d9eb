package setup

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"go/ast"
	"go/format"
	"go/parser"
	"go/token"
	"maps"
	"net"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"github.com/gocasebook/casebook/app/diff"
	"github.com/gocasebook/casebook/app/tool"
)

// The two ways of watching.
const (
	Outside = "outside" // through net/http/pprof
	Inside  = "inside"  // by package casebook in the service
)

// A Change is what one program needs.
type Change struct {
	Program string   `json:"program"` // import path
	How     string   `json:"how"`     // Outside or Inside
	Text    string   `json:"text"`    // what it does; or why there is nothing to do
	Diff    string   `json:"diff,omitempty"`
	Hints   []string `json:"hints,omitempty"` // what is left to a person
	Get     string   `json:"get,omitempty"`   // the module that must be required first, with its version

	dir    string
	files  map[string][]byte // by absolute name
	broken bool              // the program does not build without the change
}

// Propose makes the change for a program. version is that of the casebook module for Inside, such as latest.
func (s *Survey) Propose(p *Program, how, version string) (*Change, error) {
	c := &Change{Program: p.Package, How: how, dir: s.Dir, files: make(map[string][]byte)}
	if how == Inside {
		return c, s.inside(c, p, version)
	}
	return c, s.outside(c, p)
}

// outside proposes a server for net/http/pprof, unless there is one.
func (s *Survey) outside(c *Change, p *Program) error {
	if len(p.Pprof) > 0 {
		c.Text = p.is() + "it serves profiles: " + served(p.Pprof)
		for _, l := range p.Listens {
			if p.muxHasProfiles() && l.Default && l.Address != "" && !loopback(l.Address) {
				c.Hints = append(c.Hints, fmt.Sprintf("%s serves http.DefaultServeMux, and with it net/http/pprof, at %s: "+
					"whoever reaches that address can read profiles", l.Place, l.Address))
			}
		}
		return nil
	}
	c.Text = p.is() + "a server for net/http/pprof on this machine alone, apart from the service's own"
	if len(p.Unserved) > 0 {
		c.Text += "; nothing serves http.DefaultServeMux, where it is now: " + served(p.Unserved)
	}
	if p.commands != "" {
		c.Hints = append(c.Hints, "main runs subcommands ("+p.commands+"): move the line to the one that serves, if others "+
			"shall not open a port")
	}
	return s.change(c, p, p.pprofServer(s.port(p), ""))
}

// is says what kind of program it is.
func (p *Program) is() string {
	switch p.Kind {
	case Web:
		return "a web server; "
	case Server:
		return "a server without HTTP of its own; "
	case Worker:
		return "a worker; "
	}
	return ""
}

// port is where a program's profiles are proposed to be: each service of a module has its own, so that they can run on
// one machine.
func (s *Survey) port(p *Program) int {
	const first = 6060
	for i, q := range s.Services() {
		if q.Package == p.Package {
			return first + i
		}
	}
	return first
}

// served says where profiles are served, or would be.
func served(uses []Pprof) string {
	var all []string
	for _, use := range uses {
		text := use.How
		if use.Place != nil {
			text += " (" + use.Place.String() + ")"
		}
		if !slices.Contains(all, text) {
			all = append(all, text)
		}
	}
	return strings.Join(all, ", ")
}

// Address is where profiles most likely are, as far as literals show; "" if they do not.
func (p *Program) Address() string {
	for _, l := range p.Listens {
		if p.muxHasProfiles() && l.Default && l.Address != "" {
			host, port, err := net.SplitHostPort(l.Address)
			if err == nil {
				return "http://" + net.JoinHostPort(cmp.Or(host, "127.0.0.1"), port)
			}
		}
	}
	return ""
}

// AddressAt is where the source takes the address of the profiles from, if that is no literal; "" if it does not show.
func (p *Program) AddressAt() string {
	var all []string
	for _, l := range p.Listens {
		if l.Address == "" && (l.Default || !p.muxHasProfiles()) && len(all) < 3 {
			all = append(all, l.Place.String())
		}
	}
	return strings.Join(all, ", ")
}

func loopback(address string) bool {
	host, _, err := net.SplitHostPort(address)
	if err != nil {
		return false
	}
	ip := net.ParseIP(host)
	return host == "localhost" || ip != nil && ip.IsLoopback()
}

// An addition is a file of a main package, the names that it declares, and the line of main that calls it, if one does.
type addition struct {
	file, text, line string
	declares         []string
}

// change adds a file to a main package, and a line to its main.
func (s *Survey) change(c *Change, p *Program, a addition) error {
	path := filepath.Join(p.Dir, a.file)
	if _, err := os.Lstat(path); err == nil {
		return fmt.Errorf("%s exists already: move it away, or write the change by hand", path)
	}
	c.files[path] = []byte(p.renamed(a.text))
	if err := p.free(a.declares...); err != nil || a.line == "" {
		return err
	}
	mainFile := filepath.Join(s.Dir, filepath.FromSlash(p.Main.File))
	old, err := c.files[mainFile], error(nil)
	if old == nil {
		old, err = os.ReadFile(mainFile)
	}
	if err != nil {
		return err
	}
	fset := token.NewFileSet()
	f, err := parser.ParseFile(fset, mainFile, old, parser.ParseComments|parser.SkipObjectResolution)
	if err != nil {
		return fmt.Errorf("reading main: %w", err)
	}
	at := bodyOf(fset, f, "main")
	if at < 0 {
		return fmt.Errorf("%s has no body of main", p.Main)
	}
	next := append(append(bytes.Clone(old[:at]), "\n\t"+a.line+"\n"...), old[at:]...)
	if next, err = format.Source(next); err != nil {
		return fmt.Errorf("%s does not parse with the change: %w", p.Main, err)
	}
	c.files[mainFile] = next
	return nil
}

// importLine is an import of a new file.
var importLine = regexp.MustCompile(`(?m)^\t"([a-z./]+)"$`)

// renamed is a new file whose imports do not have names that the main package declares: "var log = …" is common.
func (p *Program) renamed(text string) string {
	for _, m := range importLine.FindAllStringSubmatch(text, -1) {
		if name := lastName(m[1]); p.names[name] {
			text = regexp.MustCompile(`\b`+name+`\.`).ReplaceAllString(text, "std"+name+".")
			text = strings.Replace(text, "\t"+`"`+m[1]+`"`, "\tstd"+name+` "`+m[1]+`"`, 1)
		}
	}
	return text
}

// bodyOf is the offset behind the brace that opens a function's body; -1 if there is none.
func bodyOf(fset *token.FileSet, f *ast.File, name string) int {
	for _, d := range f.Decls {
		if fn, ok := d.(*ast.FuncDecl); ok && fn.Recv == nil && fn.Name.Name == name && fn.Body != nil {
			return fset.Position(fn.Body.Lbrace).Offset + 1
		}
	}
	return -1
}

// free is an error if a main package declares what a new file would declare, too.
func (p *Program) free(names ...string) error {
	for _, name := range names {
		if p.names[name] {
			return fmt.Errorf("package %s declares %s already: write the change by hand (docs/embed.md)", p.Package, name)
		}
	}
	return nil
}

// Check compiles the change without making it, and notes its diff. One that needs a module that is not there yet is
// compiled when it is applied.
func (c *Change) Check(ctx context.Context) error {
	for _, name := range slices.Sorted(maps.Keys(c.files)) {
		old, err := os.ReadFile(name)
		if err != nil && !errors.Is(err, os.ErrNotExist) {
			return err
		}
		rel, err := filepath.Rel(c.dir, name)
		if err != nil {
			return err
		}
		c.Diff += diff.Unified(filepath.ToSlash(rel), string(old), string(c.files[name]))
	}
	if len(c.files) == 0 || c.Get != "" {
		return nil
	}
	dir, err := os.MkdirTemp("", "casebook-init-*")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	overlay := struct{ Replace map[string]string }{make(map[string]string)}
	i := 0
	for name, data := range c.files {
		at := filepath.Join(dir, fmt.Sprintf("%d.go", i))
		i++
		if err := os.WriteFile(at, data, 0o600); err != nil {
			return err
		}
		overlay.Replace[name] = at
	}
	text, err := json.Marshal(overlay)
	if err != nil {
		return err
	}
	file := filepath.Join(dir, "overlay.json")
	if err := os.WriteFile(file, text, 0o600); err != nil {
		return err
	}
	compile := tool.Go{Dir: c.dir, Limit: tool.CompileLimit}
	_, err = compile.Output(ctx, "build", "-overlay", file, "-o", os.DevNull, c.Program)
	if err == nil || ctx.Err() != nil {
		return err
	}
	if _, before := compile.Output(ctx, "build", "-o", os.DevNull, c.Program); before != nil {
		c.broken = true
		c.Hints = append(c.Hints, fmt.Sprintf("the program does not build here, so that the change was not compiled: %v", before))
		return nil
	}
	return fmt.Errorf("the change does not compile, and is not proposed: %w", err)
}

// Apply makes the change. What does not build afterwards is taken back.
func (c *Change) Apply(ctx context.Context) (written []string, err error) {
	if len(c.files) == 0 {
		return nil, nil
	}
	back := make(map[string][]byte)
	paths := slices.Sorted(maps.Keys(c.files))
	if c.Get != "" {
		paths = append(paths, filepath.Join(c.dir, "go.mod"), filepath.Join(c.dir, "go.sum"))
	}
	for _, path := range paths {
		if back[path], err = os.ReadFile(path); err != nil && !errors.Is(err, os.ErrNotExist) {
			return nil, err
		}
	}
	if err = c.apply(ctx); err != nil {
		for path, data := range back {
			if data == nil {
				err = errors.Join(err, remove(path))
			} else {
				err = errors.Join(err, os.WriteFile(path, data, 0o644))
			}
		}
		if c.Get != "" {
			err = errors.Join(err, c.vendor(context.WithoutCancel(ctx)))
		}
		return nil, fmt.Errorf("%w; nothing was changed", err)
	}
	return slices.Sorted(maps.Keys(c.files)), nil
}

// vendor brings the folder of dependencies, if the module has one, in line with go.mod.
func (c *Change) vendor(ctx context.Context) error {
	if _, err := os.Stat(filepath.Join(c.dir, "vendor", "modules.txt")); err != nil {
		return nil // it has none
	}
	compile := tool.Go{Dir: c.dir, Limit: tool.CompileLimit}
	_, err := compile.Output(ctx, "mod", "vendor")
	if err != nil { // what is vendored for other systems needs sums, too, of the modules that the requirement raised
		if _, err := compile.Output(ctx, "mod", "tidy"); err != nil {
			return err
		}
		_, err = compile.Output(ctx, "mod", "vendor")
	}
	return err
}

func remove(path string) error {
	if err := os.Remove(path); !errors.Is(err, os.ErrNotExist) {
		return err
	}
	return nil
}

func (c *Change) apply(ctx context.Context) error {
	if c.Get != "" {
		if _, err := (tool.Go{Dir: c.dir, Limit: tool.CompileLimit}).Output(ctx, "get", c.Get); err != nil {
			return fmt.Errorf("requiring %s: %w", c.Get, err)
		}
	}
	for name, data := range c.files {
		mode := os.FileMode(0o644)
		if info, err := os.Stat(name); err == nil {
			mode = info.Mode().Perm()
		}
		if err := os.WriteFile(name, data, mode); err != nil {
			return err
		}
	}
	if c.broken {
		return nil
	}
	compile := tool.Go{Dir: c.dir, Limit: tool.CompileLimit}
	if c.Get != "" { // a requirement may raise others, whose sums go get leaves out
		if _, err := compile.Output(ctx, "build", "-mod=mod", "-o", os.DevNull, c.Program); err != nil {
			return err
		}
		if err := c.vendor(ctx); err != nil {
			return err
		}
	}
	_, err := compile.Output(ctx, "build", "-o", os.DevNull, c.Program)
	return err
}
