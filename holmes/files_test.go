package holmes

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"
)

func TestFileNames(t *testing.T) {
	at := time.Date(2026, 11, 21, 9, 8, 7, 6_000_000, time.UTC)
	for _, c := range []struct{ check, event, want string }{
		{"cpu", "", "cpu.20261121090807.006."},
		{"GCHeap", "heap-3", "GCHeap.heap-3.20261121090807.006."},
		{"goroutine", "thr-0", "goroutine.thr-0.20261121090807.006."},
	} {
		name := dumpFile{"", c.check, c.event, at}.name()
		if !strings.HasPrefix(name, c.want) || !strings.HasSuffix(name, ".log") || !ours.MatchString(name) {
			t.Errorf("the file is called %q, want %s….log, and known as ours", name, c.want)
		}
	}
}

// holmes names a file by kind and millisecond, and appends to a file of that name.
func TestFileNamesOfTwoProcessesDiffer(t *testing.T) {
	if folder := os.Getenv("HOLMES_TEST_FOLDER"); folder != "" {
		if _, err := (dumpFile{folder, "cpu", "", time.UnixMilli(0)}).write([]byte("x")); err != nil {
			t.Fatal(err)
		}
		return
	}
	folder := t.TempDir()
	for range 2 {
		cmd := exec.Command(os.Args[0], "-test.run=^"+t.Name()+"$")
		cmd.Env = append(os.Environ(), "HOLMES_TEST_FOLDER="+folder)
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Fatalf("%v\n%s", err, out)
		}
	}
	for range 100 { // and of one process
		if _, err := (dumpFile{folder, "cpu", "", time.UnixMilli(0)}).write([]byte("x")); err != nil {
			t.Fatal(err)
		}
	}
	if dumps, err := list(folder); err != nil || len(dumps) != 102 {
		t.Errorf("102 dumps of one millisecond made %d files (%v)", len(dumps), err)
	}
}

func TestDumpIsPrivateAndWhole(t *testing.T) {
	folder := filepath.Join(t.TempDir(), "a", "b") // created when it is needed
	path, err := dumpFile{folder, "mem", "", time.Now()}.write([]byte("profile"))
	must(t, err)
	info, err := os.Stat(path)
	must(t, err)
	if info.Mode().Perm() != 0o600 {
		t.Errorf("the file's mode is %v, want 0600: a profile shows more than everybody should see", info.Mode())
	}
	if _, err := (dumpFile{folder, "mem", "", time.Now()}).write(nil); err == nil {
		t.Error("an empty profile was written")
	}
	entries, err := os.ReadDir(folder)
	must(t, err)
	if len(entries) != 1 {
		t.Errorf("the folder holds %v, want one file", entries)
	}
}

func TestOldFilesAreDeleted(t *testing.T) {
	folder := t.TempDir()
	others := []string{
		"cpu.20200101000000.000.log",              // of holmes itself
		"orders.log",                              // of somebody else
		"cpu.20200101000000.000.1-0123abcd.log.1", // nearly
	}
	for _, name := range others {
		must(t, os.WriteFile(filepath.Join(folder, name), make([]byte, 5000), 0o600))
	}
	old := time.Now().Add(-48 * time.Hour)
	for i := range 12 {
		name := filepath.Join(folder, fmt.Sprintf("mem.202001010000%02d.000.1-0123abcd.log", i))
		must(t, os.WriteFile(name, make([]byte, 1000), 0o600))
		must(t, os.Chtimes(name, old, old.Add(time.Duration(i)*time.Minute)))
	}
	stale := filepath.Join(folder, unfinished+"1234")
	must(t, os.WriteFile(stale, nil, 0o600))
	must(t, os.Chtimes(stale, old, old))

	for _, c := range []struct {
		name string
		keep retention
		want []string // the last digits of the dumps that are kept
	}{
		{"by number", retention{files: 5}, []string{"07", "08", "09", "10", "11"}},
		{"by bytes", retention{bytes: 3000}, []string{"09", "10", "11"}},
		{"the newest stays", retention{bytes: 1}, []string{"11"}},
		{"no bound", retention{}, []string{"11"}},
	} {
		must(t, prune(folder, c.keep))
		dumps, err := list(folder)
		must(t, err)
		var got []string
		for _, d := range dumps {
			got = append(got, d.name[16:18])
		}
		slices.Sort(got)
		if !slices.Equal(got, c.want) {
			t.Errorf("%s: dumps %v are left, want %v", c.name, got, c.want)
		}
	}
	for _, name := range others {
		if _, err := os.Stat(filepath.Join(folder, name)); err != nil {
			t.Errorf("%s, which is not ours, was touched: %v", name, err)
		}
	}
	if _, err := os.Stat(stale); err == nil {
		t.Error("a file that was left unfinished two days ago is still there")
	}
}
