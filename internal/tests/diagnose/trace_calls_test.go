package diagnose_test

import (
	"encoding/json"
	"strings"
	"testing"
	"time"

	"github.com/gocasebook/casebook/casefile"
	"github.com/gocasebook/casebook/diagnose"
	"github.com/gocasebook/casebook/diagnose/traces"
)

// stackOf is the stack of a trace from names, the innermost first; a name may have a line: "main.ask:30".
func stackOf(names string) (s traces.Stack) {
	for name := range strings.FieldsSeq(names) {
		name, line, found := strings.Cut(name, ":")
		f := traces.Frame{Function: name, File: goFile(name), Line: 7}
		if found {
			f.Line = int(line[0]-'0')*10 + int(line[1]-'0')
		}
		s = append(s, f)
	}
	return s
}

// waited is n waits of so many milliseconds each.
func waited(reason, stack string, n int64, ms float64) traces.Wait {
	each := time.Duration(ms * float64(time.Millisecond))
	return traces.Wait{Reason: reason, Stack: stackOf(stack), Times: traces.Times{Count: n,
		Total: time.Duration(n) * each, P50: each, P99: each}}
}

func wrote(stack string, n int64) traces.Site {
	return traces.Site{Stack: stackOf(stack), Times: traces.Times{Count: n, Total: time.Duration(n) * 10_000}}
}

// servedOf is a trace with a hundred requests to net/http's server, of so many milliseconds each.
func servedOf(ms float64, waits []traces.Wait, writes ...traces.Site) *traces.Summary {
	return &traces.Summary{Span: time.Second, Procs: 2, Blocking: waits, Syscalls: writes,
		Kinds: []traces.Kind{{Name: "net/http server", Times: traces.Times{Count: 100,
			Total: time.Duration(100 * ms * float64(time.Millisecond))}}}}
}

func tracedInput(t *testing.T, s *traces.Summary) diagnose.Input {
	t.Helper()
	b, err := json.Marshal(s)
	if err != nil {
		t.Fatal(err)
	}
	return diagnose.Input{Build: casefile.Build{Module: "example.com/app"},
		Evidence: []diagnose.Evidence{{Name: "trace.json",
			Kind: traces.KindSummary, Data: b}}}
}

const (
	tracedRead  = "internal/poll.(*FD).Read net.(*netFD).Read net.(*conn).Read "
	tracedWrite = "syscall.write internal/poll.(*FD).Write net.(*netFD).Write net.(*conn).Write "
	redisCall   = "github.com/redis/go-redis/v9.(*Client).process "
	belowServer = " net/http.HandlerFunc.ServeHTTP net/http.(*conn).serve"
)

