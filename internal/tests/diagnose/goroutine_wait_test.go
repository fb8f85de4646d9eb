package diagnose_test

import (
	"bytes"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/gocasebook/casebook/casefile"
	"github.com/gocasebook/casebook/diagnose"
	"github.com/gocasebook/casebook/internal/profiletest"
)

// A crowd is n goroutines with the same stack. Functions of the stack, the leaf first, may have a line, and in a dump
// their first argument: "main.wait@0x20:12".
type crowd struct {
	n       int
	state   string // "chan send, 3 minutes"
	stack   string
	created string
}

const (
	conn     = "net/http.(*conn).serve"
	client   = "net/http.(*persistConn).roundTrip net/http.(*Transport).roundTrip net/http.(*Client).do"
	poll     = "internal/poll.runtime_pollWait internal/poll.(*FD).Read net.(*conn).Read"
	lockWait = "internal/sync.runtime_SemacquireMutex internal/sync.(*Mutex).Lock sync.(*Mutex).Lock"
	readLoop = "net/http.(*persistConn).readLoop"
)

// dumpOf is a debug=2 dump.
func dumpOf(crowds ...crowd) []byte {
	var b bytes.Buffer
	id := 0
	for _, c := range crowds {
		for range c.n {
			id++
			fmt.Fprintf(&b, "goroutine %d [%s]:\n", id, c.state)
			for _, f := range strings.Fields(c.stack) {
				printFrame(&b, f, "(0x1)")
			}
			if c.created != "" {
				b.WriteString("created by ")
				printFrame(&b, c.created, " in goroutine 1")
			}
			b.WriteByte('\n')
		}
	}
	return b.Bytes()
}

func printFrame(b *bytes.Buffer, f, after string) {
	name, line := f, "7"
	if i := strings.LastIndexByte(f, ':'); i > 0 {
		name, line = f[:i], f[i+1:]
	}
	if fn, arg, ok := strings.Cut(name, "@"); ok {
		name, after = fn, "("+arg+")"
	}
	fmt.Fprintf(b, "%s%s\n\t%s:%s +0x1\n", name, after, goFile(name), line)
}

// goFile is the file of a function in a build without -trimpath.
func goFile(name string) string {
	if strings.HasPrefix(name, "main.") {
		return "/src/app/main.go"
	}
	if strings.Contains(name, ".com/") {
		return "/root/go/pkg/mod/" + profiletest.File(name)
	}
	return "/usr/local/go/src/" + profiletest.File(name)
}

// profileOf is a debug=1 profile. It has no states: those of channels and locks come from the frames.
func profileOf(header string, crowds ...crowd) []byte {
	var b bytes.Buffer
	fmt.Fprintf(&b, "%s profile: total 1\n", header)
	for _, c := range crowds {
		fmt.Fprintf(&b, "%d @ 0x1\n", c.n)
		for _, f := range strings.Fields(c.stack) {
			name, line, found := strings.Cut(f, ":")
			if !found {
				line = "7"
			}
			name, _, _ = strings.Cut(name, "@")
			fmt.Fprintf(&b, "#\t0x1\t%s+0x1\t%s:%s\n", name, goFile(name), line)
		}
		b.WriteByte('\n')
	}
	return b.Bytes()
}

var noon = time.Date(2026, 11, 21, 12, 0, 0, 0, time.UTC)

// apart are captures a few seconds after one another.
func apart(seconds int, data ...[]byte) diagnose.Input {
	var in diagnose.Input
	for i, d := range data {
		in.Evidence = append(in.Evidence, diagnose.Evidence{Name: fmt.Sprintf("%d.txt", i+1),
			Taken: noon.Add(time.Duration(i*seconds) * time.Second), Data: d})
	}
	return in
}

// firstDuring makes the first capture one taken during the trouble, and the others later ones.
func firstDuring(in diagnose.Input) diagnose.Input {
	for i := range in.Evidence {
		in.Evidence[i].Phase = casefile.After
	}
	in.Evidence[0].Phase = casefile.During
	return in
}

