package casebook_test

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
)

// What importing Casebook adds to a service's binary: `go test -run BinarySize -v .` prints it. The two assertions are
// about what once made it large: readers of object files, which only a watch from outside needs, and the detectors,
// which a build tag leaves out.
func TestBinarySize(t *testing.T) {
	if testing.Short() {
		t.Skip("links four programs")
	}
	t.Parallel()
	without := buildProgram(t, "without")
	with := buildProgram(t, "with")
	bare := buildProgram(t, "with", "-tags", "casebook_nodiagnose")
	stripped := fileSize(t, buildProgram(t, "with", "-ldflags", "-s -w")) - fileSize(t,
		buildProgram(t, "without", "-ldflags", "-s -w"))
	t.Logf("a service of %.1f MB grows by %.1f MB (stripped by %.1f MB), with -tags casebook_nodiagnose by %.1f MB",
		fileSize(t, without), fileSize(t, with)-fileSize(t, without), stripped, fileSize(t, bare)-fileSize(t, without))
	for _, c := range []struct{ program, symbol string }{
		{with, "debug/elf."}, {with, "debug/macho."}, {with, "debug/pe."},
		{bare, "github.com/gocasebook/casebook/diagnose."},
	} {
		if out := symbols(t, c.program); bytes.Contains(out, []byte(c.symbol)) {
			t.Errorf("%s has symbols of %s", filepath.Base(c.program), c.symbol)
		}
	}
	if !bytes.Contains(symbols(t, with), []byte("github.com/gocasebook/casebook/diagnose.Run")) {
		t.Error("without the tag the detectors are not there either: the test looks for the wrong thing")
	}
}

func buildProgram(t *testing.T, name string, flags ...string) string {
	t.Helper()
	to := filepath.Join(t.TempDir(), name)
	args := append(append([]string{"build", "-o", to}, flags...), "./testdata/size/"+name)
	cmd := exec.Command("go", args...)
	cmd.Env = append(os.Environ(), "GOWORK=off") // in a module cache, go.work names modules that are not there
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("go %v: %v\n%s", args, err, out)
	}
	return to
}

// fileSize is in MB (1,000,000 bytes).
func fileSize(t *testing.T, file string) float64 {
	t.Helper()
	info, err := os.Stat(file)
	if err != nil {
		t.Fatal(err)
	}
	return float64(info.Size()) / 1e6
}

func symbols(t *testing.T, program string) []byte {
	t.Helper()
	out, err := exec.Command("go", "tool", "nm", program).Output()
	if err != nil {
		t.Fatalf("go tool nm %s: %v", program, err)
	}
	return out
}
