package catalogue_test

import (
	"bytes"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/gocasebook/casebook/remedy/catalogue"
)

// TestAgainstRegistry asks the module proxy for every third-party package, and compares licence and go.mod with the
// catalogue. It needs the registry, so it runs only with `make catalogue`.
func TestAgainstRegistry(t *testing.T) {
	if os.Getenv("CASEBOOK_REGISTRY") == "" {
		t.Skip("asks the module proxy; make catalogue runs it")
	}
	for _, p := range catalogue.Packages() {
		if p.Version == "" {
			continue
		}
		t.Run(p.Path, func(t *testing.T) {
			m := download(t, p.Module+"@"+p.Version)
			if got := requires(t, m.GoMod); got != p.Brings {
				t.Errorf("go.mod requires %d modules, the catalogue says %d", got, p.Brings)
			}
			if got := licence(t, m.Dir); got != p.Licence {
				t.Errorf("the licence looks like %s, the catalogue says %s", got, p.Licence)
			}
			if _, err := os.Stat(filepath.Join(m.Dir, strings.TrimPrefix(p.Path, p.Module))); err != nil {
				t.Errorf("the module has no such package: %v", err)
			}
		})
	}
}

type module struct{ Dir, GoMod, Error string }

func download(t *testing.T, query string) module {
	t.Helper()
	cmd := exec.Command("go", "mod", "download", "-json", query)
	cmd.Dir = t.TempDir()
	cmd.Env = append(os.Environ(), "GOWORK=off", "GOFLAGS=-mod=mod")
	out, err := cmd.Output()
	var m module
	if jsonErr := json.Unmarshal(out, &m); jsonErr != nil || err != nil || m.Error != "" {
		t.Fatalf("go mod download %s: %v %s", query, err, m.Error)
	}
	return m
}

func requires(t *testing.T, goMod string) int {
	t.Helper()
	out, err := exec.Command("go", "mod", "edit", "-json", goMod).Output()
	if err != nil {
		t.Fatalf("go mod edit %s: %v", goMod, err)
	}
	var file struct{ Require []struct{ Path string } }
	if err := json.Unmarshal(out, &file); err != nil {
		t.Fatal(err)
	}
	return len(file.Require)
}

// licence tells the licences of the catalogue's packages apart by phrases that only one of them contains.
func licence(t *testing.T, dir string) string {
	t.Helper()
	files, _ := filepath.Glob(filepath.Join(dir, "LICENSE*"))
	if len(files) == 0 {
		t.Fatalf("no LICENSE in %s", dir)
	}
	text, err := os.ReadFile(files[0])
	if err != nil {
		t.Fatal(err)
	}
	text = bytes.Join(bytes.Fields(text), []byte(" "))
	has := func(s string) bool { return bytes.Contains(text, []byte(s)) }
	var found []string
	switch {
	case has("Redistribution and use") && (has("Neither the name") || has("may be used to endorse")):
		found = append(found, "BSD-3-Clause")
	case has("Redistribution and use"):
		found = append(found, "BSD-2-Clause")
	}
	if has("Permission is hereby granted, free of charge") {
		found = append(found, "MIT")
	}
	if has("Apache License") && has("Version 2.0") {
		found = append(found, "Apache-2.0")
	}
	return strings.Join(found, " AND ")
}
