package cli_test

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/google/pprof/profile"
)

const recordedTrace = "../trace/testdata/go1.26.trace"

// TestTrace prints the tables of a recorded trace on 80 columns.
func TestTrace(t *testing.T) {
	t.Parallel()
	r := inProcess(t, "trace", recordedTrace)
	r.want(t, 0, "net/http server", "database/sql", "TLS handshake", "region pay", "Waiting for a processor",
		"Stops of the world", "Waiting, by line", "System calls, by line", "main.serve.func1")
	for line := range strings.Lines(r.out) {
		if n := utf8.RuneCountInString(strings.TrimSuffix(line, "\n")); n > 80 {
			t.Errorf("%d columns: %s", n, line)
		}
	}
}

func TestTraceJSON(t *testing.T) {
	t.Parallel()
	r := inProcess(t, "trace", "--json", recordedTrace)
	r.want(t, 0)
	var got struct {
		Procs int `json:"procs"`
		Kinds []struct {
			Name  string `json:"name"`
			Times struct {
				Count int64 `json:"count"`
			} `json:"times"`
		} `json:"kinds"`
	}
	if err := json.Unmarshal([]byte(r.out), &got); err != nil {
		t.Fatal(err)
	}
	if got.Procs < 1 || len(got.Kinds) < 6 || got.Kinds[0].Times.Count == 0 {
		t.Errorf("got %+v", got)
	}
}

func TestTraceProfile(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ name, function string }{
		{"wall", "[running]"}, {"offcpu", "main.serve.func1"}, {"syscall", "[syscall]"}, {"net", "[network]"},
		{"sched", "[runnable]"},
	} {
		t.Run(c.name, func(t *testing.T) {
			out := filepath.Join(t.TempDir(), "profile.pb.gz")
			inProcess(t, "trace", "--pprof", c.name, "-o", out, recordedTrace).want(t, 0, out)
			f, err := os.Open(out)
			if err != nil {
				t.Fatal(err)
			}
			defer f.Close()
			p, err := profile.Parse(f)
			if err != nil {
				t.Fatal(err)
			}
			if !strings.Contains(p.String(), c.function) {
				t.Errorf("no %s in the profile", c.function)
			}
		})
	}
}

// TestTraceCut reads what there is, and says what there is not.
func TestTraceCut(t *testing.T) {
	t.Parallel()
	whole, err := os.ReadFile(recordedTrace)
	if err != nil {
		t.Fatal(err)
	}
	inProcess(t, "trace", write(t, "cut.trace", string(whole[:len(whole)/2]))).want(t, 2, "cut off")
	inProcess(t, "trace", write(t, "new.trace", strings.Replace(string(whole), "1.26", "1.44", 1))).
		want(t, 0, "Go 1.44", "net/http server")
}

func TestTraceRefuses(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		want string
		args []string
	}{
		{"takes one execution trace", nil},
		{"not a Go execution trace", []string{write(t, "text", "hello, this is no trace at all")}},
		{"no such file", []string{"/nowhere/trace.out"}},
		{"--pprof cpu: want one of wall", []string{"--pprof", "cpu", "-o", "x", recordedTrace}},
		{"--pprof needs -o", []string{"--pprof", "wall", recordedTrace}},
		{"-o is the file of --pprof", []string{"-o", "x", recordedTrace}},
		{"--rows 0", []string{"--rows", "0", recordedTrace}},
	} {
		inProcess(t, append([]string{"trace"}, c.args...)...).want(t, 2, c.want)
	}
}
