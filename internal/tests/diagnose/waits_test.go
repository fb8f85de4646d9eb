package diagnose_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/gocasebook/casebook/casefile"
	"github.com/gocasebook/casebook/diagnose"
	"github.com/gocasebook/casebook/vitals"
)

// A standing is goroutines of a dump: how many in each of two captures, what the runtime says of them, and their
// frames, leaf first, as "function file:line".
type standing struct {
	n      [2]int
	state  string
	frames []string
}

// request ends the stack of a request.
func request(frames ...string) []string {
	return append(frames, "net/http.HandlerFunc.ServeHTTP /usr/local/go/src/net/http/server.go:2322",
		"net/http.serverHandler.ServeHTTP /usr/local/go/src/net/http/server.go:3311",
		"net/http.(*conn).serve /usr/local/go/src/net/http/server.go:2067")
}

// dumps writes two captures of goroutines, ten seconds apart.
func dumps(all ...standing) []diagnose.Evidence {
	var out []diagnose.Evidence
	at := time.Date(2026, 11, 28, 12, 0, 0, 0, time.UTC)
	for m := range 2 {
		var b strings.Builder
		id := 1
		for _, s := range all {
			for range s.n[m] {
				fmt.Fprintf(&b, "goroutine %d [%s]:\n", id, s.state)
				for _, f := range s.frames {
					name, line, _ := strings.Cut(f, " ")
					fmt.Fprintf(&b, "%s(0x1)\n\t%s +0x1d\n", name, line)
				}
				b.WriteByte('\n')
				id++
			}
		}
		out = append(out, diagnose.Evidence{Name: fmt.Sprintf("goroutine-%d.txt", m), Kind: casefile.Goroutine,
			Taken: at.Add(time.Duration(m) * 10 * time.Second), Data: []byte(b.String())})
	}
	return out
}

// Frames that several tests use. The pool and the publisher are libraries that no list knows.
const (
	weighted   = "golang.org/x/sync/semaphore.(*Weighted).Acquire /m/golang.org/x/sync@v0.24.0/semaphore/semaphore.go:80"
	acquire    = "github.com/jackc/pgx/v5/pgxpool.(*Pool).Acquire /m/github.com/jackc/pgx/v5@v5.13.0/pgxpool/pool.go:563"
	poolBegin  = "github.com/jackc/pgx/v5/pgxpool.(*Pool).Begin /m/github.com/jackc/pgx/v5@v5.13.0/pgxpool/pool.go:700"
	pollRead   = "internal/poll.runtime_pollWait /usr/local/go/src/runtime/netpoll.go:351"
	fdRead     = "internal/poll.(*FD).Read /usr/local/go/src/internal/poll/fd_unix.go:165"
	fdWrite    = "internal/poll.(*FD).Write /usr/local/go/src/internal/poll/fd_unix.go:380"
	roundTrip  = "net/http.(*persistConn).roundTrip /usr/local/go/src/net/http/transport.go:2911"
	clientDo   = "net/http.(*Client).Do /usr/local/go/src/net/http/client.go:585"
	sqlConn    = "database/sql.(*DB).conn /usr/local/go/src/database/sql/sql.go:1369"
	sqlWaits   = "database/sql.(*DB).query /usr/local/go/src/database/sql/sql.go:1742"
	sqlAsks    = "database/sql.(*DB).queryDC /usr/local/go/src/database/sql/sql.go:1797"
	sqlAnswers = "database/sql.(*DB).query /usr/local/go/src/database/sql/sql.go:1748"
	fdLock     = "internal/poll.(*fdMutex).rwlock /usr/local/go/src/internal/poll/fd_mutex.go:154"
	fileWrite  = "os.(*File).Write /usr/local/go/src/os/file.go:214"
	readLock   = "sync.(*RWMutex).RLock /usr/local/go/src/sync/rwmutex.go:74"
	writeLock  = "sync.(*RWMutex).Lock /usr/local/go/src/sync/rwmutex.go:155"
	streamTrip = "net/http.(*http2ClientConn).roundTrip /usr/local/go/src/net/http/h2_bundle.go:8688"
	lockSlow   = "sync.(*Mutex).Lock /usr/local/go/src/sync/mutex.go:46"
)

// What waits in the beginning of a transaction, and a server's own goroutines.
const (
	sleeps      = "time.Sleep /usr/local/go/src/runtime/time.go:363"
	sqlBegin    = "database/sql.ctxDriverBegin /usr/local/go/src/database/sql/ctxutil.go:104"
	sqlBeginTx  = "database/sql.(*DB).BeginTx /usr/local/go/src/database/sql/sql.go:1860"
	limitAccept = "example.org/limited.(*listener).Accept /m/example.org/limited@v1.0.0/l.go:40"
	httpServe   = "net/http.(*Server).Serve /usr/local/go/src/net/http/server.go:3424"
	idlePeek    = "net/http.(*connReader).Read /usr/local/go/src/net/http/server.go:805"
	connServe   = "net/http.(*conn).serve /usr/local/go/src/net/http/server.go:2145"
)

