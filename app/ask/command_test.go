//go:build unix

package ask

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"
)

// command is an agent that is this test binary in a mode.
func command(t *testing.T, mode string) Agent {
	t.Helper()
	t.Setenv(modeEnv, mode)
	return Agent{Name: "command", Command: []string{os.Args[0]}, Env: []string{modeEnv}}
}

func TestCommand(t *testing.T) {
	r, err := Ask(t.Context(), command(t, "answers"), prompt(), Limits{})
	want := answer + "\n" + prompt().System + "\n\n" + prompt().Text + "\n"
	if err != nil || r.Text != want {
		t.Errorf("%+v, %v; want %q", r, err, want)
	}
	if r, err = Ask(t.Context(), command(t, "deaf"), Prompt{Text: strings.Repeat("x", 1<<20)}, Limits{}); err != nil ||
		r.Text != answer+"\n" {
		t.Errorf("of a command that reads nothing: %+v, %v", r, err)
	}
}

// A command sees PATH, HOME and what was configured, whatever else is in the environment.
func TestCommandEnvironment(t *testing.T) {
	t.Setenv("ASK_TEST_OTHER", "another-secret-of-this-machine")
	t.Setenv(keyEnv, key)
	r, err := Ask(t.Context(), command(t, "environment"), prompt(), Limits{})
	if err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(r.Text) {
		name, _, _ := strings.Cut(line, "=")
		if name != "PATH" && name != "HOME" && name != modeEnv && name != "PWD" {
			t.Errorf("the command sees %q", line)
		}
	}
	if !strings.Contains(r.Text, "PATH=") {
		t.Errorf("the command has no PATH: %q", r.Text)
	}
}

// A command runs in the folder that the agent names.
func TestCommandDir(t *testing.T) {
	a := command(t, "lists")
	a.Dir = t.TempDir()
	if err := os.WriteFile(filepath.Join(a.Dir, "evidence"), nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if r, err := Ask(t.Context(), a, prompt(), Limits{}); err != nil || r.Text != "evidence\n" {
		t.Errorf("it runs beside %q, %v; want %q", r.Text, err, "evidence\n")
	}
}

func TestCommandFails(t *testing.T) {
	t.Setenv(keyEnv, key)
	for mode, want := range map[string][]string{
		"fails":   {"asking command: ", "exit status 3", "quota exceeded\uFFFD[2J for redacted"},
		"silent":  {"the answer has no text"},
		"endless": {"longer than 4096 bytes"},
	} {
		t.Run(mode, func(t *testing.T) {
			a := command(t, mode)
			a.Env = append(a.Env, keyEnv)
			_, err := Ask(t.Context(), a, prompt(), Limits{Bytes: 4096})
			wantError(t, err, want...)
		})
	}
	_, err := Ask(t.Context(), Agent{Name: "x", Command: []string{"no-such-command-anywhere"}}, prompt(), Limits{})
	wantError(t, err, "no-such-command-anywhere", "give the command's path")
}

// A command that does not answer in time is an error that says so.
func TestCommandTime(t *testing.T) {
	_, err := Ask(t.Context(), command(t, "hangs"), prompt(), Limits{Time: 50 * time.Millisecond})
	wantError(t, err, "it has not answered within 50ms")
}

// A command ends with all that it started: when it is stopped, and when it has answered.
func TestCommandEndsWhole(t *testing.T) {
	for _, mode := range []string{"hangs", "leaves"} {
		t.Run(mode, func(t *testing.T) {
			file := filepath.Join(t.TempDir(), "pid")
			t.Setenv(fileEnv, file)
			a := command(t, mode)
			a.Env = append(a.Env, fileEnv)
			ctx, cancel := context.WithCancel(t.Context())
			defer cancel()
			if mode == "hangs" {
				go func() { // until it has started its child
					for ctx.Err() == nil && !exists(file) {
						time.Sleep(time.Millisecond)
					}
					cancel()
				}()
			}
			r, err := Ask(ctx, a, prompt(), Limits{})
			if mode == "hangs" && !errors.Is(err, context.Canceled) || mode == "leaves" && r.Text != answer+"\n" {
				t.Errorf("%+v, %v", r, err)
			}
			wantEnded(t, file)
		})
	}
}

func exists(file string) bool {
	info, err := os.Stat(file)
	return err == nil && info.Size() > 0
}

// wantEnded wants the process ended whose number is in a file.
func wantEnded(t *testing.T, file string) {
	t.Helper()
	data, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	var pid int
	if _, err := fmt.Sscan(string(data), &pid); err != nil {
		t.Fatal(err)
	}
	for deadline := time.Now().Add(time.Minute); time.Now().Before(deadline); time.Sleep(10 * time.Millisecond) {
		stat, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
		if err != nil || strings.Contains(string(stat), ") Z ") {
			return
		}
	}
	_ = syscall.Kill(pid, syscall.SIGKILL)
	t.Errorf("the child %d of the command lives on", pid)
}
