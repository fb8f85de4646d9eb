package pprofweb

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime/debug"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/google/pprof/profile"

	"github.com/gocasebook/casebook/internal/checkout"
)

// cpuOf is a CPU profile of one function below main.main, in a file of this machine.
func cpuOf(t *testing.T, function string, samples int) []byte {
	t.Helper()
	here, err := filepath.Abs("pprofweb_test.go")
	if err != nil {
		t.Fatal(err)
	}
	m := &profile.Mapping{ID: 1, Start: 0x1000, Limit: 0x9000, File: os.Args[0], BuildID: "*", HasFunctions: true}
	cpu := &profile.ValueType{Type: "cpu", Unit: "nanoseconds"}
	p := &profile.Profile{SampleType: []*profile.ValueType{{Type: "samples", Unit: "count"}, cpu}, PeriodType: cpu,
		Period: 1e7, Mapping: []*profile.Mapping{m}, DocURL: "https://example.com/manual"}
	for i, name := range []string{function, "main.main"} {
		f := &profile.Function{ID: uint64(i + 1), Name: name, Filename: here}
		p.Function = append(p.Function, f)
		p.Location = append(p.Location, &profile.Location{ID: uint64(i + 1), Mapping: m, Address: 0x2000 + uint64(i),
			Line: []profile.Line{{Function: f, Line: 5}}})
	}
	for range samples {
		p.Sample = append(p.Sample, &profile.Sample{Location: p.Location, Value: []int64{3, 3e7}})
	}
	var b bytes.Buffer
	if err := p.Write(&b); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

func give(data []byte) func(context.Context) ([]byte, error) {
	return func(context.Context) ([]byte, error) { return data, nil }
}

func write(t *testing.T, p *Pages, r Request) string {
	t.Helper()
	var b strings.Builder
	if err := p.Write(t.Context(), &b, r); err != nil {
		t.Fatalf("%s?%s: %v", r.Page, r.Query, err)
	}
	return b.String()
}

// Each page shows the profile. None leads to a page that is not served, to another site, or shows settings that are
// saved in the home directory of this user.
func TestPages(t *testing.T) {
	home := t.TempDir()
	t.Setenv("XDG_CONFIG_HOME", home)
	if err := os.MkdirAll(filepath.Join(home, "pprof"), 0o700); err != nil {
		t.Fatal(err)
	}
	saved := []byte(`{"configs":[{"name":"secret-of-the-operator","focus":"x"}]}`)
	if err := os.WriteFile(filepath.Join(home, "pprof", "settings.json"), saved, 0o600); err != nil {
		t.Fatal(err)
	}
	p, data := New(), cpuOf(t, "main.work", 1)
	link := regexp.MustCompile(`href="([^"]*)"`)
	for _, page := range Names() {
		got := write(t, p, Request{Page: page, Query: "f=work", Load: give(data)})
		if !strings.Contains(got, "main.work") || !strings.Contains(got, "30ms") {
			t.Errorf("%s does not show the profile:\n%.2000s", page, got)
		}
		for _, m := range link.FindAllStringSubmatch(got, -1) {
			switch m[1] {
			case "./", "./top", "./flamegraph", "./peek", "./download", "#", "?", "data:,", "?si=samples", "?si=cpu":
			default:
				t.Errorf("%s has a link to %q", page, m[1])
			}
		}
		if strings.Contains(got, "secret-of-the-operator") {
			t.Errorf("%s shows saved settings", page)
		}
	}
}

// Whatever else pprof would serve is not there, and is not loaded for it.
func TestNoOtherPages(t *testing.T) {
	p := New()
	for _, page := range []string{"", "/", "graph", "source", "weblist", "list", "disasm", "saveconfig", "deleteconfig",
		"download", "flamegraph2", "../flamegraph", "symbolz"} {
		err := p.Write(t.Context(), &strings.Builder{}, Request{Page: page,
			Load: func(context.Context) ([]byte, error) { return nil, errors.New("it was loaded") }})
		if !errors.Is(err, ErrNoPage) {
			t.Errorf("%q: %v, want %v", page, err, ErrNoPage)
		}
	}
}

// What pprof refuses, or panics at, is an answer, and the next request has one.
func TestRefused(t *testing.T) {
	p, data := New(), cpuOf(t, "main.work", 1)
	for _, query := range []string{"f=[", "si=none", "tf=99999999999999999999", "n=many", "g=everything",
		"f=" + strings.Repeat("a", maxQuery)} {
		err := p.Write(t.Context(), &strings.Builder{}, Request{Page: "top", Query: query, Load: give(data)})
		if !errors.Is(err, ErrRefused) {
			t.Errorf("%.40s: %v, want %v", query, err, ErrRefused)
		}
	}
	for name, data := range map[string][]byte{"empty": nil, "text": []byte("goroutine profile: total 1\n"),
		"cut": data[:len(data)/2], "html": []byte("<html>")} {
		err := p.Write(t.Context(), &strings.Builder{}, Request{Page: "top", Load: give(data)})
		if !errors.Is(err, ErrRefused) {
			t.Errorf("%s: %v, want %v", name, err, ErrRefused)
		}
	}
	if got := write(t, p, Request{Page: "top", Load: give(data)}); !strings.Contains(got, "main.work") {
		t.Errorf("afterwards it does not show the profile:\n%.500s", got)
	}
}

// A profile for whose structs there is no room is refused before they are made.
func TestTooLarge(t *testing.T) {
	old := debug.SetMemoryLimit(64 << 20)
	defer debug.SetMemoryLimit(old)
	data := cpuOf(t, "main.work", 40_000)
	err := New().Write(t.Context(), &strings.Builder{}, Request{Page: "top", Load: give(data)})
	if !errors.Is(err, ErrTooLarge) {
		t.Errorf("%d bytes: %v, want %v", len(data), err, ErrTooLarge)
	}
}

// Readers of several profiles each see their own.
func TestSeveral(t *testing.T) {
	p := New()
	var all sync.WaitGroup
	const profiles = 4
	data := make([][]byte, profiles)
	for i := range data {
		data[i] = cpuOf(t, fmt.Sprintf("main.work%d", i), 1)
	}
	work := regexp.MustCompile(`main\.work\d`)
	for range 2 {
		for i := range profiles {
			all.Go(func() {
				var b strings.Builder
				name := Names()[i%3]
				err := p.Write(t.Context(), &b, Request{Page: name, Query: "f=work", Load: give(data[i])})
				if err != nil {
					t.Error(err)
				}
				seen := work.FindAllString(b.String(), -1)
				for _, s := range seen {
					if s != fmt.Sprintf("main.work%d", i) {
						t.Errorf("profile %d shows %s", i, s)
					}
				}
				if len(seen) == 0 {
					t.Errorf("%s of profile %d shows none", name, i)
				}
			})
		}
	}
	all.Wait()
}

// A page that pprof is at is ended when its reader leaves, process and all, and the next one has its turn.
func TestReaderLeaves(t *testing.T) {
	p, data := New(), cpuOf(t, "main.work", 1)
	said := filepath.Join(t.TempDir(), "pid")
	p.command = []string{os.Args[0], hang, said}
	ctx, leave := context.WithCancel(t.Context())
	left := make(chan error)
	go func() { left <- p.Write(ctx, io.Discard, Request{Page: "top", Load: give(data)}) }()
	pid := awaitPid(t, said)
	leave()
	if err := <-left; !errors.Is(err, context.Canceled) {
		t.Errorf("who left got %v", err)
	}
	if alive(pid) {
		t.Errorf("process %d draws on", pid)
	}
	p.patience = time.Millisecond
	if err := p.Write(t.Context(), io.Discard, Request{Page: "top", Load: give(data)}); !errors.Is(err, ErrSlow) {
		t.Errorf("who waits in vain got %v, want %v", err, ErrSlow)
	}
	p.command, p.patience = nil, patience
	write(t, p, Request{Page: "top", Load: give(data)})
}

// Who waits for another's page is not kept beyond the time that it may take.
func TestWaitsForTurn(t *testing.T) {
	p, data := New(), cpuOf(t, "main.work", 1)
	begun, held := make(chan struct{}), make(chan struct{})
	ended := make(chan error)
	go func() {
		ended <- p.Write(t.Context(), io.Discard, Request{Page: "top", Load: func(context.Context) ([]byte, error) {
			close(begun)
			<-held
			return data, nil
		}})
	}()
	<-begun
	short := &Pages{gate: p.gate, patience: time.Millisecond}
	if err := short.Write(t.Context(), io.Discard, Request{Page: "top", Load: give(data)}); !errors.Is(err, ErrSlow) {
		t.Errorf("who waits for a turn in vain got %v, want %v", err, ErrSlow)
	}
	close(held)
	if err := <-ended; err != nil {
		t.Error(err)
	}
}

// A process that fails, or that is another program, is an error of the server, with what it said.
func TestProcessFails(t *testing.T) {
	data := cpuOf(t, "main.work", 1)
	for name, tt := range map[string]struct {
		command []string
		want    string
	}{
		"it fails":            {[]string{os.Args[0], fail}, "exit status 3: fatal error: out of memory"},
		"it says nothing":     {[]string{os.Args[0], mute}, "did not say"},
		"there is no program": {[]string{filepath.Join(t.TempDir(), "none")}, "no such file"},
	} {
		p := New()
		p.command = tt.command
		err := p.Write(t.Context(), io.Discard, Request{Page: "top", Load: give(data)})
		if err == nil || !strings.Contains(err.Error(), tt.want) || errors.Is(err, ErrRefused) {
			t.Errorf("%s: %v, want %q", name, err, tt.want)
		}
	}
}

// A process whose server was killed ends by itself.
func TestOrphanEnds(t *testing.T) {
	command, err := self()
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(command[0], command[1:]...)
	in, err := cmd.StdinPipe() // it is told what to draw, and then nothing
	if err == nil {
		err = cmd.Start()
	}
	if err != nil {
		t.Fatal(err)
	}
	defer in.Close()
	if err := json.NewEncoder(in).Encode(asked{Page: "top", Within: time.Millisecond}); err != nil {
		t.Fatal(err)
	}
	var exit *exec.ExitError
	if err := cmd.Wait(); !errors.As(err, &exit) {
		t.Errorf("it ended with %v", err)
	}
}

// What this program is as a process, by its first argument.
const (
	hang = "-hang" // for ever, after it has written its number into a file
	fail = "-fail"
	mute = "-mute"
)

func TestMain(m *testing.M) {
	As(os.Args[1:])
	if len(os.Args) > 1 {
		switch os.Args[1] {
		case hang:
			_ = os.WriteFile(os.Args[2]+".tmp", []byte(strconv.Itoa(os.Getpid())), 0o600)
			_ = os.Rename(os.Args[2]+".tmp", os.Args[2])
			time.Sleep(time.Hour)
		case fail:
			fmt.Fprintln(os.Stderr, "fatal error: out of memory\ngoroutine 1 [running]:")
			os.Exit(3)
		case mute:
			os.Exit(0)
		}
	}
	os.Exit(m.Run())
}

// awaitPid waits until a process has said its number.
func awaitPid(t *testing.T, file string) int {
	t.Helper()
	for {
		if data, err := os.ReadFile(file); err == nil {
			pid, err := strconv.Atoi(string(data))
			if err != nil {
				t.Fatal(err)
			}
			return pid
		}
		select {
		case <-t.Context().Done():
			t.Fatal("the process never began")
		case <-time.After(5 * time.Millisecond):
		}
	}
}

// alive asks the system; a process that was waited for is not there any more.
func alive(pid int) bool {
	p, err := os.FindProcess(pid)
	return err == nil && p.Signal(syscall.Signal(0)) == nil
}

// BenchmarkPages measures what a page of a recorded profile takes, the start of its process included.
func BenchmarkPages(b *testing.B) {
	data := checkout.File(b, "foreign/prometheus-limit/cpu.pb.gz")
	for _, page := range Names() {
		b.Run("page="+page, func(b *testing.B) {
			p := New()
			for b.Loop() {
				if err := p.Write(b.Context(), io.Discard, Request{Page: page, Query: "f=.", Load: give(data)}); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
