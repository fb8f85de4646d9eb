package diagnose_test

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"encoding/json"
	"flag"
	"fmt"
	"io"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/gocasebook/casebook/casefile"
	"github.com/gocasebook/casebook/internal/archive"
	"github.com/gocasebook/casebook/internal/checkout"
)

// Recording: go test ./internal/tests/diagnose -run TestRecord -record 'gc_cpu/.*' -timeout 20m
// then:      go test ./internal/tests/diagnose -run TestCases -update
var record = flag.String("record", "", "record evidence again for the cases that match the regular expression")

// A take is one request to a program's pprof endpoint.
type take struct {
	file  string
	path  string
	phase casefile.Phase
	after time.Duration // to wait before it
}

// A script is how a case is recorded.
type script struct {
	folder  string
	program string
	warm    time.Duration
	takes   []take
	limits  casefile.Limits
	require string // a module that the program needs and the root module must not require
}

func scripts() []script {
	cpu := take{file: "cpu.pb.gz", path: "profile?seconds=10"}
	heap := take{file: "heap.pb.gz", path: "heap"}
	goroutine := take{file: "goroutine.pb.gz", path: "goroutine"}
	two := casefile.Limits{CPUs: 2}
	own := func(folder string, warm time.Duration, takes ...take) script {
		return script{folder: folder, program: folder, warm: warm, takes: takes, limits: two}
	}
	later := func(t take, after time.Duration, phase casefile.Phase) take {
		t.file, t.after, t.phase = strings.Replace(t.file, ".", ".2.", 1), after, phase
		return t
	}
	return []script{
		own("gc_cpu/fault", 3*time.Second, cpu, heap),
		own("gc_cpu/edge", 3*time.Second, cpu, heap),
		own("gc_cpu/healthy", 3*time.Second, cpu, heap),
		{folder: "gc_cpu/short", program: "gc_cpu/edge", warm: 2 * time.Second, limits: two,
			takes: []take{{file: "cpu.pb.gz", path: "profile?seconds=1"}}},
		own("gc_pointer_heap/fault", 12*time.Second, cpu, heap),
		{folder: "gc_pointer_heap/gcache", program: "gc_pointer_heap/gcache", warm: 15 * time.Second, limits: two,
			takes: []take{cpu, heap}, require: "github.com/bluele/gcache@v0.0.2"},
		own("gc_pointer_heap/edge", 4*time.Second, heap),
		own("gc_pointer_heap/healthy", 4*time.Second, cpu, heap),
		own("cpu_hot_function/fault", 2*time.Second, cpu),
		own("cpu_hot_function/search", 2*time.Second, cpu),
		own("cpu_hot_function/edge", 2*time.Second, cpu),
		own("cpu_hot_function/healthy", 2*time.Second, cpu),
		own("alloc_site/fault", 2*time.Second, heap, cpu, later(heap, 0, "")),
		{folder: "alloc_site/heap-only", program: "alloc_site/fault", warm: 12 * time.Second, limits: two,
			takes: []take{heap}},
		own("alloc_site/edge", 2*time.Second, heap, cpu, later(heap, 0, "")),
		own("alloc_site/healthy", 2*time.Second, heap, cpu, later(heap, 0, "")),
		own("alloc_site/startup", 3*time.Second, heap),
		own("goroutine_surge/fault", 3*time.Second, goroutine, later(goroutine, 3*time.Second, "")),
		{folder: "goroutine_surge/dump", program: "goroutine_surge/edge", warm: time.Second, limits: two,
			takes: []take{{file: "goroutines.txt.gz", path: "goroutine?debug=2"}}},
		own("goroutine_surge/edge", time.Second, goroutine),
		own("goroutine_surge/pool", time.Second, goroutine, later(goroutine, 3*time.Second, "")),
		own("goroutine_surge/healthy", 2*time.Second, goroutine),
		own("lock_contention/fault", 2*time.Second, take{file: "mutex.pb.gz", path: "mutex?seconds=5"},
			take{file: "block.pb.gz", path: "block"}, goroutine),
		own("lock_contention/edge", 2*time.Second, take{file: "mutex.pb.gz", path: "mutex?seconds=5"}),
		own("lock_contention/healthy", 2*time.Second, take{file: "mutex.pb.gz", path: "mutex?seconds=5"},
			take{file: "block.pb.gz", path: "block"}, goroutine),
		own("lock_contention/off", 2*time.Second, take{file: "mutex.pb.gz", path: "mutex"}),
		{folder: "lock_contention/moment", program: "lock_contention/off", warm: 2 * time.Second, limits: two,
			takes: []take{{file: "goroutine.txt", path: "goroutine?debug=1"}}},
	}
}

