// Package openfile opens the files and folders that a person named.
//
// The problem: a name may stand for a device that has no end, a pipe that nobody writes to, a file of the kernel that
// waits for something to happen, or a mount whose server is gone. Opening or reading these waits for ever. The approach:
// what is no file on a disk is refused before it is opened, and opening does not wait. A pipe that this process has open
// already is read: somebody put it there, as in `casebook diagnose <(curl …)`. The limits: a mount that stops to answer
// in the middle of a file holds up its reader; package command ends such a command at Ctrl-C.
package openfile

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"time"
)

// A NotFileError says that somebody named a folder, a device or a pipe where a file is read.
type NotFileError struct {
	Name   string
	Mode   fs.FileMode
	Kernel bool // it is a file of /proc or /sys
}

// Error says what the name stands for.
func (e *NotFileError) Error() string {
	return fmt.Sprintf("%s is %s, not a file", e.Name, e.kind())
}

func (e *NotFileError) kind() string {
	switch mode := e.Mode; {
	case e.Kernel:
		return "a view of the kernel, which may have no end"
	case mode.IsDir():
		return "a folder"
	case mode&fs.ModeNamedPipe != 0:
		return "a pipe"
	case mode&fs.ModeSocket != 0:
		return "a socket"
	case mode&fs.ModeDevice != 0:
		return "a device"
	}
	return "something else"
}

// Patience is how long a file system may take to say what a name is, and to give its beginning: a disk that has to start
// takes ten seconds.
const Patience = 30 * time.Second

// Open opens a file that somebody named. What is refused is a *NotFileError.
func Open(name string) (*os.File, error) {
	return Soon(name, func() (*os.File, error) {
		info, err := os.Stat(name) // before it is opened: that alone makes some devices do something
		if failed := (*fs.PathError)(nil); errors.As(err, &failed) {
			failed.Op = "open" // which is what was wanted
		}
		if err != nil {
			return nil, err
		}
		if info.Mode()&fs.ModeNamedPipe != 0 && isDescriptor(name) {
			return os.Open(name)
		}
		if !info.Mode().IsRegular() {
			return nil, &NotFileError{Name: name, Mode: info.Mode()}
		}
		f, err := os.OpenFile(name, os.O_RDONLY|syscall.O_NONBLOCK, 0)
		if err != nil {
			return nil, err
		}
		// Somebody may have put something else there since. Of a file on a disk the flag means nothing.
		if info, err = f.Stat(); err == nil && (!info.Mode().IsRegular() || ofKernel(f)) {
			err = &NotFileError{name, info.Mode(), info.Mode().IsRegular()}
		}
		if err != nil {
			return nil, errors.Join(err, f.Close())
		}
		return f, nil
	})
}

// Soon runs what a file system that does not answer would hold up. What has not come after Patience is given up: the
// goroutine waits on, because nothing can end it.
func Soon[T any](name string, fn func() (T, error)) (T, error) {
	type answer struct {
		value T
		err   error
	}
	answers := make(chan answer, 1)
	go func() {
		value, err := fn()
		answers <- answer{value, err}
	}()
	timer := time.NewTimer(Patience)
	defer timer.Stop()
	select {
	case a := <-answers:
		return a.value, a.err
	case <-timer.C:
		return *new(T), fmt.Errorf("reading %s: no answer within %s; it may be on a mount whose server is gone: name a copy",
			name, Patience)
	}
}

// isDescriptor reports whether a name is a file that this process has open.
func isDescriptor(name string) bool {
	name = filepath.Clean(name)
	return name == "/dev/stdin" || strings.HasPrefix(name, "/dev/fd/") || strings.HasPrefix(name, "/proc/self/fd/")
}

// List returns what is in a folder, by name; of more than most, most+1 of them.
func List(name string, most int) ([]fs.DirEntry, error) {
	return Soon(name, func() ([]fs.DirEntry, error) {
		dir, err := os.OpenFile(name, os.O_RDONLY|syscall.O_NONBLOCK, 0)
		if err != nil {
			return nil, err
		}
		defer dir.Close() // it was only read
		entries, err := dir.ReadDir(most + 1)
		if errors.Is(err, io.EOF) {
			err = nil
		}
		slices.SortFunc(entries, func(a, b fs.DirEntry) int { return cmp.Compare(a.Name(), b.Name()) })
		return entries, err
	})
}

// maxSmall bounds the files that people write by hand: rules, tokens.
const maxSmall = 1 << 20

// ReadSmall reads a file that people write by hand, 1 MiB at most, and no more of one that is larger.
func ReadSmall(file string) ([]byte, error) { return ReadBounded(file, maxSmall) }

// ReadBounded reads a file that should have at most limit bytes, and no more of one that has.
func ReadBounded(file string, limit int64) ([]byte, error) {
	f, err := Open(file)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	data, err := io.ReadAll(io.LimitReader(f, limit+1))
	if err == nil && int64(len(data)) > limit {
		err = fmt.Errorf("%s is larger than %d MiB; is it the right file?", file, limit>>20)
	}
	return data, err
}
