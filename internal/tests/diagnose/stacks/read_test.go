package stacks_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"runtime/pprof"
	"strings"
	"testing"

	"github.com/gocasebook/casebook/casefile"
	"github.com/gocasebook/casebook/diagnose/stacks"
	"github.com/gocasebook/casebook/internal/checkout"
	"github.com/gocasebook/casebook/internal/race"
)

func mustRead(t testing.TB, name string, data []byte) *stacks.Set {
	t.Helper()
	s, err := stacks.NewTable("").Read(stacks.Source{Name: name}, data)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// recorded reads a file of the diagnose package's evidence.
func recorded(t testing.TB, name string) []byte {
	t.Helper()
	return checkout.File(t, name)
}

// crafted is one protobuf record with a length.
func crafted(tag byte, data []byte) []byte {
	out := []byte{tag}
	n := len(data)
	for n >= 0x80 {
		out = append(out, byte(n)|0x80)
		n >>= 7
	}
	return append(append(out, byte(n)), data...)
}

// TestReadLive reads what this process's own runtime writes, in every form: the kind is recognised by content.
func TestReadLive(t *testing.T) {
	stop := make(chan struct{})
	defer close(stop)
	ready := make(chan struct{})
	go func() { close(ready); <-stop }()
	<-ready
	tests := []struct {
		profile string
		debug   int
		kind    string
	}{
		{"goroutine", 0, casefile.Goroutine}, {"goroutine", 1, casefile.Goroutine},
		{"goroutine", 2, casefile.Goroutine},
		{"heap", 0, casefile.Heap}, {"heap", 1, casefile.Heap}, {"allocs", 0, casefile.Allocs},
		{"threadcreate", 0, casefile.ThreadCreate}, {"threadcreate", 1, casefile.ThreadCreate},
		{"mutex", 0, casefile.Mutex}, {"mutex", 1, casefile.Mutex}, {"block", 1, casefile.Block},
	}
	for _, tt := range tests {
		t.Run(tt.profile+"/debug="+string(rune('0'+tt.debug)), func(t *testing.T) {
			var b bytes.Buffer
			if err := pprof.Lookup(tt.profile).WriteTo(&b, tt.debug); err != nil {
				t.Fatal(err)
			}
			s := mustRead(t, "file", b.Bytes())
			if s.Kind != tt.kind {
				t.Errorf("kind %q, want %q", s.Kind, tt.kind)
			}
			// This package's own goroutines are the observer's.
			if tt.profile == "goroutine" && (len(s.Observed) == 0 || s.Total(stacks.ByValue(0))+s.Observed[0] < 3) {
				t.Errorf("%d goroutines beside the observer's %v, want three or more in all", s.Total(stacks.ByValue(0)),
					s.Observed)
			}
			if tt.profile == "heap" && tt.debug == 1 && s.Stats["Mallocs"] == 0 {
				t.Errorf("stats %v, want those of runtime.MemStats", s.Stats)
			}
		})
	}
}

func TestMutexOrBlock(t *testing.T) {
	for file, want := range map[string]string{
		"lock_contention/fault/mutex.pb.gz": casefile.Mutex,
		"lock_contention/fault/block.pb.gz": casefile.Block,
	} {
		if got := mustRead(t, "delays", recorded(t, file)).Kind; got != want {
			t.Errorf("%s without a telling name: %q, want %q", file, got, want)
		}
	}
	empty := recorded(t, "lock_contention/off/mutex.pb.gz")
	for name, want := range map[string]string{"block.pb.gz": casefile.Block, "mutex.pb.gz": casefile.Mutex,
		"x": casefile.Mutex} {
		if got := mustRead(t, name, empty).Kind; got != want {
			t.Errorf("an empty profile named %s: %q, want %q", name, got, want)
		}
	}
}

// TestPprofTestdata: every file of google/pprof's own test data gives an answer or a clear error.
func TestPprofTestdata(t *testing.T) {
	for _, file := range pprofTestdata(t) {
		t.Run(filepath.Base(file), func(t *testing.T) {
			b, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			s, err := stacks.NewTable("").Read(stacks.Source{Name: file}, b)
			var p *stacks.Problem
			switch {
			case err == nil && len(s.Samples) == 0 && s.Kind == "":
				t.Errorf("read as nothing at all")
			case err != nil && (!errors.As(err, &p) || p.Reason == "" || p.Next == ""):
				t.Errorf("error %v, want a *Problem with reason and next step", err)
			}
		})
	}
}

// pprofTestdata are the files of profile/testdata in the google/pprof module that this module is built with.
func pprofTestdata(t testing.TB) []string {
	t.Helper()
	cmd := exec.Command("go", "mod", "download", "-json", "github.com/google/pprof") // the workspace may use a newer one
	cmd.Env = append(os.Environ(),
		"GOWORK=off") // in a module cache, go.work names modules that are not there
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("go mod download: %v\n%s", err, out)
	}
	var module struct{ Dir string }
	if err := json.Unmarshal(out, &module); err != nil {
		t.Fatal(err)
	}
	files, err := filepath.Glob(filepath.Join(module.Dir, "profile", "testdata", "*"))
	if err != nil || len(files) < 20 {
		t.Fatalf("%d files in google/pprof's profile/testdata (%v), want 20 or more", len(files), err)
	}
	return files
}

func TestReadRefusesMuch(t *testing.T) {
	race.Skip(t)
	for _, tt := range []struct {
		name   string
		data   []byte
		reason string
	}{
		{"bomb", zipFast(t, make([]byte, stacks.MaxProfile+1)), "decompresses to more than 128 MiB"},
		{"many samples", bytes.Repeat([]byte{0x12, 0}, stacks.MaxSamples+1), "more than 2000000 stacks"},
		{"many labels", crafted(0x12, bytes.Repeat([]byte{0x1a, 0}, maxParts+1)), "more records than a real profile"},
		{"many strings", bytes.Repeat([]byte{0x32, 0}, maxTable+1), "more records than a real profile"},
	} {
		t.Run(tt.name, func(t *testing.T) { refuses(t, tt.data, tt.reason) })
	}
}

// refuses reads a file that must be refused for a reason.
func refuses(t *testing.T, data []byte, reason string) {
	t.Helper()
	s, err := stacks.NewTable("").Read(stacks.Source{Name: "some.file"}, data)
	var p *stacks.Problem
	if !errors.As(err, &p) {
		t.Fatalf("got %v, %v; want a *Problem", s, err)
	}
	if p.File != "some.file" || !strings.Contains(p.Reason, reason) || p.Next == "" {
		t.Errorf("got file %q, reason %q, next %q; want some.file, a reason with %q and a next step", p.File, p.Reason,
			p.Next, reason)
	}
}
