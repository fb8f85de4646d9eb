package main

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/pprof/profile"
)

// checkoutOf makes a folder that looks like a checkout with one case, and goes there.
func checkoutOf(t *testing.T) (folder string) {
	t.Helper()
	dir := t.TempDir()
	if err := os.MkdirAll(filepath.Join(dir, "evidence", "cases"), 0o700); err != nil {
		t.Fatal(err)
	}
	t.Chdir(dir)
	folder = filepath.Join(dir, "recorded")
	writeFiles(t, folder, map[string][]byte{"manifest.json": []byte("{}"), "cpu.pb.gz": cpu(t, 70, 30)})
	return folder
}

func writeFiles(t *testing.T, dir string, files map[string][]byte) {
	t.Helper()
	if err := os.MkdirAll(dir, 0o700); err != nil {
		t.Fatal(err)
	}
	for name, data := range files {
		if err := os.WriteFile(filepath.Join(dir, name), data, 0o600); err != nil {
			t.Fatal(err)
		}
	}
}

// cpu is a profile of two functions with so many samples.
func cpu(t *testing.T, sorts, prints int64) []byte {
	t.Helper()
	p := &profile.Profile{SampleType: []*profile.ValueType{{Type: "samples", Unit: "count"}}}
	for i, n := range []int64{sorts, prints} {
		f := &profile.Function{ID: uint64(i + 1), Name: []string{"main.sorts", "main.prints"}[i]}
		l := &profile.Location{ID: f.ID, Line: []profile.Line{{Function: f}}}
		p.Function, p.Location = append(p.Function, f), append(p.Location, l)
		p.Sample = append(p.Sample, &profile.Sample{Location: []*profile.Location{l}, Value: []int64{n}})
	}
	var b bytes.Buffer
	if err := p.Write(&b); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

func tool(t *testing.T, code int, args ...string) string {
	t.Helper()
	var out, problems bytes.Buffer
	if got := run(args, &out, &problems); got != code {
		t.Fatalf("evidence %v ended with %d, want %d: %s%s", args, got, code, &out, &problems)
	}
	return out.String() + problems.String()
}

func TestCommands(t *testing.T) {
	folder := checkoutOf(t)
	tool(t, 2, "replace", "shop/slow", folder)
	tool(t, 0, "add", "shop/slow", folder)
	if said := tool(t, 2, "add", "shop/slow", folder); !strings.Contains(said, "add is for a new case") {
		t.Errorf("a second add says %q", said)
	}
	if said := tool(t, 0, "replace", "shop/slow", folder); !strings.Contains(said, "has these files already") {
		t.Errorf("replacing by the same says %q", said)
	}
	if said := tool(t, 0, "list", "*/*"); !strings.Contains(said, "shop/slow") || !strings.Contains(said, "2 files") {
		t.Errorf("the list is %q", said)
	}
	tool(t, 0, "diff", "shop/slow", folder)
	out := filepath.Join(t.TempDir(), "out")
	if said := tool(t, 0, "extract", "shop/*", out); said != filepath.Join(out, "shop", "slow")+"\n" {
		t.Errorf("extract says %q", said)
	}
	tool(t, 0, "diff", filepath.Join(out, "shop", "slow"), "shop/slow")
	tool(t, 0, "remove", "shop/slow")
	tool(t, 2, "extract", "shop/*", out)
	if said := tool(t, 2, "lists"); !strings.Contains(said, "evidence list PATTERN") {
		t.Errorf("a wrong command is answered by %q", said)
	}
}

// TestTarGz: a case that is there as a tar.gz is not added again; replace makes a tar.zst of it.
func TestTarGz(t *testing.T) {
	folder := checkoutOf(t)
	old := filepath.Join("evidence", "cases", "shop", "slow.tar.gz")
	if err := os.MkdirAll(filepath.Dir(old), 0o700); err != nil {
		t.Fatal(err)
	}
	pack := exec.Command("tar", "-czf", old, "-C", folder, "manifest.json", "cpu.pb.gz")
	if out, err := pack.CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	if said := tool(t, 2, "add", "shop/slow", folder); !strings.Contains(said, "evidence replace shop/slow") {
		t.Errorf("add says %q", said)
	}
	tool(t, 0, "replace", "shop/slow", old)
	if _, err := os.Stat(strings.TrimSuffix(old, "gz") + "zst"); err != nil {
		t.Error(err)
	}
	if _, err := os.Stat(old); err == nil {
		t.Error("the tar.gz is still there")
	}
	tool(t, 0, "diff", "shop/slow", folder)
}

// TestDiff: of two profiles it says which functions make the difference.
func TestDiff(t *testing.T) {
	folder := checkoutOf(t)
	tool(t, 0, "add", "shop/slow", folder)
	writeFiles(t, folder, map[string][]byte{"cpu.pb.gz": cpu(t, 70, 45), "runtime.json": []byte("{}\n")})
	said := tool(t, 1, "diff", "shop/slow", folder)
	for _, want := range []string{"runtime.json: only in the second, 3 bytes", "samples in count: 100, then 115",
		"+15 main.prints"} {
		if !strings.Contains(said, want) {
			t.Errorf("the diff does not say %q:\n%s", want, said)
		}
	}
	if strings.Contains(said, "main.sorts") || strings.Contains(said, "manifest") {
		t.Errorf("the diff names what is the same:\n%s", said)
	}
}
