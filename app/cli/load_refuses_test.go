package cli_test

import (
	"os"
	"strings"
	"testing"
)

func TestLoadBadInput(t *testing.T) {
	t.Parallel()
	s := newShop(t)
	empty := write(t, "empty", "")
	for _, c := range []struct {
		name string
		args []string
		want []string
	}{
		{"no target", []string{"--rate", "5"}, []string{"needs a URL or --targets FILE", "for instance"}},
		{"no rate", []string{s.URL}, []string{"how many requests a second?", "--rate 500"}},
		{"two paces", []string{"--rate", "5", "--pace", "constant 5", s.URL},
			[]string{"--rate goes only with --pace poisson"}},
		{"bad rate", []string{"--rate", "fast", s.URL}, []string{"--rate", `"fast" is not a rate`, "such as 500"}},
		{"a spacing of no rate", []string{"--pace", "poisson", s.URL},
			[]string{"how many a second", "--pace 'poisson 500'"}},
		{"bad pace", []string{"--pace", "ramp up", s.URL},
			[]string{"--pace", "not a range of rates", "RATE..RATE FOR"}},
		{"bad share", []string{"--rate", "5", "--max-errors", "200%", s.URL}, []string{"--max-errors", "5%"}},
		{"bad header", []string{"--rate", "5", "-H", "X", s.URL}, []string{"--header", "want Name: value"}},
		{"no body", []string{"--rate", "5", "-d", "@nowhere", s.URL}, []string{"--body", "nowhere"}},
		{"no targets file", []string{"--rate", "5", "--targets", "nowhere"}, []string{"--targets", "nowhere"}},
		{"empty targets file", []string{"--rate", "5", "--targets", empty}, []string{empty, "no targets"}},
		{"paths without a base", []string{"--rate", "5", "--targets", write(t, "t", "GET /a\n")},
			[]string{"line 1", "give the base URL"}},
		{"a file and a method", []string{"--rate", "5", "--targets", empty, "-X", "PUT"},
			[]string{"write them in the file"}},
		{"empty table", []string{"--rate", "5", "--csv", empty, s.URL}, []string{"--csv", "is empty"}},
		{"another machine", []string{"--rate", "5", "http://192.0.2.1/"},
			[]string{"192.0.2.1 is not a loopback address", "--allow HOST"}},
		{"protocol", []string{"--rate", "5", "--protocol", "http/3", s.URL},
			[]string{"--protocol", "http/1.1, http/2"}},
		{"protoset of HTTP", []string{"--rate", "5", "--protoset", "x", s.URL}, []string{"--protoset is for gRPC"}},
		{"timeout", []string{"--rate", "5", "--timeout", "2h", s.URL}, []string{"Timeout is 2h0m0s"}},
		{"no certificate", []string{"--rate", "5", "--ca", empty, s.URL}, []string{"--ca", "no PEM certificate"}},
		{"out in no folder", []string{"--rate", "5", "--out", "/nowhere/run.json", s.URL},
			[]string{"--out", "folder that exists"}},
		{"html in no folder", []string{"--rate", "5", "--html", "/nowhere/run.html", s.URL},
			[]string{"--html", "folder that exists"}},
		{"page of a search", []string{"--find-limit", "p99 < 1s", "--html", "x.html", s.URL},
			[]string{"--html", "--find-limit"}},
		{"too many windows", []string{"--rate", "5", "-t", "100h", "--window", "10ms", "--out",
			t.TempDir() + "/run.json", s.URL}, []string{"--window", "2s or more"}},
		{"short window", []string{"--rate", "5", "--window", "1ms", s.URL}, []string{"Window is 1ms"}},
		{"out is a folder", []string{"--rate", "5", "--out", os.TempDir(), s.URL},
			[]string{"--out", "not a regular file"}},
		{"objective", []string{"--find-limit", "fast", s.URL},
			[]string{"--find-limit", `"fast" is not a condition`, "p99 < 50ms"}},
		{"search with a pace", []string{"--find-limit", "p99 < 1s", "--pace", "constant 5", s.URL},
			[]string{"leave out --pace"}},
		{"resolution", []string{"--find-limit", "p99 < 1s", "--resolution", "5", s.URL},
			[]string{"--resolution", "from 0.5% to 100%"}},
		{"end below start", []string{"--find-limit", "p99 < 1s", "--rate", "500", "--max-rate", "100", s.URL},
			[]string{"--max-rate 100"}},
		{"search step", []string{"--find-limit", "p99 < 1s", "--step", "1ms", s.URL},
			[]string{"want steps of 1s or more"}},
		{"mixed protocols", []string{"--rate", "5", "--targets",
			write(t, "t", "GET http://127.0.0.1:1/\nPOST grpc://127.0.0.1:1/a.B/C\n")}, []string{"run two loads"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			r := inProcess(t, append([]string{"load"}, c.args...)...)
			r.want(t, 2, c.want...)
			if r.out != "" || strings.Count(r.errors, "\n") > 2 {
				t.Errorf("not a clear message:\n%s%s", r.out, r.errors)
			}
		})
	}
}
