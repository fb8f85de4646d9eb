package diagnose_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/gocasebook/casebook/diagnose"
)

// TestAbandoned: requests that stay without their client leak; those in a queue, those whose clients wait, and those
// whose clients all left at once do not.
func TestAbandoned(t *testing.T) {
	const http2 = "net/http.(*http2serverConn).runHandler"
	clients := func(n int) crowd { return crowd{n, "IO wait", poll + " net/http.(*connReader).backgroundRead", ""} }
	unborn := func(n int) crowd {
		return crowd{n, "runnable", "net/http.(*connReader).startBackgroundRead.gowrap2", ""}
	}
	at := func(n int, state, stack string) crowd { return crowd{n, state, stack + " " + conn, ""} }
	stream := func(n int) crowd { return at(n, "chan receive", "runtime.chanrecv2 main.(*feed).stream:77") }
	cond := func(n int) crowd { return at(n, "sync.Cond.Wait", "sync.(*Cond).Wait main.(*board).await:64") }
	send := func(n int) crowd { return at(n, "chan send", "runtime.chansend1 main.(*hub).post:9") }
	poll2 := func(n int) crowd { return at(n, "select", "runtime.selectgo main.(*hub).next:31") }
	group := func(n int) crowd { return at(n, "sync.WaitGroup.Wait", "sync.(*WaitGroup).Wait main.page:12") }
	for _, tt := range []struct {
		name          string
		before, after []crowd
		leaks         bool
	}{
		{"streams", []crowd{stream(320), clients(50)}, []crowd{stream(560), clients(50)}, true},
		{"a Cond", []crowd{cond(190), clients(160)}, []crowd{cond(350), clients(160)}, true},
		{"senders", []crowd{send(40), clients(10)}, []crowd{send(140), clients(9)}, true},
		{"a select without the context", []crowd{poll2(60), clients(20)}, []crowd{poll2(190), clients(20)}, true},
		{"a WaitGroup", []crowd{group(60), clients(20)}, []crowd{group(190), clients(20)}, true},

		{"with their clients", []crowd{poll2(320), clients(320)}, []crowd{poll2(560), clients(560)}, false},
		{"readers that have not run", []crowd{poll2(90), unborn(90)}, []crowd{poll2(190), clients(2), unborn(188)}, false},
		{"as many without", []crowd{poll2(320), clients(290)}, []crowd{poll2(325), clients(295)}, false},
		{"all left at once", []crowd{group(60), clients(60)}, []crowd{group(60), clients(1)}, false},
		{"bodies that are not read", []crowd{group(60)}, []crowd{group(190)}, false},
		{"HTTP/2", []crowd{{60, "select", "runtime.selectgo main.next:3 " + http2, ""}, clients(9)},
			[]crowd{{190, "select", "runtime.selectgo main.next:3 " + http2, ""}, clients(9)}, false},
		{"WebSockets", []crowd{at(60, "select", "runtime.selectgo github.com/gorilla/websocket.(*Conn).x main.ws:3"),
			clients(9)}, []crowd{at(190, "select", "runtime.selectgo github.com/gorilla/websocket.(*Conn).x main.ws:3"),
			clients(9)}, false},
		{"another service", []crowd{at(60, "select", "runtime.selectgo "+client+" main.ask:3"), clients(9)},
			[]crowd{at(190, "select", "runtime.selectgo "+client+" main.ask:3"), clients(9)}, false},
		{"a lock", []crowd{at(60, "sync.Mutex.Lock", lockWait+" main.(*S).get:3"), clients(9)},
			[]crowd{at(190, "sync.Mutex.Lock", lockWait+" main.(*S).get:3"), clients(9)}, false},
	} {
		t.Run(tt.name, func(t *testing.T) {
			in := apart(10, dumpOf(tt.before...), dumpOf(tt.after...))
			if f, score := scoreOf(t, in, "goroutine-leak"); score > 0 != tt.leaks {
				t.Errorf("scores %d: %s", score, f.Title)
			}
			if all := kinds(diagnose.Run(t.Context(), in, diagnose.Options{}).Findings); tt.leaks &&
				slices.Contains(all, "chan-bottleneck") {
				t.Errorf("is a queue, too: %s", all)
			}
		})
	}
}

// TestRunsAtOnce: runs that a library begins and that wait at its lock for the run before are told at the user's line
// that is run with the lock held.
func TestRunsAtOnce(t *testing.T) {
	const library = " github.com/x/sched.wait.func1:312 github.com/x/sched.(*S).start.func1:20"
	queued := func(n int) crowd { return crowd{n, "sync.Mutex.Lock", lockWait + library, ""} }
	runs := crowd{30, "select", "runtime.selectgo net/http.(*Transport).roundTrip main.(*feeds).sync:25" +
		strings.Replace(library, ":312", ":314", 1), ""}
	at := crowd{2400, "sync.Mutex.Lock", lockWait + " main.(*feeds).sync:20" + library, ""}
	for _, tt := range []struct {
		name          string
		before, after []crowd
		place, remedy string // "": no finding
	}{
		{"it grows", []crowd{queued(1200), runs}, []crowd{queued(2400), runs}, "main.(*feeds).sync",
			"Begin no run while the one before is at work"},
		{"few wait", []crowd{queued(40), runs}, []crowd{queued(60), runs}, "", ""},
		{"a lock at the user's line, which is for kinds of locks", []crowd{runs, at}, []crowd{runs, at}, "", ""},
	} {
		f, score := scoreOf(t, apart(10, dumpOf(tt.before...), dumpOf(tt.after...)), "goroutine-surge")
		switch {
		case (score > 0) != (tt.place != ""):
			t.Errorf("%s: scores %d: %s", tt.name, score, f.Title)
		case score > 0 && (f.Where[0].Function != tt.place || f.Remedies[0].Title != tt.remedy):
			t.Errorf("%s: at %v, change %v", tt.name, f.Where, f.Remedies)
		}
	}
}
