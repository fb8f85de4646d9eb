package instance

import (
	"fmt"
	"io"
	"os"
	"syscall"
	"time"
)

// A keptFile is a small file that the kernel writes again for every reading, such as /proc/PID/stat. It stays open and
// is read with one pread: opening it each time would cost more than reading it, would make garbage, and would fail
// exactly when the process has run out of file descriptors. An open file of /proc/PID belongs to that process for good:
// once it has ended, reading fails, even if its number was given to another.
//
// A keptFile that could not be opened gives the reason at every reading. Unused ones are closed by the
// garbage collector, as every os.File is.
type keptFile struct {
	path  string
	file  *os.File // nil when it could not be opened
	conn  syscall.RawConn
	pread func(fd uintptr) // of this file, made once: a closure for every reading would be garbage

	buf   []byte // grows up to limit, as the file needs
	limit int
	n     int   // of buf, by the last reading
	err   error // of the last reading, or of opening
}

// keptBytes is enough for all files but those with a line for each CPU or disk: cpu.stat is below 700 bytes.
const keptBytes = 4096

func keepOpen(path string) *keptFile { return keepOpenUpTo(path, keptBytes) }

// firstBytes is what a file is read into at first: a watch of a thousand processes keeps ten files of each.
const firstBytes = 512

// keepOpenUpTo opens a file of which so many bytes are read.
func keepOpenUpTo(path string, bytes int) *keptFile {
	k := &keptFile{path: path, limit: bytes, buf: make([]byte, min(firstBytes, bytes))}
	if k.file, k.err = os.Open(path); k.err != nil {
		k.file = nil
		return k
	}
	if k.conn, k.err = k.file.SyscallConn(); k.err != nil {
		k.close()
		return k
	}
	k.pread = func(fd uintptr) {
		for {
			k.n, k.err = syscall.Pread(int(fd), k.buf, 0)
			switch {
			case k.err == nil && k.n == len(k.buf) && k.n < k.limit: // there may be more
				k.buf = make([]byte, min(2*len(k.buf), k.limit))
			case k.err != syscall.EINTR:
				return
			}
		}
	}
	return k
}

// read returns the content now, at most as many bytes of it as fit. It is valid until the next reading.
func (k *keptFile) read() ([]byte, error) {
	if k.file == nil {
		return nil, k.err
	}
	if err := k.conn.Control(k.pread); err != nil {
		return nil, fmt.Errorf("reading %s: %w", k.path, err)
	}
	if k.err != nil {
		return nil, fmt.Errorf("reading %s: %w", k.path, k.err)
	}
	return k.buf[:max(k.n, 0)], nil
}

func (k *keptFile) close() {
	if k.file != nil {
		_ = k.file.Close() // opened for reading: nothing can be lost
		k.file = nil
	}
}

// An fdDir is /proc/PID/fd. Since Linux 6.2 its size, as fstat tells it, is the number of open file descriptors (commit
// f1f1f2569901, "proc: report open files as size in stat() for /proc/pid/fd"): 0.5 µs, also with 10,000 files. Older
// kernels say 0, and the names must be counted: 0.9 µs a file, so that is done every slowCount only.
type fdDir struct {
	path string
	file *os.File // nil when it could not be opened
	conn syscall.RawConn
	stat func(fd uintptr)
	size int64
	err  error     // of the last fstat, or of opening
	due  time.Time // when the names may be counted again
}

// slowCount is how often the names of /proc/PID/fd are counted where the kernel does not tell their number.
const slowCount = 10 * time.Second

// oPath is O_PATH, which package syscall lacks; the number is the same on every architecture that Go has. The folder is
// not opened for reading, so that its size can be read without permission to read its contents.
const oPath = 0x200000

func keepFDs(path string) *fdDir {
	d := &fdDir{path: path}
	if d.file, d.err = os.OpenFile(path, oPath|syscall.O_DIRECTORY, 0); d.err != nil {
		d.file = nil
		return d
	}
	if d.conn, d.err = d.file.SyscallConn(); d.err != nil {
		d.close()
		return d
	}
	d.stat = func(fd uintptr) {
		var st syscall.Stat_t
		d.err = syscall.Fstat(int(fd), &st)
		d.size = st.Size
	}
	return d
}

// count is how many file descriptors are open. errCountedRarely is no fault: the number is not due yet.
func (d *fdDir) count(now time.Time) (float64, error) {
	if d.file == nil {
		return 0, d.err
	}
	if err := d.conn.Control(d.stat); err != nil {
		return 0, fmt.Errorf("asking for the size of %s: %w", d.path, err)
	}
	if d.err != nil {
		return 0, fmt.Errorf("asking for the size of %s: %w", d.path, d.err)
	}
	if d.size > 0 {
		return float64(d.size), nil
	}
	if now.Before(d.due) {
		return 0, errCountedRarely
	}
	d.due = now.Add(slowCount - 10*time.Millisecond) // ticks jitter
	return countNames(d.path)
}

// countNames counts what is in a folder, in pieces: a process may have a million files open.
func countNames(path string) (float64, error) {
	f, err := os.Open(path)
	if err != nil {
		return 0, errFilesHidden
	}
	defer f.Close()
	n := 0
	for {
		names, err := f.Readdirnames(1024)
		n += len(names)
		if err == io.EOF {
			return float64(n), nil
		}
		if err != nil {
			return 0, fmt.Errorf("counting the open files: %w", err)
		}
	}
}

func (d *fdDir) close() {
	if d.file != nil {
		_ = d.file.Close() // nothing was written
		d.file = nil
	}
}
