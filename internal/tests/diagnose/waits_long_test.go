package diagnose_test

import (
	"strings"
	"testing"
	"time"

	"github.com/gocasebook/casebook/casefile"
	"github.com/gocasebook/casebook/diagnose"
	"github.com/gocasebook/casebook/vitals"
)

// TestWaitsLong: requests that wait for an answer in each goroutine profile, and how long the kernel's counts say.
func TestWaitsLong(t *testing.T) {
	const background = "internal/poll.runtime_pollWait net.(*conn).Read net/http.(*connReader).backgroundRead"
	const begun = "net/http.(*Server).Serve:9"
	readers := func(n int) crowd {
		return crowd{n, "IO wait", background, "net/http.(*connReader).startBackgroundRead:3"}
	}
	asking := crowd{40, "IO wait", poll + " bufio.(*Reader).fill main.ask:30 main.weather:40 " + conn, begun}
	fetching := crowd{40, "select", client + " main.fetch:50 " + conn, begun}
	waiting := crowd{40, "sync.WaitGroup.Wait", "sync.(*WaitGroup).Wait main.(*atlas).page:80 " + conn, begun}
	asked := crowd{40, "IO wait", poll + " main.ask:30 main.weather:40 main.(*atlas).page.func1:82 " +
		"golang.org/x/sync/errgroup.(*Group).Go.func1", "golang.org/x/sync/errgroup.(*Group).Go:9"}
	upload := crowd{40, "IO wait", poll + " net/http.(*connReader).Read net/http.(*body).Read main.upload:8 " + conn,
		begun}
	others := crowd{60, "select", "main.(*hub).events:9 " + conn, begun}
	for _, tt := range []struct {
		name   string
		writes float64 // a second; 0: not known
		all    []crowd
		at     string // "" for nothing
		doubt  bool
	}{
		{"by hand", 400, []crowd{asking, readers(40)}, "main.ask", false},
		{"over HTTP", 400, []crowd{fetching, readers(40)}, "main.fetch", false},
		{"in goroutines that they start", 400, []crowd{waiting, asked, readers(40)}, "", true},
		{"for how long is not known", 0, []crowd{asking, readers(40)}, "", true},

		{"many calls a second", 8000, []crowd{asking, readers(40)}, "", false},
		{"connections that were taken over", 400, []crowd{asking}, "", false},
		{"bodies that come slowly", 400, []crowd{upload, readers(40)}, "", false},
		{"others wait for something else", 400, []crowd{fetching, others, readers(100)}, "", false},
		{"few", 40, []crowd{{5, fetching.state, fetching.stack, begun}, readers(5)}, "", false},
		{"not of requests", 400, []crowd{asked}, "", false},
	} {
		t.Run(tt.name, func(t *testing.T) {
			in := apart(9, dumpOf(tt.all...), dumpOf(tt.all...))
			if tt.writes > 0 {
				v := minutesOf(t, world{vitals.WriteCalls: always(tt.writes), vitals.CPU: always(0.05)})
				shiftTo(&in, v)
			}
			rep := diagnose.Run(t.Context(), in, diagnose.Options{})
			if len(rep.Failed) > 0 {
				t.Fatal(rep.Failed)
			}
			f := findingOf(rep.Findings, "requests-wait")
			switch {
			case tt.at == "" && f != nil:
				t.Errorf("found: %s", f.Title)
			case tt.at != "" && (f == nil || f.Where[0].Function != tt.at || f.Score > capUnsure):
				t.Errorf("%+v; want one at %s, of %d or less", f, tt.at, capUnsure)
			}
			if v := rep.Verdict; tt.doubt && (v == nil || v.Answer != casefile.AnswerUndecided) {
				t.Errorf("the verdict is %+v, want a doubt", v)
			}
		})
	}
	t.Run("one capture", func(t *testing.T) {
		in := apart(0, dumpOf(asking, readers(40)))
		if _, score := scoreOf(t, in, "requests-wait"); score != 0 {
			t.Errorf("%d, want nothing: one moment may be chance", score)
		}
	})
}

// TestLongInSystemCall: requests that are in a system call in each goroutine profile.
func TestLongInSystemCall(t *testing.T) {
	const begun = "net/http.(*Server).Serve:9"
	readers := crowd{30, "IO wait",
		"internal/poll.runtime_pollWait net.(*conn).Read net/http.(*connReader).backgroundRead",
		"net/http.(*connReader).startBackgroundRead:3"}
	in := func(n int, stack string) crowd { return crowd{n, "syscall", stack + " main.save:30 " + conn, begun} }
	waiting := crowd{20, "sync.Mutex.Lock", lockWait + " main.save:28 " + conn, begun}
	for _, tt := range []struct {
		name   string
		writes float64
		all    []crowd
		kind   string // in the title; "" for nothing
	}{
		{"a lock of a file", 100, []crowd{in(30, "syscall.Flock"), readers}, "flock"},
		{"the disk", 100, []crowd{in(30, "syscall.Fsync internal/poll.(*FD).Fsync os.(*File).Sync"), readers}, "fsync"},
		{"for a moment", 40_000, []crowd{in(30, "syscall.Flock"), readers}, ""},
		{"a few", 10, []crowd{in(4, "syscall.Flock"), readers}, ""},
		{"most wait for something else", 100, []crowd{in(12, "syscall.Flock"), waiting, readers}, ""},
		{"writes to connections", 100, []crowd{in(30, "syscall.write net.(*netFD).Write net.(*conn).Write"), readers},
			""},
		{"not of requests", 100, []crowd{{30, "syscall", "syscall.Flock main.work:8", "main.main:9"}}, ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			captures := apart(9, dumpOf(tt.all...), dumpOf(tt.all...))
			shiftTo(&captures, minutesOf(t, world{vitals.WriteCalls: always(tt.writes), vitals.CPU: always(0.05)}))
			rep := diagnose.Run(t.Context(), captures, diagnose.Options{})
			if len(rep.Failed) > 0 {
				t.Fatal(rep.Failed)
			}
			f := findingOf(rep.Findings, "requests-wait")
			switch {
			case tt.kind == "" && f != nil:
				t.Errorf("found: %s", f.Title)
			case tt.kind != "" && (f == nil || f.Where[0].Function != "main.save" || f.Score > capUnsure ||
				!strings.Contains(f.Title, tt.kind)):
				t.Errorf("%+v; want %s at main.save, of %d or less", f, tt.kind, capUnsure)
			}
		})
	}
}

// shiftTo adds vitals, and moves the captures to their last minute.
func shiftTo(in *diagnose.Input, v diagnose.Evidence) {
	at := time.Date(2026, 11, 23, 12, 4, 40, 0, time.UTC)
	for i := range in.Evidence {
		in.Evidence[i].Taken = at.Add(time.Duration(9*i) * time.Second)
		in.Evidence[i].Phase = casefile.During
	}
	in.Evidence = append(in.Evidence, v)
	in.Limits = casefile.Limits{CPUs: 2}
}
