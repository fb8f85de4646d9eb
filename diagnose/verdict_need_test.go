package diagnose

import (
	"fmt"
	"strings"
	"testing"

	"github.com/gocasebook/casebook/casefile"
)

// TestVerdictAsksForWhatIsMissing: a rule tripped in a process in which nothing is found. The verdict is the capture
// that would explain the signal and that is not there, at the target's address.
func TestVerdictAsksForWhatIsMissing(t *testing.T) {
	const url = "http://10.0.0.7:6060/debug/pprof/"
	all := loadCase(t, "foreign/caddy-healthy")
	for _, tt := range []struct {
		signal  string
		without []string // kinds of evidence
		take    string
		settle  string // is in it
	}{
		{"cpu", []string{casefile.CPU}, casefile.CPU, url + "profile?seconds=30"},
		{"heap_live", []string{casefile.Heap, casefile.Allocs}, casefile.Heap, url + "heap'"},
		{"goroutines", []string{casefile.Goroutine, casefile.GoroutineDump}, casefile.Goroutine, url + "goroutine'"},
		{"goroutines", []string{casefile.GoroutineDump}, casefile.GoroutineDump, url + "goroutine?debug=2'"},
		{"mutex_wait", []string{casefile.Mutex}, "", "SetMutexProfileFraction"},
		{"http_latency_p99", nil, casefile.Trace, url + "trace?seconds=5'; casebook trace"},
		{"off_heap", nil, "", "smaps"},
	} {
		in := Input{Build: all.Build, Limits: all.Limits, URL: url,
			Triggers: []casefile.Trigger{{Rule: "r", Signal: tt.signal, Value: 1}}}
		for _, e := range all.Evidence {
			if !strings.Contains(" "+strings.Join(tt.without, " ")+" ", " "+e.Kind+" ") {
				in.Evidence = append(in.Evidence, e)
			}
		}
		v := Run(t.Context(), in, Options{}).Verdict
		switch {
		case v == nil || v.Answer != casefile.AnswerUndecided:
			t.Errorf("%s: the verdict is %+v, want one that asks for evidence", tt.signal, v)
		case v.Take != tt.take || !strings.Contains(v.Settle, tt.settle):
			t.Errorf("%s: asks for %q by %q, want %q by %q", tt.signal, v.Take, v.Settle, tt.take, tt.settle)
		case !strings.Contains(v.Text, tt.signal) || linesOf(v.Text) > verdictLines:
			t.Errorf("%s: %q", tt.signal, v.Text)
		}
	}
}

// TestRivals: two causes of the same delay at two places, nearly as bad as each other, are both named, with what tells
// them apart; not if one explains the other, or one is much worse, or they are at one line.
func TestRivals(t *testing.T) {
	wait := func(id, kind string, score, line int, by ...string) casefile.Finding {
		f := finding(id, kind, score, "main.ask", line)
		f.Title, f.Impact.Resource, f.CausedBy = "requests wait", effectLatency, by
		return f
	}
	for _, tt := range []struct {
		name   string
		first  int // the score of a lock that is held, at line 1
		second casefile.Finding
		want   string
	}{
		{"rivals", 80, wait("GO003", "goroutine-stuck", 74, 2), "GO003"},
		{"cause and symptom", 80, wait("GO003", "goroutine-stuck", 74, 2, "LK004"), ""},
		{"one much worse", 90, wait("GO003", "goroutine-stuck", 60, 2), ""},
		{"one line", 80, wait("GO003", "goroutine-stuck", 74, 1), ""},
	} {
		r, _ := read(t.Context(), Input{})
		var rep Report
		rep.Findings = []casefile.Finding{wait("LK004", "lock-held-io", tt.first, 1), tt.second}
		rep.conclude(builtIn().graph(rep.Findings), r, "")
		v := rep.Verdict
		if v == nil || v.Rival != tt.want || v.Root != "LK004" {
			t.Errorf("%s: the verdict is %+v, want the rival %q", tt.name, v, tt.want)
			continue
		}
		if (v.Settle != "") != (tt.want != "") {
			t.Errorf("%s: settled by %q", tt.name, v.Settle)
		}
	}
}

// TestBusyWithoutProfile: half of the goroutines at work at once say that there is something to look at, where no
// profile of the CPU says what it is.
func TestBusyWithoutProfile(t *testing.T) {
	dump := func(state string, n int) Evidence {
		var b strings.Builder
		for i := range n {
			fmt.Fprintf(&b, "goroutine %d [%s]:\nmain.(*log).trim(0x1)\n\t/src/log.go:46 +0x1\n\n", i+1, state)
		}
		return Evidence{Name: "goroutines.txt", Kind: casefile.GoroutineDump, Data: []byte(b.String())}
	}
	for _, tt := range []struct {
		name string
		in   []Evidence
		want bool
	}{
		{"at work", []Evidence{dump("runnable", 12)}, true},
		{"too few", []Evidence{dump("runnable", 4)}, false},
		{"asleep", []Evidence{dump("sleep", 12)}, false},
	} {
		rep := Run(t.Context(), Input{Evidence: tt.in}, Options{})
		v := rep.Verdict
		said := v != nil && v.Settle == captureCPU && strings.Contains(v.Text, "log.go:46")
		if said != tt.want {
			t.Errorf("%s: the verdict is %+v", tt.name, v)
		}
	}
}
