package cli_test

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/gocasebook/casebook/app/load"
	"github.com/gocasebook/casebook/internal/checkout"
)

const slowBench = "BenchmarkA 100 200 ns/op 3 allocs/op\nBenchmarkA 100 201 ns/op 3 allocs/op\nBenchmarkA 100 202 " +
	"ns/op 3 allocs/op\nBenchmarkA 100 203 ns/op 3 allocs/op\nBenchmarkA 100 204 ns/op 3 allocs/op\nBenchmarkA 100 " +
	"205 ns/op 3 allocs/op\n"

func writeFiles(t *testing.T, files map[string]string) string {
	t.Helper()
	dir := t.TempDir()
	for name, text := range files {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

func TestCompareBenchmarks(t *testing.T) {
	t.Parallel()
	dir := writeFiles(t, map[string]string{
		"old.txt": slowBench, "new.txt": strings.ReplaceAll(slowBench, "3 allocs", "4 allocs"),
		"both.txt": "note: a\n" + slowBench + "note: b\n" + slowBench,
	})
	for _, c := range []struct {
		name string
		args []string
		code int
		want string
	}{
		{"an allocation more", []string{"old.txt", "new.txt"}, 1, "allocs/op"},
		{"the other way", []string{"new.txt", "old.txt"}, 0, "1 better"},
		{"the same file", []string{"--margin", "5%", "old.txt", "old.txt"}, 0, "2 the same"},
		{"labels", []string{"A=old.txt", "B=new.txt"}, 1, "A "},
		{"within one file", []string{"--margin", "0.05", "--col", "note", "both.txt"}, 0, "2 the same"},
		{"Markdown", []string{"--markdown", "old.txt", "new.txt"}, 1, "**worse**"},
	} {
		t.Run(c.name, func(t *testing.T) {
			if r := casebook(t, dir, append([]string{"compare"}, c.args...)...); r.code != c.code ||
				!strings.Contains(r.out, c.want) {
				t.Errorf("code %d, want %d and %q in\n%s%s", r.code, c.code, c.want, r.out, r.errors)
			}
		})
	}
	r := casebook(t, dir, "compare", "--json", "--html", "page.html", "old.txt", "new.txt")
	var got struct {
		Kind   string
		Tables []struct{ Rows []struct{ Verdict string } }
	}
	if err := json.Unmarshal([]byte(r.out), &got); err != nil || got.Kind != "casebook-compare" ||
		len(got.Tables) != 2 {
		t.Errorf("%v: %s", err, r.out)
	}
	if page, err := os.ReadFile(filepath.Join(dir, "page.html")); err != nil ||
		!strings.Contains(string(page), "1 worse") || !strings.Contains(string(page), "A, sec/op in numbers") {
		t.Errorf("page: %v, %d bytes", err, len(page))
	}
}

func TestCompareLoad(t *testing.T) {
	t.Parallel()
	file := func(p99 float64) string {
		f := load.File{Schema: load.FileSchema, Kind: load.FileKind}
		for i := range 30 {
			w := load.FileWindow{Index: i, Seconds: 1}
			w.Latency = load.Quantiles{Count: 100, P50: 0.01, P99: p99 + float64(i*7%30)/1e4, P999: 0.1}
			f.Windows = append(f.Windows, w)
		}
		var b strings.Builder
		if err := f.Write(&b); err != nil {
			t.Fatal(err)
		}
		return b.String()
	}
	dir := writeFiles(t, map[string]string{"old.json": file(0.04), "new.json": file(0.08)})
	if r := casebook(t, dir, "compare", "old.json", "new.json"); r.code != 1 || !strings.Contains(r.out, "p99") ||
		!strings.Contains(r.out, "worse") {
		t.Errorf("code %d, want 1 and a worse p99:\n%s%s", r.code, r.out, r.errors)
	}
}

func TestCompareEvidence(t *testing.T) {
	t.Parallel()
	good, bad := checkout.Folder(t, "gc_cpu/repaired"), checkout.Folder(t, "gc_cpu/faulty")
	page := filepath.Join(t.TempDir(), "page.html")
	if r := casebook(t, t.TempDir(), "compare", "--html", page, good, bad); r.code != 1 ||
		!strings.Contains(r.out, "NEW") {
		t.Errorf("code %d, want 1 and a new finding:\n%s%s", r.code, r.out, r.errors)
	}
	html, err := os.ReadFile(page)
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"new or worse", "CPU: functions whose own cost changed most",
		"Heap in use: functions whose", "goroutines in numbers", "What was judged", "Compare again"} {
		if !strings.Contains(string(html), want) {
			t.Errorf("the page does not have %q", want)
		}
	}
}

func TestCompareRefuses(t *testing.T) {
	t.Parallel()
	dir := writeFiles(t, map[string]string{"b.txt": slowBench, "c.json": `{"kind":"casebook-load"}`, "d.txt": "nothing",
		"e.txt": ""})
	for _, c := range []struct {
		args []string
		want string
	}{
		{nil, "needs two inputs"},
		{[]string{"b.txt"}, "name the other too"},
		{[]string{"b.txt", "no.txt"}, "no.txt: no such file"},
		{[]string{"b.txt", "c.json"}, "only inputs of the same kind can be compared"},
		{[]string{"b.txt", "d.txt"}, "want the output of go test -bench"},
		{[]string{"b.txt", "e.txt"}, "e.txt: it is empty"},
		{[]string{"c.json", "c.json"}, "schema 0"},
		{[]string{"--margin", "x", "b.txt", "b.txt"}, "want one such as 1%"},
		{[]string{"--margin", "200%", "b.txt", "b.txt"}, "out of range"},
		{[]string{"--alpha", "2", "b.txt", "b.txt"}, "alpha is 2"},
		{[]string{"--json", "--markdown", "b.txt", "b.txt"}, "choose one"},
	} {
		t.Run(strings.Join(c.args, " "), func(t *testing.T) {
			if r := casebook(t, dir, append([]string{"compare"}, c.args...)...); r.code != 2 ||
				!strings.Contains(r.errors, c.want) {
				t.Errorf("code %d, want 2 and %q in %q", r.code, c.want, r.errors)
			}
		})
	}
}

// The page of two results of load has what the tables cannot show: latency over percentiles, and every window.
func TestComparePageOfLoads(t *testing.T) {
	dir, page := "../report/testdata/proof/", filepath.Join(t.TempDir(), "page.html")
	casebook(t, ".", "compare", "--html", page, dir+"a.json", dir+"b.json").want(t, 0, "p50")
	html, err := os.ReadFile(page)
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"Percentiles in numbers", "p99 in numbers", "Compare again", "one after the other"} {
		if !strings.Contains(string(html), want) {
			t.Errorf("the page does not have %q", want)
		}
	}
}