// An errgroup with a limit, and a cache with a lock.
const (
	groupGo    = "golang.org/x/sync/errgroup.(*Group).Go /m/golang.org/x/sync@v0.24.0/errgroup/errgroup.go:80"
	batchAdd   = "example.org/spans.(*Batcher).Add /m/example.org/spans@v1.0.0/b.go:30"
	submitWait = "example.org/pool.(*Pool).SubmitWait /m/example.org/pool@v1.0.0/p.go:30"
	logWrite   = "example.org/log.(*Logger).write /m/example.org/log@v1.0.0/l.go:9"
	cacheGet   = "example.org/cache.(*Cache[go.shape.string]).Get /m/example.org/cache@v1.0.0/c.go:20"
)

// A library that calls handlers on the goroutine that receives.
const (
	tokenWait = "example.org/bus.(*Token).Wait /m/example.org/bus@v1.0.0/token.go:40"
	dispatch  = "example.org/bus.dispatch /m/example.org/bus@v1.0.0/router.go:20"
)

// A library that joins calls for one key, which no list knows.
const (
	groupWait = "sync.(*WaitGroup).Wait /usr/local/go/src/sync/waitgroup.go:206"
	joins     = "example.org/one.(*Flights).Do /m/example.org/one@v1.0.0/one.go:40"
	calls     = "example.org/one.(*Flights).Do /m/example.org/one@v1.0.0/one.go:50"
)

// The goroutine of an HTTP/2 client that sends a request's body.
const (
	flowControl = "net/http.(*http2clientStream).awaitFlowControl /usr/local/go/src/net/http/h2_bundle.go:9320"
	streamWrite = "net/http.(*http2clientStream).writeRequestBody /usr/local/go/src/net/http/h2_bundle.go:9217"
)

