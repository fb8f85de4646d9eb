package cli

import (
	"bytes"
	"testing"
)

func TestHowToInstall(t *testing.T) {
	for version, want := range map[string]string{
		"v0.4.0":                         "go install github.com/gocasebook/casebook/app/cmd/casebook-store@v0.4.0",
		"v0.4.0 5ed944a1b2c3 2026-11-22": "go install github.com/gocasebook/casebook/app/cmd/casebook-store@v0.4.0",
		"devel 5ed944a1b2c3 2026-11-22":  "make build-store (in the checkout that casebook was built from)",
	} {
		if got := howToInstall(version); got != want {
			t.Errorf("of %q it is %q, want %q", version, got, want)
		}
	}
}

func TestVersionFlagSaysTheSame(t *testing.T) {
	var command, flag bytes.Buffer
	if Run(t.Context(), []string{"version"}, &command, &command) != 0 ||
		Run(t.Context(), []string{"--version"}, &flag, &flag) != 0 {
		t.Error("exit code is not 0")
	}
	if command.String() != flag.String() || command.Len() == 0 {
		t.Errorf("version says %q, --version %q", command.String(), flag.String())
	}
}