// The page of two proofs shows the blocks of both sides "after" and what differs in their profiles.
func TestComparePageOfProofs(t *testing.T) {
	t.Parallel()
	sample := "../report/testdata/proof/"
	dir := t.TempDir()
	for _, p := range []struct{ name, cpu string }{{"old", "cpu-before.pb.gz"}, {"new", "cpu-after.pb.gz"}} {
		var file struct {
			Kind   string          `json:"kind"`
			Proof  json.RawMessage `json:"proof"`
			Blocks json.RawMessage `json:"blocks"`
		}
		file.Kind = "casebook-proof"
		file.Proof, file.Blocks = readAll(t, sample+"proof.json"), readAll(t, sample+"blocks.json")
		data, err := json.Marshal(file)
		if err == nil {
			err = os.Mkdir(filepath.Join(dir, p.name), 0o700)
		}
		if err == nil {
			err = os.WriteFile(filepath.Join(dir, p.name, "proof.json"), data, 0o600)
		}
		if err == nil {
			err = os.WriteFile(filepath.Join(dir, p.name, "b.cpu.pb.gz"), readAll(t, sample+p.cpu), 0o600)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	casebook(t, dir, "compare", "--html", "page.html", "old", "new").want(t, 0, "cpu_per_request")
	page := string(readAll(t, filepath.Join(dir, "page.html")))
	for _, want := range []string{"new against old", "cpu_per_request in numbers", "one block after the other",
		"CPU per request: functions whose own cost changed most"} {
		if !strings.Contains(page, want) {
			t.Errorf("the page does not have %q", want)
		}
	}
}

func readAll(t *testing.T, path string) []byte {
	t.Helper()
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return data
}