// TestWaitRows: of each wait the kind, a place and a word of the cure; of what looks alike and is healthy, none.
func TestWaitRows(t *testing.T) {
	tests := []struct {
		name              string
		all               []standing
		kind, place, cure string // "" for quiet; "not KIND" where it may be anything else
	}{
		{"a second connection inside a transaction", []standing{
			{[2]int{60, 90}, "select", request(weighted, acquire, poolBegin, "main.transfer /srv/bank.go:20")},
			{[2]int{4, 4}, "select", request(weighted, acquire, "main.fee /srv/bank.go:50", "main.transfer /srv/bank.go:27")},
		}, "pool-nested", "main.fee", "one that the request has"},
		{"a busy pool moves on", []standing{
			{[2]int{21, 5}, "select", request(weighted, acquire, poolBegin, "main.transfer /srv/bank.go:20")},
			{[2]int{4, 4}, "IO wait", request(pollRead, fdRead, "github.com/jackc/pgx/v5/pgconn.(*PgConn).receive "+
				"/m/github.com/jackc/pgx/v5@v5.13.0/pgconn/pgconn.go:500", "main.transfer /srv/bank.go:27")},
		}, "", "", ""},
		{"a call to another service inside a transaction", []standing{
			{[2]int{60, 90}, "select", request(weighted, acquire, poolBegin, "main.order /srv/shop.go:20")},
			{[2]int{8, 8}, "select", request(roundTrip, clientDo, "main.charge /srv/pay.go:9", "main.order /srv/shop.go:31")},
		}, "pool-held", "main.order", "outside the transaction"},
		{"a call to another service after giving the connection back", []standing{
			{[2]int{3, 2}, "select", request(weighted, acquire, poolBegin, "main.order /srv/shop.go:20")},
			{[2]int{70, 80}, "select", request(roundTrip, clientDo, "main.charge /srv/pay.go:9", "main.order /srv/shop.go:31")},
		}, "", "", ""},
		{"too few connections of an HTTP client", []standing{
			{[2]int{60, 90}, "select", request("net/http.(*Transport).getConn /usr/local/go/src/net/http/transport.go:1552",
				"net/http.(*Transport).roundTrip /usr/local/go/src/net/http/transport.go:660", clientDo, "main.quote /srv/q.go:8")},
			{[2]int{5, 5}, "select", request(roundTrip, "net/http.(*Transport).roundTrip "+
				"/usr/local/go/src/net/http/transport.go:704", clientDo, "main.quote /srv/q.go:8")},
		}, "pool-limit", "main.quote", "MaxConnsPerHost"},
		{"two connections of database/sql", []standing{
			{[2]int{60, 90}, "select", request(sqlConn, sqlWaits, "main.orders /srv/o.go:8")},
			{[2]int{2, 2}, "IO wait", request(pollRead, fdRead, sqlAsks, sqlAnswers, "main.orders /srv/o.go:8")},
		}, "pool-limit", "main.orders", "SetMaxOpenConns"},
		{"workers of an import at two connections", []standing{
			{[2]int{60, 90}, "select", []string{sqlConn, sqlWaits, "main.row /srv/o.go:8"}},
			{[2]int{2, 2}, "IO wait", []string{pollRead, fdRead, sqlAsks, sqlAnswers, "main.row /srv/o.go:8"}},
		}, "", "", ""},
		{"a burst at two connections", []standing{
			{[2]int{60, 3}, "select", request(sqlConn, sqlWaits, "main.orders /srv/o.go:8")},
			{[2]int{2, 2}, "IO wait", request(pollRead, fdRead, sqlAsks, sqlAnswers, "main.orders /srv/o.go:8")},
		}, "", "", ""},
		{"as many wait as are next", []standing{
			{[2]int{12, 12}, "select", request(sqlConn, sqlWaits, "main.orders /srv/o.go:8")},
			{[2]int{10, 10}, "IO wait", request(pollRead, fdRead, sqlAsks, sqlAnswers, "main.orders /srv/o.go:8")},
		}, "", "", ""},
		{"two connections that wait by design, and a queue that has just begun", []standing{
			{[2]int{3, 120}, "select", request(sqlConn, sqlWaits, "main.orders /srv/o.go:8")},
			{[2]int{2, 2}, "IO wait", request(pollRead, fdRead, sqlAsks, sqlAnswers, "main.listen /srv/o.go:30")},
		}, "pool-limit", "main.orders", "SetMaxOpenConns"},
		{"a call between the begin of a transaction and its end, and a driver that polls for the lock", []standing{
			{[2]int{60, 70}, "sleep", request(sleeps, "example.org/lite.(*conn).begin /m/example.org/lite@v1.0.0/tx.go:90",
				sqlBegin, sqlBeginTx, "main.order /srv/shop.go:20")},
			{[2]int{1, 1}, "select", request(roundTrip, clientDo, "main.charge /srv/pay.go:9", "main.order /srv/shop.go:31")},
		}, "pool-held", "main.order", "outside the transaction"},
		{"transactions whose begin the database answers late", []standing{
			{[2]int{60, 70}, "IO wait", request(pollRead, fdRead, sqlBegin, sqlBeginTx, "main.order /srv/shop.go:20")},
			{[2]int{2, 2}, "select", request(roundTrip, clientDo, "main.charge /srv/pay.go:9", "main.order /srv/shop.go:31")},
		}, "", "", ""},
		{"a client that sleeps between attempts, and a later call of the handler", []standing{
			{[2]int{60, 61}, "sleep", request(sleeps, "example.org/retry.(*Client).Do /m/example.org/retry@v1.0.0/retry.go:90",
				"main.order /srv/shop.go:20")},
			{[2]int{1, 1}, "select", request(roundTrip, clientDo, "main.charge /srv/pay.go:9", "main.order /srv/shop.go:31")},
		}, "", "", ""},
		{"a listener with a limit, and idle connections", []standing{
			{[2]int{1, 1}, "select", []string{limitAccept, httpServe, "main.main /srv/m.go:9"}},
			{[2]int{40, 40}, "IO wait", []string{pollRead, fdRead, idlePeek, connServe}},
		}, "pool-limit", "main.main", "IdleTimeout"},
		{"a listener of the program's own with a limit, and idle connections", []standing{
			{[2]int{1, 1}, "chan send", []string{"main.(*gate).Accept /srv/gate.go:40", httpServe, "main.main /srv/m.go:9"}},
			{[2]int{64, 64}, "IO wait", []string{pollRead, fdRead, idlePeek, connServe}},
		}, "pool-limit", "main.(*gate).Accept", "IdleTimeout"},
		{"a server of another kind with a limit, and idle connections", []standing{
			{[2]int{1, 1}, "sync.Cond.Wait", []string{"sync.(*Cond).Wait /usr/local/go/src/sync/cond.go:71",
				limitAccept,
				"github.com/valyala/fasthttp.(*Server).Serve /m/github.com/valyala/fasthttp@v1.60.0/server.go:1800",
				"main.main /srv/m.go:9"}},
			{[2]int{50, 49}, "IO wait", []string{pollRead, fdRead,
				"bufio.(*Reader).Peek /usr/local/go/src/bufio/bufio.go:150",
				"github.com/valyala/fasthttp.(*Server).serveConn /m/github.com/valyala/fasthttp@v1.60.0/server.go:2100"}},
		}, "pool-limit", "main.main", "IdleTimeout"},
		{"a listener with a limit whose places are with requests at work", []standing{
			{[2]int{1, 1}, "select", []string{limitAccept, httpServe, "main.main /srv/m.go:9"}},
			{[2]int{30, 31}, "running", request("main.resize /srv/m.go:30")},
			{[2]int{10, 9}, "IO wait", []string{pollRead, fdRead, idlePeek, connServe}},
		}, "", "", ""},
		{"idle connections of a server that accepts", []standing{
			{[2]int{1, 1}, "IO wait", []string{pollRead,
				"internal/poll.(*FD).Accept /usr/local/go/src/internal/poll/fd_unix.go:600", limitAccept, httpServe,
				"main.main /srv/m.go:9"}},
			{[2]int{40, 40}, "IO wait", []string{pollRead, fdRead, idlePeek, connServe}},
		}, "", "", ""},
		{"bodies that the peer does not read", []standing{
			{[2]int{90, 30}, "select", request(streamTrip, clientDo, "main.forward /srv/f.go:8")},
			{[2]int{90, 30}, "sync.Cond.Wait", []string{flowControl, streamWrite}},
		}, "slow-reader", "main.forward", "connection apart"},
		{"bodies that were read, and two uploads at the speed of the line", []standing{
			{[2]int{90, 30}, "select", request(streamTrip, clientDo, "main.forward /srv/f.go:8")},
			{[2]int{2, 2}, "sync.Cond.Wait", []string{flowControl, streamWrite}},
		}, "", "", ""},
		{"callers that join one call, which does not end", []standing{
			{[2]int{150, 250}, "sync.WaitGroup.Wait", []string{groupWait, joins, "main.load /srv/c.go:8"}},
			{[2]int{1, 1}, "select", []string{roundTrip, clientDo, "main.fetch /srv/c.go:30", calls, "main.load /srv/c.go:8"}},
			{[2]int{20, 20}, "select", request("main.serve /srv/c.go:50")},
		}, "goroutine-leak", "main.fetch", "deadline"},
		{"callers that join calls, which end", []standing{
			{[2]int{15, 16}, "sync.WaitGroup.Wait", []string{groupWait, joins, "main.load /srv/c.go:8"}},
			{[2]int{2, 1}, "select", []string{roundTrip, clientDo, "main.fetch /srv/c.go:30", calls, "main.load /srv/c.go:8"}},
			{[2]int{20, 20}, "select", request("main.serve /srv/c.go:50")},
		}, "", "", ""},
		{"a limiter of rates", []standing{
			{[2]int{40, 44}, "select", request("golang.org/x/time/rate.(*Limiter).wait "+
				"/m/golang.org/x/time@v0.14.0/rate/rate.go:283", "main.list /srv/l.go:8")},
		}, "own-limiter", "main.list", "its rate"},
		{"a pipe of log lines that nobody empties", []standing{
			{[2]int{40, 60}, "semacquire", request(fdLock, fdWrite, fileWrite, "main.info /srv/l.go:8")},
			{[2]int{1, 1}, "syscall", request("syscall.write /usr/local/go/src/syscall/zsyscall_linux_amd64.go:965", fdWrite,
				fileWrite, "main.info /srv/l.go:8")},
		}, "slow-reader", "main.info", "outside of the request"},
		{"handlers that log and go on", []standing{
			{[2]int{3, 2}, "semacquire", request(fdLock, fdWrite, fileWrite, "main.info /srv/l.go:8")},
			{[2]int{40, 44}, "running", request("main.work /srv/l.go:18")},
		}, "", "", ""},
		{"a read lock below a read lock, and a writer between", []standing{
			{[2]int{50, 80}, "sync.RWMutex.RLock", request(readLock, "main.(*ring).find /srv/r.go:20")},
			{[2]int{1, 1}, "sync.RWMutex.RLock", request(readLock, "main.(*ring).owner /srv/r.go:40",
				"main.(*ring).find /srv/r.go:24")},
			{[2]int{1, 1}, "sync.RWMutex.Lock", []string{writeLock, "main.(*ring).add /srv/r.go:60"}},
		}, "goroutine-deadlock", "main.(*ring).owner", "below itself"},
		{"workers behind a limiter, and no request", []standing{
			{[2]int{40, 44}, "select", []string{"golang.org/x/time/rate.(*Limiter).wait " +
				"/m/golang.org/x/time@v0.14.0/rate/rate.go:283", "main.crawl /srv/l.go:8"}},
		}, "", "", ""},
		{"a pipe that a grandchild keeps", []standing{
			{[2]int{30, 40}, "chan receive", request("os/exec.(*Cmd).awaitGoroutines /usr/local/go/src/os/exec/exec.go:981",
				"os/exec.(*Cmd).Wait /usr/local/go/src/os/exec/exec.go:948", "main.build /srv/b.go:8")},
		}, "child-output", "main.build", "WaitDelay"},
		{"a loop that a deaf subscriber stops", []standing{
			{[2]int{50, 80}, "chan send", request("example.org/hub.(*Hub).Publish /m/example.org/hub@v1.0.0/hub.go:30",
				"main.move /srv/m.go:8")},
			{[2]int{1, 1}, "chan send", []string{"example.org/hub.(*Hub).loop /m/example.org/hub@v1.0.0/hub.go:60"}},
			{[2]int{1, 1}, "IO wait", request(pollRead, fdWrite, "example.org/hub.(*Hub).Serve "+
				"/m/example.org/hub@v1.0.0/hub.go:90", "main.watch /srv/m.go:20")},
		}, "slow-reader", "main.move", "does not keep up"},
		{"a handler that waits for the loop which called it", []standing{
			{[2]int{50, 80}, "chan receive", request(tokenWait, "main.set /srv/m.go:8")},
			{[2]int{1, 1}, "chan receive", []string{tokenWait, "main.onEvent /srv/m.go:30", dispatch}},
			{[2]int{1, 1}, "chan send", []string{"example.org/bus.incoming /m/example.org/bus@v1.0.0/net.go:60"}},
		}, "goroutine-deadlock", "main.onEvent", "Do not wait in the handler"},
		{"a handler that waits as requests do, and the loop goes on", []standing{
			{[2]int{12, 11}, "chan receive", request(tokenWait, "main.set /srv/m.go:8")},
			{[2]int{1, 1}, "chan receive", []string{tokenWait, "main.onEvent /srv/m.go:30", dispatch}},
			{[2]int{1, 1}, "IO wait", []string{pollRead, fdRead,
				"example.org/bus.incoming /m/example.org/bus@v1.0.0/net.go:58"}},
		}, "", "", ""},
		{"a pool whose tasks submit to it and wait", []standing{
			{[2]int{40, 44}, "chan receive", request(submitWait,
				"main.render /srv/r.go:8")},
			{[2]int{4, 4}, "chan receive", []string{submitWait,
				"main.part /srv/r.go:40", "example.org/pool.(*Pool).work /m/example.org/pool@v1.0.0/p.go:60"}},
			{[2]int{1, 1}, "select", []string{"example.org/pool.(*Pool).dispatch /m/example.org/pool@v1.0.0/p.go:80"}},
		}, "goroutine-deadlock", "main.part", "pool of its own"},
		{"workers of the program's own that hand on to their own queue", []standing{
			{[2]int{30, 44}, "chan send", request("main.(*queue).put /srv/q.go:12", "main.upload /srv/q.go:50")},
			{[2]int{8, 8}, "chan send", []string{"main.(*queue).put /srv/q.go:12", "main.(*queue).split /srv/q.go:30",
				"main.(*queue).work /srv/q.go:20"}},
		}, "goroutine-deadlock", "main.(*queue).put", "pool of its own"},
		{"an errgroup with a limit whose function starts in the same group", []standing{
			{[2]int{12, 13}, "chan send", request(groupGo, "main.walk /srv/w.go:8")},
			{[2]int{4, 4}, "chan send", []string{groupGo, "main.visit /srv/w.go:30",
				"golang.org/x/sync/errgroup.(*Group).Go.func1 /m/golang.org/x/sync@v0.24.0/errgroup/errgroup.go:93"}},
		}, "goroutine-deadlock", "main.visit", "pool of its own"},
		{"workers that wait, and one of them works", []standing{
			{[2]int{40, 44}, "chan receive", request(submitWait,
				"main.render /srv/r.go:8")},
			{[2]int{3, 3}, "chan receive", []string{submitWait,
				"main.part /srv/r.go:40", "example.org/pool.(*Pool).work /m/example.org/pool@v1.0.0/p.go:60"}},
			{[2]int{1, 1}, "running", []string{"main.draw /srv/r.go:70",
				"example.org/pool.(*Pool).work /m/example.org/pool@v1.0.0/p.go:60"}},
		}, "not goroutine-deadlock", "", ""},
		{"handlers of a client that call it, whose reader goes on", []standing{
			{[2]int{20, 20}, "select", request("example.org/rpc.(*Conn).Request /m/example.org/rpc@v1.0.0/c.go:30",
				"main.ask /srv/r.go:8")},
			{[2]int{4, 4}, "select", []string{"example.org/rpc.(*Conn).Request /m/example.org/rpc@v1.0.0/c.go:30",
				"main.onMessage /srv/r.go:40", "example.org/rpc.(*Conn).deliver /m/example.org/rpc@v1.0.0/c.go:60"}},
			{[2]int{1, 1}, "IO wait", []string{pollRead, fdRead,
				"example.org/rpc.(*Conn).read /m/example.org/rpc@v1.0.0/c.go:80"}},
		}, "not goroutine-deadlock", "", ""},
		{"an eviction callback that asks the cache", []standing{
			{[2]int{80, 90}, "sync.Mutex.Lock", request(lockSlow, cacheGet, "main.page /srv/p.go:8")},
			{[2]int{1, 1}, "sync.Mutex.Lock", request(lockSlow, cacheGet, "main.evicted /srv/p.go:30",
				"example.org/cache.(*Cache[go.shape.string]).Set /m/example.org/cache@v1.0.0/c.go:60", "main.page /srv/p.go:12")},
		}, "goroutine-deadlock", "main.evicted", "callback"},
		{"a handler of an event bus that subscribes", []standing{
			{[2]int{20, 40}, "sync.RWMutex.RLock", request(readLock, "main.(*Bus).Publish /srv/bus.go:20",
				"main.post /srv/p.go:8")},
			{[2]int{1, 1}, "sync.RWMutex.Lock", request(writeLock, "main.(*Bus).Subscribe /srv/bus.go:40",
				"main.welcome /srv/p.go:30", "main.(*Bus).Publish /srv/bus.go:24", "main.post /srv/p.go:8")},
		}, "goroutine-deadlock", "main.welcome", "callback"},
		{"a logger's hook that logs", []standing{
			{[2]int{30, 35}, "sync.Mutex.Lock", request(lockSlow, logWrite,
				"main.page /srv/p.go:8")},
			{[2]int{1, 1}, "sync.Mutex.Lock", []string{lockSlow, logWrite,
				"main.hook /srv/p.go:30",
				"example.org/log.(*Logger).fire /m/example.org/log@v1.0.0/l.go:22", "main.tick /srv/t.go:3"}},
		}, "goroutine-deadlock", "main.hook", "callback"},
		{"a callback that waits for the lock of another value, whose holder computes", []standing{
			{[2]int{20, 30}, "sync.Mutex.Lock", request(lockSlow, "main.(*Node).get /srv/n.go:9", "main.page /srv/p.go:8")},
			{[2]int{1, 1}, "sync.Mutex.Lock", request(lockSlow, "main.(*Node).get /srv/n.go:9", "main.sum /srv/p.go:30",
				"main.(*Node).each /srv/n.go:22", "main.page /srv/p.go:12")},
			{[2]int{1, 1}, "running", request("main.(*Node).rebuild /srv/n.go:40", "main.page /srv/p.go:14")},
		}, "not goroutine-deadlock", "", ""},
		{"a batcher whose one sender waits for an answer", []standing{
			{[2]int{40, 70}, "select", request(batchAdd, "main.price /srv/p.go:8")},
			{[2]int{1, 1}, "select", []string{roundTrip, clientDo,
				"example.org/spans.(*Batcher).send /m/example.org/spans@v1.0.0/b.go:80"}},
		}, "slow-reader", "main.price", "drop"},
		{"a writer of log lines behind a disk", []standing{
			{[2]int{40, 70}, "chan send", request(batchAdd, "main.note /srv/p.go:8")},
			{[2]int{1, 1}, "syscall", []string{"syscall.write /usr/local/go/src/syscall/zsyscall_linux_amd64.go:965", fdWrite,
				fileWrite, "example.org/spans.(*Batcher).flush /m/example.org/spans@v1.0.0/b.go:90"}},
		}, "slow-reader", "main.note", "drop"},
		{"a producer's queue whose encoder computes", []standing{
			{[2]int{40, 70}, "chan send", request(batchAdd, "main.note /srv/p.go:8")},
			{[2]int{1, 1}, "running", []string{"example.org/spans.encode /m/example.org/spans@v1.0.0/e.go:8",
				"example.org/spans.(*Batcher).send /m/example.org/spans@v1.0.0/b.go:70"}},
		}, "slow-reader", "main.note", "drop"},
		{"a hub whose loop waits for news of a peer", []standing{
			{[2]int{40, 41}, "select", request("example.org/hub.(*Hub).Serve /m/example.org/hub@v1.0.0/hub.go:80",
				"main.watch /srv/m.go:20")},
			{[2]int{1, 1}, "IO wait", []string{pollRead, fdRead,
				"example.org/hub.(*Hub).loop /m/example.org/hub@v1.0.0/hub.go:60"}},
		}, "not slow-reader", "", ""},
		{"a hub whose loop writes to a slow client itself", []standing{
			{[2]int{40, 41}, "chan send", request("main.publish /srv/m.go:20")},
			{[2]int{1, 1}, "IO wait", []string{pollRead, fdWrite, "net.(*conn).Write /usr/local/go/src/net/net.go:200",
				"main.(*hub).send /srv/hub.go:30", "main.(*hub).loop /srv/hub.go:12"}},
		}, "slow-reader", "main.(*hub).send", "does not keep up"},
		{"a batcher whose sender waits for work", []standing{
			{[2]int{12, 11}, "select", request(batchAdd, "main.price /srv/p.go:8")},
			{[2]int{1, 1}, "select", []string{"example.org/spans.(*Batcher).send /m/example.org/spans@v1.0.0/b.go:60"}},
		}, "not slow-reader", "", ""},
		{"subscribers that wait for news", []standing{
			{[2]int{60, 61}, "chan receive", request("example.org/hub.(*Hub).Serve "+
				"/m/example.org/hub@v1.0.0/hub.go:80", "main.watch /srv/m.go:20")},
			{[2]int{1, 1}, "select", []string{"example.org/hub.(*Hub).loop /m/example.org/hub@v1.0.0/hub.go:50"}},
		}, "", "", ""},
		{"a dependency's lock around a call", []standing{
			{[2]int{80, 90}, "sync.Mutex.Lock", request(lockSlow,
				"example.org/limit.(*Window).Allow /m/example.org/limit@v1.0.0/w.go:46")},
			{[2]int{1, 1}, "IO wait", request(pollRead, fdRead, "main.(*store).Get /srv/s.go:12",
				"example.org/limit.(*Window).Allow /m/example.org/limit@v1.0.0/w.go:51")},
		}, "lock-held-io", "main.(*store).Get", "no I/O under the lock"},
		{"a library's lock around a function that is given to it", []standing{
			{[2]int{80, 90}, "sync.Mutex.Lock", request(lockSlow, "example.org/table.(*Map).Compute "+
				"/m/example.org/table@v1.0.0/t.go:46", "main.(*desk).rate /srv/r.go:30")},
			{[2]int{1, 1}, "select", request(roundTrip, clientDo, "main.(*desk).rate.func1 /srv/r.go:32",
				"example.org/table.(*Map).Compute /m/example.org/table@v1.0.0/t.go:51", "main.(*desk).rate /srv/r.go:30")},
		}, "lock-held-io", "main.(*desk).rate.func1", "before the lock is taken"},
		{"a query below the rows of another one", []standing{
			{[2]int{60, 90}, "select", request(sqlConn, "database/sql.(*DB).QueryContext /usr/local/go/src/database/sql/sql.go:1",
				"main.list /srv/l.go:20")},
			{[2]int{5, 5}, "select", request(sqlConn, "database/sql.(*DB).QueryContext /usr/local/go/src/database/sql/sql.go:1",
				"main.total /srv/l.go:50", "main.list /srv/l.go:31")},
		}, "pool-nested", "main.total", "close the rows"},
		{"a response that stays open while another service is asked", []standing{
			{[2]int{60, 90}, "select", request("net/http.(*Transport).getConn /usr/local/go/src/net/http/transport.go:1552",
				"net/http.(*Transport).roundTrip /usr/local/go/src/net/http/transport.go:660", clientDo, "main.offer /srv/q.go:8")},
			{[2]int{4, 4}, "select", request(roundTrip, "net/http.(*Transport).roundTrip "+
				"/usr/local/go/src/net/http/transport.go:704", clientDo, "main.left /srv/q.go:40",
				"main.offer /srv/q.go:20")},
		}, "pool-held", "main.offer", "close the response"},
		{"a semaphore whose holders wait for goroutines of their own", []standing{
			{[2]int{60, 90}, "select", request(weighted, "main.walk /srv/t.go:8", "main.size /srv/t.go:40")},
			{[2]int{20, 20}, "select", []string{weighted, "main.walk /srv/t.go:8", "main.walk.func1 /srv/t.go:20"}},
			{[2]int{16, 16}, "sync.WaitGroup.Wait", []string{"sync.(*WaitGroup).Wait /usr/local/go/src/sync/waitgroup.go:118",
				"main.walk /srv/t.go:24", "main.walk.func1 /srv/t.go:20"}},
		}, "goroutine-deadlock", "main.walk", "before waiting"},
		{"a semaphore whose holders call out, and parents that have given theirs back", []standing{
			{[2]int{60, 90}, "select", request(weighted, "main.walk /srv/t.go:8", "main.size /srv/t.go:40")},
			{[2]int{20, 20}, "select", []string{weighted, "main.walk /srv/t.go:8", "main.walk.func1 /srv/t.go:20"}},
			{[2]int{16, 16}, "select", []string{roundTrip, clientDo, "main.walk /srv/t.go:12", "main.walk.func1 /srv/t.go:20"}},
			{[2]int{9, 9}, "sync.WaitGroup.Wait", []string{"sync.(*WaitGroup).Wait /usr/local/go/src/sync/waitgroup.go:118",
				"main.walk /srv/t.go:24", "main.walk.func1 /srv/t.go:20"}},
		}, "not goroutine-deadlock", "", ""},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			rep := diagnose.Run(t.Context(), diagnose.Input{Evidence: dumps(tt.all...)}, diagnose.Options{})
			if len(rep.Failed) > 0 {
				t.Fatalf("detectors failed: %v", rep.Failed)
			}
			if other, not := strings.CutPrefix(tt.kind, "not "); not {
				for _, f := range rep.Findings {
					if f.Kind == other && f.Score > capNotice {
						t.Errorf("%s is found: %s", other, f.Title)
					}
				}
				return
			}
			if tt.kind == "" {
				for _, f := range rep.Findings {
					if f.Score > capNotice {
						t.Errorf("%s %d: %s; want nothing above a notice", f.Kind, f.Score, f.Title)
					}
				}
				return
			}
			if len(rep.Findings) == 0 {
				t.Fatalf("nothing found, want %s", tt.kind)
			}
			f := rep.Findings[0]
			if f.Kind != tt.kind || f.Where[0].Function != tt.place ||
				!strings.Contains(f.Remedies[0].Title, tt.cure) || f.Score <= capNotice {
				t.Errorf("%s %d at %s, %q; want %s at %s, %q", f.Kind, f.Score, f.Where[0].Function, f.Remedies[0].Title,
					tt.kind, tt.place, tt.cure)
			}
		})
	}
}

