package cli_test

import (
	"bytes"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
)

// A casebook without drivers says which program has them, and how to get it. When that is there, it goes on in it, with
// the same words, exit codes and errors.
func TestStoreProgram(t *testing.T) {
	dir, store := t.TempDir(), filepath.Join(t.TempDir(), "store")
	bare := filepath.Join(dir, commandName)
	if err := linkOrCopy(bin, bare); err != nil {
		t.Fatal(err)
	}
	said := func(program string, env []string, args ...string) result {
		cmd := exec.CommandContext(t.Context(), program, args...)
		cmd.Env = append(os.Environ(), append(env, withoutDrivers+"=1", "PATH="+dir)...)
		var out, errs bytes.Buffer
		cmd.Stdout, cmd.Stderr = &out, &errs
		var exit *exec.ExitError
		if err := cmd.Run(); err != nil && !errors.As(err, &exit) {
			t.Fatal(err)
		}
		return result{cmd.ProcessState.ExitCode(), out.String(), errs.String()}
	}
	for _, args := range [][]string{{"store", "check", "--store", store}, {"serve", "--store", store}} {
		said(bare, nil, args...).want(t, 2, storeCommandName, "make build-store")
	}
	said(bare, nil, "serve", filepath.Join(dir, "none")).want(t, 2, "there is no folder") // which needs no drivers

	program := filepath.Join(dir, storeCommandName)
	if err := linkOrCopy(bin, program); err != nil {
		t.Fatal(err)
	}
	said(bare, nil, "store", "check", "--store", store).want(t, 0, "0 cases")
	said(bare, nil, "serve", "--store", store, "--metric-findings", "0").want(t, 2, "--metric-findings is 0")
	said(program, []string{"CASEBOOK_STARTED_BY=v0.1.0"}, "store", "check", "--store", store).want(t, 2,
		"casebook is v0.1.0", "install both of one version")

	elsewhere := filepath.Join(t.TempDir(), commandName) // and finds it in PATH
	if err := linkOrCopy(bin, elsewhere); err != nil {
		t.Fatal(err)
	}
	said(elsewhere, nil, "store", "check", "--store", store).want(t, 0, "0 cases")
}
