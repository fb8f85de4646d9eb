package casefile

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/gocasebook/casebook/internal/filetest"
)

const zipped = "\x1f\x8b\x08 as gzip begins"

// exported is a case and its zip.
func exported(t testing.TB) (*Folder, []byte) {
	t.Helper()
	w, err := Dir(t.TempDir()).Create(newCase())
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
	if err := Export(f, &b); err != nil {
		t.Fatal(err)
	}
	return f, b.Bytes()
}

func TestImport(t *testing.T) {
	f, data := exported(t)
	dir := filepath.Join(t.TempDir(), "new", "cases")
	got, err := Dir(dir).Import(bytes.NewReader(data), int64(len(data)))
	if err != nil {
		t.Fatal(err)
	}
	if got.Path != filepath.Join(dir, f.Case.ID) || got.Case.ID != f.Case.ID {
		t.Errorf("imported to %s as %s", got.Path, got.Case.ID)
	}
	wantVerified(t, got.Path)
	for _, name := range []string{caseName, "during/cpu.pb.gz", "before/vitals.jsonl"} {
		want, err1 := f.Read(name)
		have, err2 := got.Read(name)
		if err1 != nil || err2 != nil || !bytes.Equal(want, have) {
			t.Errorf("%s differs: %v %v", name, err1, err2)
		}
	}
	filetest.WantPrivate(t, dir)
	if at := importedAt(got.Path); time.Since(at) > time.Minute || time.Since(at) < -time.Second {
		t.Errorf("it was imported at %s", at)
	}
	if err := got.AddFile("report.html", []byte("<!doctype html>")); err != nil {
		t.Fatal(err)
	}
	var again bytes.Buffer
	if err := Export(got, &again); err != nil || !bytes.Equal(again.Bytes(), data) {
		t.Errorf("the imported case exports otherwise: %v", err)
	}
	_, err = Dir(dir).Import(bytes.NewReader(data), int64(len(data)))
	if !errors.Is(err, fs.ErrExist) || !strings.Contains(err.Error(),
		"case "+f.Case.ID+" is already there: remove it first") {
		t.Errorf("a second import: %v", err)
	}
	if err := got.Update(func(c *Case) { c.Tool = "next" }); err != nil {
		t.Error(err)
	}
	filetest.Want(t, dir, f.Case.ID)
}

const importID = "20261121T132512Z-gc-cpu-3f2a9c"

// caseEntry is a case.json that lists the file "a" with the content "a".
func caseEntry() filetest.Entry {
	const sumOfA = "ca978112ca1bbdcafac231b39a23dc4da786eff8147c4e72b9807785afee48bb"
	return filetest.Entry{Name: importID + "/case.json",
		Data: withEvidence(strings.Replace(fileJSON("a"), someSum, sumOfA, 1))}
}

