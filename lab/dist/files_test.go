package main

import (
	"archive/tar"
	"archive/zip"
	"bytes"
	"compress/gzip"
	"errors"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// entries are the headers and contents of a tar.
func entries(t *testing.T, r io.Reader) map[string]entry {
	t.Helper()
	found, tr := make(map[string]entry), tar.NewReader(r)
	for {
		h, err := tr.Next()
		if errors.Is(err, io.EOF) {
			return found
		}
		if err != nil {
			t.Fatal(err)
		}
		data, err := io.ReadAll(tr)
		if err != nil {
			t.Fatal(err)
		}
		if _, twice := found[h.Name]; twice {
			t.Errorf("%s is in the tar twice", h.Name)
		}
		found[h.Name] = entry{h, data}
	}
}

type entry struct {
	*tar.Header
	data []byte
}

func unzip(t *testing.T, data []byte) io.Reader {
	t.Helper()
	z, err := gzip.NewReader(bytes.NewReader(data))
	if err != nil {
		t.Fatal(err)
	}
	return z
}

// wanted is what a person looks for in every package, by its path below the prefix.
var wanted = map[string]string{
	"bin/casebook":                         "\x7fELF",
	"share/man/man1/casebook.1":            `.TH "CASEBOOK" "1"`,
	"share/man/man1/casebook-diagnose.1":   "casebook-diagnose",
	bashCompletions:                        "complete -o default",
	fishCompletions:                        "complete -c casebook",
	zshCompletions:                         "#compdef casebook",
	documents + "LICENSE":                  "Apache License",
	documents + "CHANGELOG.md":             "# ",
	documents + "casebook.spdx.json":       "SPDX-2.3",
	documents + "THIRD-PARTY-LICENSES.txt": "modernc.org/sqlite",
	"share/man/man1/casebook-case-show.1":  "casebook-case-show",
}

func TestArchive(t *testing.T) {
	found := entries(t, unzip(t, read(t, "casebook_"+version+"_linux_amd64.tar.gz")))
	for path, text := range wanted {
		if e, ok := found[path]; !ok || !bytes.Contains(e.data, []byte(text)) {
			t.Errorf("%s: there %v, want %q in it", path, ok, text)
		}
	}
	for name, e := range found {
		mode := int64(0o644)
		if e.Typeflag == tar.TypeDir || name == "bin/casebook" {
			mode = 0o755
		}
		if e.Mode != mode || e.Uid != 0 || e.Uname != "" || !e.ModTime.Equal(one.checkout.date) {
			t.Errorf("%s has mode %o, owner %d %q, time %v", name, e.Mode, e.Uid, e.Uname, e.ModTime)
		}
	}
}

func TestZip(t *testing.T) {
	var b bytes.Buffer
	date := time.Date(2026, 11, 28, 9, 0, 0, 0, time.UTC)
	if err := writeZip(&b, []file{{"bin/casebook.exe", 0o755, []byte("MZ")}}, date); err != nil {
		t.Fatal(err)
	}
	z, err := zip.NewReader(bytes.NewReader(b.Bytes()), int64(b.Len()))
	if err != nil || len(z.File) != 1 {
		t.Fatalf("%v", err)
	}
	if f := z.File[0]; f.Name != "bin/casebook.exe" || f.Mode() != 0o755 || !f.Modified.Equal(date) {
		t.Errorf("%s, mode %v, time %v", f.Name, f.Mode(), f.Modified)
	}
}

// dpkg-deb reads the package, which somebody else's code wrote and a third party's unpacks.
func TestDebian(t *testing.T) {
	if _, err := exec.LookPath("dpkg-deb"); err != nil {
		t.Skip("dpkg-deb is not here: no Debian, no Ubuntu")
	}
	name := filepath.Join(one.files, "casebook_0.0.0~test_amd64.deb")
	fields, err := run(t.Context(), ".", nil, "dpkg-deb", "--field", name)
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"Package: casebook\n", "Version: 0.0.0~test\n", "Architecture: amd64\n",
		"Description: detective for slow Go services\n", "Homepage: https://github.com/gocasebook/casebook\n"} {
		if !strings.Contains(fields, want) {
			t.Errorf("no %q in\n%s", want, fields)
		}
	}
	if strings.Contains(fields, "Depends:") {
		t.Errorf("a static program depends on something:\n%s", fields)
	}
	packed, err := exec.CommandContext(t.Context(), "dpkg-deb", "--fsys-tarfile", name).Output()
	if err != nil {
		t.Fatal(err)
	}
	found := entries(t, bytes.NewReader(packed))
	for path, text := range wanted {
		f, err := forDebian(file{path: path})
		if err != nil {
			t.Fatal(err)
		}
		e, ok := found["./usr/"+f.path]
		data := e.data
		if ok && strings.HasSuffix(f.path, ".gz") {
			data, err = io.ReadAll(unzip(t, e.data))
		}
		if !ok || err != nil || !bytes.Contains(data, []byte(text)) || e.Uname != "root" {
			t.Errorf("%s: there %v, %v, want %q in it", f.path, ok, err, text)
		}
	}
	if program := found["./usr/bin/casebook"]; program.Header == nil || program.Mode&0o777 != 0o755 {
		t.Error("/usr/bin/casebook is not executable")
	}
}

// The manual pages are made once for all systems, so they must not hold what is true of one machine.
func TestTextsAreNobodys(t *testing.T) {
	home, err := os.UserHomeDir()
	if err != nil {
		t.Skip(err)
	}
	host, err := os.Hostname()
	if err != nil {
		t.Skip(err)
	}
	for _, f := range one.texts {
		if bytes.Contains(f.data, []byte(home+"/")) || len(host) > 6 && bytes.Contains(f.data, []byte(host)) {
			t.Errorf("%s holds this machine's home or name", f.path)
		}
	}
}

// Windows has neither man nor bash: it gets PowerShell's completion, and the others get no more of that.
func TestLayoutOfWindows(t *testing.T) {
	for _, system := range []string{"windows", "darwin"} {
		b := &built{target: target{system, "amd64"}, file: one.binary(all[0])}
		files, err := one.layout(b, nil, nil)
		if err != nil {
			t.Fatal(err)
		}
		have := make(map[string]bool)
		for _, f := range files {
			have[f.path] = true
		}
		windows := system == "windows"
		if !have["bin/"+b.exe()] || have[powershell] != windows || have[bashCompletions] == windows ||
			have[manual+"casebook.1"] == windows {
			t.Errorf("%s gets %v", system, have)
		}
	}
}
