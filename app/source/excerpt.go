package source

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"strings"

	"github.com/gocasebook/casebook/app/revision"
	"github.com/gocasebook/casebook/casefile"
)

// Around a line that a finding names.
const (
	around   = 2       // lines before and after it
	maxFile  = 4 << 20 // bytes of a file that is read; generated code has some MB
	maxShown = 3       // places of a finding; the rest is context
)

// A Reader reads lines of a program's source as it was built, where the repository has that revision, and otherwise as
// the folder has it now.
type Reader struct {
	tree     Tree
	revision string // to read from; "" is the folder as it is
	note     string
	files    map[string][]string // by path within the module; nil: not there
}

// hash is a commit's name, whole or abbreviated. What evidence says becomes an argument of git.
var hash = regexp.MustCompile(`^[0-9a-f]{7,64}$`)

// NewReader decides which version of a tree's files is read for a build.
func NewReader(ctx context.Context, t Tree, build casefile.Build) *Reader {
	r := &Reader{tree: t, files: make(map[string][]string)}
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
	_, err := revision.Run(ctx, s.Dir, "git", "cat-file", "-e", commit+"^{commit}")
	return err == nil
}

func isRepository(dir string) bool {
	_, err := os.Lstat(filepath.Join(dir, ".git"))
	return err == nil
}

// Note says why lines may not be those that ran; "" where they are.
func (r *Reader) Note() string { return r.note }

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
	if f.Line < 1 || f.File == "" {
		return nil
	}
	for _, name := range r.tree.candidates(f) {
		lines := r.lines(ctx, name)
		if len(lines) < f.Line {
			continue
		}
		first := max(f.Line-around, 1)
		return &casefile.Excerpt{First: first, Lines: lines[first-1 : min(f.Line+around, len(lines))],
			Revision: r.revision}
	}
	return nil
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
		data, err = revision.Run(ctx, r.tree.Dir, "git", "cat-file", "blob", r.revision+":./"+path.Clean(name))
	}
	if err != nil || len(data) > maxFile || bytes.IndexByte(data, 0) >= 0 {
		data = nil
	}
	var lines []string
	for line := range strings.Lines(string(data)) {
		lines = append(lines, strings.TrimRight(line, "\r\n"))
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
