//go:build linux

package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// README.md shows the three commands in the form that make install-check reads, and they need only the archive.
func TestCommandsOfREADME(t *testing.T) {
	try := &trial{readme: "../../../README.md"}
	commands, err := try.commands()
	if err != nil {
		t.Fatal(err)
	}
	for i, want := range []string{"tar xzf casebook_*.tar.gz", "bin/casebook ",
		"bin/casebook diagnose http://127.0.0.1:6060"} {
		if !strings.HasPrefix(commands[i], want) || strings.Contains(commands[i], "#") {
			t.Errorf("command %d is %q, want %q", i+1, commands[i], want)
		}
	}
}

func TestCommandsAreThree(t *testing.T) {
	for page, want := range map[string]string{
		"# X\n\nFrom source:\n\n    a\n    b\n    c\n":               "no commands",
		"# X\n\nFrom a release:\n\n    a  # first\n    b\n\n    c\n": "shows 2 commands",
	} {
		file := filepath.Join(t.TempDir(), "README.md")
		if err := os.WriteFile(file, []byte(page), 0o600); err != nil {
			t.Fatal(err)
		}
		if list, err := (&trial{readme: file}).commands(); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q gives %q, %v; want %q", page, list, err, want)
		}
	}
}

func TestVersionIsChecked(t *testing.T) {
	try := &trial{version: "v0.4.0"}
	for said, want := range map[string]bool{
		"casebook v0.4.0 5ed944a1b2c3 2026-11-22 go1.26.8 linux/amd64\n": true,
		"casebook v0.4.0 go1.26.8 linux/amd64\n":                         false,
		"casebook v0.4.01 5ed944a1b2c3 2026-11-22 go1.26.8\n":            false,
		"casebook devel 5ed944a1b2c3 2026-11-22 go1.26.8\n":              false,
	} {
		if err := try.isVersion(said); (err == nil) != want {
			t.Errorf("%q: %v, want it taken: %v", said, err, want)
		}
	}
}
