package diagnose_test

import (
	"strings"
	"testing"

	"github.com/gocasebook/casebook/casefile"
	"github.com/gocasebook/casebook/diagnose"
	"github.com/gocasebook/casebook/vitals"
)

// TestThreads: who occupies a thread each, and whether the threads are there.
func TestThreads(t *testing.T) {
	inC := crowd{1000, "syscall", "runtime.cgocall main._Cfunc_output main.leak:61", "main.start:5"}
	flock := crowd{300, "syscall", "syscall.Syscall syscall.Flock main.(*Reports).locked:58 " + conn,
		"net/http.(*Server).Serve:9"}
	few, receiving := flock, crowd{1000, "chan receive", "runtime.chanrecv1 main.(*Pool).work:31", "main.start:5"}
	few.n = 60
	threads := func(n float64) diagnose.Evidence { return flatHistory(t, map[vitals.ID]float64{vitals.Threads: n}) }
	created := func(n int) diagnose.Evidence {
		return diagnose.Evidence{Name: "threadcreate.txt", Kind: casefile.ThreadCreate, Taken: noon,
			Data: profileOf("threadcreate", crowd{n: n, stack: "runtime.newm"})}
	}
	for _, tt := range []struct {
		name      string
		in        diagnose.Input
		low, high int
		at        string
	}{
		{"in C, with its threads", with(apart(0, dumpOf(inC)), threads(1007)), 40, 60, "main.leak"},
		{"by the threadcreate profile", with(apart(0, dumpOf(flock)), created(310)), 25, 40, "main.(*Reports).locked"},
		{"ten thousand, and nobody counted threads", apart(0, dumpOf(crowd{10_000, inC.state, inC.stack, inC.created})),
			capUnsure, capUnsure, "main.leak"},
		{"the threads are not there", with(apart(0, dumpOf(inC)), threads(20)), 0, 0, ""},
		{"a few", with(apart(0, dumpOf(few)), threads(70)), 0, 0, ""},
		{"a channel needs no thread", with(apart(0, dumpOf(receiving)), threads(20)), 0, 0, ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			f, got := scoreOf(t, tt.in, "thread-surge")
			if got < tt.low || got > tt.high {
				t.Fatalf("scores %d, want %d to %d (%s)", got, tt.low, tt.high, f.Summary)
			}
			if tt.at != "" && f.Where[0].Function != tt.at {
				t.Errorf("blames %s, want %s", f.Where[0].Function, tt.at)
			}
		})
	}
}

// Threads that are left from a burst have no line. The answer asks for a capture under load.
func TestThreadsLeftOver(t *testing.T) {
	in := with(apart(0, dumpOf(crowd{3, "IO wait", poll + " " + conn, ""})),
		flatHistory(t, map[vitals.ID]float64{vitals.Threads: 900}))
	for _, u := range diagnose.Run(t.Context(), in, diagnose.Options{}).Undecided {
		if u.Kind == "thread-surge" && strings.Contains(u.Reason, "900 threads") {
			return
		}
	}
	t.Error("nothing undecided of thread-surge, want the 900 threads in it")
}
