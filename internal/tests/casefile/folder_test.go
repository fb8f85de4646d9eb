package casefile_test

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/gocasebook/casebook/casefile"
	"github.com/gocasebook/casebook/internal/filetest"
)

func TestOpenRefuses(t *testing.T) {
	file := filepath.Join(t.TempDir(), "cpu.pb.gz")
	if err := os.WriteFile(file, []byte("x"), 0o600); err != nil {
		t.Fatal(err)
	}
	broken := t.TempDir()
	if err := os.WriteFile(filepath.Join(broken, caseName), []byte("{\n{"), 0o600); err != nil {
		t.Fatal(err)
	}
	folder := t.TempDir()
	if err := os.Mkdir(filepath.Join(folder, caseName), 0o700); err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct{ name, path, want string }{
		{"nothing there", filepath.Join(t.TempDir(), "x"), "a case is a folder with a case.json in it"},
		{"no case.json", t.TempDir(), "a case is a folder with a case.json in it"},
		{"a file", file, "it is a file, not the folder of a case"},
		{"a folder for case.json", folder, "case.json is not a regular file"},
		{"broken", broken, "reading case.json: line 2: "},
	} {
		t.Run(tt.name, func(t *testing.T) {
			_, err := casefile.Open(tt.path)
			if err == nil || !strings.Contains(err.Error(), tt.want) || !strings.Contains(err.Error(), tt.path) {
				t.Errorf("Open: %v, want an error with %q and the path", err, tt.want)
			}
		})
	}
}

func TestFolderHasAnyName(t *testing.T) {
	f := mustCommit(t, t.TempDir(), newCase(), map[string]string{"a": "a"})
	elsewhere := filepath.Join(t.TempDir(), "copy of a case")
	if err := os.CopyFS(elsewhere, os.DirFS(f.Path)); err != nil {
		t.Fatal(err)
	}
	if got := wantVerified(t, elsewhere).Case.ID; got != f.Case.ID {
		t.Errorf("the copy is case %s, want %s", got, f.Case.ID)
	}
}

func TestOpenInStaysInside(t *testing.T) {
	dir := t.TempDir()
	here := mustCommit(t, dir, newCase(), map[string]string{"a": "here"})
	elsewhere := mustCommit(t, t.TempDir(), newCase(), map[string]string{"a": "elsewhere"})
	base, err := os.OpenRoot(dir)
	if err != nil {
		t.Fatal(err)
	}
	defer base.Close()
	if err := os.Symlink(elsewhere.Path, filepath.Join(dir, "link")); err != nil {
		t.Skip(err)
	}
	for _, name := range []string{"link", "../" + filepath.Base(dir) + "/" + here.Case.ID, elsewhere.Path} {
		if f, err := casefile.OpenIn(base, name); err == nil {
			t.Errorf("OpenIn(%q) opened case %s", name, f.Case.ID)
		}
	}
	f, err := casefile.OpenIn(base, here.Case.ID)
	if err != nil {
		t.Fatal(err)
	}
	if got, err := f.Read("a"); string(got) != "here" || err != nil {
		t.Errorf("Read: %q, %v; want what is here", got, err)
	}
	if f.Path != here.Path || len(f.Verify()) != 0 {
		t.Errorf("path %q, want %q; damaged: %v", f.Path, here.Path, f.Verify())
	}
	// The folder is replaced by a link after it was opened.
	if err := os.Rename(here.Path, here.Path+"-moved"); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(elsewhere.Path, here.Path); err != nil {
		t.Fatal(err)
	}
	if got, err := f.Read("a"); err == nil {
		t.Errorf("Read followed the link: %q", got)
	}
	if err := f.Update(func(c *casefile.Case) { c.Tool = "changed" }); err == nil {
		t.Error("Update followed the link")
	}
}

func TestReadStaysInside(t *testing.T) {
	f := mustCommit(t, t.TempDir(), newCase(), map[string]string{"a": "a"})
	secret := filepath.Join(t.TempDir(), "secret")
	if err := os.WriteFile(secret, []byte("secret"), 0o600); err != nil {
		t.Fatal(err)
	}
	for link, to := range map[string]string{"link": secret, "inside": "a", "up": ".."} {
		if err := os.Symlink(to, filepath.Join(f.Path, link)); err != nil {
			t.Skip(err)
		}
	}
	for _, name := range []string{"../" + f.Case.ID + "/a", secret, "link", "inside", "up/secret", ".lock", "", ".",
		"nothing"} {
		if data, err := f.Read(name); err == nil {
			t.Errorf("Read(%q) = %q", name, data)
		}
	}
	for _, name := range []string{"a", caseName} {
		if _, err := f.Read(name); err != nil {
			t.Error(err)
		}
	}
}

