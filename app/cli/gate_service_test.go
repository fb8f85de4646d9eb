//go:build linux

package cli_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// serverRepo is a git repository with the server of bench-prove in cmd/server, whose working tree is slower by percent.
func serverRepo(t *testing.T, percent string) string {
	t.Helper()
	text, err := os.ReadFile("../prove/server/main.go")
	if err != nil {
		t.Fatal(err)
	}
	dir := writeFiles(t, map[string]string{"go.mod": "module example.com/shop\n\ngo 1.25.0\n"})
	file := filepath.Join(dir, "cmd/server/main.go")
	write := func(text string) {
		t.Helper()
		if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	write(string(text))
	commitAll(t, dir)
	write(strings.Replace(string(text), `"slower", 0,`, `"slower", `+percent+`,`, 1))
	return dir
}

// gateService are the arguments of a gate of that server, as short as possible.
func gateService(more ...string) []string {
	args := []string{"gate", "--against", "main", "--rate", "50", "--slice", "200ms", "--warmup", "200ms", "--rounds",
		"3", "--confirm", "10"}
	return append(append(args, more...), "./cmd/server -addr 127.0.0.1:{port}", "/work")
}

// TestGateService plants twice the work.
func TestGateService(t *testing.T) {
	t.Parallel()
	dir, out := serverRepo(t, "100"), t.TempDir()
	junit, markdown := filepath.Join(out, "gate.xml"), filepath.Join(out, "gate.md")
	r := casebook(t, dir, gateService("--fail-on", "cpu_per_request:+20%", "--junit", junit, "--markdown", markdown)...)
	r.want(t, 1, "FAIL  ./cmd/server  cpu_per_request +", "(limit +20 %)", "because main.main",
		", which changed, in main.work: ", "noise floor: cpu_per_request ±", "base: main (")
	for file, want := range map[string]string{junit: `name="./cmd/server cpu_per_request:+20%"`,
		markdown: "| **FAIL** | ./cmd/server | cpu_per_request |"} {
		if text, err := os.ReadFile(file); err != nil || !strings.Contains(string(text), want) {
			t.Errorf("%s: %v, no %q in\n%s", file, err, want, text)
		}
	}
}

// TestGateServiceInterrupted wants what was measured until Ctrl-C, and nothing left behind.
func TestGateServiceInterrupted(t *testing.T) {
	t.Parallel()
	dir := serverRepo(t, "200")
	markdown := filepath.Join(t.TempDir(), "gate.md")
	b := begin(t, dir, gateService("--markdown", markdown)...)
	b.await(t, "block 1 of 3")
	if err := b.cmd.Process.Signal(os.Interrupt); err != nil {
		t.Fatal(err)
	}
	<-b.ended
	text, _ := b.text()
	if code := b.cmd.ProcessState.ExitCode(); code != 130 {
		t.Errorf("exit code %d, want 130:\n%s", code, text)
	}
	for _, want := range []string{"????  ./cmd/server  cpu_per_request ", "it ended after ",
		"note  it ended early: interrupted", "INCOMPLETE: "} {
		if !strings.Contains(text, want) {
			t.Errorf("no %q in\n%s", want, text)
		}
	}
	if page, err := os.ReadFile(markdown); err != nil || !strings.Contains(string(page), "INCOMPLETE") {
		t.Errorf("the Markdown says %q, %v", page, err)
	}
}
