package cli_test

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/gocasebook/casebook/internal/checkout"
)

// recordedClaims is a folder with what was recorded of a program.
func recordedClaims(t *testing.T) string { return checkout.Folder(t, "holdout3/claims") }

// casebook pgo says on 80 columns what a profile is worth. One of 193 samples is made, and is not worth building with.
func TestPGO(t *testing.T) {
	t.Parallel()
	out := filepath.Join(t.TempDir(), "default.pgo")
	r := inProcess(t, "pgo", "--main", "../prove/server", "-o", out, recordedClaims(t))
	r.want(t, 1, "193 samples of 1 CPU profile", "match", "representative not known",
		"stale:", "take at least 2000", "written")
	for line := range strings.Lines(r.out) {
		if n := utf8.RuneCountInString(strings.TrimSuffix(line, "\n")); n > 80 && !strings.Contains(line, out) {
			t.Errorf("%d columns: %s", n, line)
		}
	}
	if info, err := os.Stat(out); err != nil || info.Size() == 0 {
		t.Errorf("the profile: %v", err)
	}
}

func TestPGOJSON(t *testing.T) {
	t.Parallel()
	r := inProcess(t, "pgo", "--json", "--main", "../prove/server", "-o", "-", recordedClaims(t))
	r.want(t, 1)
	var got struct {
		Verdict string   `json:"verdict"`
		Reasons []string `json:"reasons"`
		File    string   `json:"file"`
		Match   struct {
			Own struct {
				Weight float64 `json:"weight"`
			} `json:"own"`
		} `json:"match"`
	}
	if err := json.Unmarshal([]byte(r.out), &got); err != nil {
		t.Fatal(err)
	}
	if got.Verdict != "stale" || len(got.Reasons) != 2 || got.File != "" {
		t.Errorf("of a profile of another program it says %+v", got)
	}
}

func TestPGORefuses(t *testing.T) {
	t.Parallel()
	inProcess(t, "pgo").want(t, 2, "CPU profiles")
	inProcess(t, "pgo", "-o", "-", "no-such-file.pb.gz").want(t, 2, "no-such-file.pb.gz")
	inProcess(t, "pgo", "-o", "-", filepath.Join(recordedClaims(t), "heap.pb.gz")).want(t, 2, "heap")
	inProcess(t, "pgo", "-o", "-", write(t, "cpu.pb.gz", "nothing of the kind")).want(t, 2, "cpu.pb.gz")
	inProcess(t, "pgo", "--main", "./testdata", recordedClaims(t)).want(t, 2, "--main")
}
