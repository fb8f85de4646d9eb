package cli_test

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/gocasebook/casebook/casefile"
	"github.com/gocasebook/casebook/internal/checkout"
)

// For a service without a finding the picture is printed, in every form, within 80 columns.
func TestDiagnosePicture(t *testing.T) {
	t.Parallel()
	healthy := checkout.Folder(t, "holdout/poolwait")
	r := inProcess(t, "diagnose", healthy)
	r.want(t, 0, "\nheap        ", "\ncpu         0.268 cores: 52.9 % main.go:24 worker",
		"\ngoroutines  3,003: 3,000 wait to receive at main.go:20 worker\nmemory      22.6 MiB resident: ",
		"\n\nNo findings")
	for line := range strings.Lines(r.out) {
		if strings.HasPrefix(line, "read ") {
			continue
		}
		if n := len([]rune(strings.TrimRight(line, "\n"))); n > 80 {
			t.Errorf("%d columns: %s", n, line)
		}
	}
	inProcess(t, "diagnose", "--markdown", healthy).want(t, 0,
		"| goroutines | 3,003: 3,000 wait to receive at main.go:20 worker |")
	var got casefile.Diagnosis
	if err := json.Unmarshal([]byte(inProcess(t, "diagnose", "--json", healthy).out), &got); err != nil {
		t.Fatal(err)
	}
	if got.Picture == nil || got.Picture.Goroutines == nil || got.Picture.Goroutines.Total != 3003 ||
		got.Picture.CPU.Places[0].Function != "main.worker" {
		t.Errorf("--json has the picture %+v", got.Picture)
	}
}