func TestImportRefuses(t *testing.T) {
	ok := []filetest.Entry{caseEntry(), {Name: importID + "/a", Data: "a"}}
	small := zipLimits{directory: 2000, entries: 6, file: 1000, total: 2500}
	with := func(more ...filetest.Entry) []filetest.Entry { return append(ok[:2:2], more...) }
	var many []filetest.Entry
	for i := range 7 {
		many = append(many, filetest.Entry{Name: fmt.Sprintf("%s/f%d", importID, i), Data: "x"})
	}
	for _, tt := range []struct {
		name    string
		entries []filetest.Entry
		want    string
	}{
		{"climbing out", with(filetest.Entry{Name: "../evil", Data: "x"}), `entry "../evil" leads out`},
		{"climbing out of the folder", with(filetest.Entry{Name: importID + "/../../evil", Data: "x"}), "leads out"},
		{"absolute", with(filetest.Entry{Name: "/etc/evil", Data: "x"}), "leads out"},
		{"backslashes", with(filetest.Entry{Name: importID + `\..\..\evil`, Data: "x"}), "leads out"},
		{"a drive", with(filetest.Entry{Name: importID + "/C:evil", Data: "x"}), "is not an ASCII letter"},
		{"a link", with(filetest.Entry{Name: importID + "/link", Data: "/etc/passwd", Mode: fs.ModeSymlink}),
			"neither a file nor a folder"},
		{"a device", with(filetest.Entry{Name: importID + "/dev", Mode: fs.ModeDevice}), "neither a file nor a folder"},
		{"a pipe", with(filetest.Entry{Name: importID + "/pipe", Mode: fs.ModeNamedPipe}), "neither a file nor a folder"},
		{"a second folder", with(filetest.Entry{Name: "other/a", Data: "x"}), "is not in the one folder"},
		{"beside the folder", with(filetest.Entry{Name: "a", Data: "x"}), "is not in the one folder"},
		{"a file twice", with(filetest.Entry{Name: importID + "/A", Data: "x"}), "already taken"},
		{"case.json twice", with(caseEntry()), "case.json twice"},
		{"case.json in capitals", with(filetest.Entry{Name: importID + "/CASE.JSON", Data: "x"}), "already taken"},
		{"a file under a file", with(filetest.Entry{Name: importID + "/a/b", Data: "x"}), `"a" is a file`},
		{"no case.json", ok[1:], "the zip has no case.json"},
		{"nothing", nil, "the zip has no case.json"},
		{"broken case.json", []filetest.Entry{{Name: importID + "/case.json", Data: "{"}}, "reading case.json: line 1"},
		{"newer", []filetest.Entry{{Name: importID + "/case.json", Data: `{"schema":2}`}}, "written by a newer Casebook"},
		{"another ID", []filetest.Entry{{Name: "other/case.json", Data: minimal}},
			`the zip's folder is "other", but the case in it is ` + importID},
		{"evidence left out", ok[:1], "evidence a:"},
		{"evidence changed", []filetest.Entry{ok[0], {Name: importID + "/a", Data: "b"}},
			"the zip is damaged: evidence a: its sha256 is"},
		{"evidence longer", []filetest.Entry{ok[0], {Name: importID + "/a", Data: "aa"}},
			"the zip is damaged: evidence a: it has 2 bytes"},
		{"too many entries", many, "the zip has 7 entries, the limit is 6"},
		{"a large file", with(filetest.Entry{Name: importID + "/b", Data: strings.Repeat("x", 1001)}),
			"has 1001 bytes, the limit is 1000"},
		{"large in all", with(filetest.Entry{Name: importID + "/b", Data: strings.Repeat("x", 999)},
			filetest.Entry{Name: importID + "/c", Data: strings.Repeat("x", 999)},
			filetest.Entry{Name: importID + "/d", Data: strings.Repeat("x", 999)}), "more than the limit of 2500 bytes"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			top := t.TempDir()
			dir := filepath.Join(top, "in", "cases")
			data := filetest.Zip(t, tt.entries...)
			_, err := importZip(dir, bytes.NewReader(data), int64(len(data)), small)
			if err == nil || !strings.Contains(err.Error(), tt.want) {
				t.Errorf("Import: %v, want an error with %q", err, tt.want)
			}
			wantEmpty(t, top)
		})
	}
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

// An imported case is not pruned before its page is drawn; after that it is a case like any other. When the importer
// does not get to draw the page, the next watch does.
func TestImportWithTask(t *testing.T) {
	_, data := exported(t)
	dir := t.TempDir()
	f, err := Dir(dir).Import(bytes.NewReader(data), int64(len(data)), TaskDraw)
	if err != nil {
		t.Fatal(err)
	}
	data = filetest.Zip(t, caseEntry(), filetest.Entry{Name: importID + "/a", Data: "a"})
	newer, err := Dir(dir).Import(bytes.NewReader(data), int64(len(data)))
	if err != nil {
		t.Fatal(err)
	}
	prune := func() []string {
		p, err := Dir(dir).Prune(Retention{MaxAge: time.Minute}, time.Now().Add(time.Hour))
		if err != nil {
			t.Error(err)
		}
		return p.Removed
	}
	if removed := prune(); len(removed) > 0 || !exists(f.Path) {
		t.Errorf("a pruning removed %q while the page is drawn", removed)
	}
	if got := untold(t, dir); !slices.Equal(got, []string{f.Case.ID}) {
		t.Errorf("to be done is something of %q, want the imported case", got)
	}
	left, err := f.TakeTodo()
	if err != nil || !left.Has(TaskDraw) {
		t.Fatalf("to be done is %v (%v), want the page", left, err)
	}
	if err := errors.Join(left.Done(TaskDraw), left.Release()); err != nil {
		t.Fatal(err)
	}
	if removed := prune(); !slices.Equal(removed, []string{f.Case.ID}) || !exists(newer.Path) {
		t.Errorf("a pruning removed %q, want the case that was imported first, which is an hour old", removed)
	}
}

