package casefile

import (
	"archive/zip"
	"errors"
	"fmt"
	"io"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"time"
)

// A zip may come from anyone. These bound what reading it can cost. A thousand entries of the longest names need
// about 350 KB of directory.
type zipLimits struct {
	directory int64 // bytes read before the first file is opened
	entries   int
	file      int64 // decompressed bytes of one file
	total     int64 // decompressed bytes of all
}

func defaultZipLimits() zipLimits {
	return zipLimits{directory: 1 << 20, entries: maxEntries, file: MaxFileBytes, total: maxTotalBytes}
}

// Import unpacks a zip that Export wrote into dir, which is made if needed, and returns the case. Everything is checked
// before the case appears: names (nothing outside the case's one folder, no links), sizes, case.json, the checksums of
// all evidence. A case that dir already has is refused (fs.ErrExist). Only case.json and the evidence that it names are
// unpacked: a page is the sender's program in the reader's browser, and can be drawn again from the case. For the same
// reason evidence is refused whose name has a browser, or Windows, run what is in it. On an error nothing stays in dir.
//
// What is to be done with the case, such as drawing its page, is noted like by Writer.SetTodo: nobody prunes it until
// the Todo of the Folder is released.
func (d Dir) Import(r io.ReaderAt, size int64, tasks ...string) (*Folder, error) {
	f, err := importZip(string(d), r, size, defaultZipLimits(), tasks...)
	if err != nil {
		return nil, fmt.Errorf("importing a case into %q: %w", d, explain(err))
	}
	return f, nil
}

func importZip(dir string, r io.ReaderAt, size int64, lim zipLimits, tasks ...string) (*Folder, error) {
	p, err := openPackage(r, size, lim)
	if err != nil {
		return nil, err
	}
	if dir, err = makeFolder(dir); err != nil {
		return nil, err
	}
	for _, taken := range []string{p.c.ID, tmpPrefix + p.c.ID} {
		if _, err := os.Lstat(filepath.Join(dir, taken)); err == nil {
			return nil, fmt.Errorf("case %s is already there: remove it first (%w)", p.c.ID, os.ErrExist)
		}
	}
	s, err := newStage(dir)
	if err != nil {
		return nil, err
	}
	f, err := p.unpack(s)
	if err == nil {
		err = markImported(s.root, time.Now())
	}
	var todo *Todo
	if err == nil && len(tasks) > 0 {
		todo, err = newTodo(s.root, tasks)
	}
	if err == nil {
		todo = todo.beforeRename()
		err = s.move(p.c.ID)
	}
	if err != nil {
		todo.drop()
		return nil, errors.Join(err, s.discard())
	}
	s.close()
	f.Path = s.path()
	todo.handOver(f)
	return f, nil
}

// A zipPackage is a zip whose list of files and whose case.json have been checked.
type zipPackage struct {
	c      Case
	record []byte // case.json as it is
	files  []packedFile
	lim    zipLimits
}

type packedFile struct {
	name string // inside the case's folder
	file *zip.File
}

func openPackage(r io.ReaderAt, size int64, lim zipLimits) (*zipPackage, error) {
	if size > lim.total {
		return nil, fmt.Errorf("the zip has %d bytes, the limit is %d", size, lim.total)
	}
	m := &meter{r: r, left: lim.directory, metered: true}
	z, err := zip.NewReader(m, size)
	if err != nil {
		return nil, fmt.Errorf("reading the zip: %w", err)
	}
	m.metered = false
	p := &zipPackage{lim: lim}
	top, err := p.plan(z.File)
	if err != nil {
		return nil, err
	}
	if err := p.readCase(); err != nil {
		return nil, err
	}
	if err := p.keepNamed(); err != nil {
		return nil, err
	}
	if p.c.ID != top {
		return nil, fmt.Errorf("the zip's folder is %.80q, but the case in it is %s", top, p.c.ID)
	}
	return p, nil
}

// plan lists the files to unpack and returns the name of the one folder they are in.
func (p *zipPackage) plan(entries []*zip.File) (top string, err error) {
	if len(entries) > p.lim.entries {
		return "", fmt.Errorf("the zip has %d entries, the limit is %d", len(entries), p.lim.entries)
	}
	names := newNameSet()
	var total uint64
	for _, e := range entries {
		if err := p.checkEntry(e); err != nil {
			return "", err
		}
		folder, name, ok := strings.Cut(e.Name, "/")
		if !ok || top != "" && folder != top {
			return "", fmt.Errorf("entry %.100q is not in the one folder that a case's zip has", e.Name)
		}
		top = folder
		if name == "" || strings.HasSuffix(name, "/") || hidden(name) {
			continue
		}
		if err := p.take(names, name); err != nil {
			return "", err
		}
		if total += e.UncompressedSize64; total > uint64(p.lim.total) {
			return "", fmt.Errorf("the zip unpacks to more than the limit of %d bytes", p.lim.total)
		}
		p.files = append(p.files, packedFile{name, e})
	}
	return top, nil
}

