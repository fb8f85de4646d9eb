package cli_test

import (
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// A wrong value of a flag is reported at the start: the flag, the cause, what to do. Nothing secret is printed.
func TestWatchBadFlags(t *testing.T) {
	t.Parallel()
	url := start(t)
	html := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		_, _ = w.Write([]byte("<!DOCTYPE html><html>log in</html>"))
	}))
	t.Cleanup(html.Close)
	file := write(t, "plain", "#!/bin/sh\n") // not executable
	for _, c := range []struct {
		name string
		args []string
		want []string
	}{
		{"no budget", []string{"--budget", "cpu=0"}, []string{"--budget", "a limit of 0 would refuse everything",
			"-1"}},
		{"no bytes", []string{"--budget", "bytes=0"}, []string{"--budget", "a limit of 0 would refuse everything"}},
		{"negative budget", []string{"--budget", "pause=-5s"},
			[]string{"--budget", "a limit of -5s is negative", "-1 means no limit"}},
		{"unknown limit", []string{"--budget", "cpus=1s"}, []string{"--budget", `unknown limit "cpus"`, "cpu=36s"}},
		{"limit without a unit", []string{"--budget", "cpu=5"}, []string{"--budget", "missing unit", "cpu=36s"}},
		{"empty budget", []string{"--budget", ""}, []string{"--budget", `unknown limit ""`}},
		{"limits that contradict", []string{"--budget", "pause=1ms,longest=5ms"},
			[]string{"--budget", "lower Longest or raise Pause"}},

		{"label without a value", []string{"--label", "zone"},
			[]string{"--label", "zone must be formatted as key=value"}},
		{"label without a name", []string{"--label", "=eu"}, []string{"--label", "no name", "zone="}},
		{"label that writes on the screen", []string{"--label", "zone=\x1b[2J"},
			[]string{"--label", `\x1b[2J`, "remove them"}},
		{"service that writes on the screen", []string{"--service", "a\x07b"},
			[]string{"--service", `a\ab`, "remove them"}},

		{"no Prometheus page there", []string{"--prometheus", "http://127.0.0.1:1/metrics"},
			[]string{"--prometheus", "connection refused", "is the process running"}},
		{"a web page", []string{"--prometheus", html.URL},
			[]string{"--prometheus", "HTML page", "no login in front of it"}},
		{"no metrics on it", []string{"--prometheus", url}, []string{"--prometheus", "404"}},
		{"a selector of a shell", []string{"--prometheus", html.URL, "--metric", `a{b=~"c"}`},
			[]string{"--prometheus", "=~ is not supported"}},
		{"a metric of no page", []string{"--metric", "up"}, []string{"--metric", "--prometheus", "not given"}},
		{"a page of several", []string{"--prometheus", html.URL, url}, []string{"--prometheus", "watch its URL alone"}},
		{"no expvar page there", []string{"--expvar", "http://127.0.0.1:1", "--var", "x"},
			[]string{"--expvar", "connection refused"}},
		{"no such variable", []string{"--expvar", url, "--var", "nope"}, []string{"--expvar", "nope"}},
		{"expvar without names", []string{"--expvar", url}, []string{"--expvar", "--var"}},
		{"a variable of no page", []string{"--var", "x"}, []string{"--var", "--expvar", "not given"}},

		{"no such command", []string{"--exec", "no-such-command-anywhere x"},
			[]string{"--exec", "no-such-command-anywhere", "give the command's path"}},
		{"a command that is none", []string{"--exec", file},
			[]string{"--exec", "permission denied", "make it executable"}},
		{"an empty command", []string{"--exec", " "}, []string{"--exec", "empty", "notify.sh"}},
		{"a shell's line", []string{"--exec", "echo $CASEBOOK_ID"}, []string{"--exec", "put it into a script"}},
		{"report file in no folder", []string{"--report-file", "/nowhere/cases.jsonl"},
			[]string{"--report-file", "/nowhere/cases.jsonl", "folder that exists"}},
		{"report file is a folder", []string{"--report-file", os.TempDir()},
			[]string{"--report-file", "not a regular file"}},
		{"webhook that is no URL", []string{"--webhook", "hooks.example.com/s3cret"},
			[]string{"--webhook", "https://host/path"}},
		{"webhook in the clear", []string{"--webhook", "http://10.0.0.7/s3cret"},
			[]string{"--webhook", "http://10.0.0.7 is not encrypted", "use https"}},
		{"Slack in the clear", []string{"--slack", "http://hooks.example.com/s3cret"},
			[]string{"--slack", "not encrypted"}},
		{"collector in the clear", []string{"--collector", "http://u:s3cret@10.0.0.7"},
			[]string{"--collector", "not encrypted"}},
		{"collector of another kind", []string{"--collector", "ftp://10.0.0.7"},
			[]string{"--collector", "https://host/path"}},
		{"no token file", []string{"--collector", "https://127.0.0.1:1", "--collector-token-file", "nowhere"},
			[]string{"--collector-token-file", "nowhere: no such file"}},
		{"empty token file", []string{"--collector", "https://127.0.0.1:1", "--collector-token-file",
			write(t, "token", "\n")}, []string{"--collector-token-file", "nothing else"}},
		{"token of no collector", []string{"--collector-token-file", file},
			[]string{"--collector-token-file", "not given"}},
		{"long profile", []string{"--profile", "1h"}, []string{"ProfileFor is 1h0m0s", "1s to 5m"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			dir := filepath.Join(t.TempDir(), "cases")
			r := inProcess(t, append(append([]string{"watch", "--dir", dir}, c.args...), url)...)
			r.want(t, 2, c.want...)
			if strings.Contains(r.errors, "panic") || strings.Contains(r.errors, "s3cret") ||
				strings.Count(r.errors, "\n") > 3 {
				t.Errorf("not a clear message, or one that shows a secret:\n%s", r.errors)
			}
			if strings.ContainsAny(r.errors, "\x1b\x07") {
				t.Errorf("it writes on the terminal: %q", r.errors)
			}
			if _, err := os.Stat(dir); err == nil && r.code == 2 {
				t.Error("it has made a folder of cases nevertheless")
			}
		})
	}
}

