package holmes

import (
	"bytes"
	"os"
	"path"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// A suite is a test file of mosn.io/holmes.
type suite struct {
	file   string // below the module
	window bool   // it is inside of package holmes, and reads its fields
	port   bool   // it listens on port 8080
	data   string // a file next to it that it reads
}

// suites are all test files of v1.0.2 but ring_test.go; TestEveryFileIsRun holds that.
var suites = []suite{
	{file: "holmes_test.go", window: true},
	{file: "reporters/reporter_test.go"},
	{file: "reporters/http_reporter/http_reporter_test.go", port: true, data: "reporter_filename_test"},
	{file: "reporters/pyroscope_reporter/pyroscope_client_test.go", port: true},
}

// notRun are the others, and why.
var notRun = map[string]string{
	"ring_test.go": "the ring buffer is not exported; ours is another type, tested by history_test.go of package " +
		"holmes",
}

// pkg is the package that the suite's tests become part of.
func (s suite) pkg() string {
	if s.window {
		return "github.com/gocasebook/casebook/lab/holmes/window"
	}
	return path.Join(ours, path.Dir(s.file))
}

func TestEveryFileIsRun(t *testing.T) {
	dir := moduleDir(t, theirs)
	known := make(map[string]bool)
	for _, s := range suites {
		known[s.file] = true
	}
	err := filepath.WalkDir(dir, func(file string, _ os.DirEntry, err error) error {
		name, _ := filepath.Rel(dir, file)
		if err == nil && strings.HasSuffix(name, "_test.go") && !known[filepath.ToSlash(name)] && notRun[name] == "" {
			t.Errorf("%s is neither run nor is there a reason", name)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
}

// holmes' own tests pass with the drop-in, with nothing changed but the import.
func TestUpstream(t *testing.T) {
	t.Parallel()
	binaries := compileTests(t, suites)
	for _, s := range suites {
		t.Run(s.file, func(t *testing.T) {
			t.Parallel()
			s.run(t, binaries[s.file])
		})
	}
}

// tries is how often a suite may run out of time. Its sleeps are for a machine that is idle: on one with ten runnable
// threads a core, a sample that is due in the second of such a sleep may come later. What fails for another reason
// fails every time.
const tries = 5

func (s suite) run(t *testing.T, binary string) {
	source := filepath.Join(moduleDir(t, theirs), s.file)
	for n := 1; ; n++ {
		began := time.Now()
		out, err := s.try(t, binary)
		failed := missing(t, source, out)
		if err == nil && len(failed) == 0 {
			t.Logf("passed, try %d, in %s", n, time.Since(began).Round(time.Second))
			return
		}
		t.Logf("try %d: %v; without a PASS: %v\n%s", n, err, failed, out)
		if n == tries {
			t.Fatalf("it failed %d times", n)
		}
	}
}

func (s suite) try(t *testing.T, binary string) ([]byte, error) {
	dir := t.TempDir()
	if s.data != "" {
		from := filepath.Join(moduleDir(t, theirs), filepath.Dir(s.file), s.data)
		data, err := os.ReadFile(from)
		if err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(dir, s.data), data, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	cmd := start(t.Context(), dir, binary, "-test.v", "-test.timeout=5m")
	if s.port {
		defer isolate(t, cmd)()
	}
	return cmd.CombinedOutput()
}

// missing are the tests of a file that the output has no PASS of.
func missing(t *testing.T, source string, out []byte) (names []string) {
	for _, name := range testsOf(t, source) {
		if !bytes.Contains(out, []byte("--- PASS: "+name+" ")) {
			names = append(names, name)
		}
	}
	return names
}