// TestWaits: what goroutines show, and what they do not.
func TestWaits(t *testing.T) {
	send := crowd{0, "chan send", "runtime.chansend1 main.(*Quotes).ask:12", "main.(*Quotes).first:20"}
	pool := crowd{0, "chan receive", "runtime.chanrecv1 main.(*Pool).work:31", "main.start:5"}
	queued := crowd{0, "chan send", "runtime.chansend1 main.(*Journal).add:40 " + conn, "net/http.(*Server).Serve:9"}
	hung := crowd{0, "select, 3 minutes", client + " main.(*Client).fetch:50 " + conn, "net/http.(*Server).Serve:9"}
	waiter := crowd{0, "sync.Mutex.Lock", lockWait + " main.(*Store).get:60 " + conn, "net/http.(*Server).Serve:9"}
	holder := crowd{1, "IO wait", poll + " main.(*Store).get:64 " + conn, "net/http.(*Server).Serve:9"}
	reading := func(inner string) crowd { // an answer, with the lock
		return crowd{1, "IO wait", poll + " " + inner + " main.(*Store).get:64 " + conn, "net/http.(*Server).Serve:9"}
	}
	calling := crowd{1, "select", "net/http.(*persistConn).roundTrip net/http.(*Client).Do main.(*Store).get:64 " + conn,
		"net/http.(*Server).Serve:9"}
	asking := crowd{0, "IO wait", poll + " main.registry.ask:30 " + conn, "net/http.(*Server).Serve:9"}
	body := crowd{0, "IO wait", poll + " net/http.(*connReader).Read net/http.(*body).Read main.upload:8 " + conn,
		"net/http.(*Server).Serve:9"}
	socket := crowd{0, "IO wait", poll + " github.com/gorilla/websocket.(*Conn).NextReader main.chat:9 " + conn,
		"net/http.(*Server).Serve:9"}
	stream := crowd{0, "select", "main.(*Hub).stream:49 " + conn, "net/http.(*Server).Serve:9"}
	drain := crowd{1, "sleep", "time.Sleep main.(*Quotes).drain:80", "main.start:6"}
	busySelf := crowd{1, "runnable", "main.(*Quotes).ask:10", "main.(*Quotes).first:20"}
	unread := crowd{0, "select", readLoop, "net/http.(*Transport).dialConn:3"}
	n := func(c crowd, n int) crowd { c.n = n; return c }
	in := func(c crowd, state string) crowd { c.state = state; return c }
	tests := []struct {
		name      string
		in        diagnose.Input
		kind      string
		low, high int
		at        string // the first or second place
	}{
		{"senders that become more", apart(20, dumpOf(n(send, 20)), dumpOf(n(send, 60))), "goroutine-leak", 75, 100,
			"main.(*Quotes).ask"},
		{"receivers that become more may be a queue", apart(20, dumpOf(n(pool, 20)), dumpOf(n(pool, 60))),
			"goroutine-leak", 50, capUnsure, "main.(*Pool).work"},
		{"in three captures", apart(20, dumpOf(n(pool, 20)), dumpOf(n(pool, 60)), dumpOf(n(pool, 90))),
			"goroutine-leak", 75, 100, "main.(*Pool).work"},
		{"few when the trouble was seen", firstDuring(apart(60, dumpOf(n(send, 2)), dumpOf(n(send, 40)))),
			"goroutine-leak", 50, 100, "main.(*Quotes).ask"},
		{"a pool of a constant number", apart(20, dumpOf(n(in(pool, "chan receive, 40 minutes"), 64)),
			dumpOf(n(in(pool, "chan receive, 40 minutes"), 64))), "goroutine-leak", 0, 0, ""},
		{"a pool in one dump", apart(0, dumpOf(n(in(pool, "chan receive, 40 minutes"), 64))), "goroutine-leak", 0, 0,
			""},
		{"senders stuck for minutes in one dump", apart(0, dumpOf(n(in(send, "chan send, 4 minutes"), 64))),
			"goroutine-leak", 25, capUnsure, "main.(*Quotes).ask"},
		{"chance", apart(20, dumpOf(n(pool, 100)), dumpOf(n(pool, 130))), "goroutine-leak", 0, 0, ""},
		{"requests are no leak", apart(20, dumpOf(n(queued, 20)), dumpOf(n(queued, 90))), "goroutine-leak", 0, 0, ""},
		{"proved by the runtime", apart(0, profileOf("goroutineleak", n(send, 3))), "goroutine-leak", 25, 49,
			"main.(*Quotes).ask"},

		{"a queue that nobody receives from", apart(20, dumpOf(n(send, 300)), dumpOf(n(send, 300))), "goroutine-leak",
			25, capUnsure, "main.(*Quotes).ask"},
		{"what senders do before is no reader", apart(20, dumpOf(n(send, 300), busySelf),
			dumpOf(n(send, 300), busySelf)), "goroutine-leak", 25, capUnsure, "main.(*Quotes).ask"},
		{"somebody may receive", apart(20, dumpOf(n(send, 300), drain), dumpOf(n(send, 300), drain)), "goroutine-leak",
			0, 0, ""},
		{"300 more of 30,000, with vitals", with(apart(10, profileOf("goroutine", n(send, 30_000)),
			profileOf("goroutine", n(send, 30_300))), countHistory(t, 30_000, 30)),
			"goroutine-leak", 75, 100, "main.(*Quotes).ask"},
		{"300 more of 30,000 that come and go", with(apart(10, profileOf("goroutine", n(pool, 30_000)),
			profileOf("goroutine", n(pool, 30_300))), countHistory(t, 30_000, 30, 400, -500, 150, 300, -400)),
			"goroutine-leak", 0, 0, ""},
		{"300 more wait of 30,000, and the process has as many as before",
			with(apart(10, profileOf("goroutine", n(pool, 30_000)), profileOf("goroutine", n(pool, 30_300))),
				countHistory(t, 31_000, 0)),
			"goroutine-leak", 0, 0, ""},
		{"growth that slows down", with(apart(10, profileOf("goroutine", n(pool, 1000)),
			profileOf("goroutine", n(pool, 1900))), countHistory(t, 1000, 90, 90, 60, 30, 0, 0, -30, -50, -60, -70,
			-70)),
			"goroutine-leak", 0, 0, ""},
		{"in step with connections", apart(10, dumpOf(n(pool, 400), n(socket, 200)),
			dumpOf(n(pool, 800), n(socket, 400))), "goroutine-leak", 0, 0, ""},
		{"many more than connections", apart(10, dumpOf(n(pool, 400), n(socket, 10)),
			dumpOf(n(pool, 800), n(socket, 30))), "goroutine-leak", 50, capUnsure, "main.(*Pool).work"},
		{"requests before a channel, twice", apart(20, dumpOf(n(queued, 80)), dumpOf(n(queued, 90))), "chan-bottleneck",
			60, 100, "main.(*Journal).add"},
		{"once", apart(0, dumpOf(n(queued, 300))), "chan-bottleneck", capUnsure, capUnsure, "main.(*Journal).add"},
		{"a pipeline waits for its slowest stage", apart(0, dumpOf(n(send, 300), drain)), "chan-bottleneck", 25,
			capNotice, "main.(*Quotes).ask"},
		{"streams of events", apart(9, dumpOf(n(stream, 600)), dumpOf(n(stream, 600))), "chan-bottleneck", 0, 0, ""},
		{"five requests", apart(0, dumpOf(n(queued, 5))), "chan-bottleneck", 0, 0, ""},

		{"calls that hang", apart(0, dumpOf(n(hung, 20))), "goroutine-stuck", 40, 74, "main.(*Client).fetch"},
		{"one may be slow", apart(0, dumpOf(n(hung, 1))), "goroutine-stuck", 0, 0, ""},
		{"calls that have just begun", apart(0, dumpOf(n(in(hung, "select"), 500))), "goroutine-stuck", 0, 0, ""},
		{"requests that wait for another service and double", apart(10, dumpOf(n(asking, 40)), dumpOf(n(asking, 100))),
			"goroutine-stuck", 50, capUnsure, "main.registry.ask"},
		{"while others' times are known", apart(10, dumpOf(n(asking, 40), n(in(pool, "chan receive, 4 minutes"), 5)),
			dumpOf(n(asking, 100), n(in(pool, "chan receive, 4 minutes"), 5))),
			"goroutine-stuck", 50, capUnsure, "main.registry.ask"},
		{"and do not double", apart(10, dumpOf(n(asking, 80)), dumpOf(n(asking, 140))), "goroutine-stuck", 0, 0, ""},
		{"of hardly any", apart(10, dumpOf(n(asking, 3)), dumpOf(n(asking, 60))), "goroutine-stuck", 0, 0, ""},
		{"bodies that come slowly", apart(10, dumpOf(n(body, 40)), dumpOf(n(body, 100))), "goroutine-stuck", 0, 0, ""},
		{"web sockets that become more", apart(10, dumpOf(n(socket, 40)), dumpOf(n(socket, 100))), "goroutine-stuck", 0,
			0, ""},
		{"streams that become more", apart(10, dumpOf(n(stream, 40)), dumpOf(n(stream, 100))), "goroutine-stuck", 0, 0,
			""},
		{"a long poll", apart(0, dumpOf(n(crowd{state: "select, 9 minutes", stack: "main.(*Hub).poll:8 " + conn},
			900))), "goroutine-stuck", 25, capNotice, "main.(*Hub).poll"},
		{"idle connections", apart(0, dumpOf(n(crowd{state: "IO wait, 9 minutes", stack: poll + " " + conn}, 900))),
			"goroutine-stuck", 0, 0, ""},

		{"a lock nobody holds", apart(0, dumpOf(n(in(waiter, "sync.Mutex.Lock, 5 minutes"), 6))),
			"lock-never-released", 74, 74, "main.(*Store).get"},
		{"at two lines: one is held while waiting for the other",
			apart(0, dumpOf(n(in(waiter, "sync.Mutex.Lock, 5 minutes"), 6),
				crowd{1, "sync.Mutex.Lock, 5 minutes", lockWait + " main.(*Store).get:66 " + conn, ""})),
			"goroutine-deadlock", 75, 100, "main.(*Store).get"},
		{"a holder waits outside", apart(0, dumpOf(n(in(waiter, "sync.Mutex.Lock, 5 minutes"), 60), holder)),
			"goroutine-deadlock", 0, 0, ""},
		{"not for a minute", apart(0, dumpOf(n(waiter, 60))), "goroutine-deadlock", 0, 0, ""},

		{"and holds the lock", apart(0, dumpOf(n(waiter, 60), calling)), "lock-held-io", 50, capUnsure,
			"main.(*Store).get"},
		{"in two captures", apart(9, dumpOf(n(waiter, 160), calling), dumpOf(n(waiter, 160), calling)),
			"lock-held-io", 75, 100, "main.(*Store).get"},
		{"reads a body with the lock", apart(0, dumpOf(n(waiter, 60), reading("net/http.(*body).Read"))),
			"lock-held-io", 50, capUnsure, "main.(*Store).get"},
		{"above the lock nobody holds it", apart(0, dumpOf(n(waiter, 60),
			in(crowd{1, "", poll + " main.(*Store).get:58 " + conn, ""}, "IO wait"))), "lock-held-io", 0, 0, ""},
		{"as many outside as in line", apart(0, dumpOf(n(waiter, 60), n(holder, 60))), "lock-held-io", 0, 0, ""},
		{"another method reads its connection", apart(0,
			dumpOf(n(waiter, 60), crowd{1, "IO wait", poll + " main.(*Store).readLoop:90", "main.NewStore:3"})),
			"lock-held-io", 0, 0, ""},

		{"bodies that nobody reads", apart(0, dumpOf(n(unread, 200))), "connection-leak", 25, capUnsure, ""},
		{"that become more", apart(20, dumpOf(n(unread, 200)), dumpOf(n(unread, 400))), "connection-leak", 75, 100, ""},
		{"bodies that are being read", apart(0, dumpOf(n(unread, 200),
			crowd{200, "select", "net/http.(*bodyEOFSignal).Read main.load:4 " + conn, ""})), "connection-leak", 0, 0,
			""},
		{"connections kept for reuse", apart(0, dumpOf(n(in(unread, "IO wait, 1 minutes"), 400))), "connection-leak", 0,
			0, ""},

		{"readers behind a writer", apart(0, dumpOf(crowd{50, "sync.RWMutex.RLock",
			"sync.runtime_SemacquireRWMutexR sync.(*RWMutex).RLock main.(*Settings).get:7 " + conn, ""},
			crowd{1, "sync.RWMutex.Lock", "sync.runtime_SemacquireRWMutex sync.(*RWMutex).Lock main.(*Settings).set:9",
				"main.main:3"})), "lock-contention", 40, capUnsure, "main.(*Settings).get"},
		{"a name that does not resolve", apart(0, dumpOf(crowd{60, "select",
			"net.(*Resolver).lookupIPAddr net.(*Dialer).DialContext main.dial:4 " + conn, ""})), "net-dns-tls", 50,
			capUnsure, "main.dial"},
		{"a finalizer that waits", apart(0, dumpOf(crowd{1, "chan receive, 2 minutes",
			"runtime.chanrecv1 main.(*Buf).free:4 runtime.runFinalizers", ""})), "gc-finalizers", 75, 75,
			"main.(*Buf).free"},
		{"a goroutine that forces a collection", apart(0,
			dumpOf(crowd{1, "wait for GC cycle", "runtime.GC main.(*Import).end:4", "main.main:9"})), "gc-forced", 25,
			capUnsure, "main.(*Import).end"},
	}
	for _, tt := range tests {
		t.Run(tt.kind+"/"+tt.name, func(t *testing.T) {
			f, got := scoreOf(t, tt.in, tt.kind)
			if got < tt.low || got > tt.high {
				t.Fatalf("%s scores %d, want %d to %d (%s)", tt.kind, got, tt.low, tt.high, f.Summary)
			}
			blames := func(p casefile.Frame) bool { return p.Function == tt.at }
			if tt.at != "" && !slices.ContainsFunc(f.Where[:min(len(f.Where), 2)], blames) {
				t.Errorf("%s blames %v, want %s first or second", tt.kind, f.Where, tt.at)
			}
		})
	}
}