func TestRecord(t *testing.T) {
	if *record == "" {
		t.Skip("evidence is recorded with -record REGEXP only")
	}
	want := regexp.MustCompile(*record)
	for _, s := range scripts() {
		if want.MatchString(s.folder) {
			t.Run(s.folder, func(t *testing.T) { s.record(t) })
		}
	}
}

// record builds the program, runs it and writes its evidence.
func (s script) record(t *testing.T) {
	url, stop := start(t, s.build(t))
	defer stop()
	files := make(archive.Files)
	m := manifest{Program: s.program, Go: runtime.Version(), Limits: s.limits}
	time.Sleep(s.warm)
	for _, take := range s.takes {
		time.Sleep(take.after)
		e := recorded{File: take.file, Phase: take.phase, Taken: time.Now().UTC().Truncate(time.Millisecond)}
		if _, secs, ok := strings.Cut(take.path, "seconds="); ok {
			fmt.Sscan(secs, &e.Seconds)
		}
		data := get(t, url+take.path)
		if strings.HasSuffix(take.file, ".gz") && !bytes.HasPrefix(data, []byte("\x1f\x8b")) {
			data = compress(t, data)
		}
		if len(data) > 100<<10 {
			t.Errorf("%s/%s has %d bytes, more than the 100 kB that belong into the repository", s.folder, take.file,
				len(data))
		}
		files[take.file] = data
		m.Evidence = append(m.Evidence, e)
	}
	text, err := json.MarshalIndent(m, "", "  ")
	if err != nil {
		t.Fatal(err)
	}
	files["manifest.json"] = append(text, '\n')
	if _, err := checkout.Evidence(t).Put(s.folder, files); err != nil {
		t.Fatal(err)
	}
}

// build compiles the program and returns the path of the binary.
func (s script) build(t *testing.T) string {
	dir, bin := "../../../diagnose/testdata/programs/"+s.program, filepath.Join(t.TempDir(), "program")
	if s.require != "" {
		dir = s.module(t, dir)
	}
	command(t, dir, "go", "build", "-trimpath", "-o", bin, ".")
	return bin
}

// module makes a module outside the workspace for a program that needs another module.
func (s script) module(t *testing.T, src string) string {
	dir := t.TempDir()
	root, err := filepath.Abs("../../..")
	if err != nil {
		t.Fatal(err)
	}
	code, err := os.ReadFile(filepath.Join(src, "main.go.txt"))
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, "main.go"), code, 0o644); err != nil {
		t.Fatal(err)
	}
	command(t, dir, "go", "mod", "init", "example.com/phones")
	command(t, dir, "go", "mod", "edit", "-require=github.com/gocasebook/casebook@v0.0.0",
		"-replace=github.com/gocasebook/casebook="+root)
	command(t, dir, "go", "get", s.require)
	return dir
}

func command(t *testing.T, dir string, args ...string) {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), args[0], args[1:]...)
	cmd.Dir = dir
	if filepath.IsAbs(dir) {
		cmd.Env = append(os.Environ(), "GOWORK=off", "GOFLAGS=-mod=mod")
	}
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("%s: %v\n%s", strings.Join(args, " "), err, out)
	}
}

// start runs a program until stop is called and returns the URL it prints.
func start(t *testing.T, bin string) (url string, stop func()) {
	cmd := exec.CommandContext(t.Context(), bin)
	cmd.Stderr = os.Stderr
	stdin, err := cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	stdout, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	line, err := bufio.NewReader(stdout).ReadString('\n')
	if err != nil {
		t.Fatalf("the program printed no URL: %v", err)
	}
	return strings.TrimSpace(line), func() {
		stdin.Close()
		cmd.Wait()
	}
}

func get(t *testing.T, url string) []byte {
	resp, err := http.Get(url)
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	b, err := io.ReadAll(resp.Body)
	if err != nil || resp.StatusCode != http.StatusOK {
		t.Fatalf("%s: status %s, %v", url, resp.Status, err)
	}
	return b
}

func compress(t *testing.T, data []byte) []byte {
	var b bytes.Buffer
	zw := gzip.NewWriter(&b)
	if _, err := zw.Write(data); err != nil {
		t.Fatal(err)
	}
	if err := zw.Close(); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}
