package cli

import (
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
)

// openFile opens a file that somebody named. Anything but a file is refused without being opened: a device has no end,
// and opening a pipe that nobody writes to waits forever. A pipe that is open already, as of `casebook diagnose <(curl
// …)`, is read.
func openFile(name string) (*os.File, error) {
	info, err := os.Stat(name)
	if err != nil {
		return nil, err
	}
	if mode := info.Mode(); !mode.IsRegular() && !(mode&fs.ModeNamedPipe != 0 && isDescriptor(name)) {
		return nil, fmt.Errorf("%s is %s, not a file%s", name, kindOf(mode), asInput(mode, name))
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

func asInput(mode fs.FileMode, name string) string {
	if mode&fs.ModeNamedPipe == 0 {
		return ""
	}
	return fmt.Sprintf("; where a command takes - for standard input: … - < %s", name)
}
