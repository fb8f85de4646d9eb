package source

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"github.com/gocasebook/casebook/app/tool"
	"github.com/gocasebook/casebook/casefile"
)

// Around a line that a finding names.
const (
	around   = 2       // lines before and after it
	maxFile  = 4 << 20 // bytes of a file that is read; generated code has some MB
	maxShown = 3       // places of a finding; the rest is context
)

// A Reader reads lines of a program's source as it was built, where the repository has that revision, and otherwise as
// the folder has it now. Lines of dependencies and of the standard library are those of the versions of the build, or
// none.
type Reader struct {
	places   *Places
	tree     Tree
	revision string // to read from; "" is the folder as it is
	note     string
	used     bool                // of the module there are lines
	stale    []string            // why files of others were not read
	files    map[string][]string // by path within the module, or absolute; nil: not there
}

// hash is a commit's name, whole or abbreviated. What evidence says becomes an argument of git.
var hash = regexp.MustCompile(`^[0-9a-f]{7,64}$`)

// NewReader decides which version of the module's files is read.
func NewReader(ctx context.Context, p *Places) *Reader {
	t, build := p.Tree, p.Build
	r := &Reader{places: p, tree: t, files: make(map[string][]string)}
	short := build.Revision[:min(len(build.Revision), 12)]
	switch {
	case !hash.MatchString(build.Revision):
		r.note = fmt.Sprintf("Lines are those of %s today: the evidence does not say of which revision it is.", t.Dir)
	case !t.has(ctx, build.Revision):
		r.note = fmt.Sprintf("Lines are those of %s today, which may be others: it does not have revision %s, of "+
			"which the program was built.", t.Dir, short)
	case build.Modified:
		r.revision = build.Revision
		r.note = fmt.Sprintf("Lines are those of revision %s; the program was built of it with changes that it does "+
			"not have.", short)
	default:
		r.revision = build.Revision
	}
	return r
}

// has reports whether the tree's repository has a commit.
func (s Tree) has(ctx context.Context, commit string) bool {
	if s.Dir == "" || s.Root == s.Dir && !isRepository(s.Dir) {
		return false
	}
	_, err := tool.Git{Dir: s.Dir}.Run(ctx, "cat-file", "-e", commit+"^{commit}")
	return err == nil
}

func isRepository(dir string) bool {
	_, err := os.Lstat(filepath.Join(dir, ".git"))
	return err == nil
}

// Note says why lines that were read may not be those that ran, and which files were not read because they are not;
// "" where there is nothing to know.
func (r *Reader) Note() string {
	var parts []string
	if r.used && r.note != "" {
		parts = append(parts, r.note)
	}
	for _, why := range r.stale[:min(len(r.stale), 2)] {
		parts = append(parts, "Some places have no lines: "+why+".")
	}
	return strings.Join(parts, " ")
}

// Add adds the lines around the first places of findings to them, and says whether there were any.
func (r *Reader) Add(ctx context.Context, findings []casefile.Finding) (some bool) {
	for i := range findings {
		for k := range findings[i].Where[:min(len(findings[i].Where), maxShown)] {
			at := &findings[i].Where[k]
			at.Source = r.excerpt(ctx, *at)
			some = some || at.Source != nil
		}
	}
	return some
}

// excerpt is the lines around a place; nil where its file is not in the module, or has no such line.
func (r *Reader) excerpt(ctx context.Context, f casefile.Frame) *casefile.Excerpt {
	lines, own := r.whole(ctx, f)
	if lines == nil {
		return nil
	}
	first := max(f.Line-around, 1)
	out := &casefile.Excerpt{First: first, Lines: lines[first-1 : min(f.Line+around, len(lines))]}
	if own {
		out.Revision = r.revision
	}
	return out
}

// Lines are all lines of a place's file; nil where the file is not here as it was built, or has no such line. note is
// what a reader must know of them. The caller must not change them.
func (r *Reader) Lines(ctx context.Context, f casefile.Frame) (lines []string, note string) {
	lines, own := r.whole(ctx, f)
	if own {
		note = r.note
	}
	return lines, note
}

// whole is all lines of a place's file, and whether it is the module's own.
func (r *Reader) whole(ctx context.Context, f casefile.Frame) (lines []string, own bool) {
	if f.Line < 1 || f.File == "" {
		return nil, false
	}
	var names []string
	switch {
	case r.tree.Dir == "":
	case f.Function == "" && fs.ValidPath(f.File): // as Named has it
		names = []string{f.File}
	default:
		names = r.tree.candidates(f)
	}
	for _, name := range names {
		if lines := r.lines(ctx, name); len(lines) >= f.Line {
			r.used = true
			return lines, true
		}
	}
	if names != nil {
		return nil, true
	}
	return r.others(f), false
}

// others is a file of a dependency or of the standard library, in the version of the build.
func (r *Reader) others(f casefile.Frame) []string {
	found := r.places.File(f)
	if found.Stale != "" && !slices.Contains(r.stale, found.Stale) {
		r.stale = append(r.stale, found.Stale)
	}
	if found.File == "" || found.Stale != "" {
		return nil
	}
	lines, ok := r.files[found.File]
	if !ok {
		if data, err := readWhole(found.File); err == nil {
			lines = linesOf(data)
		}
		r.files[found.File] = lines
	}
	if len(lines) < f.Line {
		return nil
	}
	return lines
}

// readWhole reads a file that Places has found below one of its folders.
func readWhole(file string) ([]byte, error) {
	f, err := os.Open(file)
	if err != nil {
		return nil, fmt.Errorf("reading the source: %w", err)
	}
	defer f.Close()
	data, err := io.ReadAll(io.LimitReader(f, maxFile+1))
	if err != nil {
		return nil, fmt.Errorf("reading the source: %w", err)
	}
	return data, nil
}

// linesOf are the lines of a text; none of a file that is too large, or no text.
func linesOf(data []byte) (lines []string) {
	if len(data) > maxFile || bytes.IndexByte(data, 0) >= 0 {
		return nil
	}
	for line := range strings.Lines(string(data)) {
		lines = append(lines, strings.TrimRight(line, "\r\n"))
	}
	return lines
}

// lines is a file of the module; nil without it.
func (r *Reader) lines(ctx context.Context, name string) []string {
	if known, ok := r.files[name]; ok {
		return known
	}
	var data []byte
	var err error
	if r.revision == "" {
		data, err = r.tree.read(name)
	} else {
		data, err = tool.Git{Dir: r.tree.Dir}.Run(ctx, "cat-file", "blob", r.revision+":./"+path.Clean(name))
	}
	var lines []string
	if err == nil {
		lines = linesOf(data)
	}
	r.files[name] = lines
	return lines
}

// read reads a file of the module's folder; no name leads out of it.
func (s Tree) read(name string) ([]byte, error) {
	root, err := os.OpenRoot(s.Dir)
	if err != nil {
		return nil, fmt.Errorf("reading the source: %w", err)
	}
	defer root.Close()
	if info, err := root.Stat(filepath.FromSlash(name)); err != nil || !info.Mode().IsRegular() {
		return nil, fmt.Errorf("reading the source: %s is no file", name)
	}
	f, err := root.Open(filepath.FromSlash(name))
	if err != nil {
		return nil, fmt.Errorf("reading the source: %w", err)
	}
	defer f.Close()
	data, err := io.ReadAll(io.LimitReader(f, maxFile+1))
	if err != nil {
		return nil, fmt.Errorf("reading the source: %w", err)
	}
	return data, nil
}