// Help fits a terminal of 80 columns, and watch groups its flags by purpose.
func TestHelp(t *testing.T) {
	t.Parallel()
	for _, command := range []string{
		"", "watch", "capture", "diagnose", "case", "case ls", "case show", "case report", "case rm", "case prune",
		"case export", "case import", "ask", "rules",
		"rules print", "rules check", "rules explain", "rules test", "load", "demo", "version",
	} {
		r := inProcess(t, append(strings.Fields(command), "--help")...)
		r.want(t, 0, "Usage:\n  casebook "+command)
		for _, l := range strings.Split(r.out, "\n") {
			if n := len([]rune(l)); n > 80 {
				t.Errorf("casebook %s --help has a line of %d columns: %s", command, n, l)
			}
		}
	}
	help := inProcess(t, "watch", "--help").out
	for _, section := range [][]string{
		{"\nFlags:\n", "--rules file", "--interval duration", "(default 1s)", "--help"},
		{"\nMore signals:\n", "--prometheus URL", "--metric metric", "--expvar URL", "--var names"},
		{"\nEvidence:\n", "--profile duration", "(default 10s)", "--rolling", "--budget limits", "longest=10ms)"},
		{"\nCases:\n", "--dir folder", "--service name", "--label name=value", "--keep-age duration", "(default 720h)"},
		{"\nReports:\n", "--webhook URL", "--slack URL", "--exec command", "--report-file file",
			"--collector-token-file file"},
	} {
		for _, text := range section {
			before, after, ok := strings.Cut(help, text)
			if !ok {
				t.Fatalf("want %q, after what stood before it, in what is left of the help:\n%s%s", text, before, after)
			}
			help = after
		}
	}
}
