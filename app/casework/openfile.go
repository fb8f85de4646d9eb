package casework

import (
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
)

// A NotFileError says that somebody named a folder, a device or a pipe where a file is read.
type NotFileError struct {
	Name string
	Mode fs.FileMode
}

// Error says what the name stands for.
func (e *NotFileError) Error() string {
	return fmt.Sprintf("%s is %s, not a file", e.Name, kindOf(e.Mode))
}

// OpenFile opens a file that somebody named. Anything but a file is refused without being opened: a device has no end,
// and opening a pipe that nobody writes to waits forever. A pipe that is open already, as of `casebook diagnose <(curl
// …)`, is read. What is refused is a *NotFileError.
func OpenFile(name string) (*os.File, error) {
	info, err := os.Stat(name)
	if err != nil {
		return nil, err
	}
	if mode := info.Mode(); !mode.IsRegular() && !(mode&fs.ModeNamedPipe != 0 && isDescriptor(name)) {
		return nil, &NotFileError{name, mode}
	}
	return os.Open(name)
}

// isDescriptor reports whether a name is a file that this process has open.
func isDescriptor(name string) bool {
	name = filepath.Clean(name)
	return name == "/dev/stdin" || strings.HasPrefix(name, "/dev/fd/") || strings.HasPrefix(name, "/proc/self/fd/")
}

func kindOf(mode fs.FileMode) string {
	switch {
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

// maxSmall bounds the files that people write by hand: rules, tokens.
const maxSmall = 1 << 20

// ReadSmall reads a file that people write by hand, 1 MiB at most, and no more of one that is larger.
func ReadSmall(file string) ([]byte, error) { return ReadBounded(file, maxSmall) }

// ReadBounded reads a file that should have at most limit bytes, and no more of one that has.
func ReadBounded(file string, limit int64) ([]byte, error) {
	f, err := os.Open(file)
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
