// Package archive reads and writes recorded evidence, which tests are made of: evidence/cases/<group>/<case>.tar.zst.
//
// The problem: a recorded case is a dozen small files, and a thousand cases as folders were most of the repository's
// files and half of its bytes. The approach: one archive a case, so that a case that changes changes one file. It is
// compressed as a whole, because the profiles of one program repeat each other's names, and with a dictionary that all
// cases share, evidence/dictionary.zst, because the profiles of Go programs repeat each other's frames. A profile, which
// the runtime compresses as fast as it can, is in the archive as a gzip file without compression (Put): what takes it
// out finds what it is called, and the archive's compression sees through it. Of vitals an archive has six digits a
// figure and milliseconds: the ten digits behind those were a tenth of all archives, and no answer needs them.
//
// As tar.gz the cases took 40.1 MB; zstd makes 79 % of it without a dictionary and 57 % with one of 1 MB. The standard
// library has no zstd, and whoever imports the root module shall get no dependency for its tests. So this package asks
// another process to pack and unpack (helper.go): the tool of the module evidence, which go run keeps built. To read
// all cases takes 1.8 s of CPU with that process, and took 0.8 as tar.gz. A tar.gz is read as well, and needs no
// helper: casebook diagnoses it as it is, as README.md does with one case.
//
// The limits: a case is read as a whole, into memory; the largest has 5 MB. Names have three parts: group, case
// and file. Only tests and the tools that record evidence import it. What the compressor writes may differ from one
// release to the next; Put therefore leaves an archive alone that holds the same.
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
	"regexp"
	"slices"
	"strconv"
	"strings"
)

const (
	home   = "evidence/cases" // seen from the root of a checkout
	ending = ".tar.zst"
	asIs   = ".tar.gz" // of a case that casebook, too, reads as it is
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
	packed, err := filepath.Glob(s.file(pattern, ending))
	plain, _ := filepath.Glob(s.file(pattern, asIs)) // the same pattern, the same error
	if err != nil || len(packed)+len(plain) == 0 {
		return nil, fmt.Errorf("no case %s in %s: %w", pattern, s, errors.Join(err, fs.ErrNotExist))
	}
	var names []string
	for _, file := range slices.Concat(packed, plain) {
		group, name := filepath.Split(strings.TrimSuffix(strings.TrimSuffix(file, ending), asIs))
		names = append(names, path.Join(filepath.Base(group), name))
	}
	slices.Sort(names)
	return slices.Compact(names), nil
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

// ReadFile reads one file of a case: group/case/file. What is behind it in the archive is not looked at.
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
	data, err := os.ReadFile(archive)
	if err != nil {
		return err
	}
	packed, err := unpack(data)
	if err == nil {
		err = entries(packed, visit)
	}
	if errors.Is(err, fs.SkipAll) {
		err = nil
	}
	if err != nil {
		err = fmt.Errorf("reading %s: %w", archive, err)
	}
	return err
}

// unpack is the tar file that is in an archive.
func unpack(data []byte) (io.Reader, error) {
	if bytes.HasPrefix(data, []byte("\x1f\x8b")) {
		return gzip.NewReader(bytes.NewReader(data))
	}
	plain, err := codec.Unpack(data)
	return bytes.NewReader(plain), err
}

func entries(r io.Reader, visit func(file string, content io.Reader) error) error {
	for t := tar.NewReader(r); ; {
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
// those that are like them.
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

// Path is the file that a case is in, or will be.
func (s Set) Path(name string) string {
	if _, err := os.Stat(s.file(name, asIs)); err == nil {
		return s.file(name, asIs)
	}
	return s.file(name, ending)
}

func (s Set) file(name, ending string) string {
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
	if old, err := s.Case(name); err == nil && old.Plain().Equal(plain) && s.Path(name) == s.file(name, ending) {
		return false, nil
	}
	data, err := plain.pack()
	if err != nil {
		return false, fmt.Errorf("packing %s: %w", name, err)
	}
	to := s.file(name, ending)
	if err := os.MkdirAll(filepath.Dir(to), 0o755); err != nil {
		return false, err
	}
	err = os.WriteFile(to, data, 0o644)
	if old := s.Path(name); err == nil && old != to {
		err = os.Remove(old)
	}
	return true, err
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
	t := tar.NewWriter(&b)
	for _, name := range f.Names() {
		h := tar.Header{Name: name, Mode: 0o644, Size: int64(len(f[name])), Format: tar.FormatUSTAR}
		if err := t.WriteHeader(&h); err != nil {
			return nil, err
		}
		if _, err := t.Write(f[name]); err != nil {
			return nil, err
		}
	}
	if err := t.Close(); err != nil {
		return nil, err
	}
	return codec.Pack(b.Bytes())
}

// Plain are the files as an archive has them: what is compressed is a gzip file without compression, and vitals have
// the digits that answers need.
func (f Files) Plain() Files {
	plain := make(Files, len(f))
	for name, data := range f {
		if strings.HasSuffix(name, ".jsonl") {
			plain[name] = rounded(data)
			continue
		}
		plain[name] = unpacked(name, data)
	}
	return plain
}

// digits are how many of a figure are kept. Six are one part in a million: of a gigabyte, a kilobyte.
const digits = 6

var (
	longFigure = regexp.MustCompile(`":-?[0-9][0-9.e+-]{6,}[,}]`)
	longTime   = regexp.MustCompile(`("t":"[0-9T:-]+\.[0-9]{3})[0-9]+Z"`)
)

// rounded are vitals in JSON lines with fewer digits. To round twice changes nothing.
func rounded(lines []byte) []byte {
	lines = longTime.ReplaceAll(lines, []byte(`${1}Z"`))
	return longFigure.ReplaceAllFunc(lines, func(m []byte) []byte {
		before, figure, after := m[:2], string(m[2:len(m)-1]), m[len(m)-1]
		v, err := strconv.ParseFloat(figure, 64)
		if err != nil {
			return m
		}
		v, _ = strconv.ParseFloat(strconv.FormatFloat(v, 'g', digits, 64), 64) // it is one
		short := strconv.FormatFloat(v, 'f', -1, 64)
		if len(short) > len(figure) {
			return m
		}
		return append(append(slices.Clone(before), short...), after)
	})
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