func TestReadLimit(t *testing.T) {
	f := mustCommit(t, t.TempDir(), newCase(), nil)
	path := filepath.Join(f.Path, "large")
	if err := os.WriteFile(path, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.Truncate(path, casefile.MaxFileBytes+1); err != nil { // a file with a hole uses no space
		t.Skip(err)
	}
	if _, err := f.Read("large"); err == nil || !strings.Contains(err.Error(), "the limit is 536870912") {
		t.Errorf("Read: %v", err)
	}
	if err := f.AddFile("larger", make([]byte, casefile.MaxFileBytes+1)); err == nil ||
		!strings.Contains(err.Error(), "want 1 to 536870912") {
		t.Errorf("AddFile: %v", err)
	}
}

func TestVerify(t *testing.T) {
	for _, tt := range []struct {
		name   string
		damage func(path string) error
		want   string
	}{
		{"changed", func(p string) error { return os.WriteFile(p, []byte("xxx"), 0o600) }, "it was changed"},
		{"cut short", func(p string) error { return os.Truncate(p, 1) },
			"it has 1 bytes, case.json says 3: it was cut short"},
		{"gone", os.Remove, "no such file"},
		{"a link", func(p string) error { os.Remove(p); return os.Symlink("b", p) }, "not a regular file"},
		{"a folder", func(p string) error { os.Remove(p); return os.Mkdir(p, 0o700) }, "not a regular file"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			f := mustCommit(t, t.TempDir(), newCase(), map[string]string{"a": "aaa", "b": "aaa"})
			if err := tt.damage(filepath.Join(f.Path, "a")); err != nil {
				t.Fatal(err)
			}
			got := f.Verify()
			if len(got) != 1 || !strings.Contains(got[0].Error(), "evidence a: ") ||
				!strings.Contains(got[0].Error(), tt.want) {
				t.Errorf("Verify = %v, want one error of evidence a with %q", got, tt.want)
			}
			if err := casefile.Export(f, new(bytes.Buffer)); err == nil || !strings.Contains(err.Error(), tt.want) {
				t.Errorf("Export = %v, want an error with %q", err, tt.want)
			}
		})
	}
}

func TestVerifyWithoutFolder(t *testing.T) {
	f := mustCommit(t, t.TempDir(), newCase(), map[string]string{"a": "a"})
	if err := os.RemoveAll(f.Path); err != nil {
		t.Fatal(err)
	}
	if got := f.Verify(); len(got) != 1 {
		t.Errorf("Verify = %v, want one error", got)
	}
}

func TestAddFile(t *testing.T) {
	f := mustCommit(t, t.TempDir(), newCase(), map[string]string{"a": "a", "during/b": "b"})
	for _, content := range []string{"first", "second"} {
		if err := f.AddFile("report.html", []byte(content)); err != nil {
			t.Fatal(err)
		}
		if data, err := f.Read("report.html"); err != nil || string(data) != content {
			t.Errorf("report.html holds %q, %v, want %q", data, err, content)
		}
	}
	for name, data := range map[string]string{"a": "x", "A": "x", "during": "x", "during/c": "x", "case.json": "{}",
		"../x": "x", ".lock": "x", "empty": ""} {
		if err := f.AddFile(name, []byte(data)); err == nil {
			t.Errorf("AddFile accepts %q with %q", name, data)
		}
	}
	wantVerified(t, f.Path)
	filetest.Want(t, f.Path, ".lock", "a", "case.json", "during", "report.html")
	filetest.WantPrivate(t, f.Path)
}

// updateCase is the child of TestUpdateBetweenProcesses.
func updateCase(path string) error {
	f, err := casefile.Open(path)
	for i := 0; i < updates && err == nil; i++ {
		err = f.Update(func(c *casefile.Case) {
			c.Missing = append(c.Missing, casefile.Missing{Kind: casefile.Block, Reason: fmt.Sprintf("%d of process %d", i, os.Getpid())})
		})
	}
	return err
}

const updates = 10

func TestUpdateBetweenProcesses(t *testing.T) {
	f := mustCommit(t, t.TempDir(), newCase(), nil)
	const processes = 4
	var wait []func() error
	for range processes {
		cmd := filetest.Child(t, childVar, "update", f.Path)
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		wait = append(wait, cmd.Wait)
	}
	for _, w := range wait {
		if err := w(); err != nil {
			t.Error(err)
		}
	}
	seen := map[string]bool{}
	for _, m := range wantVerified(t, f.Path).Case.Missing {
		seen[m.Reason] = true
	}
	if len(seen) != processes*updates {
		t.Errorf("%d updates are in the case, want %d", len(seen), processes*updates)
	}
	if err := f.Update(func(*casefile.Case) {}); err != nil || len(f.Case.Missing) != processes*updates {
		t.Errorf("after Update f has %d entries, %v", len(f.Case.Missing), err)
	}
}

