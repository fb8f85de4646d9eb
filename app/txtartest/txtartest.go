// Package txtartest unpacks archives of testdata into folders, and packs folders again: for tests of code that reads
// folders, whose many small files are one file in the repository.
package txtartest

import (
	"bytes"
	"compress/gzip"
	"io"
	"io/fs"
	"os"
	"strings"
	"testing"

	"golang.org/x/tools/txtar"
)

// Read reads an archive. One whose name ends in .gz is compressed: recorded pages, which nobody reviews line by line.
func Read(t testing.TB, file string) *txtar.Archive {
	t.Helper()
	data, err := os.ReadFile(file)
	if err == nil && strings.HasSuffix(file, ".gz") {
		data, err = unzip(data)
	}
	if err != nil {
		t.Fatal(err)
	}
	return txtar.Parse(data)
}

func unzip(data []byte) ([]byte, error) {
	z, err := gzip.NewReader(bytes.NewReader(data))
	if err != nil {
		return nil, err
	}
	return io.ReadAll(z)
}

// FS is an archive as a file system.
func FS(t testing.TB, file string) fs.FS {
	t.Helper()
	files, err := txtar.FS(Read(t, file))
	if err != nil {
		t.Fatal(err)
	}
	return files
}

// Unpack writes the files of an archive into a folder.
func Unpack(t testing.TB, file, dir string) {
	t.Helper()
	if err := os.CopyFS(dir, FS(t, file)); err != nil {
		t.Fatal(err)
	}
}

// Pack writes an archive anew with the files of a folder for which keep is true, and the comment that it had.
func Pack(t testing.TB, file, dir string, keep func(name string) bool) {
	t.Helper()
	a, root := &txtar.Archive{Comment: Read(t, file).Comment}, os.DirFS(dir)
	err := fs.WalkDir(root, ".", func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || !keep(name) {
			return err
		}
		data, err := fs.ReadFile(root, name)
		a.Files = append(a.Files, txtar.File{Name: name, Data: data})
		return err
	})
	if err == nil {
		err = os.WriteFile(file, txtar.Format(a), 0o644)
	}
	if err != nil {
		t.Error(err)
	}
}
