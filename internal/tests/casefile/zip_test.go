package casefile_test

import (
	"archive/zip"
	"bytes"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/gocasebook/casebook/casefile"
	"github.com/gocasebook/casebook/internal/filetest"
)

const zipped = "\x1f\x8b\x08 as gzip begins"

// exported is a case and its zip.
func exported(t testing.TB) (*casefile.Folder, []byte) {
	t.Helper()
	w, err := casefile.Dir(t.TempDir()).Create(newCase())
	if err != nil {
		t.Fatal(err)
	}
	for _, file := range []struct{ name, data string }{
		{"during/cpu.pb.gz", zipped}, {"before/vitals.jsonl", strings.Repeat("vitals\n", 1000)}, {"x", "x"},
	} {
		if err := w.Add(evidence(file.name), []byte(file.data)); err != nil {
			t.Fatal(err)
		}
	}
	f, err := w.Commit()
	if err != nil {
		t.Fatal(err)
	}
	if err := f.AddFile("report.html", []byte("<!doctype html>")); err != nil {
		t.Fatal(err)
	}
	var b bytes.Buffer
	if err := casefile.Export(f, &b); err != nil {
		t.Fatal(err)
	}
	return f, b.Bytes()
}

func TestExport(t *testing.T) {
	f, data := exported(t)
	z, err := zip.NewReader(bytes.NewReader(data), int64(len(data)))
	if err != nil {
		t.Fatal(err)
	}
	want := []struct {
		name   string
		method uint16
	}{
		{"case.json", zip.Deflate}, {"during/cpu.pb.gz", zip.Store}, {"before/vitals.jsonl", zip.Deflate},
		{"x", zip.Deflate}, {"report.html", zip.Deflate},
	}
	if len(z.File) != len(want) {
		t.Fatalf("%d entries, want %d", len(z.File), len(want))
	}
	for i, e := range z.File {
		if e.Name != f.Case.ID+"/"+want[i].name || e.Method != want[i].method || e.Mode() != fileMode ||
			!e.Modified.Equal(opened) {
			t.Errorf("entry %d is %+v, want %v", i, e.FileHeader, want[i])
		}
	}
	var again bytes.Buffer
	if err := casefile.Export(f, &again); err != nil || !bytes.Equal(again.Bytes(), data) {
		t.Errorf("a second export differs: %v", err)
	}
}

func TestExportLeavesOutWhatIsNotTheCases(t *testing.T) {
	f := mustCommit(t, t.TempDir(), newCase(), map[string]string{"a": "a"})
	if err := os.Symlink("a", filepath.Join(f.Path, "link")); err != nil {
		t.Skip(err)
	}
	for _, name := range []string{partPrefix + "X", "bad name", "folder/b"} {
		path := filepath.Join(f.Path, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte("x"), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	var b bytes.Buffer
	if err := casefile.Export(f, &b); err != nil {
		t.Fatal(err)
	}
	z, err := zip.NewReader(bytes.NewReader(b.Bytes()), int64(b.Len()))
	if err != nil || len(z.File) != 2 {
		t.Errorf("%d entries, %v, want case.json and a", len(z.File), err)
	}
}

const importID = "20261121T132512Z-gc-cpu-3f2a9c"

// caseEntry is a case.json that lists the file "a" with the content "a".
func caseEntry() filetest.Entry {
	const sumOfA = "ca978112ca1bbdcafac231b39a23dc4da786eff8147c4e72b9807785afee48bb"
	return filetest.Entry{Name: importID + "/case.json",
		Data: withEvidence(strings.Replace(fileJSON("a"), someSum, sumOfA, 1))}
}

// wantEmpty fails if there is a file anywhere in dir.
func wantEmpty(t *testing.T, dir string) {
	t.Helper()
	err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err == nil && (!d.IsDir() || strings.HasPrefix(d.Name(), ".")) {
			t.Errorf("%s was left behind", path)
		}
		return err
	})
	if err != nil {
		t.Error(err)
	}
}

func TestImportTakesFoldersAndSkipsHiddenFiles(t *testing.T) {
	data := filetest.Zip(t, filetest.Entry{Name: importID + "/", Mode: fs.ModeDir}, caseEntry(),
		filetest.Entry{Name: importID + "/a", Data: "a"},
		filetest.Entry{Name: importID + "/.lock"}, filetest.Entry{Name: importID + "/.DS_Store", Data: "x"},
		filetest.Entry{Name: importID + "/empty/", Mode: fs.ModeDir})
	dir := t.TempDir()
	f, err := casefile.Dir(dir).Import(bytes.NewReader(data), int64(len(data)))
	if err != nil {
		t.Fatal(err)
	}
	filetest.Want(t, f.Path, importName, ".lock", "a", "case.json")
}

// A page made by somebody else, and whatever else case.json does not name, is not imported. Evidence that is a page is
// not imported either.
func TestImportLeavesOutWhatTheCaseDoesNotName(t *testing.T) {
	data := filetest.Zip(t, caseEntry(), filetest.Entry{Name: importID + "/a", Data: "a"},
		filetest.Entry{Name: importID + "/report.html", Data: "<script>"},
		filetest.Entry{Name: importID + "/notes.txt", Data: "x"}, filetest.Entry{Name: importID + "/during/b", Data: "x"},
		filetest.Entry{Name: importID + "/.imported", Data: "x"},
		filetest.Entry{Name: importID + "/.todo", Data: "- tell collector\n"})
	f, err := casefile.Dir(t.TempDir()).Import(bytes.NewReader(data), int64(len(data)))
	if err != nil {
		t.Fatal(err)
	}
	filetest.Want(t, f.Path, importName, ".lock", "a", "case.json")
	for _, name := range []string{"report.html", "during/REPORT.HTM", "x.svg", "cpu.pb.gz.js", "heap.exe", "a.xhtml"} {
		top := t.TempDir()
		c := caseEntry()
		c.Data = strings.Replace(c.Data, `"a"`, `"`+name+`"`, 1)
		data := filetest.Zip(t, c, filetest.Entry{Name: importID + "/" + name, Data: "a"})
		if _, err := casefile.Dir(top).Import(bytes.NewReader(data), int64(len(data))); err == nil ||
			!strings.Contains(err.Error(),
				name+" is not accepted as evidence") {
			t.Errorf("evidence %s: %v", name, err)
		}
		wantEmpty(t, top)
	}
}

// A directory that claims a smaller size than its files unpack to must not get more than it claims.
func TestImportOfLyingSizes(t *testing.T) {
	data := filetest.Zip(t, caseEntry(), filetest.Entry{Name: importID + "/a", Data: strings.Repeat("a", 1<<20)})
	at := bytes.LastIndex(data, []byte("PK\x01\x02")) // the directory's record of a
	copy(data[at+24:], []byte{1, 0, 0, 0})            // its size: APPNOTE.TXT 4.3.12
	top := t.TempDir()
	if _, err := casefile.Dir(top).Import(bytes.NewReader(data), int64(len(data))); err == nil {
		t.Error("Import took a file that is larger than its zip said")
	}
	wantEmpty(t, top)
}
