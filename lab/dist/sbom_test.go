package main

import (
	"bytes"
	"debug/buildinfo"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/spdx/tools-golang/json"
	"github.com/spdx/tools-golang/spdxlib"
)

func mustInfo(t *testing.T) *buildinfo.BuildInfo {
	t.Helper()
	info, err := buildinfo.ReadFile(one.binary(all[0]))
	if err != nil {
		t.Fatal(err)
	}
	return info
}

// The SBOM is read by SPDX's own library. It has every module that the program says is linked, with the version.
func TestSBOM(t *testing.T) {
	doc, err := json.Read(bytes.NewReader(read(t, "casebook_"+version+"_linux_amd64.spdx.json")))
	if err != nil {
		t.Fatal(err)
	}
	if err := spdxlib.ValidateDocument(doc); err != nil {
		t.Error(err)
	}
	ids, err := spdxlib.GetDescribedPackageIDs(doc)
	if err != nil || len(ids) != 1 {
		t.Fatalf("the document describes %v, %v", ids, err)
	}
	have := make(map[string]string) // version by name
	for _, p := range doc.Packages {
		if _, twice := have[p.PackageName]; twice {
			t.Errorf("%s is listed twice", p.PackageName)
		}
		have[p.PackageName] = p.PackageVersion
		if p.PackageLicenseConcluded == "" || len(p.PackageExternalReferences) != 1 {
			t.Errorf("%s: licence %q, references %v", p.PackageName, p.PackageLicenseConcluded,
				p.PackageExternalReferences)
		}
		if p.PackageSPDXIdentifier == ids[0] {
			digest, err := sum(one.binary(all[0]))
			if err != nil || len(p.PackageChecksums) != 1 || p.PackageChecksums[0].Value != fmt.Sprintf("%x", digest) {
				t.Errorf("the SBOM is of another program: %v, want %x", p.PackageChecksums, digest)
			}
		}
	}
	info := mustInfo(t)
	if len(info.Deps) < 50 {
		t.Fatalf("the program names %d modules", len(info.Deps))
	}
	for _, m := range info.Deps {
		want := m.Version
		if ours(m.Path) {
			want = version
		}
		if have[m.Path] != want {
			t.Errorf("%s has version %q in the SBOM, want %s", m.Path, have[m.Path], want)
		}
	}
	if want := strings.TrimPrefix(info.GoVersion, "go"); have["stdlib"] != want || have["uplot"] == "" {
		t.Errorf("stdlib %q, want %s; uplot %q", have["stdlib"], want, have["uplot"])
	}
	if extra := len(doc.Packages) - len(info.Deps); extra != 3 {
		t.Errorf("%d packages beside the modules; want the program, Go and uplot", extra)
	}
}

// Every part has its licence text beside the program, and the notices are kept.
func TestNotices(t *testing.T) {
	var text []byte
	for _, f := range one.layoutOf(t) {
		if strings.HasSuffix(f.path, "THIRD-PARTY-LICENSES.txt") {
			text = f.data
		}
	}
	for _, m := range mustInfo(t).Deps {
		if !ours(m.Path) && !bytes.Contains(text, []byte("\n"+m.Path+" "+m.Version+", ")) {
			t.Errorf("no licence of %s %s", m.Path, m.Version)
		}
	}
	for _, want := range []string{"\nstdlib ", "\nuplot ", "\ngithub.com/prometheus/client_golang "} {
		if !bytes.Contains(text, []byte(want)) {
			t.Errorf("no %q", want)
		}
	}
	if !slices.Contains(strings.Fields(string(text)), "NOTICE") && !bytes.Contains(text, []byte(", NOTICE\n")) {
		t.Error("no notice of an Apache project")
	}
}

func (r *release) layoutOf(t *testing.T) []file {
	t.Helper()
	var files []file
	for path, e := range entries(t, unzip(t, read(t, "casebook_"+version+"_linux_amd64.tar.gz"))) {
		files = append(files, file{path: path, data: e.data})
	}
	return files
}
