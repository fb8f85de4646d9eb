//go:build unix

package openfile_test

import (
	"errors"
	"net"
	"os"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"syscall"
	"testing"

	"github.com/gocasebook/casebook/app/openfile"
)

func TestOpenRefuses(t *testing.T) {
	dir := t.TempDir()
	pipe, socket := filepath.Join(dir, "pipe"), filepath.Join(dir, "socket")
	if err := syscall.Mkfifo(pipe, 0o600); err != nil {
		t.Fatal(err)
	}
	l, err := net.Listen("unix", socket)
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	refused := map[string]string{dir: "a folder", pipe: "a pipe", socket: "a socket", "/dev/zero": "a device"}
	if runtime.GOOS == "linux" {
		refused["/proc/kmsg"], refused["/proc/self/status"] = "a view of the kernel", "a view of the kernel"
		if _, err := os.Stat("/sys/kernel/uevent_seqnum"); err == nil {
			refused["/sys/kernel/uevent_seqnum"] = "a view of the kernel"
		}
	}
	for name, want := range refused {
		_, err := openfile.Open(name)
		var other *openfile.NotFileError
		if errors.Is(err, os.ErrPermission) && os.Getuid() != 0 {
			continue // kmsg is for root
		}
		if !errors.As(err, &other) || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want that it is %s", name, err, want)
		}
	}
	link := filepath.Join(dir, "link")
	if err := os.Symlink(pipe, link); err != nil {
		t.Fatal(err)
	}
	if _, err := openfile.ReadSmall(link); err == nil {
		t.Error("a link to a pipe was read")
	}
}

// A file, and a pipe that somebody gave to this process, are read.
func TestOpenReads(t *testing.T) {
	file := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(file, []byte("text"), 0o600); err != nil {
		t.Fatal(err)
	}
	from, to, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	defer from.Close()
	go func() {
		_, _ = to.WriteString("text") // the test says what came
		to.Close()
	}()
	for _, name := range []string{file, "/dev/fd/" + strconv.Itoa(int(from.Fd()))} {
		if text, err := openfile.ReadSmall(name); err != nil || string(text) != "text" {
			t.Errorf("%s: %q, %v", name, text, err)
		}
	}
}
