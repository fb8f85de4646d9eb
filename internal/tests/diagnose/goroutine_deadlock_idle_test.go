package diagnose_test

import (
	"testing"

	"github.com/gocasebook/casebook/casefile"
	"github.com/gocasebook/casebook/diagnose"
)

// TestStuckBetweenLocks: profiles have no addresses of locks. If goroutines wait at two lines of a function, none of
// them leaves, and the CPU is idle, a deadlock is likely. If the locks may change hands, it is not.
func TestStuckBetweenLocks(t *testing.T) {
	at := func(n int, where string) crowd { return crowd{n, "", lockWait + " " + where + " " + conn, ""} }
	profiles := func(data ...[]byte) diagnose.Input { return apart(9, data...) }
	of := func(crowds ...crowd) []byte { return profileOf("goroutine", crowds...) }
	writes := crowd{1, "", "syscall.Syscall os.(*File).Write main.move:49 " + conn, ""}
	before := of(crowd{3, "", poll + " net/http.(*connReader).Read " + conn, ""})

	for _, tt := range []struct {
		name  string
		in    diagnose.Input
		ticks int64 // of the CPU in 10 s
		found bool
	}{
		{"transfers between two accounts", profiles(of(at(1022, "main.move:42"), at(187, "main.move:57")),
			of(at(1902, "main.move:42"), at(199, "main.move:57"))), 26, true},
		{"with a baseline", profiles(before, of(at(1022, "main.move:42"), at(187, "main.move:57")),
			of(at(1902, "main.move:42"), at(199, "main.move:57"))), 26, true},
		{"methods", profiles(of(at(40, "main.(*bank).move:42"), at(2, "main.(*bank).move:57")),
			of(at(60, "main.(*bank).move:42"), at(2, "main.(*bank).move:57"))), 3, true},
		{"a lock for reading taken again", profiles(of(at(40, "main.get:42"), at(9, "main.get:44")),
			of(at(60, "main.get:42"), at(9, "main.get:44"))), 3, true},
		{"nobody else comes", profiles(of(at(40, "main.move:42"), at(2, "main.move:57")),
			of(at(40, "main.move:42"), at(2, "main.move:57"))), 3, true},
		{"one waits for a file meanwhile", profiles(of(at(1022, "main.move:42"), at(187, "main.move:57"), writes),
			of(at(1902, "main.move:42"), at(199, "main.move:57"), writes)), 26, false},
		{"the second queue gets shorter", profiles(of(at(1022, "main.move:42"), at(187, "main.move:57")),
			of(at(1902, "main.move:42"), at(99, "main.move:57"))), 26, false},
		{"two orders in three functions", profiles(of(at(100, "main.req:52"), at(1, "main.one:62"), at(1, "main.two:72")),
			of(at(120, "main.req:52"), at(1, "main.one:62"), at(1, "main.two:72"))), 3, true},
		{"which are used", profiles(of(at(100, "main.req:52"), at(1, "main.one:62"), at(1, "main.two:72")),
			of(at(120, "main.req:52"), at(1, "main.one:62"), at(1, "main.two:72"))), 800, false},
		{"one of three may hold it", profiles(of(at(100, "main.req:52"), at(1, "main.one:62"), writes),
			of(at(120, "main.req:52"), at(1, "main.one:62"), writes)), 3, false},
		{"one line", profiles(of(at(1022, "main.move:42")), of(at(1902, "main.move:42"))), 26, false},
		{"the CPU is busy", profiles(of(at(1022, "main.move:42"), at(187, "main.move:57")),
			of(at(1902, "main.move:42"), at(199, "main.move:57"))), 800, false},
		{"one capture", profiles(of(at(1022, "main.move:42"), at(187, "main.move:57"))), 26, false},
		{"a few", profiles(of(at(3, "main.move:42"), at(1, "main.move:57")),
			of(at(4, "main.move:42"), at(1, "main.move:57"))), 26, false},
	} {
		t.Run(tt.name, func(t *testing.T) {
			cpu := cpuProfile(t, 10, map[string]int64{workStack: tt.ticks})
			cpu.Taken = noon
			in := tt.in
			in.Evidence, in.Limits = append(in.Evidence, cpu), casefile.Limits{CPUs: 2}
			f, score := scoreOf(t, in, "goroutine-deadlock")
			if got := score > capNotice; got != tt.found || score > capUnsure {
				t.Errorf("goroutine-deadlock scores %d (%s), want more than a notice: %v", score, f.Summary, tt.found)
			}
		})
	}
}
