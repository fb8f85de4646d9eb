package casebook_test

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/gocasebook/casebook"
	"github.com/gocasebook/casebook/instance"
)

// heapDumpFile makes the test's binary a process that dumps itself.
const heapDumpFile = "CASEBOOK_TEST_HEAP_DUMP"

// TestWriteHeapDump dumps another process: a dump of this one would stop the tests beside it.
func TestWriteHeapDump(t *testing.T) {
	if file := os.Getenv(heapDumpFile); file != "" {
		dumpAtEnd(t, file)
		return
	}
	t.Parallel()
	file := filepath.Join(t.TempDir(), "heap.dump")
	cmd := exec.CommandContext(t.Context(), os.Args[0], "-test.run=^TestWriteHeapDump$")
	cmd.Env = append(os.Environ(), heapDumpFile+"="+file)
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	data, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.HasPrefix(data, []byte("go1.7 heap dump\n")) || !bytes.HasSuffix(data, []byte{0, 0}) {
		t.Errorf("%d bytes: no whole dump", len(data))
	}
	info, err := os.Stat(file)
	if err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("%v, %v: want mode 0600", info.Mode(), err)
	}
}

// dumpAtEnd is a service that writes a dump when its watch ends.
func dumpAtEnd(t *testing.T, file string) {
	stop, err := casebook.Start(casebook.Config{Dir: t.TempDir(), HeapDumpAtEnd: file})
	if err != nil {
		t.Fatal(err)
	}
	if err := stop(); err != nil {
		t.Fatal(err)
	}
}

// TestHeapDumpOfAnother: a process cannot dump another one.
func TestHeapDumpOfAnother(t *testing.T) {
	t.Parallel()
	target, err := instance.NewHTTP("http://127.0.0.1:1")
	if err != nil {
		t.Fatal(err)
	}
	_, err = casebook.New(casebook.Config{Dir: t.TempDir(), Target: target, HeapDumpAtEnd: "heap.dump"})
	if err == nil || !strings.Contains(err.Error(), "HeapDumpAtEnd") {
		t.Errorf("got %v, want an error that names the field", err)
	}
}

func TestWriteHeapDumpNowhere(t *testing.T) {
	t.Parallel()
	if err := casebook.WriteHeapDump(filepath.Join(t.TempDir(), "no", "such", "folder")); err == nil {
		t.Error("no error")
	}
}
