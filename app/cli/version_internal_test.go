package cli

import (
	"bytes"
	"testing"
)

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
