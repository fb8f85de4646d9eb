package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/gocasebook/casebook/casefile"
)

// A fake casebook leaves a case as the demo does.
func fake(t *testing.T, caseJSON string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "casebook")
	script := "#!/bin/sh\nmkdir -p \"$3/one\"\ncat > \"$3/one/case.json\" <<'END'\n" + caseJSON + "\nEND\n"
	if err := os.WriteFile(path, []byte(script), 0o755); err != nil {
		t.Fatal(err)
	}
	return path
}

func TestBench(t *testing.T) {
	const proof = `{"findings": [{"kind": "gc-pointer-heap", "score": 100}], "proof": {"verdict": "%", "figures": [
		{"name": "cpu_per_request", "key": true, "verdict": "%", "before": {"value": 4, "n": 6}, "after": {"value": 1, "n": 6}, "p": 0.001}]}}`
	for _, c := range []struct{ name, caseJSON, want string }{
		{"better", strings.ReplaceAll(proof, "%", "better"), ""},
		{"cannot tell", strings.ReplaceAll(proof, "%", "cannot tell"), "not every run did"},
		{"no proof", `{}`, "has no proof"},
		{"no case", `nonsense`, "reading"},
	} {
		t.Run(c.name, func(t *testing.T) {
			err := bench(t.Context(), fake(t, c.caseJSON), 2, t.TempDir())
			if c.want == "" && err != nil || c.want != "" && (err == nil || !strings.Contains(err.Error(), c.want)) {
				t.Errorf("error is %v, want %q", err, c.want)
			}
		})
	}
}

func TestResultIsRead(t *testing.T) {
	r, err := once(t.Context(), fake(t, `{"findings": [{"kind": "a", "score": 9}], "proof": {"verdict": "same"}}`),
		t.TempDir(), true)
	if err != nil || r.proof.Verdict != casefile.Same || len(r.findings) != 1 || r.findings[0] != "a 9" ||
		change(r.proof) != "no key figure" {
		t.Errorf("%+v, %v", r, err)
	}
}
