package casefile

import (
	"bytes"
	"crypto/rand"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"runtime"
	"syscall"

	"github.com/gocasebook/casebook/internal/flock"
)

// Permissions: evidence holds host names, source paths and, in goroutine dumps, arguments. It is its owner's alone.
const (
	folderMode = 0o700
	fileMode   = 0o600
)

// explain adds to an error of the file system what a person can do about it.
func explain(err error) error {
	var next string
	switch {
	case errors.Is(err, syscall.ENOSPC), errors.Is(err, syscall.EDQUOT):
		next = "the disk is full: free some space or choose another folder for cases"
	case errors.Is(err, syscall.EROFS):
		next = "the file system is read-only: choose another folder for cases"
	case errors.Is(err, fs.ErrPermission):
		next = "no permission: run as the owner of these files or use a folder of your own"
	case errors.Is(err, syscall.ENOTDIR):
		next = "a part of the path is a file, not a folder: give another path"
	case errors.Is(err, syscall.EMFILE), errors.Is(err, syscall.ENFILE):
		next = "too many files are open: raise the limit (ulimit -n)"
	default:
		return err
	}
	return fmt.Errorf("%w; %s", err, next)
}

// makeFolder makes dir and its parents if needed and returns its absolute path, so that a later change of the working
// directory does not matter. A folder that exists keeps its permissions.
func makeFolder(dir string) (string, error) {
	if dir == "" {
		return "", errors.New("no folder for cases was given")
	}
	abs, err := filepath.Abs(dir)
	if err != nil {
		return "", err
	}
	if err := os.MkdirAll(abs, folderMode); err != nil {
		return "", err
	}
	return abs, nil
}

// replaceFile writes data to name under root so that, at any moment, name is the old file or the whole new one, also
// after a crash: another name first, fsync, rename, fsync of the folder. On an error nothing of the new file remains.
func replaceFile(root *os.Root, name string, data []byte) error {
	name = filepath.FromSlash(name)
	folder := filepath.Dir(name)
	if err := root.MkdirAll(folder, folderMode); err != nil {
		return err
	}
	part := partPrefix + rand.Text()
	err := replaceBy(root, part, name, data)
	if err != nil {
		_ = root.Remove(part) // the first error is the one to report
		return err
	}
	return syncFolder(root, folder)
}

// replaceBy writes the part and gives it its name. The part is locked until it has that: one without a lock is left
// over from a process that died, see clearLeftovers.
func replaceBy(root *os.Root, part, name string, data []byte) error {
	f, err := root.OpenFile(part, os.O_WRONLY|os.O_CREATE|os.O_EXCL, fileMode)
	if err != nil {
		return err
	}
	defer f.Close()
	if err := flock.Try(f); err != nil && !errors.Is(err, flock.ErrUnsupported) {
		return err
	}
	if _, err := f.Write(data); err != nil {
		return err
	}
	if err := f.Sync(); err != nil {
		return err
	}
	if runtime.GOOS == "windows" { // which renames no open file
		if err := f.Close(); err != nil {
			return err
		}
	}
	return root.Rename(part, name)
}

// writeFile writes a file that must not exist yet and waits until it is on the disk.
func writeFile(root *os.Root, name string, from io.Reader) error {
	f, err := root.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, fileMode)
	if err != nil {
		return err
	}
	_, err = io.Copy(f, from)
	if err == nil {
		err = f.Sync()
	}
	return errors.Join(err, f.Close())
}

// syncFolder makes renames in a folder last. Windows cannot open a folder for it, and some network file systems
// answer that they do not know how: both then keep their own order.
func syncFolder(root *os.Root, name string) error {
	if runtime.GOOS == "windows" {
		return nil
	}
	f, err := root.Open(name)
	if err != nil {
		return err
	}
	err = f.Sync()
	if errors.Is(err, syscall.EINVAL) || errors.Is(err, syscall.ENOTSUP) {
		err = nil
	}
	return errors.Join(err, f.Close())
}

// openFile opens a regular file under root for reading. A pipe or a device that somebody put there would block or
// never end; a link could lead to a file that is not the case's.
func openFile(root *os.Root, name string) (*os.File, fs.FileInfo, error) {
	name = filepath.FromSlash(path.Clean(name))
	info, err := root.Lstat(name)
	if err != nil {
		return nil, nil, err
	}
	if !info.Mode().IsRegular() {
		return nil, nil, fmt.Errorf("%s is not a regular file (%s)", name, info.Mode().Type())
	}
	f, err := root.OpenFile(name, os.O_RDONLY|dontWait, 0)
	if err != nil {
		return nil, nil, err
	}
	// A file system gives the number of a removed file to the next: what came in its place may be no file.
	if now, err := f.Stat(); err != nil || !now.Mode().IsRegular() || !os.SameFile(info, now) {
		return nil, nil, errors.Join(err, fmt.Errorf("%s was replaced while it was opened", name), f.Close())
	}
	return f, info, nil
}

// readFile reads a regular file of at most limit bytes.
func readFile(root *os.Root, name string, limit int64) ([]byte, error) {
	f, info, err := openFile(root, name)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	if info.Size() > limit {
		return nil, fmt.Errorf("%s has %d bytes, the limit is %d", name, info.Size(), limit)
	}
	data := make([]byte, 0, info.Size()+1) // one more, so that the end is seen without growing
	return appendAll(data, io.LimitReader(f, limit))
}

// appendAll is io.ReadAll into a buffer of the right size.
func appendAll(data []byte, r io.Reader) ([]byte, error) {
	for {
		if len(data) == cap(data) {
			data = append(data, 0)[:len(data)]
		}
		n, err := r.Read(data[len(data):cap(data)])
		data = data[:len(data)+n]
		if err == io.EOF {
			return data, nil
		}
		if err != nil {
			return data, err
		}
	}
}

// reserveBytes is room for case.json on a full disk: several times what a case has before its diagnosis.
const reserveBytes = 64 << 10

// A reserve is a file in an unfinished case that does nothing but take space. When the disk is full it is removed,
// and case.json, which says what the files already written are, finds its room there.
type reserve struct {
	root *os.Root
	held bool
}

// take makes the file. Its content is random: a file system that compresses would keep zeros in no space at all.
func (r *reserve) take() error {
	if r.held {
		return nil
	}
	data := make([]byte, reserveBytes)
	_, _ = rand.Read(data) // documented never to fail
	if err := writeFile(r.root, reserveName, bytes.NewReader(data)); err != nil {
		_ = r.root.Remove(reserveName)
		return err
	}
	r.held = true
	return nil
}

// release removes the file and reports whether there was one.
func (r *reserve) release() bool {
	held := r.held
	if held {
		_ = r.root.Remove(reserveName) // a failure shows as the full disk that it leaves
	}
	r.held = false
	return held
}
