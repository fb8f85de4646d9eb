package diagnose_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/gocasebook/casebook/casefile"
	"github.com/gocasebook/casebook/diagnose"
)

const throughOnce = "sync.(*Once).doSlow sync.(*Once).Do main.find " + conn

// onceDump is a dump of requests that wait in a sync.Once, and of those inside, by the functions they are in.
func onceDump(waiting int, inside ...string) []byte {
	crowds := []crowd{{n: waiting, state: "sync.Mutex.Lock", stack: lockWait + " " + throughOnce}}
	for _, functions := range inside {
		crowds = append(crowds, crowd{n: 1, state: "runnable", stack: functions + " " + throughOnce})
	}
	return dumpOf(crowds...)
}

// TestFirstCalls: who waits in a sync.Once waits for what runs in it, and not for a lock. Two inside have two Onces.
func TestFirstCalls(t *testing.T) {
	at := time.Date(2026, 11, 24, 12, 0, 0, 0, time.UTC)
	for _, tt := range []struct {
		name          string
		first, second []byte
		want          string // what the finding's summary has; "" for none
	}{
		{"a crowd, and one that builds", onceDump(30, "main.build"), nil,
			"30 requests wait in a sync.Once for main.build."},
		{"a few, for ten seconds", onceDump(3, "main.build"), onceDump(3, "main.build"), "for 10 s at least"},
		{"a few, in one capture", onceDump(3, "main.build"), nil, ""},
		{"others wait ten seconds later", onceDump(3, "main.build"), onceDump(2, "main.build"), ""},
		{"an entry of a cache each", onceDump(30, "main.load", "main.load"), nil, ""},
		{"it has just ended", onceDump(30), nil, "Nobody is seen inside"},
		{"below OnceValue", onceDump(30, "main.table sync.OnceValue[...].func1.1"), nil, "for main.table"},
		{"in a lock of its own", onceDump(30, lockWait+" main.build"), nil,
			"for main.build"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			var in diagnose.Input
			for i, dump := range [][]byte{tt.first, tt.second} {
				if dump != nil {
					in.Evidence = append(in.Evidence, diagnose.Evidence{Name: fmt.Sprintf("dump%d", i), Data: dump,
						Kind: casefile.GoroutineDump, Phase: casefile.During,
						Taken: at.Add(time.Duration(10*i) * time.Second)})
				}
			}
			rep := diagnose.Run(t.Context(), in, diagnose.Options{})
			got := ""
			for _, f := range rep.Findings {
				switch f.Kind {
				case "startup-only":
					got = f.Summary
				case "lock-contention", "lock-held-io":
					t.Errorf("%s is found: %s", f.Kind, f.Summary)
				}
			}
			if (got == "") != (tt.want == "") || !strings.Contains(got, tt.want) {
				t.Errorf("startup-only says %q, want %q", got, tt.want)
			}
		})
	}
}

// TestAtTheStart: what a finding blames is the start's if it is below a Once that is at work throughout, below an init,
// or below main before it serves; not if it is what the process does all day.
func TestAtTheStart(t *testing.T) {
	at := time.Date(2026, 11, 24, 12, 0, 0, 0, time.UTC)
	const serving = "internal/poll.runtime_pollWait net.(*TCPListener).Accept net/http.(*Server).Serve "
	inMain := dumpOf(crowd{n: 1, state: "IO wait", stack: serving + "main.main runtime.main"})
	for _, tt := range []struct {
		name          string
		stack         string // of what takes the CPU
		first, second []byte
		want          string
	}{
		{"a Once at work", "main.build " + throughOnce, onceDump(12, "main.build"), onceDump(12, "main.build"),
			"it is below a sync.Once"},
		{"a Once with other waiters", "main.build " + throughOnce, onceDump(12, "main.build"),
			onceDump(3, "main.build"), ""},
		{"Onces of entries", "main.load " + throughOnce, onceDump(12, "main.load", "main.load"),
			onceDump(12, "main.load", "main.load"), ""},
		{"an init", "main.build main.init.0 runtime.doInit1 runtime.doInit runtime.main", inMain, inMain,
			"below the initialization of a package"},
		{"a variable's function literal", "main.build main.init.func1 " + conn, inMain, inMain, ""},
		{"main, which serves then", "main.build main.main runtime.main", inMain, inMain, "before it serves"},
		{"main all day", "main.build main.main runtime.main", nil, dumpOf(crowd{n: 1, state: "sleep",
			stack: "time.Sleep main.main runtime.main"}), ""},
		{"main, beside a server that it has started", "main.build main.main runtime.main", nil, dumpOf(crowd{n: 1,
			state: "IO wait", stack: serving + "main.main.func1"}), ""},
		{"a request", "main.build main.find " + conn, inMain, inMain, ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			in := diagnose.Input{Evidence: []diagnose.Evidence{cpuProfile(t, 10,
				map[string]int64{tt.stack: 1900, otherStack: 50})},
				Limits: casefile.Limits{CPUs: 2}}
			for i, dump := range [][]byte{tt.first, tt.second} {
				if dump != nil {
					in.Evidence = append(in.Evidence, diagnose.Evidence{Name: fmt.Sprintf("dump%d", i), Data: dump,
						Kind: casefile.GoroutineDump, Phase: casefile.During,
						Taken: at.Add(time.Duration(10*i) * time.Second)})
				}
			}
			for _, f := range diagnose.Run(t.Context(), in, diagnose.Options{}).Findings {
				if f.Kind != "cpu-hot-function" {
					continue
				}
				says := strings.Contains(f.Summary, "at the start only")
				if says != (tt.want != "") || !strings.Contains(f.Summary, tt.want) || says && f.Score > capNotice {
					t.Errorf("%d: %q, want %q", f.Score, f.Summary, tt.want)
				}
				return
			}
			t.Error("no cpu-hot-function is found")
		})
	}
}