// TestClosedDoor: a server that does not accept is a warning where clients wait for it, or nobody counted them, and no
// more than a notice where none does.
func TestClosedDoor(t *testing.T) {
	all := dumps(standing{[2]int{1, 1}, "select", []string{limitAccept, httpServe, "main.main /srv/m.go:9"}},
		standing{[2]int{40, 40}, "IO wait", []string{pollRead, fdRead, idlePeek, connServe}})
	for _, tt := range []struct {
		name     string
		evidence []diagnose.Evidence
		warns    bool
	}{
		{"not counted", all, true},
		{"nobody waits", append(slices.Clone(all), sameVitals(t, map[vitals.ID]float64{vitals.TCPQueued: 0})), false},
		{"clients wait", append(slices.Clone(all), sameVitals(t, map[vitals.ID]float64{vitals.TCPQueued: 90})), true},
	} {
		i := slices.IndexFunc(diagnose.Run(t.Context(), diagnose.Input{Evidence: tt.evidence}, diagnose.Options{}).Findings,
			func(f casefile.Finding) bool { return f.Kind == "pool-limit" && f.Score > capNotice })
		if (i >= 0) != tt.warns {
			t.Errorf("%s: a warning %v, want %v", tt.name, i >= 0, tt.warns)
		}
	}
}

