package reporter

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"syscall"
	"time"

	"github.com/gocasebook/casebook/internal/flock"
)

// Bounds of a File: what it takes of the disk is at most maxFileBytes × (1 + oldFiles), 64 MiB.
const (
	maxFileBytes = 16 << 20
	oldFiles     = 3
)

// File appends each case's Message to the file at path, one JSON object a line, on the disk when Send returns. A file
// that would grow past 16 MiB becomes path.1, as that becomes path.2; three old ones are kept. Several processes may
// write the same file, where the system has flock. The folder must exist.
func File(path string) Reporter {
	if path == "" {
		return faulty("file", errors.New("the path is empty; name the file to append to"))
	}
	f := &logFile{path: path, most: maxFileBytes, old: oldFiles}
	return Reporter{Name: "file", Send: f.send}
}

// A logFile is a file of lines that is rotated. It is opened for each line: cases are rare, and a file that somebody
// moved away is found out.
type logFile struct {
	path string
	most int64 // bytes
	old  int
}

func (l *logFile) send(ctx context.Context, r Report) error {
	line, err := NewMessage(r).encode()
	if err == nil {
		err = l.append(ctx, append(line, '\n'))
	}
	if err != nil {
		return fmt.Errorf("writing the case to a file: %w", explain(err))
	}
	return nil
}

func (l *logFile) append(ctx context.Context, line []byte) error {
	f, err := l.open(ctx)
	if err != nil {
		return err
	}
	defer func() { f.Close() }()
	info, err := f.Stat()
	if err != nil {
		return err
	}
	if size := info.Size(); size > 0 && size+int64(len(line)) > l.most {
		next, err := l.rotate(ctx, f)
		if err != nil {
			return err
		}
		f.Close()
		f = next
		if info, err = f.Stat(); err != nil {
			return err
		}
	}
	return appendLine(f, info.Size(), line)
}

// appendLine leaves the whole line in the file or none of it.
func appendLine(f *os.File, size int64, line []byte) error {
	if size > 0 { // a line that a crash cut short must not swallow this one
		last := []byte{0}
		if _, err := f.ReadAt(last, size-1); err != nil && err != io.EOF {
			return err
		}
		if !bytes.Equal(last, []byte{'\n'}) {
			line = append([]byte{'\n'}, line...)
		}
	}
	_, err := f.Write(line)
	if err == nil {
		err = f.Sync()
	}
	if err != nil {
		return errors.Join(err, f.Truncate(size))
	}
	return nil
}

// open returns the file that path names, locked; flock, or none where there is no such thing. Between opening and
// locking another process may have rotated it: then what path names is another file, and this one is let go.
func (l *logFile) open(ctx context.Context) (*os.File, error) {
	for {
		if info, err := os.Stat(l.path); err == nil && !info.Mode().IsRegular() {
			return nil, final(fmt.Errorf("%s is not a regular file", l.path)) // opening a pipe could block forever
		}
		f, err := os.OpenFile(l.path, os.O_RDWR|os.O_APPEND|os.O_CREATE, 0o600)
		if err != nil {
			return nil, err
		}
		err = waitLock(ctx, f)
		if err == nil && l.names(f) {
			return f, nil
		}
		f.Close()
		if err != nil {
			return nil, err
		}
	}
}

// names reports whether path still names f.
func (l *logFile) names(f *os.File) bool {
	here, err1 := os.Stat(l.path)
	there, err2 := f.Stat()
	return err1 == nil && err2 == nil && os.SameFile(here, there)
}

// rotate moves the files on and returns a new one, locked. It holds the lock of the full one.
func (l *logFile) rotate(ctx context.Context, full *os.File) (*os.File, error) {
	for n := l.old - 1; n >= 1; n-- {
		if err := os.Rename(l.numbered(n), l.numbered(n+1)); err != nil && !errors.Is(err, os.ErrNotExist) {
			return nil, err
		}
	}
	if err := os.Rename(full.Name(), l.numbered(1)); err != nil {
		return nil, err
	}
	return l.open(ctx)
}

func (l *logFile) numbered(n int) string { return fmt.Sprintf("%s.%d", l.path, n) }

// waitLock waits for the lock of f as long as ctx allows. Others hold it for milliseconds.
func waitLock(ctx context.Context, f *os.File) error {
	for {
		err := flock.Try(f)
		if errors.Is(err, flock.ErrUnsupported) {
			return nil
		}
		if !errors.Is(err, flock.ErrInUse) {
			return err
		}
		select {
		case <-ctx.Done():
			return fmt.Errorf("another process holds the lock of %s: %w", f.Name(), ctx.Err())
		case <-time.After(10 * time.Millisecond):
		}
	}
}

// explain adds to an error of the file system what a person can do about it.
func explain(err error) error {
	var next string
	switch {
	case errors.Is(err, syscall.ENOSPC), errors.Is(err, syscall.EDQUOT):
		next = "the disk is full: free some space or choose another place"
	case errors.Is(err, syscall.EROFS):
		next = "the file system is read-only: choose another place"
	case errors.Is(err, fs.ErrPermission):
		next = "no permission: choose a place of your own"
	default:
		return err
	}
	return fmt.Errorf("%w; %s", err, next)
}