// TestTracedCalls: what requests wait for in a trace, and what only looks like it.
func TestTracedCalls(t *testing.T) {
	type waits = []traces.Wait
	const handler = "main.page:20" + belowServer
	left := func(s *traces.Summary) *traces.Summary { // requests start goroutines of an errgroup
		s.Created = []traces.GoroutinesFrom{{Starts: "golang.org/x/sync/errgroup.(*Group).Go.func1",
			Stack: stackOf("golang.org/x/sync/errgroup.(*Group).Go " + handler)}}
		return s
	}
	// requests start such goroutines, and wait for them so many milliseconds
	group := func(ms float64, s *traces.Summary) *traces.Summary {
		all := waited("sync", "sync.(*WaitGroup).Wait golang.org/x/sync/errgroup.(*Group).Wait "+handler, 100, ms)
		all.Wakers = []traces.Waker{{Goroutine: "golang.org/x/sync/errgroup.(*Group).Go.func1", Count: 100,
			Waited: all.Times.Total}}
		s.Blocking = append(s.Blocking, all)
		return left(s)
	}
	const inGroup = "main.page.func1:22 golang.org/x/sync/errgroup.(*Group).Go.func1"
	for _, tt := range []struct {
		name  string
		trace *traces.Summary
		kind  string // "" for neither
		at    string
	}{
		{"a key a time", servedOf(50, waits{waited("network", tracedRead+redisCall+"main.price:40 "+handler, 2000, 2)},
			wrote(tracedWrite+redisCall+"main.price:40 "+handler, 2000)), "net-round-trips", "main.price"},
		{"a key a time, by hand", servedOf(50,
			waits{waited("network", tracedRead+"bufio.(*Reader).fill main.get:33 main.price:40 "+handler, 2000, 2)},
			wrote(tracedWrite+"fmt.Fprintf main.get:30 main.price:40 "+handler, 2000)), "net-round-trips",
			"main.price"},
		{"a key a time, read by a function of its own", servedOf(50,
			waits{waited("network", tracedRead+"main.reply:50 main.get:33 main.price:40 "+handler, 2000, 2)},
			wrote(tracedWrite+"main.get:30 main.price:40 "+handler, 2000)), "net-round-trips", "main.price"},
		{"by HTTP", servedOf(50, waits{waited("select", client+" main.price:40 "+handler, 4000, 1)}),
			"net-round-trips", "main.price"},
		{"three queries", servedOf(10, waits{waited("network", tracedRead+redisCall+"main.price:40 "+handler, 300, 3)},
			wrote(tracedWrite+redisCall+"main.price:40 "+handler, 300)), "", ""},
		{"ten lines with a query each", servedOf(50, tenLines(tracedRead, handler), tenWrites(handler)...), "", ""},
		{"one answer in many pieces", servedOf(50,
			waits{waited("network", tracedRead+"main.get:33 main.price:40 "+handler, 4000, 1)},
			wrote(tracedWrite+"main.get:30 main.price:40 "+handler, 100)), "", ""},
		{"twenty at once", group(2, servedOf(3, waits{waited("network", tracedRead+redisCall+inGroup, 2000, 2)},
			wrote(tracedWrite+redisCall+inGroup, 2000))), "", ""},
		{"little of the time", servedOf(400,
			waits{waited("network", tracedRead+redisCall+"main.price:40 "+handler, 2000, 2)},
			wrote(tracedWrite+redisCall+"main.price:40 "+handler, 2000)), "", ""},

		{"a slow answer", servedOf(460,
			waits{waited("network", tracedRead+redisCall+"main.price:40 "+handler, 100, 450)},
			wrote(tracedWrite+redisCall+"main.price:40 "+handler, 100)), "slow-dependency", "main.price"},
		{"a slow answer over HTTP", servedOf(460, waits{waited("select", client+" main.price:40 "+handler, 200, 225)}),
			"slow-dependency", "main.price"},
		{"in a goroutine that the request starts", group(450, servedOf(460,
			waits{waited("network", tracedRead+"main.ask:33 main.weather:40 "+inGroup, 100, 450)},
			wrote(tracedWrite+"main.ask:30 main.weather:40 "+inGroup, 100))), "slow-dependency", "main.weather"},
		{"in a goroutine that the request leaves behind", left(servedOf(460,
			waits{waited("network", tracedRead+"main.ask:33 main.weather:40 "+inGroup, 100, 450)},
			wrote(tracedWrite+"main.ask:30 main.weather:40 "+inGroup, 100))), "", ""},
		{"in a worker", servedOf(460, waits{waited("network", tracedRead+redisCall+"main.work:40", 100, 450)},
			wrote(tracedWrite+redisCall+"main.work:40", 100)), "", ""},
		{"60 ms", servedOf(70, waits{waited("network", tracedRead+redisCall+"main.price:40 "+handler, 100, 60)},
			wrote(tracedWrite+redisCall+"main.price:40 "+handler, 100)), "", ""},
		{"a message of a queue", servedOf(460, waits{waited("network",
			tracedRead+redisCall+"github.com/redis/go-redis/v9.cmdable.BLPop main.price:40 "+handler, 100, 450)},
			wrote(tracedWrite+redisCall+"github.com/redis/go-redis/v9.cmdable.BLPop main.price:40 "+handler, 100)), "",
			""},
		{"news on a connection", servedOf(460, waits{waited("network", tracedRead+"main.next:40 "+handler, 100, 450)}),
			"", ""},
		{"a stream that is passed on", servedOf(460,
			waits{waited("network", tracedRead+"io.copyBuffer io.Copy main.proxy:40 "+handler, 100, 450)},
			wrote(tracedWrite+"main.proxy:40 "+handler, 100)), "", ""},
		{"the body of the request", servedOf(460,
			waits{waited("network", tracedRead+"net/http.(*connReader).Read net/http.(*body).Read main.upload:40 "+
				handler, 100, 450)}, wrote(tracedWrite+"main.upload:40 "+handler, 100)), "", ""},
		{"a pool's connection", servedOf(460,
			waits{waited("select", "database/sql.(*DB).conn database/sql.(*DB).QueryContext main.price:40 "+handler,
				100, 450)}), "", ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			rep := diagnose.Run(t.Context(), tracedInput(t, tt.trace), diagnose.Options{})
			if len(rep.Failed) > 0 {
				t.Fatal(rep.Failed)
			}
			for _, kind := range []string{"net-round-trips", "slow-dependency"} {
				f := findingOf(rep.Findings, kind)
				switch {
				case f == nil && kind == tt.kind:
					t.Errorf("no %s", kind)
				case f != nil && kind != tt.kind:
					t.Errorf("%s: %s", kind, f.Title)
				case f != nil && (f.Where[0].Function != tt.at || f.Score > capUnsure):
					t.Errorf("%d at %v, want %d at most, at %s", f.Score, f.Where, capUnsure, tt.at)
				}
			}
		})
	}
}

