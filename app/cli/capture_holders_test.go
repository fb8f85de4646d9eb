package cli_test

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/gocasebook/casebook/casefile"
	"github.com/gocasebook/casebook/diagnose/refs"
	"github.com/gocasebook/casebook/internal/victimtest"
)

// startKeeper runs a service that keeps orders in a global map; it serves heap dumps by way of a folder.
func startKeeper(t *testing.T, args ...string) string {
	t.Helper()
	program := filepath.Join(t.TempDir(), "keeper")
	if out, err := exec.Command("go", "build", "-o", program, "./testdata/keeper").CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	addr, _ := victimtest.Start(t, program, args...)
	return "http://" + addr
}

// TestCaptureHolders: the price is asked first; then the case says who holds what a line allocated, and nothing is left
// of the dump.
func TestCaptureHolders(t *testing.T) {
	t.Parallel()
	spool := t.TempDir()
	url := startKeeper(t, spool)
	dir := t.TempDir()
	casebook(t, dir, "capture", "--heap-refs", url).want(t, 2, "a heap dump stops", "MiB in", "--yes accepts that")
	if files, err := os.ReadDir(dir); err != nil || len(files) > 0 {
		t.Errorf("before the price is accepted there are files: %v, %v", files, err)
	}
	casebook(t, dir, "capture", "--heap-refs", "--yes", "--kinds", "heap", "--profile", "1s", "--before", "0s", "--dir",
		"cases", url).want(t, 0, "heap-refs-after.json", "Case    ")
	wantKeeper(t, summaryIn(t, onlyCase(t, dir+"/cases")))
	for _, dir := range []string{spool, dir, dir + "/cases"} {
		files, err := filepath.Glob(dir + "/.*heap*")
		if err != nil || len(files) > 0 {
			t.Errorf("left of the dump: %q, %v", files, err)
		}
	}
}

// summaryIn is the heap dump's summary in a case.
func summaryIn(t *testing.T, f *casefile.Folder) (s refs.Summary) {
	t.Helper()
	for _, e := range f.Case.Evidence {
		if e.Kind != casefile.HeapRefs {
			continue
		}
		data, err := f.Read(e.File)
		if err != nil || e.Phase != casefile.After {
			t.Fatalf("phase %q, %v", e.Phase, err)
		}
		if err := json.Unmarshal(data, &s); err != nil {
			t.Fatal(err)
		}
		return s
	}
	t.Fatalf("no summary in %+v; missing: %+v", f.Case.Evidence, f.Case.Missing)
	return s
}

// wantKeeper wants the global map as the holder of what newOrder allocated.
func wantKeeper(t *testing.T, s refs.Summary) {
	t.Helper()
	if !s.Symbols || s.Stopped <= 0 || len(s.Warnings) > 0 {
		t.Errorf("symbols %v, stopped %v s, warnings %q", s.Symbols, s.Stopped, s.Warnings)
	}
	i := slices.IndexFunc(s.Stacks, func(x refs.StackHeld) bool {
		return slices.ContainsFunc(x.Frames, func(f refs.Site) bool {
			return strings.HasSuffix(f.File, "/keeper/main.go") // a dump names the function that newOrder is inlined into
		})
	})
	if i < 0 {
		t.Fatalf("no stack of newOrder: %+v", s.Stacks)
	}
	if h := s.Stacks[i].Held; len(h) == 0 || h[0].Share < 0.9 || h[0].Root.String() != "global main.orders" {
		t.Errorf("%d bytes of newOrder are held by %+v", s.Stacks[i].Bytes, h)
	}
}

// TestCaptureHoldersNowhere: a service without the page is told how else to get there, and flags need their meaning.
func TestCaptureHoldersNowhere(t *testing.T) {
	t.Parallel()
	url := start(t)
	for _, c := range []struct {
		want string
		args []string
	}{
		{"mount casebook.HeapDumpHandler in the service", []string{"--heap-refs", "--yes", url}},
		{"grf attach PID", []string{"--heap-refs", url}},
		{"need --heap-refs", []string{"--yes", url}},
		{"need --heap-refs", []string{"--keep-dump", "heap.dump", url}},
	} {
		casebook(t, t.TempDir(), append([]string{"capture"}, c.args...)...).want(t, 2, c.want)
	}
}

// TestCaptureKeepsDump: the dump is kept when somebody asks for that, for them alone, and can be read.
func TestCaptureKeepsDump(t *testing.T) {
	t.Parallel()
	url, dir := startKeeper(t, t.TempDir()), t.TempDir()
	casebook(t, dir, "capture", "--heap-refs", "--yes", "--kinds", "heap", "--profile", "1s", "--before", "0s",
		"--keep-dump", "heap.dump", url).want(t, 0, "heap-refs-after.json")
	info, err := os.Stat(dir + "/heap.dump")
	if err != nil || info.Mode().Perm() != 0o600 {
		t.Fatalf("%v, %v: want mode 0600", info, err)
	}
	inProcess(t, "heap", dir+"/heap.dump").want(t, 0, "Held by globals", "allocated by main.main")
}
