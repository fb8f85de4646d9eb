// Package archive reads and writes recorded evidence, which tests are made of: evidence/cases/<group>/<case>.tar.gz.
//
// The problem: a recorded case is a dozen small files, and a thousand cases as folders were most of the repository's
// files and half of its bytes. The approach: one archive a case, so that a case that changes changes one file. It is
// compressed as a whole, because the profiles of one program repeat each other's names. A profile, which the runtime
// compresses as fast as it can, is in the archive as a gzip file without compression (Put): tar takes it out as what
// it is called, and the archive's compression sees through it.
//
// Other compressors make less of it, and were not taken. Of 48.6 MB bzip2 -9 saves 17 %, zstd -19 22 % and xz -9 28 %.
// But casebook, tar and Go read a tar.gz without more; to read all cases takes Go 0.7 s of CPU, and ten times as long
// from bzip2 or xz, where diagnosing them takes 25; and what is written anew stays in git's history beside the old:
// each clone would have 35 to 40 MB more, for a checkout with 8 to 14 less.
//
// The limits: a case is read as a whole, into memory; the largest has 1.4 MB. Names have three parts: group, case
// and file. Only tests and the tools that record evidence import it. It writes by Go's compress/gzip, whose output may
// differ from one release of Go to the next; Put therefore leaves an archive alone that holds the same.
package archive

import (
	"archive/tar"
	"bytes"
	"compress/gzip"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
)

const (
	home   = "evidence/cases" // seen from the root of a checkout
	ending = ".tar.gz"
)

// A Set is a folder with groups of cases.
type Set string

// Files are the files of a case, by their names.
type Files map[string][]byte

// Find finds the evidence of the checkout that the current folder is in.
func Find() (Set, error) {
	start, err := os.Getwd()
	if err != nil {
		return "", err
	}
	for dir := start; ; dir = filepath.Dir(dir) {
		cases := filepath.Join(dir, filepath.FromSlash(home))
		if _, err := os.Stat(cases); err == nil {
			return Set(cases), nil
		}
		if dir == filepath.Dir(dir) {
			return "", fmt.Errorf("no folder %s above %s: evidence is in a checkout of the repository alone", home, start)
		}
	}
}

// Cases are the names of the cases that match a pattern such as "modules/*", sorted. That there is none is an error.
func (s Set) Cases(pattern string) ([]string, error) {
	files, err := filepath.Glob(s.Path(pattern))
	if err != nil || len(files) == 0 {
		return nil, fmt.Errorf("no case %s in %s: %w", pattern, s, errors.Join(err, fs.ErrNotExist))
	}
	for i, file := range files {
		group, name := filepath.Split(strings.TrimSuffix(file, ending))
		files[i] = path.Join(filepath.Base(group), name)
	}
	slices.Sort(files)
	return files, nil
}

// Has says whether there is a case of this name.
func (s Set) Has(name string) bool {
	_, err := os.Stat(s.Path(name))
	return err == nil
}

// Case reads a case.
func (s Set) Case(name string) (Files, error) { return ReadArchive(s.Path(name)) }

// ReadArchive reads a case that may be in no set.
func ReadArchive(file string) (Files, error) {
	files := make(Files)
	err := walk(file, func(name string, content io.Reader) (err error) {
		files[name], err = io.ReadAll(content)
		return err
	})
	return files, err
}

// ReadFile reads one file of a case: group/case/file. Manifests, which come first, are read without the rest.
func (s Set) ReadFile(name string) (data []byte, err error) {
	dir, wanted := path.Split(name)
	err = walk(s.Path(path.Clean(dir)), func(file string, content io.Reader) error {
		if file != wanted {
			return nil
		}
		if data, err = io.ReadAll(content); err != nil {
			return err
		}
		return fs.SkipAll
	})
	if err == nil && data == nil {
		err = &fs.PathError{Op: "read", Path: name, Err: fs.ErrNotExist}
	}
	return data, err
}

// walk visits the files of an archive until visit fails or returns fs.SkipAll.
func walk(archive string, visit func(file string, content io.Reader) error) error {
	f, err := os.Open(archive)
	if err != nil {
		return err
	}
	defer f.Close()
	err = entries(f, visit)
	if errors.Is(err, fs.SkipAll) {
		err = nil
	}
	if err != nil {
		err = fmt.Errorf("reading %s: %w", f.Name(), err)
	}
	return err
}

func entries(r io.Reader, visit func(file string, content io.Reader) error) error {
	plain, err := gzip.NewReader(r)
	if err != nil {
		return err
	}
	for t := tar.NewReader(plain); ; {
		h, err := t.Next()
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err == nil {
			err = visit(h.Name, t)
		}
		if err != nil {
			return err
		}
	}
}

// Extract writes the cases that match into folders of dir, group/case, and returns their names.
func (s Set) Extract(pattern, dir string) ([]string, error) {
	names, err := s.Cases(pattern)
	for _, name := range names {
		var files Files
		if files, err = s.Case(name); err == nil {
			err = files.write(filepath.Join(dir, filepath.FromSlash(name)))
		}
		if err != nil {
			break
		}
	}
	return names, err
}

