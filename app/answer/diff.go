package answer

import (
	"context"
	"errors"
	"fmt"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"github.com/gocasebook/casebook/casefile"
)

// diff checks that a diff may be applied, applies, compiles, and passes the tests where these are to run. It is applied
// in a private copy of the module alone.
func (c *check) diff(ctx context.Context) {
	if strings.TrimSpace(c.a.Diff) == "" {
		return
	}
	if len(c.a.Diff) > maxDiff {
		c.say(casefile.Unsupported, AboutDiff, fmt.Sprintf("it has %d bytes; at most %d are looked at",
			len(c.a.Diff), maxDiff))
		return
	}
	ps, err := parsePatch(c.a.Diff)
	if err == nil {
		err = harmless(ps)
	}
	if err != nil {
		c.say(casefile.Unsupported, AboutDiff, "it is not applied: "+err.Error())
		return
	}
	if c.code == nil {
		c.say(casefile.Supported, AboutDiff, "it reads as a diff; whether it applies and compiles was not looked at: "+
			"--source says where the code is")
		return
	}
	limit := c.o.Limit
	if limit <= 0 {
		limit = DefaultLimit
	}
	ctx, cancel := context.WithTimeoutCause(ctx, limit, fmt.Errorf("compiling and testing it took longer than %s",
		limit))
	defer cancel()
	if err := c.tryOut(ctx, ps); err != nil {
		c.say(casefile.Unsupported, AboutDiff, "it could not be tried out: "+err.Error())
	}
}

// tryOut applies, compiles and tests a diff. An error is no fault of the diff.
func (c *check) tryOut(ctx context.Context, ps []*filePatch) (err error) {
	for _, p := range ps {
		c.locate(p)
	}
	tree, err := copyOf(ctx, c.code.dir)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, tree.Close()) }()
	var misfit *misfit
	switch err := tree.write(ps); {
	case errors.As(err, &misfit):
		c.say(casefile.Contradicted, AboutDiff, "it does not apply: "+misfit.text)
		return nil
	case err != nil:
		return err
	}
	packages := packagesOf(ps)
	if len(packages) == 0 {
		c.say(casefile.Supported, AboutDiff, "it applies; it changes no Go file")
		return nil
	}
	if err := tree.complete(ctx, c.o.Online, packages); err != nil && !c.o.Online && ctx.Err() == nil {
		c.say(casefile.Supported, AboutDiff, "it applies; not compiled, because it needs a module that is not "+
			"on this machine: "+
			"--online fetches it")
		return nil
	}
	if err := tree.compiles(ctx, c.o.Online, packages); err != nil {
		return c.fails(ctx, err, "it does not compile", func(base *copied) error {
			return base.compiles(ctx, c.o.Online, packages)
		})
	}
	if !c.o.Test {
		c.say(casefile.Supported, AboutDiff, "it applies and compiles; not tested: --test runs the tests of its "+
			"packages")
		return nil
	}
	out, err := tree.tested(ctx, c.o.Online, packages)
	if err != nil {
		return c.fails(ctx, err, "the tests of "+strings.Join(packages, " ")+" fail with it", func(base *copied) error {
			_, err := base.tested(ctx, c.o.Online, packages)
			return err
		})
	}
	if !strings.Contains(out, "ok  \t") {
		c.say(casefile.Supported, AboutDiff, "it applies and compiles; its packages have no tests")
		return nil
	}
	c.say(casefile.Supported, AboutDiff, "it applies, compiles, and passes the tests of "+strings.Join(packages, " "))
	return nil
}

