package store

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"time"
)

// A folder keeps blobs as files: ab/cdef…-STAMP, in 256 folders by the first two digits. A file appears under its name
// in one step, when it is whole.
type folder struct {
	root *os.Root
	dir  *os.File // open for sync
}

const blobTmp = ".tmp-" // the beginning of a name whose file is not whole

func openFolder(path string) (*folder, error) {
	if err := os.MkdirAll(path, 0o700); err != nil {
		return nil, err
	}
	root, err := os.OpenRoot(path)
	if err != nil {
		return nil, err
	}
	dir, err := os.Open(path)
	if err != nil {
		return nil, errors.Join(err, root.Close())
	}
	f := &folder{root, dir}
	for i := range 256 {
		if err := root.Mkdir(fmt.Sprintf("%02x", i), 0o700); err != nil && !errors.Is(err, fs.ErrExist) {
			return nil, errors.Join(err, f.close())
		}
	}
	return f, nil
}

func blobPath(name string) string { return filepath.Join(name[:2], name[2:]) }

func (f *folder) put(_ context.Context, name string, _ int64, fill func(io.Writer) error) error {
	if !validBlobName(name) {
		return errSum
	}
	tmp := filepath.Join(name[:2], fmt.Sprintf("%s%s-%d", blobTmp, name[2:10], time.Now().UnixNano()))
	if err := f.write(tmp, fill); err != nil {
		return errors.Join(full(err), ignoreMissing(f.root.Remove(tmp)))
	}
	if err := f.root.Rename(tmp, blobPath(name)); err != nil {
		return errors.Join(full(err), ignoreMissing(f.root.Remove(tmp)))
	}
	return nil
}

func (f *folder) write(name string, fill func(io.Writer) error) error {
	file, err := f.root.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return err
	}
	err = fill(file)
	if err == nil {
		err = syncFile(file)
	}
	return errors.Join(err, file.Close())
}

// sync makes all that was put durable.
func (f *folder) sync(context.Context) error { return full(syncAll(f.dir)) }

func (f *folder) open(_ context.Context, name string, size int64) (Blob, error) {
	if !validBlobName(name) {
		return nil, errSum
	}
	file, err := f.root.Open(blobPath(name))
	if errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("its blob is missing (%w): `casebook store check` lists what is", ErrNotFound)
	}
	if err != nil {
		return nil, err
	}
	info, err := file.Stat()
	if err == nil && info.Size() != size {
		err = fmt.Errorf("its blob has %d bytes, and had %d: it was changed, or cut short", info.Size(), size)
	}
	if err != nil {
		return nil, errors.Join(err, file.Close())
	}
	return file, nil
}

func (f *folder) remove(_ context.Context, name string) error {
	if !validBlobName(name) {
		return errSum
	}
	return ignoreMissing(f.root.Remove(blobPath(name)))
}

// walk leaves out files of other names, and removes what a put of a process that is gone has left.
func (f *folder) walk(ctx context.Context, fn func(blobInfo) error) error {
	return fs.WalkDir(f.root.FS(), ".", func(path string, d fs.DirEntry, err error) error {
		if err != nil || !d.Type().IsRegular() {
			return err
		}
		info, err := d.Info()
		if err != nil {
			return ignoreMissing(err)
		}
		if strings.HasPrefix(d.Name(), blobTmp) {
			if time.Since(info.ModTime()) > sweepAge {
				return ignoreMissing(f.root.Remove(filepath.FromSlash(path)))
			}
			return nil
		}
		sum, stamp, ok := readBlobName(strings.ReplaceAll(path, "/", ""))
		if !ok {
			return nil
		}
		return errors.Join(ctx.Err(), fn(blobInfo{sum, stamp, info.Size()}))
	})
}

func (f *folder) ping(context.Context) error {
	_, err := f.root.Stat(".")
	return err
}

func (f *folder) close() error { return errors.Join(f.dir.Close(), f.root.Close()) }

func ignoreMissing(err error) error {
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	return err
}

// full names a full disk, or a quota that is used up, by ErrFull.
func full(err error) error {
	if errors.Is(err, syscall.ENOSPC) || errors.Is(err, syscall.EDQUOT) {
		return fmt.Errorf("%w: %w", ErrFull, err)
	}
	return err
}
