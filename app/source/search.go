package source

import (
	"bytes"
	"context"
	"errors"
	"io/fs"
	"os"
	"path"
	"regexp"
	"strings"

	"github.com/gocasebook/casebook/casefile"
)

// What a search looks into, and what it returns.
const (
	mostSearched = 2_000    // files
	mostSearch   = 32 << 20 // bytes
	mostNamed    = 8        // lines
)

// errEnough ends a walk.
var errEnough = errors.New("enough")

// Named are the lines of the module's own Go files, tests and comments aside, in which a name stands as a word. all
// reports whether every file was looked into, and is that of the build.
func (r *Reader) Named(ctx context.Context, name string) (found []casefile.Frame, all bool) {
	word, err := regexp.Compile(`\b` + regexp.QuoteMeta(name) + `\b`)
	if err != nil || name == "" || r.tree.Dir == "" {
		return nil, false
	}
	files, all := r.own(ctx, []byte(name))
	for _, file := range files {
		for i, line := range r.lines(ctx, file) {
			code, _, _ := strings.Cut(line, "//")
			if word.MatchString(code) {
				found = append(found, casefile.Frame{File: file, Line: i + 1})
			}
			if len(found) == mostNamed {
				return found, false
			}
		}
	}
	return found, all && (r.revision == "" || len(r.places.notes(ctx)) == 0)
}

// own are the module's Go files, but for tests, that hold a text; as the folder has them. all is false where there were
// too many to look into.
func (r *Reader) own(ctx context.Context, text []byte) (files []string, all bool) {
	root, err := os.OpenRoot(r.tree.Dir) // no link leads out of it
	if err != nil {
		return nil, false
	}
	defer root.Close()
	left, size := mostSearched, int64(mostSearch)
	err = fs.WalkDir(root.FS(), ".", func(name string, d fs.DirEntry, err error) error {
		switch {
		case err != nil || ctx.Err() != nil:
			return errEnough
		case d.IsDir():
			return enters(root, name)
		case !d.Type().IsRegular() || path.Ext(name) != ".go" || strings.HasSuffix(name, "_test.go"):
			return nil
		}
		info, err := d.Info()
		if err != nil {
			return errEnough
		}
		if left, size = left-1, size-info.Size(); left < 0 || size < 0 {
			return errEnough
		}
		if data, err := root.ReadFile(name); err == nil && bytes.Contains(data, text) {
			files = append(files, name)
		}
		return nil
	})
	return files, err == nil
}

// enters leaves out folders that are not of the module.
func enters(root *os.Root, name string) error {
	base := path.Base(name)
	if name == "." {
		return nil
	}
	_, err := root.Stat(path.Join(name, "go.mod"))
	if err == nil || base[0] == '.' || base[0] == '_' || base == "vendor" || base == "testdata" {
		return fs.SkipDir
	}
	return nil
}
