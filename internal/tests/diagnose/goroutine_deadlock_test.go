package diagnose_test

import (
	"testing"

	"github.com/gocasebook/casebook/casefile"
	"github.com/gocasebook/casebook/diagnose"
)

// Dumps of a process that never ran a collection have no wait times: what they say about locks, and what they do not.
func TestLocksWithoutTimes(t *testing.T) {
	lock := func(addr string) string {
		return "internal/sync.(*Mutex).lockSlow@" + addr + " internal/sync.(*Mutex).Lock@... sync.(*Mutex).Lock@... "
	}
	at := func(n int, state, stack string) crowd { return crowd{n, state, stack + " " + conn, ""} }
	waits := func(n int, addr, where string) crowd { return at(n, "sync.Mutex.Lock", lock(addr)+where) }
	// Two functions take two locks in opposite orders. All other requests need the first lock.
	one, two, rest := waits(1, "0xb", "main.one:62"), waits(1, "0xa", "main.two:72"), waits(40, "0xa", "main.req:52")
	sleeps := func(where string) crowd { return at(1, "sleep", "time.Sleep "+where) }
	idle := crowd{1, "IO wait", poll + " net/http.(*Server).Serve net/http.ListenAndServe main.main:9", ""}
	loop := crowd{1, "sleep", "time.Sleep main.refresh:88", "main.main:7"}

	old := crowd{1, "IO wait, 9 minutes", poll + " net/http.(*Server).Serve net/http.ListenAndServe main.main:9", ""}

	const update = "go.etcd.io/bbolt.(*DB).Update main.(*orders).keep:61"
	inBolt := waits(40, "0xa", "go.etcd.io/bbolt.(*DB).beginRWTx "+update)
	commits := at(1, "syscall", "syscall.Syscall go.etcd.io/bbolt.fdatasync go.etcd.io/bbolt.(*Tx).Commit "+update)

	for _, tt := range []struct {
		name      string
		in        diagnose.Input
		kind      string
		low, high int
		first     string // place
	}{
		{"two orders, two captures", apart(9, dumpOf(rest, one, two, idle, loop), dumpOf(rest, one, two, idle, loop)),
			"goroutine-deadlock", 50, 100, "main.one"},
		{"one capture", apart(0, dumpOf(rest, one, two, idle, loop)), "goroutine-deadlock", 0, 0, ""},
		{"a dump with times says that they have just come",
			apart(9, dumpOf(rest, one, two, old), dumpOf(rest, one, two, old)), "goroutine-deadlock", 0, 0, ""},
		{"fewer later", apart(9, dumpOf(rest, one, two), dumpOf(waits(12, "0xa", "main.req:52"))), "goroutine-deadlock",
			0, 0, ""},
		{"one lock nobody holds is a notice", apart(9, dumpOf(rest), dumpOf(rest)), "goroutine-deadlock", 25, 100,
			"main.req"},
		{"a waiter about to run: the lock changes hands",
			apart(9, dumpOf(rest, one, two), dumpOf(rest, one, two, at(1, "runnable", lock("0xa")+"main.req:52"),
				at(1, "runnable", lock("0xb")+"main.one:62"), at(1, "runnable", lock("0xa")+"main.two:72"))),
			"goroutine-deadlock", 0, 0, ""},
		{"a request that runs may hold them", apart(9, dumpOf(rest, one, two),
			dumpOf(rest, one, two, at(1, "runnable", "main.sum:30"))), "goroutine-deadlock", 0, 0, ""},
		{"a cycle in one dump", apart(0, dumpOf(waits(3, "0xa", "main.one:58"), one, waits(2, "0xb", "main.two:68"),
			two)), "goroutine-deadlock", 50, capUnsure, ""},
		{"of one lock there is none", apart(0, dumpOf(waits(3, "0xa", "main.one:58"), waits(1, "0xa", "main.one:62"))),
			"goroutine-deadlock", 0, 0, ""},

		{"a library's lock, whose holder writes the disk", apart(9, dumpOf(inBolt, commits), dumpOf(inBolt, commits)),
			"goroutine-deadlock", 0, 0, ""},
		{"and is not lost", apart(9, dumpOf(inBolt, commits), dumpOf(inBolt, commits)), "lock-never-released", 0, 0, ""},
		{"nor to be held for less", apart(9, dumpOf(inBolt, commits), dumpOf(inBolt, commits)), "lock-held-io", 0, 0, ""},
		{"a library's lock that nobody holds", apart(9, dumpOf(inBolt), dumpOf(inBolt)), "lock-never-released", 25,
			capNotice, "main.(*orders).keep"},

		{"by elimination, two captures", apart(9, dumpOf(rest, sleeps("main.one:60"), idle),
			dumpOf(rest, sleeps("main.one:60"), idle)), "lock-held-io", 25, capUnsure, "main.one"},
		{"one capture", apart(0, dumpOf(rest, sleeps("main.one:60"), idle)), "lock-held-io", 25, capNotice, "main.one"},
		{"profiles do not tell who is about to run", apart(9, profileOf("goroutine", rest, sleeps("main.one:60")),
			profileOf("goroutine", rest, sleeps("main.one:60"))), "lock-held-io", 0, 0, ""},
		{"profiles of a process at rest do", func() diagnose.Input {
			cpu := cpuProfile(t, 10, map[string]int64{workStack: 3})
			cpu.Taken = noon
			in := apart(9, profileOf("goroutine", rest, sleeps("main.one:60")),
				profileOf("goroutine", rest, sleeps("main.one:60")))
			in.Evidence, in.Limits = append(in.Evidence, cpu), casefile.Limits{CPUs: 2}
			return in
		}(), "lock-held-io", 25, capUnsure, "main.one"},
		{"a loop in the background is none", apart(9, dumpOf(rest, loop, idle), dumpOf(rest, loop, idle)),
			"lock-held-io", 0, 0, ""},
		{"one that waits for others may be it", apart(0,
			dumpOf(rest, sleeps("main.one:60"), at(1, "chan receive", "runtime.chanrecv1 main.two:40"))),
			"lock-held-io", 0, 0, ""},
		{"the lock changes hands", apart(0, dumpOf(rest, sleeps("main.one:60"),
			at(1, "runnable", lock("0xa")+"main.req:52"))), "lock-held-io", 0, 0, ""},
		{"past the line of another function that takes the lock",
			apart(0, dumpOf(rest, waits(1, "0xa", "main.two:58"), at(1, "sleep", "time.Sleep main.two:60"))),
			"lock-held-io", 25, capUnsure, "main.two"},
	} {
		t.Run(tt.kind+"/"+tt.name, func(t *testing.T) {
			f, got := scoreOf(t, tt.in, tt.kind)
			if got < tt.low || got > tt.high {
				t.Fatalf("%s scores %d, want %d to %d (%s)", tt.kind, got, tt.low, tt.high, f.Summary)
			}
			if tt.first != "" && f.Where[0].Function != tt.first {
				t.Errorf("%s blames %v, want %s first", tt.kind, f.Where, tt.first)
			}
		})
	}
}
