package main

import (
	"archive/zip"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// block is what a file takes on a disk at least, and in steps of: 4 KiB on ext4, xfs and APFS.
const block = 4096

// sizes prints what a clone of the repository in dir is, and the bytes that everybody downloads who imports the root
// module.
func sizes(ctx context.Context, dir string, out io.Writer) error {
	text, err := run(ctx, dir, nil, "git", "ls-files", "-z")
	if err != nil {
		return err
	}
	files := strings.Split(strings.TrimSuffix(text, "\x00"), "\x00")
	bytes, disk, err := checkoutSize(dir, files)
	if err != nil {
		return err
	}
	size, err := zipSize(dir, files)
	if err != nil {
		return err
	}
	_, err = fmt.Fprintf(out, "%d tracked files, %.1f MB, %.1f MB on a disk; the root module's zip %.2f MB\n", len(files),
		float64(bytes)/1e6, float64(disk)/1e6, float64(size)/1e6)
	return err
}

// checkoutSize is how many bytes the tracked files have, and what they take on a disk.
func checkoutSize(dir string, files []string) (bytes, disk int64, err error) {
	for _, file := range files {
		info, err := os.Lstat(filepath.Join(dir, file))
		if errors.Is(err, fs.ErrNotExist) {
			continue // removed, and not committed yet
		}
		if err != nil {
			return 0, 0, err
		}
		bytes += info.Size()
		disk += (info.Size() + block - 1) / block * block
	}
	return bytes, disk, nil
}

// zipSize packs the root module as go does: of the tracked files those that are below no other go.mod.
func zipSize(dir string, files []string) (int64, error) {
	var size counter
	z := zip.NewWriter(&size)
	for _, file := range files {
		if nested(file) {
			continue
		}
		b, err := os.ReadFile(filepath.Join(dir, file))
		if errors.Is(err, fs.ErrNotExist) {
			continue // removed, and not committed yet
		}
		if err != nil {
			return 0, err
		}
		w, err := z.Create(root + "@v0.0.0/" + file)
		if err == nil {
			_, err = w.Write(b)
		}
		if err != nil {
			return 0, err
		}
	}
	return int64(size), z.Close()
}

// nested says whether a file is below another module of this repository.
func nested(file string) bool {
	return slices.ContainsFunc(modules, func(m module) bool {
		return m.dir != "." && strings.HasPrefix(file, m.dir+"/")
	})
}

// A counter counts what is written to it.
type counter int64

func (c *counter) Write(b []byte) (int, error) {
	*c += counter(len(b))
	return len(b), nil
}
