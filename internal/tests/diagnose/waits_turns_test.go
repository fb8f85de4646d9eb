package diagnose_test

import (
	"slices"
	"testing"
	"time"

	"github.com/gocasebook/casebook/casefile"
	"github.com/gocasebook/casebook/diagnose"
	"github.com/gocasebook/casebook/diagnose/traces"
)

// A tracedWait is of a trace of ten seconds in which requests wait at lines of functions of the user's: so long in all,
// for whom another goroutine ended the wait, or nobody has.
type tracedWait struct {
	function string
	line     int
	ended    string // by which function; "" if the wait goes on
	took     time.Duration
}

func tracedTenSeconds(waits ...tracedWait) diagnose.Evidence {
	s := &traces.Summary{Span: 10 * time.Second, Procs: 2, Events: 1e5, Kinds: []traces.Kind{{Name: "net/http server",
		Times: traces.Times{Count: 100, Total: 100 * time.Second, P50: time.Second}}}}
	for _, w := range waits {
		stack := traces.Stack{{Function: "internal/poll.(*FD).Read", File: "/usr/local/go/src/internal/poll/fd_unix.go"},
			{Function: w.function, File: "/src/main.go", Line: w.line},
			{Function: "main.issue", File: "/src/main.go", Line: w.line},
			{Function: "net/http.serverHandler.ServeHTTP", File: "/usr/local/go/src/net/http/server.go"},
			{Function: "net/http.(*conn).serve", File: "/usr/local/go/src/net/http/server.go"}}
		b := traces.Wait{Reason: "network", Stack: stack, Open: w.took}
		if w.ended != "" {
			b.Open, b.Times = 0, traces.Times{Count: 100, Total: w.took, Min: w.took / 100, P50: w.took / 100}
			b.Wakers = []traces.Waker{{Stack: traces.Stack{{Function: w.ended}}, Count: 100, Waited: w.took}}
		}
		s.Blocking = append(s.Blocking, b)
	}
	return diagnose.Evidence{Name: "trace.out", Kind: traces.KindSummary, Value: s}
}

func answerOf(t *testing.T, trace diagnose.Evidence, all ...standing) []casefile.Finding {
	t.Helper()
	in := diagnose.Input{Evidence: append(dumps(all...), trace)}
	return diagnose.Run(t.Context(), in, diagnose.Options{}).Findings
}

// TestOneAtATime: one request is beyond the line at which the others wait for an answer, all the time.
func TestOneAtATime(t *testing.T) {
	const read = "database/sql.(*Tx).QueryRowContext /usr/local/go/src/database/sql/sql.go:2560"
	at := func(n int, function, line, issue string) standing {
		return standing{[2]int{n, n}, "IO wait", request(pollRead, fdRead, read, function+" /src/main.go:"+line,
			"main.issue /src/main.go:"+issue)}
	}
	for _, c := range []struct {
		name   string
		beyond int
		took   time.Duration
		locked bool
	}{
		{"one, for all of the time", 1, 9500 * time.Millisecond, true},
		{"one, for half of the time", 1, 5 * time.Second, false},
		{"several at once", 3, 30 * time.Second, false},
		{"one in each capture, more in between", 1, 30 * time.Second, false},
	} {
		fs := answerOf(t, tracedTenSeconds(tracedWait{"main.number", 32, "x", 300 * time.Second},
			tracedWait{"main.write", 67, "x", c.took}),
			at(30, "main.number", "32", "60"), at(c.beyond, "main.write", "38", "67"))
		locked := slices.ContainsFunc(fs, func(f casefile.Finding) bool {
			return f.Kind == "pool-held" && f.Where[0].Function == "main.number"
		})
		if locked != c.locked {
			t.Errorf("%s: a lock outside %t, want %t: %v", c.name, locked, c.locked, fs)
		}
	}
}

// TestTakenForGood: requests wait for places of a pool that nobody has, and none is given back.
func TestTakenForGood(t *testing.T) {
	at := func(n int, frames ...string) standing {
		return standing{[2]int{n, n + 20}, "select", request(append(frames, "main.issue /src/main.go:60")...)}
	}
	const puddle = "github.com/jackc/puddle/v2.(*Pool[...]).acquire /m/github.com/jackc/puddle/v2@v2.2.2/pool.go:361"
	for _, c := range []struct {
		name, ended string
		holders     int
		lost        bool
	}{
		{"nobody has one, none comes back", "", 0, true},
		{"those who give up are all that leave", "context.(*cancelCtx).cancel", 0, true},
		{"a release ends waits", "github.com/jackc/puddle/v2.(*Resource[...]).Release", 0, false},
		{"some are beyond", "", 8, false},
	} {
		all := []standing{at(40, puddle, "main.cover /src/main.go:54"), {[2]int{40, 60}, "IO wait", []string{pollRead, fdRead,
			"net/http.(*connReader).backgroundRead /usr/local/go/src/net/http/server.go:702"}}}
		if c.holders > 0 {
			all = append(all, at(c.holders, roundTrip, clientDo, "main.picture /src/main.go:30", "main.cover /src/main.go:58"))
		}
		fs := answerOf(t, tracedTenSeconds(tracedWait{"main.cover", 54, c.ended, 300 * time.Second}), all...)
		lost := slices.ContainsFunc(fs, func(f casefile.Finding) bool {
			return f.Kind == "requests-wait" && f.Where[0].Function == "main.cover" && len(f.Remedies) > 1
		})
		if lost != c.lost {
			t.Errorf("%s: lost %t, want %t: %v", c.name, lost, c.lost, fs)
		}
	}
}
