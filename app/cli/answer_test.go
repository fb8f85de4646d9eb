package cli_test

import (
	"os"
	"path/filepath"
	"testing"
)

func TestAnswer(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	file := filepath.Join(dir, "answer.json")
	text := []byte(`{"place":"main.nowhere\u001b[2J","cause":"c","change":"x"}`)
	if err := os.WriteFile(file, text, 0o600); err != nil {
		t.Fatal(err)
	}
	evidence := filepath.Join("testdata", "lint", "cpu.pb.gz")
	inProcess(t, "answer", evidence, file).want(t, 1, "UNSUPPORTED", "main.nowhere", "Kept     nowhere")
	inProcess(t, "answer", evidence, file, "--json").want(t, 1, `"verdict": "unsupported"`)
	inProcess(t, "answer", evidence).want(t, 2, `{"place"`)
	inProcess(t, "answer").want(t, 2, "casebook answer CASE")
	inProcess(t, "answer", filepath.Join(dir, "none"), file).want(t, 2, "none")
	inProcess(t, "answer", file, dir).want(t, 2, "is a folder, not a file; the case comes first")
	inProcess(t, "answer", evidence, file, "--test").want(t, 2, "--source")
	inProcess(t, "answer", evidence, file, "--source", dir).want(t, 2, "go.mod")
}
