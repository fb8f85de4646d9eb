package casebook_test

import (
	"bytes"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"testing"
)

// What importing Casebook adds to a service's binary: `go test -run BinarySize -v .` prints it. docs/embed.md says the
// same figures. Readers of object files, which only a watch from outside needs, once made it large; the detectors do, and
// a build tag leaves them out.
func TestBinarySize(t *testing.T) {
	if testing.Short() {
		t.Skip("links four programs")
	}
	t.Parallel()
	without := buildProgram(t, "without")
	with := buildProgram(t, "with")
	bare := buildProgram(t, "with", "-tags", "casebook_nodiagnose")
	size := fileSize(t, without)
	grown := growth{
		Default: fileSize(t, with) - size,
		Stripped: fileSize(t, buildProgram(t, "with", "-ldflags", "-s -w")) -
			fileSize(t, buildProgram(t, "without", "-ldflags", "-s -w")),
		Bare: fileSize(t, bare) - size,
	}
	t.Logf("a service of %.1f MB grows by %.1f MB (stripped by %.1f MB), with -tags casebook_nodiagnose by %.1f MB",
		size, grown.Default, grown.Stripped, grown.Bare)
	if grown.Bare > mostBare {
		t.Errorf("without detectors a service grows by %.1f MB, want at most %.0f", grown.Bare, mostBare)
	}
	grown.compare(t, documented(t))
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

// mostBare is what a service may grow by without the detectors, in MB.
const mostBare = 6.0

// A growth is what a service grows by, in MB.
type growth struct{ Default, Stripped, Bare float64 }

// documented is what docs/embed.md says.
func documented(t *testing.T) (g growth) {
	t.Helper()
	page, err := os.ReadFile("../../../docs/embed.md")
	if os.IsNotExist(err) {
		t.Skip("docs is a module of its own, and not here")
	}
	form := regexp.MustCompile(`grows by ([0-9.]+)\s+MB \(([0-9.]+)\s+MB\s+stripped\)[^|]*?` +
		"`casebook_nodiagnose`[^|]*?([0-9.]+)\\s+MB")
	m := form.FindSubmatch(page)
	if err != nil || m == nil {
		t.Fatalf("docs/embed.md does not say what a service grows by: %v", err)
	}
	for i, to := range []*float64{&g.Default, &g.Stripped, &g.Bare} {
		if *to, err = strconv.ParseFloat(string(m[i+1]), 64); err != nil {
			t.Fatal(err)
		}
	}
	return g
}

// compare allows what a month of changes and another release of Go may add.
func (g growth) compare(t *testing.T, said growth) {
	t.Helper()
	for _, c := range []struct{ is, said float64 }{{g.Default, said.Default}, {g.Stripped, said.Stripped}, {g.Bare, said.Bare}} {
		if math.Abs(c.is/c.said-1) > 0.1 {
			t.Errorf("a service grows by %.1f MB, and docs/embed.md says %.1f: measure and write it again", c.is, c.said)
		}
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