func TestUpdateThatPanicsGivesTheLockBack(t *testing.T) {
	f := mustCommit(t, t.TempDir(), newCase(), nil)
	func() {
		defer func() {
			if recover() == nil {
				t.Error("the panic was swallowed")
			}
		}()
		_ = f.Update(func(*casefile.Case) { panic("in the caller's code") })
	}()
	if err := f.Update(func(c *casefile.Case) { c.Tool = "next" }); err != nil {
		t.Error(err)
	}
}

// FuzzOpen puts a case.json with any content beside known files, and calls everything that uses names from it.
func FuzzOpen(f *testing.F) {
	f.Add([]byte(minimal))
	f.Add([]byte(withEvidence(fileJSON("a"))))
	f.Add([]byte(withEvidence(fileJSON("during/b") + "," + fileJSON("a"))))
	f.Add([]byte(withEvidence(fileJSON("../outside"))))
	f.Add([]byte(withEvidence(fileJSON("link"))))
	f.Add([]byte(withEvidence(fileJSON("case.json"))))
	f.Add([]byte(strings.TrimSuffix(minimal, "}") + `,"unknown":{"a":[1,{"b":null}]},"missing":[{"x":1}]}`))
	top := f.TempDir()
	outside := filepath.Join(top, "outside")
	dir := filepath.Join(top, "case")
	for path, data := range map[string]string{outside: "outside", filepath.Join(dir, "a"): "a",
		filepath.Join(dir, "during", "b"): "b"} {
		if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			f.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(data), 0o600); err != nil {
			f.Fatal(err)
		}
	}
	if err := os.Symlink(outside, filepath.Join(dir, "link")); err != nil {
		f.Fatal(err)
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		if err := os.WriteFile(filepath.Join(dir, caseName), data, 0o600); err != nil {
			t.Fatal(err)
		}
		c, err := casefile.Open(dir)
		if err != nil {
			if !strings.Contains(err.Error(), caseName) || !strings.Contains(err.Error(), dir) {
				t.Errorf("the error does not name the file: %v", err)
			}
			return
		}
		c.Verify()
		for _, e := range c.Case.Evidence {
			if data, err := c.Read(e.File); err == nil && strings.Contains(string(data), "outside") &&
				e.File != caseName {
				t.Errorf("Read(%q) left the folder: %q", e.File, data)
			}
		}
		_ = casefile.Export(c, new(bytes.Buffer))
		if err := c.AddFile("report.html", []byte("x")); err == nil {
			_ = os.Remove(filepath.Join(dir, "report.html"))
		}
		if err := c.Update(func(*casefile.Case) {}); err == nil {
			wantReadable(t, dir)
		}
		if got, err := os.ReadFile(outside); err != nil || string(got) != "outside" {
			t.Errorf("a file outside was changed: %q, %v", got, err)
		}
	})
}

func wantReadable(t *testing.T, path string) {
	t.Helper()
	if _, err := casefile.Open(path); err != nil {
		t.Errorf("after Update: %v", err)
	}
}

func TestNewIDDiffers(t *testing.T) {
	seen := map[string]bool{}
	for range 100 { // two of 100 are equal once in 3,400 runs: 100²/2/2²⁴
		seen[casefile.NewID(opened, "x")] = true
	}
	if len(seen) < 99 {
		t.Errorf("100 IDs of one second have %d different values", len(seen))
	}
}

func TestValidID(t *testing.T) {
	const good = "20261121T132512Z-gc-cpu-3f2a9c"
	if !casefile.ValidID(good) {
		t.Errorf("ValidID(%q) is false", good)
	}
	for _, bad := range []string{
		"", ".", "..", "/", "20261121T132512Z", "20261121T132512Z-3f2a9c", "20261121T132512Z--3f2a9c",
		"20261121T132512Z-../../x-3f2a9c", "20261121T132512Z-a/b-3f2a9c", "20261121T132512Z-a\\b-3f2a9c",
		"20261121T132512Z-a.b-3f2a9c", "20261121T132512Z-A-3f2a9c", "20261121T132512Z-a--b-3f2a9c",
		"20261121T132512Z-a-3f2a9", "20261121T132512Z-a-3F2A9C", "20261121T132512Z-a-3f2a9c\n",
		"20261321T132512Z-a-3f2a9c", "20261121T132512+-a-3f2a9c", tmpPrefix + good,
		"20261121T132512Z-" + strings.Repeat("a", 41) + "-3f2a9c",
	} {
		if casefile.ValidID(bad) {
			t.Errorf("ValidID(%q) is true", bad)
		}
	}
}

func FuzzValidID(f *testing.F) {
	f.Add("20261121T132512Z-gc-cpu-3f2a9c")
	f.Add("20261121T132512Z-../..-3f2a9c")
	f.Fuzz(func(t *testing.T, id string) {
		if !casefile.ValidID(id) {
			return
		}
		if path := filepath.Join("/cases", id); filepath.Dir(path) != "/cases" || filepath.Base(path) != id {
			t.Errorf("ValidID(%q), but joined to /cases it is %s", id, path)
		}
	})
}
