package diagnose

import (
	"slices"
	"strings"
	"testing"

	"github.com/gocasebook/casebook/casefile"
)

// Requests that queue for a pool are found by dozens; workers and bursts are not a queue of requests.
func TestBusyPool(t *testing.T) {
	const (
		sqlWait = "runtime.gopark runtime.selectgo database/sql.(*DB).conn database/sql.(*DB).query " +
			"database/sql.(*DB).QueryContext "
		pgxWait = "golang.org/x/sync/semaphore.(*Weighted).Acquire github.com/jackc/puddle/v2.(*Pool[...]).acquire " +
			"github.com/jackc/pgx/v5/pgxpool.(*Pool).Acquire github.com/jackc/pgx/v5/pgxpool.(*Pool).Query "
		redWait = "github.com/redis/go-redis/v9/internal/pool.(*ConnPool).waitTurn " +
			"github.com/redis/go-redis/v9/internal/pool.(*ConnPool).Get github.com/redis/go-redis/v9.(*Client).Get "
		mongoWait = "runtime.selectgo go.mongodb.org/mongo-driver/v2/x/mongo/driver/topology.(*pool).checkOut " +
			"go.mongodb.org/mongo-driver/v2/mongo.(*Collection).FindOne "
		query  = poll + " database/sql.(*DB).queryDC database/sql.(*DB).query database/sql.(*DB).QueryContext "
		pgxUse = poll + " github.com/jackc/pgx/v5/pgconn.(*PgConn).receiveMessage " +
			"github.com/jackc/pgx/v5.(*Conn).Query "
		redUse = poll + " github.com/redis/go-redis/v9/internal/proto.(*Reader).ReadLine " +
			"github.com/redis/go-redis/v9.(*Client).Get "
		mongoUse = poll + " go.mongodb.org/mongo-driver/v2/x/mongo/driver/topology.(*connection).read " +
			"go.mongodb.org/mongo-driver/v2/mongo.(*Collection).FindOne "
	)
	served := func(n int, stack string) crowd { return crowd{n, "select", stack + " " + conn, ""} }
	worker := func(n int, stack string) crowd { return crowd{n, "select", stack, "main.main:9"} }
	twice := func(all ...crowd) Input { return apart(9, dumpOf(all...), dumpOf(all...)) }
	for _, tt := range []struct {
		name   string
		in     Input
		remedy string // the first; "" for no finding
	}{
		{"two connections", twice(served(60, sqlWait+"main.orders:51"), served(2, query+"main.orders:51")),
			"Open more connections"},
		{"pgx", twice(served(40, pgxWait+"main.list:7"), served(4, pgxUse+"main.list:7")), "Open more connections"},
		{"go-redis", twice(served(90, redWait+"main.get:7"), served(8, redUse+"main.get:7")), "Open more connections"},
		{"MongoDB, slow queries", twice(served(300, mongoWait+"main.find:7"), served(100, mongoUse+"main.find:7")),
			"Return connections sooner"},
		{"slow queries", twice(served(90, sqlWait+"main.orders:51"), served(25, query+"main.report:12")),
			"Return connections sooner"},
		{"workers of an import", twice(worker(90, sqlWait+"main.row:51"), worker(10, query+"main.row:51")), ""},
		{"a burst", apart(9, dumpOf(served(90, sqlWait+"main.orders:51"), served(2, query+"main.orders:51")),
			dumpOf(served(3, sqlWait+"main.orders:51"), served(2, query+"main.orders:51"))), ""},
		{"as many as the next", twice(served(12, sqlWait+"main.orders:51"), served(10, query+"main.orders:51")), ""},
		{"a few", twice(served(6, sqlWait+"main.orders:51"), served(2, query+"main.orders:51")), ""},
		{"one capture", apart(0, dumpOf(served(60, sqlWait+"main.orders:51"), served(2, query+"main.orders:51"))), ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			f, score := scoreOf(t, tt.in, "goroutine-surge")
			if got := score > 0 && f.Form == formPool; got != (tt.remedy != "") {
				t.Fatalf("scores %d: %s", score, f.Title)
			}
			if tt.remedy != "" && (f.Remedies[0].Title != tt.remedy ||
				!strings.HasPrefix(f.Where[0].Function, "main.")) {
				t.Errorf("at %v it says %v, want %q first", f.Where, f.Remedies, tt.remedy)
			}
		})
	}
}

// A queue for a pool does not hide goroutines that pile up elsewhere, and they do not hide it.
func TestBusyPoolBesidePile(t *testing.T) {
	const wait = "runtime.gopark runtime.selectgo database/sql.(*DB).conn database/sql.(*DB).query "
	queue := []crowd{{60, "select", wait + "main.orders:51 " + conn, ""},
		{2, "IO wait", poll + " database/sql.(*DB).queryDC main.orders:51 " + conn, ""}}
	for _, tt := range []struct {
		pile crowd
		kind string // that tells of it
	}{
		{crowd{0, "chan send", "main.notify:8", "main.orders:52"}, "goroutine-leak"},
		{crowd{0, "IO wait", poll + " main.notify:8", "main.serve:5"}, "goroutine-surge"},
	} {
		first, last := tt.pile, tt.pile
		first.n, last.n = 20_000, 50_000
		rep := Run(t.Context(), apart(9, dumpOf(append(queue, first)...), dumpOf(append(queue, last)...)), Options{})
		told := func(kind, at, title string) bool {
			return slices.ContainsFunc(rep.Findings, func(f casefile.Finding) bool {
				return f.Kind == kind && f.Where[0].Function == at && strings.Contains(f.Title, title)
			})
		}
		if !told(tt.kind, "main.notify", "50 k") || !told("goroutine-surge", "main.orders", "wait for a connection") {
			t.Errorf("%s: it tells of %v", tt.kind, rep.Findings)
		}
	}
}
