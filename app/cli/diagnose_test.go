package cli_test

import (
	"archive/zip"
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/gocasebook/casebook/casefile"
	"github.com/gocasebook/casebook/internal/checkout"
)

// recordedFile is a copy of one file of a recorded case.
func recordedFile(t *testing.T, name string) string {
	t.Helper()
	return write(t, filepath.Base(name), string(checkout.File(t, name)))
}

func hotCPU(t *testing.T) string { return recordedFile(t, "cpu_hot_function/fault/cpu.pb.gz") }

// folderOf makes a folder with copies of files, under names that people use.
func folderOf(t *testing.T, files map[string]string) string {
	t.Helper()
	dir := t.TempDir()
	for name, from := range files {
		data := []byte(from)
		if filepath.IsAbs(from) {
			data = read(t, from)
		}
		path := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, data, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

const pileOfText = "goroutine profile: total 1\n1 @ 0x1\n#\t0x1\tmain.main+0x1\t/src/main.go:1\n\n"

// Files are recognised by content, whatever they are called: in a folder, and in folders directly inside it.
func TestDiagnoseFolder(t *testing.T) {
	t.Parallel()
	dir := folderOf(t, map[string]string{
		"profile.pprof":         hotCPU(t),
		"monday/goroutine.txt":  pileOfText,
		"monday/trace.json.gz":  recordedFile(t, "io_fsync/faulty/trace.json.gz"),    // a summary, as trace --json prints it
		"a/b/heap.pb.gz":        recordedFile(t, "gc_pointer_heap/fault/heap.pb.gz"), // too deep
		"NOTES.md":              "# slow since Monday\n",
		"monday/TODO":           "look at it\n",
		"screenshot.png":        "\x89PNG\r\n\x1a\n\x00\x00\x00\rIHDR",
		"trace.out":             "go 1.26 trace\x00\x00\x00\x01",
		"monday/server":         "\x7fELF\x02\x01\x01\x00",
		"monday/config.json":    `{"port": 80}`,
		".git/objects/ab/cdef":  "x",
		"monday/.hidden/cpu.gz": hotCPU(t),
	})
	r := inProcess(t, "diagnose", "--verbose", dir)
	r.want(t, 1, "regexp-compile", "io-fsync")
	for _, read := range []string{"profile.pprof: CPU profile", "goroutine.txt: 1 goroutine", "trace.json.gz: execution"} {
		if !strings.Contains(strings.Join(strings.Fields(r.out), " "), read) { // wherever a line of 80 columns ends
			t.Errorf("want %q in:\n%s", read, r.out)
		}
	}
	if strings.Contains(r.out, "heap.pb.gz: ") || strings.Count(r.out, "read   ") != 3 {
		t.Errorf("it read what it should not:\n%s", r.out)
	}
	if said := strings.Join(strings.Fields(r.errors), " "); strings.Count(said, "left out") != 1 ||
		!strings.Contains(said, "NOTES.md") || !strings.Contains(said, "and 1 more") {
		t.Errorf("want said once what is no evidence:\n%s", r.errors)
	}
}

func TestDiagnoseFolderWithout(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name  string
		files map[string]string
		want  []string
	}{
		{"anything", nil, []string{"holds no files"}},
		{"evidence", map[string]string{"a.txt": "hello"}, []string{"holds no evidence", "left out", "a.txt"}},
		{"whole files", map[string]string{"cpu.pb.gz": "\x1f\x8b\x08\x00\x00\x00\x00\x00"},
			[]string{"cpu.pb.gz", "truncated"}},
		{"one case to choose", map[string]string{"x/case.json": "{}", "y/case.json": "{}"},
			[]string{"holds 2 cases", "name one"}},
	} {
		t.Run(c.name, func(t *testing.T) { inProcess(t, "diagnose", folderOf(t, c.files)).want(t, 2, c.want...) })
	}
}

// zipOf packs files.
func zipOf(t *testing.T, files map[string][]byte) string {
	t.Helper()
	var b bytes.Buffer
	z := zip.NewWriter(&b)
	for name, data := range files {
		w, err := z.Create(name)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := w.Write(data); err != nil {
			t.Fatal(err)
		}
	}
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	return write(t, "evidence.zip", b.String())
}

func TestDiagnoseZip(t *testing.T) {
	t.Parallel()
	inProcess(t, "diagnose", zipOf(t, map[string][]byte{"x/cpu.pb.gz": read(t, hotCPU(t)), "notes": []byte("hi")})).want(t,
		1, "x/cpu.pb.gz", "regexp-compile")
	inProcess(t, "diagnose", zipOf(t, map[string][]byte{"notes": []byte("hi")})).want(t, 2, "holds no evidence")
	inProcess(t, "diagnose", zipOf(t, map[string][]byte{"x/case.json": []byte("{}")})).want(t, 2, "evidence.zip")
	inProcess(t, "diagnose", write(t, "cut.zip", "PK\x03\x04cut")).want(t, 2, "cut.zip", "copy it again")
}

// TestDiagnoseTar: a compressed tar file is read as the folder that it is of.
func TestDiagnoseTar(t *testing.T) {
	t.Parallel()
	file := checkout.Evidence(t).Path("foreign/nats-memory")
	folder := checkout.Folder(t, "foreign/nats-memory")
	inProcess(t, "diagnose", file).want(t, 1, "storeRawMsg")
	found := func(from string) (titles []string) {
		var d casefile.Diagnosis
		if err := json.Unmarshal([]byte(inProcess(t, "diagnose", "--json", from).out), &d); err != nil {
			t.Fatal(err)
		}
		for _, f := range d.Findings {
			titles = append(titles, f.Title)
		}
		return titles
	}
	if got, want := found(file), found(folder); len(want) == 0 || !slices.Equal(got, want) {
		t.Errorf("of the tar file %q are found, of its folder %q", got, want)
	}
	inProcess(t, "compare", file, file).want(t, 0, "SAME")
	data := read(t, file)
	inProcess(t, "diagnose", write(t, "cut.tar.gz", string(data[:len(data)/2]))).want(t, 2, "cut.tar.gz", "copy it again")
}

func TestDiagnoseBase(t *testing.T) {
	t.Parallel()
	healthy := write(t, "goroutine.txt", pileOfText)
	r := inProcess(t, "diagnose", "--base", hotCPU(t), hotCPU(t))
	r.want(t, 0, "SAME", "regexp-compile", "base and now  cpu:")
	narrow(t, r.out)
	inProcess(t, "diagnose", "--base", healthy, hotCPU(t)).want(t, 1, "NEW", "could not judge", "base  cpu: none",
		"gain", "--verbose")
	inProcess(t, "diagnose", "--base", hotCPU(t), healthy).want(t, 0, "UNJUDGED", "now   cpu: none")
	inProcess(t, "diagnose", "--base", "nowhere", hotCPU(t)).want(t, 2, "nowhere: no such file", "--base")

	r = inProcess(t, "diagnose", "--json", "--base", healthy, hotCPU(t))
	var d struct {
		Schema     int
		Findings   []struct{ Kind string }
		Comparison struct {
			Against []struct{ Kind, Base, Now string }
			Changes []struct {
				State string
				Score int
				Now   struct{ Kind string }
			}
		}
	}
	if err := json.Unmarshal([]byte(r.out), &d); err != nil || d.Schema != 1 || len(d.Findings) == 0 {
		t.Fatalf("%v in %s", err, r.out)
	}
	if c := d.Comparison.Changes; len(c) == 0 || c[0].State != "new" || c[0].Score < 50 ||
		c[0].Now.Kind != d.Findings[0].Kind {
		t.Errorf("changes %+v, want the finding as new", c)
	}
}

func TestDiagnoseForms(t *testing.T) {
	t.Parallel()
	inProcess(t, "diagnose", "--markdown", hotCPU(t)).want(t, 1, "# Casebook: ", "| where | line | share |",
		"`regexp-compile`")
	inProcess(t, "diagnose", "--sarif", "-", hotCPU(t)).want(t, 1, `"version": "2.1.0"`, `"ruleId": "AL013"`)
	file := filepath.Join(t.TempDir(), "out.sarif")
	inProcess(t, "diagnose", "--sarif", file, hotCPU(t)).want(t, 1, "where")
	if !bytes.Contains(read(t, file), []byte(`"ruleId": "AL013"`)) {
		t.Errorf("no finding in %s", file)
	}
	for _, c := range []struct {
		name string
		args []string
		want string
	}{
		{"two forms", []string{"--json", "--markdown"}, "choose one"},
		{"two forms, one of them SARIF", []string{"--json", "--sarif", "-"}, "choose one"},
		{"no module there, in text", []string{"--source", "/"}, "no go.mod"},
		{"no module there", []string{"--sarif", "-", "--source", "/"}, "no go.mod"},
		{"no such folder", []string{"--sarif", "/nowhere/x.sarif"}, "--sarif"},
	} {
		t.Run(c.name, func(t *testing.T) {
			inProcess(t, append(append([]string{"diagnose"}, c.args...), hotCPU(t))...).want(t, 2, c.want)
		})
	}
}
