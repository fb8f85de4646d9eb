//go:build linux

package cli_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"testing"

	"github.com/gocasebook/casebook/casefile"
)

// buildServer is the server of bench-prove, which is built once.
func buildServer(t *testing.T) string {
	t.Helper()
	path, err := builtServer()
	if err != nil {
		t.Fatal(err)
	}
	return ownName(t, path)
}

var builtServer = sync.OnceValues(func() (string, error) {
	path := filepath.Join(programs, "server")
	if out, err := exec.Command("go", "build", "-o", path,
		"github.com/gocasebook/casebook/app/prove/server").CombinedOutput(); err != nil {
		return "", fmt.Errorf("building the server: %w\n%s", err, out)
	}
	return path, nil
})

// running are the processes of a binary.
func running(t *testing.T, binary string) []string {
	t.Helper()
	links, err := filepath.Glob("/proc/[0-9]*/exe")
	if err != nil {
		t.Fatal(err)
	}
	var left []string
	for _, l := range links {
		if exe, err := os.Readlink(l); err == nil && exe == binary {
			left = append(left, filepath.Dir(l))
		} else if err != nil && !errors.Is(err, fs.ErrNotExist) && !errors.Is(err, syscall.ESRCH) &&
			!errors.Is(err, fs.ErrPermission) {
			t.Error(err)
		}
	}
	return left
}

// short is a measurement as fast as possible: for a server that is three times as slow, a few requests are enough. The
// server can serve this rate with a fraction of a CPU, which is what it gets on a busy machine. The measurement ends
// when the result is clear.
func short(server string, more ...string) []string {
	args := []string{"prove", "--rate", "50", "--slice", "200ms", "--warmup", "200ms", "--profile", "3s", "--max-time",
		"10m"}
	return append(append(args, more...), server+" -addr 127.0.0.1:{port}", "/work")
}

func TestProve(t *testing.T) {
	t.Parallel()
	server, out := buildServer(t), filepath.Join(t.TempDir(), "proof")
	html := filepath.Join(t.TempDir(), "proof.html")
	got := casebook(t, t.TempDir(), short(server, "--a-args", "-rounds 400", "--b-args", "-rounds 1200", "--profile",
		"12s", "--out", out, "--html", html)...)
	got.want(t, 1, "A  400", "B  1200", "cpu_per_request *", "worse", "where CPU per request changed", "main.work")
	page, err := os.ReadFile(html)
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"worse</span>", "Percentiles in numbers", "cpu_per_request in numbers",
		"functions whose own cost changed most", "main.work", "--b-args", "Kernel"} {
		if !strings.Contains(string(page), want) {
			t.Errorf("the page does not have %q", want)
		}
	}
	data, err := os.ReadFile(filepath.Join(out, "proof.json"))
	if err != nil {
		t.Fatal(err)
	}
	var file struct {
		Kind   string
		Proof  casefile.Proof
		Blocks []any
	}
	if err := json.Unmarshal(data, &file); err != nil {
		t.Fatal(err)
	}
	if file.Kind != "casebook-proof" || len(file.Blocks) < 4 || file.Proof.Verdict != casefile.Worse {
		t.Errorf("proof.json is of kind %q, has %d blocks and says %q", file.Kind, len(file.Blocks), file.Proof.Verdict)
	}
	for _, f := range file.Proof.Figures {
		if f.Name == "allocs" && (f.Effect == nil || f.Effect.Value < 1.9 || f.Effect.Value > 2.1) {
			t.Errorf("three times the rounds are allocations %+v, want 2.0 more", f.Effect)
		}
	}
	for _, name := range []string{"a.cpu.pb.gz", "b.cpu.pb.gz", "a.heap.pb.gz", "b.heap.pb.gz"} {
		if info, err := os.Stat(filepath.Join(out, name)); err != nil || info.Size() == 0 {
			t.Errorf("there is no profile %s: %v; %s", name, err, file.Proof.Method)
		}
	}
	if left := running(t, server); len(left) > 0 {
		t.Errorf("servers are left: %v", left)
	}
}

// TestProveCase puts a proof into a case beside what its finding promised.
func TestProveCase(t *testing.T) {
	t.Parallel()
	server, dir := buildServer(t), t.TempDir()
	id := oldCases(t, dir, 1, 1)[0]
	folder, err := casefile.Open(filepath.Join(dir, id))
	if err != nil {
		t.Fatal(err)
	}
	if err := folder.Update(func(c *casefile.Case) {
		c.Findings = []casefile.Finding{
			{ID: "CP002", Kind: "cpu-other", Title: "other work is done twice",
				Impact: casefile.Impact{Resource: "cpu", Share: 0.9, Gain: casefile.Gain{Low: 0.1, High: 0.2}}},
			{ID: "CP001", Kind: "cpu-hot-function", Title: "work is done twice",
				Impact: casefile.Impact{Resource: "cpu", Share: 0.9, Gain: casefile.Gain{Low: 0.5, High: 0.6}}}}
	}); err != nil {
		t.Fatal(err)
	}
	args := short(server, "--a-args", "-rounds 300", "--b-args", "-rounds 100", "--profile", "-1s", "--case", id,
		"--dir", dir, "--finding", "cpu-hot-function")
	casebook(t, t.TempDir(), args...).want(t, 0, "promise: CP001 promised 50–60 % of cpu back; measured:", "better")
	if folder, err = casefile.Open(folder.Path); err != nil {
		t.Fatal(err)
	}
	p := folder.Case.Proof
	if p == nil || p.Verdict != casefile.Better || p.Promise == "" || p.Finding == nil || p.Finding.ID != "CP001" ||
		p.Before.Label != "300" ||
		!strings.Contains(p.After.Command, "-rounds 100") {
		t.Errorf("the case has the proof %+v", p)
	}
	report := string(readAll(t, filepath.Join(folder.Path, "report.html")))
	for _, want := range []string{"CP001 promised 50–60", "cpu_per_request", "-rounds 100"} {
		if !strings.Contains(strings.ReplaceAll(report, "\u00a0", " "), want) {
			t.Errorf("the case's report does not say %q", want)
		}
	}
}