// TestWaitEnds: only who stands at a channel of the user's own can select there.
func TestWaitEnds(t *testing.T) {
	for inner, own := range map[string]bool{"": true, "io.(*pipe).read io.(*PipeReader).Read ": false,
		"example.org/bus.(*Token).Wait ": false} {
		stack := inner + "main.ask net/http.HandlerFunc.ServeHTTP net/http.serverHandler.ServeHTTP net/http.(*conn).serve"
		all := dumpOf(crowd{40, "select, 9 minutes", stack, ""})
		found := diagnose.Run(t.Context(), apart(20, all, all), diagnose.Options{}).Findings
		i := slices.IndexFunc(found, func(f casefile.Finding) bool { return f.Kind == "goroutine-stuck" })
		if i < 0 {
			t.Errorf("%q is not found in %v", inner, found)
			continue
		}
		if selects := strings.Contains(found[i].Remedies[0].Text, "select on"); selects != own {
			t.Errorf("%q: %s", inner, found[i].Remedies[0].Text)
		}
	}
}

// TestOpened: streams of a library that stay open hold the places that other calls of it wait for, if a rule tripped.
func TestOpened(t *testing.T) {
	const (
		opens = "example.org/rpc.(*Conn).open /m/example.org/rpc@v1.0.0/c.go:30"
		reads = "example.org/rpc.(*Stream).Recv /m/example.org/rpc@v1.0.0/s.go:20"
	)
	for held, want := range map[int]bool{100: true, 64: true, 57: false} {
		all := []standing{
			{[2]int{80, 90}, "select", request(opens, "main.status /srv/b.go:32")},
			{[2]int{30, 40}, "select", request(opens, "main.follow /srv/b.go:43")},
			{[2]int{held, held}, "select", request(reads, "main.follow /srv/b.go:50")}}
		trip := casefile.Trigger{Rule: "late", Signal: "http_latency_p99", Value: 2,
			Time: time.Date(2026, 11, 28, 12, 0, 5, 0, time.UTC)}
		in := diagnose.Input{Evidence: dumps(all...), Triggers: []casefile.Trigger{trip}, Tripped: trip.Time}
		found := diagnose.Run(t.Context(), in, diagnose.Options{}).Findings
		got := slices.ContainsFunc(found, func(f casefile.Finding) bool {
			return f.Kind == "pool-limit" && f.Where[0].Function == "main.follow"
		})
		if got != want {
			t.Errorf("%d streams stay open: they are named %v, want %v", held, got, want)
		}
	}
}

