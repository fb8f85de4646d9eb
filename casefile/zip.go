package casefile

import (
	"archive/zip"
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"slices"
	"strings"
	"time"
)

// Export writes the case as a zip: one folder named by the ID, case.json first, then the evidence in the case's
// order, then the attachments by name. The same folder gives the same bytes (with the same release of Go, whose
// compressor may change). Files that are compressed already are stored as they are. Evidence is verified before the
// first byte is written: a damaged case does not travel.
func Export(f *Folder, w io.Writer) error {
	fresh, err := Open(f.Path) // f may be older than the folder
	if err != nil {
		return fmt.Errorf("exporting: %w", err)
	}
	if err := fresh.export(w); err != nil {
		return fmt.Errorf("exporting case %s: %w", fresh.Case.ID, explain(err))
	}
	return nil
}

func (f *Folder) export(w io.Writer) error {
	if damaged := f.Verify(); len(damaged) > 0 {
		return errors.Join(damaged...)
	}
	return f.within(func(root *os.Root) error {
		names, err := f.files(root)
		if err != nil {
			return err
		}
		z := zip.NewWriter(w)
		for _, name := range names {
			if err := f.pack(z, root, name); err != nil {
				return fmt.Errorf("packing %s: %w", name, err)
			}
		}
		return z.Close()
	})
}

// files names what travels, and refuses what Import would refuse.
func (f *Folder) files(root *os.Root) ([]string, error) {
	attached, err := f.attachments(root)
	if err != nil {
		return nil, err
	}
	names := []string{caseName}
	for i := range f.Case.Evidence {
		names = append(names, f.Case.Evidence[i].File)
	}
	names = append(names, attached...)
	if len(names) > maxEntries {
		return nil, fmt.Errorf("the folder has %d files, the limit is %d", len(names), maxEntries)
	}
	var total int64
	for _, name := range names {
		info, err := root.Lstat(name)
		if err != nil {
			return nil, err
		}
		total += info.Size()
		if info.Size() > MaxFileBytes || total > maxTotalBytes {
			return nil, fmt.Errorf("up to file %s there are %d bytes, the limits are %d a file and %d in all", name,
				total, MaxFileBytes, maxTotalBytes)
		}
	}
	return names, nil
}

// attachments are the regular files next to the evidence whose names AddFile would accept, sorted.
func (f *Folder) attachments(root *os.Root) ([]string, error) {
	files, err := fs.ReadDir(root.FS(), ".")
	if err != nil {
		return nil, err
	}
	taken, err := attachmentNames(&f.Case)
	if err != nil {
		return nil, err
	}
	var names []string
	for _, file := range files {
		if file.Type().IsRegular() && taken.take(file.Name()) == nil {
			names = append(names, file.Name())
		}
	}
	return names, nil
}

func (f *Folder) pack(z *zip.Writer, root *os.Root, name string) error {
	file, info, err := openFile(root, name)
	if err != nil {
		return err
	}
	defer file.Close()
	// No further than the size that was checked: the file may be growing.
	return packEntry(z, &f.Case, name, io.LimitReader(file, info.Size()))
}

// ExportStream writes a zip as Export does, of a case that is not a folder: its case.json, and its evidence as open
// opens it. Nothing is kept between reading and writing, so that evidence is verified only while it is written: after an
// error what was written by then is no zip, and must not be taken for one.
func ExportStream(w io.Writer, record []byte, open func(Evidence) (io.ReadCloser, error)) error {
	c, err := Decode(record)
	if err != nil {
		return fmt.Errorf("exporting: %w", err)
	}
	z := zip.NewWriter(w)
	err = packEntry(z, &c, caseName, bytes.NewReader(record))
	for i := range c.Evidence {
		if err == nil {
			err = packVerified(z, &c, &c.Evidence[i], open)
		}
	}
	if err == nil {
		err = z.Close()
	}
	if err != nil {
		return fmt.Errorf("exporting case %s: %w", c.ID, explain(err))
	}
	return nil
}

func packVerified(z *zip.Writer, c *Case, e *Evidence, open func(Evidence) (io.ReadCloser, error)) error {
	in, err := open(*e)
	if err != nil {
		return fmt.Errorf("evidence %s: %w", e.File, err)
	}
	defer in.Close()
	sum := sha256.New()
	read := &io.LimitedReader{R: io.TeeReader(in, sum), N: e.Bytes + 1}
	if err := packEntry(z, c, e.File, read); err != nil {
		return fmt.Errorf("packing %s: %w", e.File, err)
	}
	if got := hex.EncodeToString(sum.Sum(nil)); read.N != 1 || got != e.SHA256 {
		return fmt.Errorf("evidence %s is damaged: its sha256 is %s, %s says %s", e.File, got, caseName, e.SHA256)
	}
	return nil
}

// packEntry adds a file.
func packEntry(z *zip.Writer, c *Case, name string, file io.Reader) error {
	head := make([]byte, 4)
	n, err := io.ReadFull(file, head)
	if err != nil && err != io.ErrUnexpectedEOF && err != io.EOF {
		return err
	}
	header := zip.FileHeader{Name: c.ID + "/" + name, Method: zip.Deflate,
		Modified: c.Opened.UTC().Truncate(time.Second)}
	header.SetMode(fileMode)
	if compressed(head[:n]) {
		header.Method = zip.Store
	}
	entry, err := z.CreateHeader(&header)
	if err != nil {
		return err
	}
	_, err = io.Copy(entry, io.MultiReader(bytes.NewReader(head[:n]), file))
	return err
}

// compressed knows the beginnings of gzip (RFC 1952, section 2.3.1), zip and PNG.
func compressed(head []byte) bool {
	return slices.ContainsFunc([]string{"\x1f\x8b", "PK\x03\x04", "\x89PNG"}, func(magic string) bool {
		return strings.HasPrefix(string(head), magic)
	})
}
