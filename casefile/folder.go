package casefile

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
)

// A Folder is a case on disk. It keeps nothing open. One Folder is for one goroutine at a time; several Folders of
// the same case, also in several processes, may be used at once.
type Folder struct {
	Path string // absolute
	Case Case   // as read by Open or written by the last Update; changing it here changes nothing on disk

	todo *Todo    // of the Writer that committed the case, until TakeTodo
	base *os.Root // that OpenIn was given, in which the folder is called name; nil: Path is where it is
	name string
}

// Open reads the case in the folder path. The folder may have any name: a case copied elsewhere is still a case. An
// unfinished one (".tmp-…") opens too, with what has been added so far.
func Open(path string) (*Folder, error) {
	abs, err := filepath.Abs(path)
	if err != nil {
		return nil, fmt.Errorf("opening case %s: %w", path, err)
	}
	if info, err := os.Stat(abs); err == nil && !info.IsDir() {
		return nil, fmt.Errorf("opening case %s: it is a file, not the folder of a case", path)
	}
	f := &Folder{Path: abs}
	if err := f.load(); err != nil {
		return nil, fmt.Errorf("opening case %s: %w", path, explain(err))
	}
	return f, nil
}

// OpenIn opens the folder that base has by this name. Read, Verify, Update and AddFile go through base, which must stay
// open: no symbolic link, whenever somebody puts it there, leads them out of base. Open follows a link to a case
// elsewhere, because a person may want that.
func OpenIn(base *os.Root, name string) (*Folder, error) {
	abs, err := filepath.Abs(filepath.Join(base.Name(), name))
	if err != nil {
		return nil, fmt.Errorf("opening case %s: %w", name, err)
	}
	f := &Folder{Path: abs, base: base, name: name}
	if err := f.load(); err != nil {
		return nil, fmt.Errorf("opening case %s: %w", name, explain(err))
	}
	return f, nil
}

// load reads case.json.
func (f *Folder) load() error {
	err := f.within(func(root *os.Root) (err error) {
		_, f.Case, err = readCase(root)
		return err
	})
	if errors.Is(err, os.ErrNotExist) {
		err = fmt.Errorf("%w; a case is a folder with a %s in it", err, caseName)
	}
	return err
}

// readCase returns case.json as it is and as it reads.
func readCase(root *os.Root) ([]byte, Case, error) {
	data, err := readFile(root, caseName, maxCaseBytes)
	if err != nil {
		return nil, Case{}, err
	}
	c, err := Decode(data)
	return data, c, err
}

// within runs fn with the folder as its root: no name leads out of it.
func (f *Folder) within(fn func(*os.Root) error) error {
	open := os.OpenRoot
	path := f.Path
	if f.base != nil {
		open, path = f.base.OpenRoot, f.name
	}
	root, err := open(path)
	if err != nil {
		return err
	}
	defer root.Close()
	return fn(root)
}

// Read returns the content of a file of the case: evidence, case.json or an attachment. It is held in memory whole
// and refused above MaxFileBytes. Names that lead out of the folder, and anything that is not a regular file, are
// errors. The checksum is Verify's affair.
func (f *Folder) Read(file string) ([]byte, error) {
	var data []byte
	err := checkName(file)
	if err == nil {
		err = f.within(func(root *os.Root) (err error) {
			data, err = readFile(root, file, MaxFileBytes)
			return err
		})
	}
	if err != nil {
		return nil, fmt.Errorf("reading %s of case %s: %w", file, f.Case.ID, explain(err))
	}
	return data, nil
}

// OpenFile opens a file of the case, as Read does, for what reads it in pieces. The caller closes it.
func (f *Folder) OpenFile(file string) (*os.File, error) {
	var opened *os.File
	err := checkName(file)
	if err == nil {
		err = f.within(func(root *os.Root) (err error) {
			opened, _, err = openFile(root, file)
			return err
		})
	}
	if err != nil {
		return nil, fmt.Errorf("opening %s of case %s: %w", file, f.Case.ID, explain(err))
	}
	return opened, nil
}

// Verify compares every file of evidence with its size and checksum in case.json: one error for each that differs or
// cannot be read.
func (f *Folder) Verify() []error {
	var damaged []error
	err := f.within(func(root *os.Root) error {
		for i := range f.Case.Evidence {
			e := &f.Case.Evidence[i]
			if err := verify(root, e); err != nil {
				damaged = append(damaged, fmt.Errorf("evidence %s: %w", e.File, explain(err)))
			}
		}
		return nil
	})
	if err != nil {
		return []error{fmt.Errorf("verifying case %s: %w", f.Case.ID, explain(err))}
	}
	return damaged
}

func verify(root *os.Root, e *Evidence) error {
	file, info, err := openFile(root, e.File)
	if err != nil {
		return err
	}
	defer file.Close()
	if info.Size() != e.Bytes {
		return fmt.Errorf("it has %d bytes, %s says %d: it was cut short or changed", info.Size(), caseName, e.Bytes)
	}
	h := sha256.New()
	if _, err := io.Copy(h, io.LimitReader(file, e.Bytes)); err != nil {
		return err
	}
	if sum := hex.EncodeToString(h.Sum(nil)); sum != e.SHA256 {
		return fmt.Errorf("its sha256 is %s, %s says %s: it was changed", sum, caseName, e.SHA256)
	}
	return nil
}

// Update changes case.json: findings, a proof, a note. change gets the case as it is on disk now, which may be newer
// than f.Case; the ID, the schema and the files of evidence must stay. Fields that this version does not know are
// kept, except in list elements that change altered. The file is replaced in one step, so a reader sees the old case
// or the new one; two Updates, also of two processes, happen one after another (see folderLock). On an error
// nothing has changed.
func (f *Folder) Update(change func(*Case)) error {
	err := f.within(func(root *os.Root) error {
		lock, err := waitLock(root)
		if err != nil {
			return err
		}
		defer lock.release()
		return f.update(root, change)
	})
	if err != nil {
		return fmt.Errorf("updating case %s: %w", f.Case.ID, explain(err))
	}
	return nil
}

func (f *Folder) update(root *os.Root, change func(*Case)) error {
	raw, old, err := readCase(root)
	if err != nil {
		return err
	}
	next, err := Decode(raw) // a second copy: change may write into the lists of the first
	if err != nil {
		return err
	}
	change(&next)
	if err := sameFiles(&old, &next); err != nil {
		return err
	}
	data, err := encodeKeeping(raw, &old, &next)
	if err != nil {
		return err
	}
	if err := replaceFile(root, caseName, data); err != nil {
		return err
	}
	f.Case, err = Decode(data)
	return err
}

// AddFile puts a file next to the evidence, such as report.html, or replaces it in one step. Such an attachment is
// made from the case and can be made again: case.json does not list it, no checksum guards it, and it travels in the
// zip. Its name is a plain one that no evidence has; data is not empty.
func (f *Folder) AddFile(name string, data []byte) error {
	err := checkAttachment(&f.Case, name)
	if err == nil && (len(data) == 0 || len(data) > MaxFileBytes) {
		err = fmt.Errorf("it has %d bytes, want 1 to %d", len(data), MaxFileBytes)
	}
	if err == nil {
		err = f.within(func(root *os.Root) error { return replaceFile(root, name, data) })
	}
	if err != nil {
		return fmt.Errorf("adding file %s to case %s: %w", name, f.Case.ID, explain(err))
	}
	return nil
}
