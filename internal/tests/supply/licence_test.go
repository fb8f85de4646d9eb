package supply

import (
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/gocasebook/casebook/internal/checkout"
	"github.com/gocasebook/casebook/internal/golden"
)

// A module is one that is linked, by its path.
type module struct{ version, dir string }

// linked are the modules other than ours whose packages go into what is built in dir, on every system that Casebook is
// built for: a module that only Windows needs is shipped to users of Windows. workspace is GOWORK's value: a service
// that imports the root module alone has the versions of its go.mod.
func linked(t *testing.T, dir, workspace string, packages ...string) map[string]module {
	t.Helper()
	found := make(map[string]module)
	for _, system := range []string{"linux", "darwin", "windows"} {
		cmd := exec.Command("go", append([]string{"list", "-deps", "-f",
			"{{with .Module}}{{.Path}}\t{{.Version}}\t{{.Dir}}{{end}}"}, packages...)...)
		cmd.Dir = dir
		cmd.Env = append(os.Environ(), "GOOS="+system, "CGO_ENABLED=0", "GOWORK="+workspace)
		out, err := cmd.Output()
		if err != nil {
			t.Fatalf("go list in %s for %s: %v", dir, system, err)
		}
		for line := range strings.Lines(string(out)) {
			if f := strings.Split(strings.TrimSpace(line), "\t"); len(f) == 3 && f[1] != "" &&
				!strings.HasPrefix(f[0], "github.com/gocasebook/") {
				found[f[0]] = module{f[1], f[2]}
			}
		}
	}
	return found
}

// TestLicences checks that docs/licences.md lists what is linked, and that every licence is one of those allowed.
func TestLicences(t *testing.T) {
	checkout.Need(t)
	var b strings.Builder
	fmt.Fprintf(&b, "# Licences of what is linked\n\nCasebook is under the Apache License 2.0. `make licences` "+
		"writes this page from the licence files of the modules;\n"+
		"`make test` fails when it is out of date, and when a licence is not one of these:\n%s.\n",
		strings.Join(allowed, ", "))
	fmt.Fprintf(&b, "\nGo's standard library and runtime are in every Go program: BSD-3-Clause.\n")
	table(t, &b, "The root module", "What a service that imports Casebook gets beside it.", linked(t, "../../..", "off",
		"./..."))
	table(t, &b, "The command", "What is in the program `casebook` of a release, on Linux, macOS or Windows: it is "+
		"built of\n`app/cmd/casebook-store`. `app/cmd/casebook` has none of the databases.", linked(t, "../../../app", "",
		"./cmd/casebook-store"))
	vendored(t, &b, "The pages", "Scripts and styles of others in `report.html`.", "../../../app/report/assets/third_party/*")
	vendored(t, &b, "The tests of the pages", "Scripts of others that only tests put into pages: no program has them.",
		"../../../app/browsertest/third_party/*")
	golden.Is(t, "../../../docs/licences.md", b.String())
}

func table(t *testing.T, b *strings.Builder, title, text string, modules map[string]module) {
	t.Helper()
	if len(modules) == 0 {
		t.Fatalf("%s: go list named no module", title)
	}
	fmt.Fprintf(b, "\n## %s\n\n%s\n\n| module | version | licence |\n|---|---|---|\n", title, text)
	for _, path := range slices.Sorted(maps.Keys(modules)) {
		m := modules[path]
		ids, err := Licences(m.dir)
		if err == nil {
			err = permitted(ids)
		}
		if err != nil {
			t.Errorf("%s %s: %v", path, m.version, err)
		}
		fmt.Fprintf(b, "| %s | %s | %s |\n", path, m.version, strings.Join(ids, " and "))
	}
}

// vendored lists the folders of other people's scripts that are copied into this repository.
func vendored(t *testing.T, b *strings.Builder, title, text, folders string) {
	t.Helper()
	dirs, err := filepath.Glob(folders)
	if err != nil || len(dirs) == 0 {
		t.Fatalf("no folder of other people's scripts at %s: %v", folders, err)
	}
	fmt.Fprintf(b, "\n## %s\n\n%s\n\n| package | version | licence |\n|---|---|---|\n", title, text)
	for _, dir := range dirs {
		ids, err := Licences(dir)
		if err == nil {
			err = permitted(ids)
		}
		version, versionErr := os.ReadFile(filepath.Join(dir, "VERSION"))
		if err != nil || versionErr != nil {
			t.Errorf("%s: %v, %v", dir, err, versionErr)
		}
		first, _, _ := strings.Cut(strings.TrimSpace(string(version)), "\n")
		fmt.Fprintf(b, "| %s | %s | %s |\n", filepath.Base(dir), first, strings.Join(ids, " and "))
	}
}

// TestLicencesAreTold tries the phrases on texts whose licence is known, and checks that the list has no licence that
// it must not have.
func TestLicencesAreTold(t *testing.T) {
	tests := []struct {
		name, file, text string
		want             []string
		refused          bool
	}{
		{"mit", "LICENSE", "MIT License\n\nPermission is hereby granted, free of charge, to any person obtaining a " +
			"copy\nof this software", []string{"MIT"}, false},
		{"isc", "LICENSE.md", "Permission to use, copy, modify, and distribute this software for any\npurpose with " +
			"or without fee is hereby granted, provided that the above", []string{"ISC"}, false},
		{"bsd 2", "COPYING", "Redistribution and use in source and binary forms, with or without",
			[]string{"BSD-2-Clause"}, false},
		{"bsd 3", "LICENCE", "Redistribution and use in source and binary forms. Neither the name of",
			[]string{"BSD-3-Clause"}, false},
		{"mpl", "LICENSE-MPL", "Mozilla Public License Version 2.0\n=====", []string{"MPL-2.0"}, false},
		{"mpl, whole", "LICENSE", "Mozilla Public License Version 2.0\n1.12. \"Secondary License\"\n  means either the " +
			"GNU General Public License, Version 2.0, the GNU Affero General Public\n  License, Version 3.0, or any later " +
			"versions of those licenses.", []string{"MPL-2.0"}, false},
		{"sqlite", "LICENSE-SQLITE", "SQLite Is Public Domain", []string{"blessing"}, false},
		{"gpl", "COPYING", "GNU GENERAL PUBLIC LICENSE\nVersion 3", []string{"GPL"}, true},
		{"agpl beside mit", "LICENSE", "GNU Affero General Public License; Permission is hereby granted, free of " +
			"charge, to any person obtaining a copy", []string{"AGPL", "MIT"}, true},
		{"business source", "LICENSE", "Business Source License 1.1", []string{"BUSL-1.1"}, true},
		{"somebody's own", "LICENSE", "You may use this on Tuesdays.", nil, true},
		{"no licence", "README.md", "MIT", nil, true},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			dir := t.TempDir()
			if err := os.WriteFile(filepath.Join(dir, test.file), []byte(test.text), 0o600); err != nil {
				t.Fatal(err)
			}
			got, err := Licences(dir)
			if err == nil {
				err = permitted(got)
			}
			if !slices.Equal(got, test.want) || (err != nil) != test.refused {
				t.Errorf("licences %v, error %v; want %v, refused %v", got, err, test.want, test.refused)
			}
		})
	}
}
