package mcp

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/gocasebook/casebook/app/assess"
	"github.com/gocasebook/casebook/casefile"
	"github.com/gocasebook/casebook/internal/near"
	"github.com/gocasebook/casebook/internal/room"
)

// A base is the folder in which tools read. os.Root holds it open: no name and no symbolic link leads out of it, also
// one that is put there between a check and its use.
type base struct {
	root *os.Root
	dir  string // absolute
}

func openBase(dir string) (*base, error) {
	abs, err := filepath.Abs(dir)
	if err != nil {
		return nil, fmt.Errorf("the folder of cases: %w", err)
	}
	root, err := os.OpenRoot(abs)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("there is no folder %s; casebook watch and casebook capture make one, or name another "+
			"with --dir", dir)
	}
	if err != nil {
		return nil, fmt.Errorf("the folder of cases: %w", err)
	}
	return &base{root, abs}, nil
}

// Names of entries and files.
const (
	maxName = 200
	latest  = "latest" // stands for the newest case
)

// validName reports whether a name is one part of letters, digits, "_" and "-": nothing that a path, a flag or a shell
// understands.
func validName(name string) bool {
	if name == "" || len(name) > maxName || name[0] == '-' {
		return false
	}
	return strings.IndexFunc(name, func(r rune) bool { return !isNameRune(r) }) < 0
}

func isNameRune(r rune) bool {
	return r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || r == '_' || r == '-'
}

// names are the entries that could be read, by name: folders, and no links to some.
func (b *base) names() ([]string, error) {
	entries, err := fs.ReadDir(b.root.FS(), ".")
	if err != nil {
		return nil, fmt.Errorf("reading the folder of cases: %w", err)
	}
	var out []string
	for _, e := range entries {
		if e.IsDir() && validName(e.Name()) {
			out = append(out, e.Name())
		}
	}
	return out, nil
}

// An entry is a case, or a folder with profiles.
type entry struct {
	assess.Opened
	folder *os.Root // of Files
}

func (e *entry) close() {
	if e.folder != nil {
		_ = e.folder.Close() // it was only read
	}
}

// open opens an entry by its name, or the newest case.
func (b *base) open(name string) (*entry, error) {
	if name == latest {
		var err error
		if name, err = b.newest(); err != nil {
			return nil, err
		}
	}
	if !validName(name) {
		return nil, fmt.Errorf("%.80q is not the name of a case: one is letters, digits, _ and -, as list_cases names "+
			"them, or %q for the newest", name, latest)
	}
	info, err := b.root.Lstat(name)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil, b.unknown(name)
	case err != nil:
		return nil, fmt.Errorf("opening %s: %w", name, err)
	case !info.IsDir(): // a link to a folder is none, wherever it leads
		return nil, fmt.Errorf("%s is not a folder of its own: links are not followed; list_cases has what is there", name)
	}
	if f, err := casefile.OpenIn(b.root, name); err == nil || !errors.Is(err, fs.ErrNotExist) {
		if err != nil {
			return nil, err
		}
		return &entry{Opened: assess.Opened{Name: name, Case: f}}, nil
	}
	folder, err := b.root.OpenRoot(name)
	if err != nil {
		return nil, fmt.Errorf("opening %s: %w", name, err)
	}
	return &entry{assess.Opened{Name: name, Files: folder.FS()}, folder}, nil
}

// unknown says that there is no such entry, and which may be meant.
func (b *base) unknown(name string) error {
	names, err := b.names()
	if err != nil {
		return err
	}
	hint := ""
	if meant := near.Names(name, names); len(meant) > 0 {
		hint = "did you mean " + strings.Join(meant[:min(len(meant), 3)], ", ") + "? "
	}
	return fmt.Errorf("there is no case %s; %slist_cases names those that there are", name, hint)
}

// newest is the newest case. IDs begin with their time.
func (b *base) newest() (string, error) {
	names, err := b.names()
	if err != nil {
		return "", err
	}
	for _, name := range slices.Backward(names) {
		if casefile.ValidID(name) {
			return name, nil
		}
	}
	return "", errors.New("there is no case yet; list_cases shows folders with profiles, if there are any")
}

// files are the files that can be asked for: of a case its evidence, of a folder what has a plain name.
func (e *entry) files() ([]casefile.Evidence, error) {
	if e.Case != nil {
		return e.Case.Case.Evidence, nil
	}
	list, err := fs.ReadDir(e.Files, ".")
	if err != nil {
		return nil, fmt.Errorf("reading %s: %w", e.Name, err)
	}
	var out []casefile.Evidence
	for _, f := range list {
		if info, err := f.Info(); err == nil && info.Mode().IsRegular() && validFile(f.Name()) {
			out = append(out, casefile.Evidence{File: f.Name(), Bytes: info.Size()})
		}
	}
	return out, nil
}

// validFile is validName with the dots that names of files have, but for hidden ones.
func validFile(name string) bool {
	return name != "" && name[0] != '.' && validName(strings.ReplaceAll(name, ".", "_"))
}

// file finds a file of an entry: one that files has, and no other.
func (e *entry) file(name string) (casefile.Evidence, error) {
	list, err := e.files()
	if err != nil {
		return casefile.Evidence{}, err
	}
	var names []string
	for _, f := range list {
		if f.File == name {
			return f, nil
		}
		names = append(names, f.File)
	}
	return casefile.Evidence{}, fmt.Errorf("%s has no evidence %.80q; it has %s", e.Name, name,
		strings.Join(names[:min(len(names), 40)], ", "))
}

// read reads a file of an entry, as far as there is room for what is parsed.
func (e *entry) read(f casefile.Evidence) ([]byte, error) {
	if most := room.Parsing(); f.Bytes > most {
		return nil, fmt.Errorf("%s has %d MiB, and this process may load %d; read it with casebook or go tool pprof",
			f.File, f.Bytes>>20, most>>20)
	}
	if e.Case != nil {
		return e.Case.Read(f.File)
	}
	in, err := e.Files.Open(f.File)
	if err != nil {
		return nil, fmt.Errorf("reading %s of %s: %w", f.File, e.Name, err)
	}
	defer in.Close()
	data, err := io.ReadAll(io.LimitReader(in, f.Bytes)) // it may have grown since
	if err != nil {
		return nil, fmt.Errorf("reading %s of %s: %w", f.File, e.Name, err)
	}
	return data, nil
}