// TestProveInterrupted presses Ctrl-C in each phase: no process is left, and what was measured is printed.
func TestProveInterrupted(t *testing.T) {
	t.Parallel()
	server := buildServer(t)
	for _, c := range []struct {
		name, await string
		args        []string
		want        []string
	}{
		{"waiting for a server", "starting ", short(server+" -addr 127.0.0.1:0 --", "--ready-timeout", "10m"),
			[]string{"interrupted before the first block was measured"}},
		{"warming up", "starting ", short(server, "--warmup", "10m"),
			[]string{"interrupted before the first block was measured"}},
		{"measuring", "block 1", short(server), []string{"cpu_per_request *",
			"verdict: cannot tell. Cut short after "}},
		{"taking profiles", "taking profiles", short(server, "--a-args", "-rounds 100", "--b-args", "-rounds 300",
			"--profile", "20s", "--key", "allocs"),
			[]string{"allocs *", "verdict: worse. allocs went from",
				"There are no CPU profiles from both sides: the measurement was interrupted."}},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			out := filepath.Join(t.TempDir(), "out")
			b := begin(t, t.TempDir(), append([]string{c.args[0], "--out", out}, c.args[1:]...)...)
			b.await(t, c.await)
			r := b.stop(t)
			r.out = strings.Join(strings.Fields(r.out), " ")
			r.want(t, 130, c.want...)
			if _, err := os.Stat(filepath.Join(out, "proof.json")); (err == nil) != (len(c.want) > 1) {
				t.Errorf("proof.json: %v; want one exactly if a block was measured", err)
			}
		})
	}
	t.Cleanup(func() {
		if left := running(t, server); len(left) > 0 {
			t.Errorf("servers are left: %v", left)
		}
	})
}

func TestProveFails(t *testing.T) {
	t.Parallel()
	server := buildServer(t)
	for _, c := range []struct {
		name string
		args []string
		want string
	}{
		{"nothing to compare", []string{"prove", "--rate", "100"}, "what should be compared?"},
		{"no rate", []string{"prove", "--a", "x {port}", "--b", "y {port}", "/"}, "--rate"},
		{"no port", []string{"prove", "--rate", "100", "--a", "x", "--b", "y {port}", "/"},
			"does not say where its port goes"},
		{"one URL", []string{"prove", "--rate", "100", "--a", "x {port}", "--b", "y {port}", "http://127.0.0.1:80/"},
			"each server gets its own"},
		{"margin", []string{"prove", "--rate", "100", "--margin", "2", "--a", "x {port}", "--b", "y {port}", "/"},
			"--margin"},
		{"key", []string{"prove", "--rate", "100", "--key", "speed", "--a", "x {port}", "--b", "y {port}", "/"},
			"cpu_per_request"},
		{"no such command", []string{"prove", "--rate", "100", "./nothing {port}", "/"}, "./nothing"},
		{"a finding of no case", []string{"prove", "--rate", "100", "--finding", "GC003", "./nothing {port}", "/"}, "--case"},
		{"an opinion of no case", []string{"prove", "--rate", "100", "--opinion", "O1", "./nothing {port}", "/"},
			"--case"},
		{"an opinion's finding", []string{"prove", "--rate", "100", "--opinion", "O1", "--finding", "GC003", "--case",
			"2026",
			"./nothing {port}", "/"}, "exclude each other"},
		{"no case", []string{"prove", "--rate", "100", "--case", "2026", "--a", "x {port}", "--b", "y {port}", "/"},
			"2026"},
		{"it dies", short("sh -c 'echo no database >&2; exit 3' {port}"), "no database"},
		{"only errors", append(short(server)[:len(short(server))-1], "/nowhere"), "answers only errors"},
		{"a wrapper", short("sh -c '"+server+" -addr 127.0.0.1:$0; true' {port}", "--rate", "600"), "wrapper"},
		{"a revision that is none", []string{"prove", "--rate", "100", "--rev", "main", "./x {port}", "/"}, "git"},
	} {
		t.Run(c.name, func(t *testing.T) {
			casebook(t, t.TempDir(), c.args...).want(t, 2, c.want)
		})
	}
	if left := running(t, server); len(left) > 0 {
		t.Errorf("servers are left: %v", left)
	}
}
