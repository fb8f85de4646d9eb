package archive_test

import (
	"archive/tar"
	"bytes"
	"compress/gzip"
	"errors"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/gocasebook/casebook/internal/archive"
)

func zipped(t *testing.T, content []byte) []byte {
	t.Helper()
	var b bytes.Buffer
	w := gzip.NewWriter(&b)
	w.Name = "of this machine"
	if _, err := w.Write(content); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

func sample(t *testing.T) archive.Files {
	return archive.Files{
		"heap.pb.gz": zipped(t, bytes.Repeat([]byte("heap"), 1000)), "vitals.jsonl": []byte("{}\n"),
		"heap-after.pb.gz": zipped(t, bytes.Repeat([]byte("heap"), 1001)), "manifest.json": []byte(`{"program":"p"}`),
		"cut.pb.gz": zipped(t, bytes.Repeat([]byte("heap"), 1000))[:20],
	}
}

// TestRoundTrip: what is put is read again, whole, by file, and as folders; damaged files stay as they were.
func TestRoundTrip(t *testing.T) {
	s, want := archive.Set(t.TempDir()), sample(t)
	if changed, err := s.Put("group/one", want); err != nil || !changed {
		t.Fatalf("changed: %v, %v", changed, err)
	}
	dir := t.TempDir()
	if names, err := s.Extract("*/*", dir); err != nil || !slices.Equal(names, []string{"group/one"}) {
		t.Fatalf("extracted %v: %v", names, err)
	}
	got, err := archive.ReadFolder(filepath.Join(dir, "group", "one"))
	if err != nil || len(got) != len(want) {
		t.Fatalf("%d files, want %d: %v", len(got), len(want), err)
	}
	for name, data := range want {
		one, err := s.ReadFile("group/one/" + name)
		if err != nil || !bytes.Equal(one, got[name]) {
			t.Errorf("%s read alone is not as extracted: %v", name, err)
		}
		if name != "cut.pb.gz" && filepath.Ext(name) == ".gz" {
			data, one = unzip(t, data), unzip(t, one)
		}
		if !bytes.Equal(one, data) {
			t.Errorf("%s came back changed", name)
		}
	}
}

func unzip(t *testing.T, data []byte) []byte {
	t.Helper()
	r, err := gzip.NewReader(bytes.NewReader(data))
	if err != nil {
		t.Fatal(err)
	}
	out, err := io.ReadAll(r)
	if err != nil {
		t.Fatal(err)
	}
	return out
}

// TestPutAgain: the same recording leaves the archive alone, by which git sees no change; another one is written.
func TestPutAgain(t *testing.T) {
	s, files := archive.Set(t.TempDir()), sample(t)
	if _, err := s.Put("group/one", files); err != nil {
		t.Fatal(err)
	}
	first, _ := os.ReadFile(s.Path("group/one"))
	read, err := s.Case("group/one")
	if err != nil {
		t.Fatal(err)
	}
	for name, again := range map[string]archive.Files{"as recorded": sample(t), "as extracted": read} {
		if changed, err := s.Put("group/one", again); changed || err != nil {
			t.Errorf("%s: changed %v, %v", name, changed, err)
		}
	}
	if _, err := s.Put("group/two", sample(t)); err != nil {
		t.Fatal(err)
	}
	if second, _ := os.ReadFile(s.Path("group/two")); !bytes.Equal(first, second) {
		t.Error("the same files gave other bytes")
	}
	files["vitals.jsonl"] = []byte("{}\n{}\n")
	if changed, err := s.Put("group/one", files); !changed || err != nil {
		t.Errorf("a changed file: changed %v, %v", changed, err)
	}
}

// TestFigures: vitals are kept with the digits that answers need, and the same recording, whole, is no other.
func TestFigures(t *testing.T) {
	s := archive.Set(t.TempDir())
	whole := archive.Files{"vitals.jsonl": []byte(`{"cpu":1.1844192022778497,"rss":62935040,` +
		`"small":0.00021753246753249115,"threads":6,"t":"2026-11-27T12:55:55.06154968Z","text":"of 1.23456789"}` + "\n")}
	if _, err := s.Put("group/one", whole); err != nil {
		t.Fatal(err)
	}
	got, err := s.ReadFile("group/one/vitals.jsonl")
	want := `{"cpu":1.18442,"rss":62935000,"small":0.000217532,"threads":6,"t":"2026-11-27T12:55:55.061Z",` +
		`"text":"of 1.23456789"}` + "\n"
	if err != nil || string(got) != want {
		t.Errorf("%s, %v; want %s", got, err, want)
	}
	if changed, err := s.Put("group/one", whole); changed || err != nil {
		t.Errorf("the same again: changed %v, %v", changed, err)
	}
}

// TestManifestFirst: what many tests ask of all cases is read without the rest.
func TestManifestFirst(t *testing.T) {
	got := sample(t).Names()
	if got[0] != "manifest.json" || slices.Index(got, "heap-after.pb.gz")+1 != slices.Index(got, "heap.pb.gz") {
		t.Errorf("the order is %v", got)
	}
}

// TestZstdReads: an archive is what its name says, for people without this package.
func TestZstdReads(t *testing.T) {
	if _, err := exec.LookPath("zstd"); err != nil {
		t.Skip("no zstd")
	}
	s, dir := archive.Set(t.TempDir()), t.TempDir()
	if _, err := s.Put("group/one", sample(t)); err != nil {
		t.Fatal(err)
	}
	home, err := archive.Find()
	if err != nil {
		t.Fatal(err)
	}
	tar, dictionary := filepath.Join(dir, "one.tar"), filepath.Join(t.TempDir(), "dictionary")
	for _, args := range [][]string{
		{"zstd", "-q", "-d", filepath.Join(string(home), "..", "dictionary.zst"), "-o", dictionary},
		{"zstd", "-q", "-d", "-D", dictionary, s.Path("group/one"), "-o", tar},
		{"tar", "-xf", tar, "-C", dir}, {"rm", tar},
	} {
		if out, err := exec.Command(args[0], args[1:]...).CombinedOutput(); err != nil {
			t.Fatalf("%v: %s", err, out)
		}
	}
	got, err := archive.ReadFolder(dir)
	want, _ := s.Case("group/one")
	if err != nil || !got.Equal(want) {
		t.Errorf("zstd and tar take out other files: %v", err)
	}
}

// TestTarGz: a case that is a tar.gz is read, and listed once; Put makes a tar.zst of it.
func TestTarGz(t *testing.T) {
	s := archive.Set(t.TempDir())
	if err := os.MkdirAll(filepath.Join(string(s), "group"), 0o700); err != nil {
		t.Fatal(err)
	}
	var b bytes.Buffer
	w := tar.NewWriter(&b)
	if err := errors.Join(w.WriteHeader(&tar.Header{Name: "manifest.json", Mode: 0o600, Size: 2}),
		second(w.Write([]byte("{}"))), w.Close()); err != nil {
		t.Fatal(err)
	}
	old := filepath.Join(string(s), "group", "one.tar.gz")
	if err := os.WriteFile(old, zipped(t, b.Bytes()), 0o600); err != nil {
		t.Fatal(err)
	}
	files, err := s.Case("group/one")
	if err != nil || string(files["manifest.json"]) != "{}" {
		t.Fatalf("read %q: %v", files, err)
	}
	if changed, err := s.Put("group/one", files); !changed || err != nil || s.Path("group/one") == old {
		t.Errorf("changed %v, %v; it is in %s", changed, err, s.Path("group/one"))
	}
	if names, err := s.Cases("*/*"); err != nil || !slices.Equal(names, []string{"group/one"}) {
		t.Errorf("the cases are %v: %v", names, err)
	}
}

// TestPacked: of the checkout's cases one alone is a tar.gz, which README.md has people diagnose as it is.
func TestPacked(t *testing.T) {
	home, err := archive.Find()
	if err != nil {
		t.Fatal(err)
	}
	files, err := filepath.Glob(filepath.Join(string(home), "*", "*.tar.gz"))
	for _, file := range files {
		name := filepath.Join(filepath.Base(filepath.Dir(file)), strings.TrimSuffix(filepath.Base(file), ".tar.gz"))
		if name != filepath.Join("foreign", "nats-memory") {
			t.Errorf("%s is a tar.gz: in evidence/, go run ./cmd/evidence replace %s %s", name, name, file)
		}
	}
	if err != nil || len(files) == 0 {
		t.Errorf("the case of README.md is no tar.gz: %v", err)
	}
}

func TestErrors(t *testing.T) {
	s := archive.Set(t.TempDir())
	if _, err := s.Put("group/one", sample(t)); err != nil {
		t.Fatal(err)
	}
	for what, err := range map[string]error{
		"no such case": second(s.Case("group/two")), "no such file": second(s.ReadFile("group/one/cpu.pb.gz")),
		"nothing matches": second(s.Cases("other/*")), "nothing to remove": s.Remove("group/two"),
	} {
		if !errors.Is(err, fs.ErrNotExist) {
			t.Errorf("%s: %v, want that it does not exist", what, err)
		}
	}
	for _, name := range []string{"", "group", "group/", "/one", "group/one/two"} {
		if _, err := s.Put(name, sample(t)); err == nil {
			t.Errorf("%q was taken as the name of a case", name)
		}
	}
	whole, err := os.ReadFile(s.Path("group/one"))
	if err != nil {
		t.Fatal(err)
	}
	other := bytes.Clone(whole)
	other[6] ^= 1 // in the dictionary's number, which is behind the magic number and two bytes
	for said, damaged := range map[string][]byte{
		"damaged": []byte("no archive"), "is damaged": whole[:len(whole)/2], "packed with dictionary": other,
	} {
		if err := os.WriteFile(s.Path("group/one"), damaged, 0o600); err != nil {
			t.Fatal(err)
		}
		if _, err := s.Case("group/one"); err == nil || !strings.Contains(err.Error(), said) {
			t.Errorf("a damaged archive: %v, want %q", err, said)
		}
	}
	if err := os.WriteFile(s.Path("group/one"), whole, 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := s.Case("group/one"); err != nil {
		t.Errorf("after damaged ones a whole one: %v", err)
	}
}

func second[T any](_ T, err error) error { return err }