// fails says that something fails with a diff, unless it does so without it, too.
func (c *check) fails(ctx context.Context, failure error, what string, without func(*copied) error) error {
	if ctx.Err() != nil {
		return context.Cause(ctx)
	}
	base, err := copyOf(ctx, c.code.dir)
	if err != nil {
		return err
	}
	defer base.Close()
	before := without(base)
	switch {
	case ctx.Err() != nil:
		return context.Cause(ctx)
	case before != nil:
		c.say(casefile.Supported, AboutDiff, "it applies; "+what+", and so do they without it: nothing can be said")
	default:
		c.say(casefile.Contradicted, AboutDiff, what+": "+cut(failure.Error(), maxFailure))
	}
	return nil
}

// maxFailure is how many characters of what the go command says are kept.
const maxFailure = 800

// locate finds the file of a diff in the module: diffs are named from the repository, the module, or the package.
func (c *check) locate(p *filePatch) {
	if p.created {
		return
	}
	if rel, err := filepath.Rel(c.o.Source.Tree.Root, c.o.Source.Tree.Dir); err == nil && rel != "." {
		p.name = strings.TrimPrefix(p.name, filepath.ToSlash(rel)+"/")
	}
	p.name = strings.TrimPrefix(p.name, c.o.Source.Tree.Module+"/")
	if _, ok := c.code.files[p.name]; ok || path.Base(p.name) != p.name {
		return
	}
	found := ""
	for rel := range c.code.files {
		if path.Base(rel) == p.name {
			if found != "" {
				return
			}
			found = rel
		}
	}
	if found != "" {
		p.name = found
	}
}

// directive are lines of Go files that have the go command, the linker or a C compiler do something.
var directive = regexp.MustCompile(`^\s*(?:func TestMain\(|//go:(?:generate|linkname|cgo_\w+)|(?:/\*` +
	`|//)?\s*#\s*(?:cgo|include|define)\b|import\s+"C"|"C"$)`)

// harmless says why a diff is not applied to anything that is built: it does more than change Go code of the module.
func harmless(ps []*filePatch) error {
	for _, p := range ps {
		base := path.Base(p.name)
		switch {
		case base == "go.work", base == "go.work.sum", base == "modules.txt":
			return fmt.Errorf("it changes %s, which says where other modules are", p.name)
		case strings.HasSuffix(base, "_test.go") && !p.created:
			return fmt.Errorf("it changes %s: a change is judged by the tests that are there", p.name)
		case base == "go.mod":
			if err := harmlessMod(p); err != nil {
				return err
			}
		case isBuilt(base):
		case strings.HasPrefix(base, "."):
			return fmt.Errorf("it changes %s, which is no code", p.name)
		}
		for _, h := range p.hunks {
			for _, l := range h.lines {
				if l.kind == '+' && isBuilt(base) && directive.MatchString(l.text) {
					return fmt.Errorf("it adds %q to %s, which does more than Go code",
						cut(strings.TrimSpace(l.text), 60), p.name)
				}
			}
		}
		if ext := path.Ext(base); p.created && isBuilt(base) && ext != ".go" {
			return fmt.Errorf("it adds %s, which is no Go", p.name)
		}
	}
	return nil
}

// isBuilt reports whether the go command compiles a file of this name.
func isBuilt(base string) bool {
	switch path.Ext(base) {
	case ".go", ".s", ".S", ".sx", ".c", ".cc", ".cpp", ".cxx", ".m", ".h", ".hh", ".hpp", ".f", ".F", ".for", ".f90",
		".syso", ".swig", ".swigcxx":
		return true
	}
	return false
}

// harmlessMod says why a change of go.mod is none of requirements alone.
func harmlessMod(p *filePatch) error {
	for _, h := range p.hunks {
		for _, l := range h.lines {
			if l.kind != '+' {
				continue
			}
			word := strings.Fields(l.text + " .")[0]
			elsewhere := slices.Contains([]string{"replace", "toolchain", "tool", "godebug"}, word)
			if elsewhere || strings.Contains(l.text, "=>") {
				return fmt.Errorf("it adds %q to go.mod, which takes code from elsewhere",
					cut(strings.TrimSpace(l.text), 60))
			}
		}
	}
	return nil
}