// TestBothAsleep: requests that wait for workers of a type while all of these sleep are named if a rule tripped.
func TestBothAsleep(t *testing.T) {
	const condWait = "sync.(*Cond).Wait /usr/local/go/src/sync/cond.go:71"
	works := func(typ string) []string {
		return []string{condWait, typ + ".next /srv/d.go:48", typ + ".work /srv/d.go:56"}
	}
	tests := []struct {
		name string
		all  []standing
		want bool
	}{
		{"jobs and workers of several kinds in one Cond", []standing{
			{[2]int{20, 24}, "chan receive", request("main.(*desk).submit /srv/d.go:66")},
			{[2]int{24, 24}, "sync.Cond.Wait", works("main.(*desk)")}}, true},
		{"producers and consumers of a queue in one Cond", []standing{
			{[2]int{20, 24}, "sync.Cond.Wait", request(condWait, "main.(*queue).put /srv/d.go:30", "main.order /srv/o.go:9")},
			{[2]int{4, 4}, "sync.Cond.Wait", works("main.(*queue)")}}, true},
		{"a pool of a library whose workers sleep", []standing{
			{[2]int{20, 24}, "select", request("example.org/pool.(*Pool).Do /m/example.org/pool@v1.0.0/p.go:30",
				"main.order /srv/o.go:9")},
			{[2]int{8, 8}, "sync.Cond.Wait", []string{condWait,
				"example.org/pool.(*Pool).take /m/example.org/pool@v1.0.0/p.go:50",
				"example.org/pool.(*Pool).worker /m/example.org/pool@v1.0.0/p.go:60"}}}, true},
		{"a worker is at work", []standing{
			{[2]int{20, 24}, "chan receive", request("main.(*desk).submit /srv/d.go:66")},
			{[2]int{1, 1}, "running", []string{"main.(*desk).do /srv/d.go:90", "main.(*desk).work /srv/d.go:58"}},
			{[2]int{23, 23}, "sync.Cond.Wait", works("main.(*desk)")}}, false},
		{"requests wait for a peer beside an idle pool", []standing{
			{[2]int{20, 24}, "select", request(roundTrip, clientDo, "main.(*desk).ask /srv/d.go:66")},
			{[2]int{24, 24}, "sync.Cond.Wait", works("main.(*desk)")}}, false},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			trip := casefile.Trigger{Rule: "late", Signal: "http_latency_p99", Value: 2,
				Time: time.Date(2026, 11, 28, 12, 0, 5, 0, time.UTC)}
			in := diagnose.Input{Evidence: dumps(tt.all...), Triggers: []casefile.Trigger{trip}, Tripped: trip.Time}
			found := diagnose.Run(t.Context(), in, diagnose.Options{}).Findings
			got := slices.ContainsFunc(found, func(f casefile.Finding) bool {
				return strings.Contains(f.Remedies[0].Title, "Broadcast")
			})
			if got != tt.want {
				t.Errorf("a lost wakeup is named: %v, want %v", got, tt.want)
			}
		})
	}
}
