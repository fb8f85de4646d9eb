package main

import (
	"encoding/json"
	"fmt"
	"path/filepath"
	"regexp"
	"strings"
	"time"
)

// A bill is a software bill of materials in the words of SPDX 2.3 (spdx.github.io/spdx-spec/v2.3), as far as they are
// used here.
type bill struct {
	SPDXVersion       string         `json:"spdxVersion"`
	DataLicense       string         `json:"dataLicense"`
	SPDXID            string         `json:"SPDXID"`
	Name              string         `json:"name"`
	DocumentNamespace string         `json:"documentNamespace"`
	CreationInfo      creation       `json:"creationInfo"`
	Packages          []spdxPackage  `json:"packages"`
	Relationships     []relationship `json:"relationships"`
}

type creation struct {
	Created  string   `json:"created"`
	Creators []string `json:"creators"`
}

type spdxPackage struct {
	Name             string      `json:"name"`
	SPDXID           string      `json:"SPDXID"`
	VersionInfo      string      `json:"versionInfo"`
	DownloadLocation string      `json:"downloadLocation"`
	FilesAnalyzed    bool        `json:"filesAnalyzed"`
	PackageFileName  string      `json:"packageFileName,omitempty"`
	Checksums        []checksum  `json:"checksums,omitempty"`
	SourceInfo       string      `json:"sourceInfo,omitempty"`
	LicenseConcluded string      `json:"licenseConcluded"`
	LicenseDeclared  string      `json:"licenseDeclared"`
	CopyrightText    string      `json:"copyrightText"`
	ExternalRefs     []reference `json:"externalRefs"`
	Purpose          string      `json:"primaryPackagePurpose"`
}

type checksum struct {
	Algorithm string `json:"algorithm"`
	Value     string `json:"checksumValue"`
}

type reference struct {
	Category string `json:"referenceCategory"`
	Type     string `json:"referenceType"`
	Locator  string `json:"referenceLocator"`
}

type relationship struct {
	Element string `json:"spdxElementId"`
	Type    string `json:"relationshipType"`
	Related string `json:"relatedSpdxElement"`
}

// noAssertion is SPDX's word for what this program does not know: a module has no list of its authors.
const noAssertion = "NOASSERTION"

// sbom says what is in one program. The program's own checksum is in it, so that nobody takes it for another's.
func sbom(c *checkout, b *built, parts []part) ([]byte, error) {
	digest, err := sum(b.file)
	if err != nil {
		return nil, err
	}
	const document, program = "SPDXRef-DOCUMENT", "SPDXRef-casebook"
	name := b.name(c.version)
	s := bill{
		SPDXVersion: "SPDX-2.3", DataLicense: "CC0-1.0", SPDXID: document, Name: name,
		DocumentNamespace: fmt.Sprintf("%s/spdx/%s-%x", homepage, name, digest),
		CreationInfo:      creation{c.date.Format(time.RFC3339), []string{"Tool: casebook-dist-" + c.version}},
		Relationships:     []relationship{{document, "DESCRIBES", program}},
		Packages: []spdxPackage{{
			Name: "casebook", SPDXID: program, VersionInfo: c.version, DownloadLocation: "git+" + homepage + "@" +
				b.setting("vcs.revision"), PackageFileName: filepath.Base(b.file), Purpose: "APPLICATION",
			Checksums:        []checksum{{"SHA256", fmt.Sprintf("%x", digest)}},
			LicenseConcluded: "Apache-2.0", LicenseDeclared: "Apache-2.0", CopyrightText: noAssertion,
			ExternalRefs: []reference{{"PACKAGE-MANAGER", "purl", "pkg:golang/" + root + "/app@" + c.version}},
		}},
	}
	for _, m := range b.info.Deps {
		if ours(m.Path) { // the root module: of the same commit, and without a checksum before it is released
			parts = append([]part{{name: m.Path, version: c.version, licences: []string{"Apache-2.0"},
				purl: "pkg:golang/" + m.Path + "@" + c.version}}, parts...)
		}
	}
	for _, p := range parts {
		s.Packages = append(s.Packages, p.spdx())
		s.Relationships = append(s.Relationships, relationship{program, "CONTAINS", p.id()})
	}
	text, err := json.MarshalIndent(s, "", "  ")
	return append(text, '\n'), err
}

// id is a part's name within its document.
func (p part) id() string {
	return "SPDXRef-" + regexp.MustCompile(`[^A-Za-z0-9.-]`).ReplaceAllString(p.name, "-")
}

func (p part) spdx() spdxPackage {
	licences := strings.Join(p.licences, " AND ")
	s := spdxPackage{
		Name: p.name, SPDXID: p.id(), VersionInfo: p.version, DownloadLocation: noAssertion, Purpose: "LIBRARY",
		LicenseConcluded: licences, LicenseDeclared: licences, CopyrightText: noAssertion,
		ExternalRefs: []reference{{"PACKAGE-MANAGER", "purl", p.purl}},
	}
	if p.sum != "" {
		s.SourceInfo = "go.sum has " + p.sum
	}
	return s
}