// tenLines is a query at each of ten lines.
func tenLines(read, handler string) (out []traces.Wait) {
	for line := range 10 {
		out = append(out, waited("network", read+redisCall+"main.price:4"+string(rune('0'+line))+" "+handler, 100, 4))
	}
	return out
}

func tenWrites(handler string) (out []traces.Site) {
	for line := range 10 {
		out = append(out, wrote(tracedWrite+redisCall+"main.price:4"+string(rune('0'+line))+" "+handler, 100))
	}
	return out
}

// TestDatabaseInProcess: calls that goroutines of their own answer, without a wait for the network, are no round trips.
// Requests that open a database and fill it by such calls are to keep it.
func TestDatabaseInProcess(t *testing.T) {
	const driver, opener = "github.com/mattn/go-sqlite3.(*SQLiteStmt).exec", "database/sql.(*DB).connectionOpener"
	const fills = driver + " database/sql.(*Stmt).ExecContext main.load:37 main.query:23" + belowServer
	for _, tt := range []struct {
		name    string
		network bool  // that the driver's goroutines wait for
		opened  int64 // databases by requests
		kind    string
	}{
		{"a database for each request", false, 100, "alloc-loop-invariant"},
		{"one that stays", false, 0, ""},
		{"another process", true, 0, "net-round-trips"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			w := waited("select", "runtime.selectgo "+fills, 100_000, 0.03)
			w.Requests = 100
			w.Wakers = []traces.Waker{{Goroutine: driver + ".func1", Count: w.Times.Count, Waited: w.Times.Total}}
			s := servedOf(50, []traces.Wait{w})
			s.Created = []traces.GoroutinesFrom{
				{Starts: driver + ".func1", Number: w.Times.Count, Stack: stackOf(fills)},
				{Starts: opener, Number: tt.opened, Stack: stackOf("database/sql.OpenDB database/sql.Open main.query:17" +
					belowServer)}}
			answers := traces.GoroutineType{Name: driver + ".func1"} // a whole trace has what they wait for
			if tt.network {
				answers.Spent.Network = w.Times.Total
				s.Blocking = append(s.Blocking, waited("network", tracedRead+driver+".func1", w.Times.Count, 0.02))
			}
			s.Goroutines = append(s.Goroutines, answers)
			in := tracedInput(t, s)
			in.Evidence = append(in.Evidence, cpuProfile(t, 10, map[string]int64{"main.rest main.main": 500}))
			found := diagnose.Run(t.Context(), in, diagnose.Options{}).Findings
			for _, kind := range []string{"alloc-loop-invariant", "net-round-trips"} {
				f := findingOf(found, kind)
				if (f != nil) != (kind == tt.kind) || f != nil && f.Where[0].Function != "main.load" {
					t.Errorf("%s: %+v, want %q at main.load", kind, f, tt.kind)
				}
			}
		})
	}
}