func (p *zipPackage) checkEntry(e *zip.File) error {
	if !filepath.IsLocal(e.Name) || strings.Contains(e.Name, `\`) {
		return fmt.Errorf("entry %.100q leads out of the case's folder", e.Name)
	}
	if mode := e.Mode(); !mode.IsRegular() && !mode.IsDir() {
		return fmt.Errorf("entry %.100q is neither a file nor a folder (%s)", e.Name, mode.Type())
	}
	if e.UncompressedSize64 > uint64(p.lim.file) {
		return fmt.Errorf("entry %.100q has %d bytes, the limit is %d", e.Name, e.UncompressedSize64, p.lim.file)
	}
	return nil
}

// take is names.take, with case.json allowed once.
func (p *zipPackage) take(names nameSet, name string) error {
	if name != caseName {
		return names.take(name)
	}
	for _, f := range p.files {
		if f.name == caseName {
			return fmt.Errorf("the zip has %s twice", caseName)
		}
	}
	return nil
}

// hidden reports whether a file is one of ours that does not travel, or a file manager's.
func hidden(name string) bool { return strings.HasPrefix(name, ".") || strings.Contains(name, "/.") }

func (p *zipPackage) readCase() error {
	for _, f := range p.files {
		if f.name != caseName {
			continue
		}
		rc, err := f.file.Open()
		if err != nil {
			return fmt.Errorf("reading %s: %w", caseName, err)
		}
		defer rc.Close()
		data, err := io.ReadAll(io.LimitReader(rc, maxCaseBytes+1))
		if err != nil {
			return fmt.Errorf("reading %s: %w", caseName, err)
		}
		p.record = data
		p.c, err = Decode(data)
		return err
	}
	return fmt.Errorf("the zip has no %s in its folder: this is not a case", caseName)
}

// keepNamed leaves out what case.json does not name.
func (p *zipPackage) keepNamed() error {
	named := map[string]bool{caseName: true}
	for i := range p.c.Evidence {
		name := p.c.Evidence[i].File
		if slices.Contains(activeNames(), strings.ToLower(path.Ext(name))) {
			return fmt.Errorf("%s is not accepted as evidence: a browser or Windows would run a file of that name",
				name)
		}
		named[name] = true
	}
	p.files = slices.DeleteFunc(p.files, func(f packedFile) bool { return !named[f.name] })
	return nil
}

// activeNames are the ends of names of which a browser runs scripts, or which Windows runs, when somebody opens the
// file. Casebook's own evidence ends in .gz, .txt, .json, .jsonl and .out; other programs' may end in anything else.
func activeNames() []string {
	return []string{".html", ".htm", ".xhtml", ".xht", ".shtml", ".svg", ".svgz", ".xml", ".xsl", ".xslt", ".mht",
		".mhtml", ".pdf",
		".hta", ".js", ".mjs", ".jse", ".vbs", ".vbe", ".wsf", ".wsh", ".bat", ".cmd", ".com", ".exe", ".scr", ".msi",
		".ps1", ".lnk", ".url"}
}

// unpack fills the stage and verifies what it wrote.
func (p *zipPackage) unpack(s *stage) (*Folder, error) {
	left := p.lim.total
	for _, pf := range p.files {
		n, err := pf.unpack(s.root, min(left, p.lim.file))
		if err != nil {
			return nil, fmt.Errorf("unpacking %s: %w", pf.name, err)
		}
		left -= n
	}
	f, err := Open(s.path())
	if err != nil {
		return nil, err
	}
	if damaged := f.Verify(); len(damaged) > 0 {
		return nil, fmt.Errorf("the zip is damaged: %w", errors.Join(damaged...))
	}
	return f, nil
}

// unpack writes at most limit bytes, whatever the zip's directory claimed.
func (pf *packedFile) unpack(root *os.Root, limit int64) (int64, error) {
	rc, err := pf.file.Open()
	if err != nil {
		return 0, err
	}
	defer rc.Close()
	folder := filepath.Dir(filepath.FromSlash(pf.name))
	if err := root.MkdirAll(folder, folderMode); err != nil {
		return 0, err
	}
	body := &io.LimitedReader{R: rc, N: limit + 1}
	if err := writeFile(root, filepath.FromSlash(pf.name), body); err != nil {
		return 0, err
	}
	n := limit + 1 - body.N
	if n > limit {
		return 0, fmt.Errorf("it unpacks to more than %d bytes", limit)
	}
	return n, syncFolder(root, folder)
}

// A meter is an io.ReaderAt that refuses to read more than left bytes while metered: zip.NewReader holds the whole
// directory in memory, and a hostile one may have millions of entries.
type meter struct {
	r       io.ReaderAt
	left    int64
	metered bool
}

func (m *meter) ReadAt(p []byte, off int64) (int, error) {
	if m.metered {
		if m.left -= int64(len(p)); m.left < 0 {
			return 0, errors.New("its directory is larger than that of any case")
		}
	}
	return m.r.ReadAt(p, off)
}