// TestLocksOfConnections: a lock that guards the connection which its holder reads is cured by more connections, and
// one that is held during a call by making the call without it.
func TestLocksOfConnections(t *testing.T) {
	waiters := crowd{60, "sync.Mutex.Lock", lockWait + " main.(*Store).get:60 " + conn, "net/http.(*Server).Serve:9"}
	reading := func(inner string) crowd {
		return crowd{1, "IO wait", poll + " " + inner + " main.(*Store).get:64 " + conn, "net/http.(*Server).Serve:9"}
	}
	dials := crowd{1, "select", "net.(*netFD).connect net.(*Dialer).DialContext main.(*Store).get:62 " + conn, ""}
	const pgx = "github.com/jackc/pgx/v5.(*Conn).Query"
	for _, tt := range []struct {
		name   string
		data   []byte
		shared bool
	}{
		{"the socket", dumpOf(waiters, reading("")), true},
		{"through its codec", dumpOf(waiters, reading("main.(*codec).answer:12")), true},
		{"through a library's connection", dumpOf(waiters, reading(pgx)), true},
		{"an answer of net/http", dumpOf(waiters, reading("net/http.(*persistConn).Read")), false},
		{"one of a pool", dumpOf(waiters, reading(pgx+" github.com/jackc/pgx/v5/pgxpool.(*Pool).Query")), false},
		{"of which another one is being opened there", dumpOf(waiters, reading(""), dials), false},
	} {
		f, score := scoreOf(t, apart(0, tt.data), "lock-held-io")
		if score < 50 || score > capUnsure || f.Where[0].Function != "main.(*Store).get" ||
			tt.shared != strings.HasPrefix(f.Remedies[0].Title, "Use 61 connections") {
			t.Errorf("%s: %d at %v, %q", tt.name, score, f.Where, f.Remedies[0].Title)
		}
	}
}
