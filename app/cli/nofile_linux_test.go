package cli_test

import (
	"bytes"
	"context"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"syscall"
	"testing"
)

// notFiles have a name like a file and have no end, or no beginning, with the error for each.
func notFiles(t *testing.T) map[string]string {
	t.Helper()
	dir := t.TempDir()
	pipe, socket, sparse := filepath.Join(dir, "pipe"), filepath.Join(dir, "socket"), filepath.Join(dir, "sparse.pb.gz")
	if err := syscall.Mkfifo(pipe, 0o600); err != nil {
		t.Fatal(err)
	}
	l, err := net.Listen("unix", socket)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { l.Close() })
	if err := os.WriteFile(sparse, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.Truncate(sparse, 10<<30); err != nil {
		t.Skip(err)
	}
	return map[string]string{
		"/dev/zero": "/dev/zero is a device, not a file", "/dev/random": "is a device", "/dev/null": "is a device",
		pipe: "is a pipe, not a file; where a command takes - for standard input: … - < " + pipe, socket: "is a socket",
		sparse: "larger than 256 MiB",
	}
}

// mostRefusing is how much memory a process may use to refuse a file, in KiB: three times what it needs to do nothing.
func mostRefusing(t *testing.T) int64 {
	r, kib := measured(t, nil, "version")
	r.want(t, 0, "casebook")
	return 3 * kib
}

// Every command that reads a file refuses what is not a file, without reading it.
func TestNoFile(t *testing.T) {
	most := mostRefusing(t)
	for name, want := range notFiles(t) {
		for _, args := range [][]string{{"diagnose", name}, {"diagnose", hotCPU(t), "--base", name},
			{"compare", name, hotCPU(t)}, {"rules", "test", "--on", name},
			{"case", "import", name}, {"gate", "--proof", name}} {
			if want == "larger than 256 MiB" {
				if args[0] != "diagnose" {
					continue
				}
			}
			r, kib := measured(t, nil, args...)
			r.want(t, 2, want)
			if kib > most && args[0] == "diagnose" && len(args) == 2 {
				t.Errorf("%q took %d KiB, want %d at the most", args, kib, most)
			}
		}
	}
	empty := t.TempDir()
	casebook(t, empty, "diagnose", empty).want(t, 2, "holds no files to read")
	if err := syscall.Mkfifo(filepath.Join(empty, "cpu.pb.gz"), 0o600); err != nil {
		t.Fatal(err)
	}
	casebook(t, empty, "diagnose", empty).want(t, 2, "holds no files to read")
}

// measured runs casebook with a standard input and returns its peak memory in KiB. A small process starts it, because
// the kernel counts the memory of the parent as the child's peak.
func measured(t *testing.T, in *os.File, args ...string) (result, int64) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), patience)
	defer cancel()
	file := filepath.Join(t.TempDir(), "kib")
	cmd := exec.CommandContext(ctx, os.Args[0], append([]string{bin}, args...)...)
	cmd.Env = append(os.Environ(), measureFile+"="+file)
	var out, errs bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &errs
	if in != nil {
		cmd.Stdin, cmd.ExtraFiles = in, []*os.File{in}
	}
	_ = cmd.Run() // the exit code says it
	kib, err := strconv.ParseInt(string(read(t, file)), 10, 64)
	if err != nil {
		t.Fatal(err)
	}
	return result{cmd.ProcessState.ExitCode(), out.String(), errs.String()}, kib
}

// Standard input without an end is refused by how it begins. One with an end is read, also under its other name.
func TestStandardInput(t *testing.T) {
	most := mostRefusing(t)
	for _, name := range []string{"/dev/zero", "/dev/urandom"} {
		endless, err := os.Open(name)
		if err != nil {
			t.Fatal(err)
		}
		defer endless.Close()
		r, kib := measured(t, endless, "diagnose", "-")
		r.want(t, 2, "standard input")
		if kib > most {
			t.Errorf("%s took %d KiB, want %d at the most", name, kib, most)
		}
	}
	for _, name := range []string{"-", "/dev/stdin", "/dev/fd/3", "/proc/self/fd/0"} {
		from, to, err := os.Pipe()
		if err != nil {
			t.Fatal(err)
		}
		go func() {
			_, _ = to.Write(read(t, hotCPU(t))) // the diagnosis names what it got
			to.Close()
		}()
		r, _ := measured(t, from, "diagnose", name)
		r.want(t, 1, "regexp-compile")
		from.Close()
	}
}
