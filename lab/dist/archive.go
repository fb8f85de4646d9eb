package main

import (
	"archive/tar"
	"archive/zip"
	"compress/gzip"
	"errors"
	"io"
	"path"
	"time"
)

// archive packs a target's files as people unpack them there: a tar.gz, or a zip on Windows. It has no folder around
// them, so that "tar -C /usr/local -xzf" puts program, manual pages and completions where they are looked for.
func (r *release) archive(p packed) (string, error) {
	name := p.name(r.checkout.version)
	if p.os == "windows" {
		name += ".zip"
		return name, r.create(name, func(w io.Writer) error { return writeZip(w, p.files, r.checkout.date) })
	}
	name += ".tar.gz"
	return name, r.create(name, func(w io.Writer) error {
		z := gzip.NewWriter(w) // without a time and a name
		t := tar.NewWriter(z)
		return errors.Join(writeTar(t, p.files, r.checkout.date), t.Close(), z.Close())
	})
}

// writeTar writes files, and the folders that they are in, as root's and with one time. Paths are sorted.
func writeTar(t *tar.Writer, files []file, date time.Time) error {
	folders := make(map[string]bool)
	for _, f := range files {
		if err := writeFolders(t, path.Dir(f.path), folders, date); err != nil {
			return err
		}
		if err := t.WriteHeader(&tar.Header{Typeflag: tar.TypeReg, Name: f.path, Mode: int64(f.mode),
			Size: int64(len(f.data)), ModTime: date, Format: tar.FormatUSTAR}); err != nil {
			return err
		}
		if _, err := t.Write(f.data); err != nil {
			return err
		}
	}
	return nil
}

// writeFolders writes a folder after those above it, each once.
func writeFolders(t *tar.Writer, dir string, written map[string]bool, date time.Time) error {
	if dir == "." || written[dir] {
		return nil
	}
	if err := writeFolders(t, path.Dir(dir), written, date); err != nil {
		return err
	}
	written[dir] = true
	return t.WriteHeader(&tar.Header{Typeflag: tar.TypeDir, Name: dir + "/", Mode: 0o755, ModTime: date,
		Format: tar.FormatUSTAR})
}

func writeZip(w io.Writer, files []file, date time.Time) error {
	z := zip.NewWriter(w)
	for _, f := range files {
		h := &zip.FileHeader{Name: f.path, Method: zip.Deflate, Modified: date}
		h.SetMode(f.mode)
		part, err := z.CreateHeader(h)
		if err != nil {
			return err
		}
		if _, err := part.Write(f.data); err != nil {
			return err
		}
	}
	return z.Close()
}
