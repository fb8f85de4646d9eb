package casefile

import (
	"archive/zip"
	"bytes"
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
	head := make([]byte, 4)
	n, err := io.ReadFull(file, head)
	if err != nil && err != io.ErrUnexpectedEOF && err != io.EOF {
		return err
	}
	header := zip.FileHeader{Name: f.Case.ID + "/" + name, Method: zip.Deflate,
		Modified: f.Case.Opened.UTC().Truncate(time.Second)}
	header.SetMode(fileMode)
	if compressed(head[:n]) {
		header.Method = zip.Store
	}
	entry, err := z.CreateHeader(&header)
	if err != nil {
		return err
	}
	// No further than the size that was checked: the file may be growing.
	rest := io.LimitReader(file, info.Size()-int64(n))
	_, err = io.Copy(entry, io.MultiReader(bytes.NewReader(head[:n]), rest))
	return err
}

// compressed knows the beginnings of gzip (RFC 1952, section 2.3.1), zip and PNG.
func compressed(head []byte) bool {
	return slices.ContainsFunc([]string{"\x1f\x8b", "PK\x03\x04", "\x89PNG"}, func(magic string) bool {
		return strings.HasPrefix(string(head), magic)
	})
}