// Temp extracts the cases that match into a new temporary folder, for commands that read files.
func Temp(pattern string) (dir string, err error) {
	set, err := Find()
	if err != nil {
		return "", err
	}
	if dir, err = os.MkdirTemp("", "casebook-evidence-"); err != nil {
		return "", err
	}
	if _, err = set.Extract(pattern, dir); err != nil {
		err = errors.Join(err, os.RemoveAll(dir))
	}
	return dir, err
}

func (f Files) write(dir string) error {
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return err
	}
	for _, name := range f.Names() {
		if err := os.WriteFile(filepath.Join(dir, name), f[name], 0o644); err != nil {
			return err
		}
	}
	return nil
}

// Names are the names of the files, in their order in an archive: what says what the rest is, and then files beside
// those that are like them, because a compressor looks back 32 KiB.
func (f Files) Names() []string {
	names := make([]string, 0, len(f))
	for name := range f {
		names = append(names, name)
	}
	key := func(name string) string {
		stem, kind, _ := strings.Cut(name, ".")
		if name == manifest {
			return ""
		}
		stem, _, _ = strings.Cut(stem, "-") // heap, heap-after
		return kind + "/" + stem + "/" + name
	}
	slices.SortFunc(names, func(a, b string) int { return strings.Compare(key(a), key(b)) })
	return names
}

const manifest = "manifest.json"

// Path is the file that a case is in.
func (s Set) Path(name string) string {
	return filepath.Join(string(s), filepath.FromSlash(name)+ending)
}

// ReadFolder reads the files of a folder, as a recorder or Extract wrote them.
func ReadFolder(dir string) (Files, error) {
	list, err := os.ReadDir(dir)
	files := make(Files)
	for _, e := range list {
		if e.IsDir() {
			continue
		}
		if files[e.Name()], err = os.ReadFile(filepath.Join(dir, e.Name())); err != nil {
			return nil, err
		}
	}
	return files, err
}

// Put writes a case, new or in place of an earlier recording, and says whether that changed anything.
func (s Set) Put(name string, files Files) (changed bool, err error) {
	if group, base := path.Split(name); strings.Count(name, "/") != 1 || group == "/" || base == "" {
		return false, fmt.Errorf("%q is no name of a case: it has a group and a name, such as modules/grpc", name)
	}
	plain := files.Plain()
	if old, err := s.Case(name); err == nil && old.Equal(plain) {
		return false, nil
	}
	data, err := plain.pack()
	if err != nil {
		return false, fmt.Errorf("packing %s: %w", name, err)
	}
	to := s.Path(name)
	if err := os.MkdirAll(filepath.Dir(to), 0o755); err != nil {
		return false, err
	}
	return true, os.WriteFile(to, data, 0o644)
}

// Remove removes a case.
func (s Set) Remove(name string) error { return os.Remove(s.Path(name)) }

// Equal says whether two cases have the same files.
func (f Files) Equal(other Files) bool {
	for name, data := range f {
		if have, ok := other[name]; !ok || !bytes.Equal(have, data) {
			return false
		}
	}
	return len(f) == len(other)
}

// pack is a tar file, compressed, in which nothing is of the moment or of the machine.
func (f Files) pack() ([]byte, error) {
	var b bytes.Buffer
	packed, err := gzip.NewWriterLevel(&b, gzip.BestCompression)
	if err != nil {
		return nil, err
	}
	t := tar.NewWriter(packed)
	for _, name := range f.Names() {
		h := tar.Header{Name: name, Mode: 0o644, Size: int64(len(f[name])), Format: tar.FormatUSTAR}
		if err := t.WriteHeader(&h); err != nil {
			return nil, err
		}
		if _, err := t.Write(f[name]); err != nil {
			return nil, err
		}
	}
	err = errors.Join(t.Close(), packed.Close())
	return b.Bytes(), err
}

// Plain are the files as an archive has them: what is compressed is a gzip file without compression.
func (f Files) Plain() Files {
	plain := make(Files, len(f))
	for name, data := range f {
		plain[name] = unpacked(name, data)
	}
	return plain
}

// unpacked is a gzip file of the same content without compression. A file that is none, or damaged, stays as it is.
func unpacked(name string, data []byte) []byte {
	if !strings.HasSuffix(name, ".gz") {
		return data
	}
	in := bytes.NewReader(data)
	r, err := gzip.NewReader(in)
	if err != nil {
		return data
	}
	content, err := io.ReadAll(r)
	if err != nil {
		return data
	}
	var b bytes.Buffer
	w, err := gzip.NewWriterLevel(&b, gzip.NoCompression)
	if err == nil {
		_, err = w.Write(content)
		err = errors.Join(err, w.Close())
	}
	if err != nil {
		return data
	}
	return b.Bytes()
}