func TestImportOfHugeDirectory(t *testing.T) {
	var entries []filetest.Entry
	for i := range 8_000 {
		entries = append(entries, filetest.Entry{Name: fmt.Sprintf("%s/%0100d", importID, i)})
	}
	data := filetest.Zip(t, entries...)
	_, err := Dir(t.TempDir()).Import(bytes.NewReader(data), int64(len(data)))
	if err == nil || !strings.Contains(err.Error(), "its directory is larger than that of any case") {
		t.Errorf("Import: %v", err)
	}
	_, err = importZip(t.TempDir(), bytes.NewReader(data), int64(len(data)), zipLimits{total: 1000})
	if err == nil || !strings.Contains(err.Error(), "the limit is 1000") {
		t.Errorf("Import of a large zip: %v", err)
	}
}

// The limit on the directory must not refuse a case that Export can write.
func TestLargestCaseTravels(t *testing.T) {
	w, err := Dir(t.TempDir()).Create(newCase())
	if err != nil {
		t.Fatal(err)
	}
	if err := w.Add(evidence("a"), []byte("a")); err != nil {
		t.Fatal(err)
	}
	f, err := w.Commit()
	if err != nil {
		t.Fatal(err)
	}
	for i := range maxEntries - 2 {
		if err := os.WriteFile(filepath.Join(f.Path, fmt.Sprintf("%0200d", i)), []byte("x"), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	var b bytes.Buffer
	if err := Export(f, &b); err != nil {
		t.Fatal(err)
	}
	p, err := openPackage(bytes.NewReader(b.Bytes()), int64(b.Len()), defaultZipLimits())
	if err != nil || len(p.files) != 2 { // case.json and a: the rest is not evidence
		t.Errorf("reading it back: %v", err)
	}
	if err := os.WriteFile(filepath.Join(f.Path, "one-too-many"), []byte("x"), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := Export(f, io.Discard); err == nil || !strings.Contains(err.Error(), "has 1101 files, the limit is 1100") {
		t.Errorf("Export: %v", err)
	}
}

func FuzzImport(f *testing.F) {
	_, whole := exported(f)
	f.Add(whole)
	f.Add(filetest.Zip(f, caseEntry(), filetest.Entry{Name: importID + "/a", Data: "a"}))
	f.Add(filetest.Zip(f, caseEntry(), filetest.Entry{Name: "../evil", Data: "x"}))
	f.Add(filetest.Zip(f, caseEntry(), filetest.Entry{Name: importID + "/l", Data: "/etc", Mode: fs.ModeSymlink}))
	f.Add([]byte("PK\x05\x06" + strings.Repeat("\x00", 18)))
	limits := zipLimits{directory: 1 << 14, entries: 20, file: 1 << 16, total: 1 << 17}
	top := f.TempDir()
	f.Fuzz(func(t *testing.T, data []byte) {
		dir := filepath.Join(top, "in", "cases")
		got, err := importZip(dir, bytes.NewReader(data), int64(len(data)), limits)
		if err == nil {
			if damaged := got.Verify(); len(damaged) > 0 {
				t.Errorf("an import that went well is damaged: %v", damaged)
			}
			if err := Dir(dir).Remove(got.Case.ID); err != nil {
				t.Error(err)
			}
		}
		wantEmpty(t, top)
	})
}
