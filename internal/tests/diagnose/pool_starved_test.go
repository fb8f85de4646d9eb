package diagnose_test

import (
	"strings"
	"testing"

	"github.com/gocasebook/casebook/diagnose"
)

// TestPoolForgotten: when goroutines wait for a pool and nobody uses a connection of it, connections leak. When
// somebody does use one, the pool is slow.
func TestPoolForgotten(t *testing.T) {
	const (
		sqlWait = "runtime.gopark runtime.selectgo database/sql.(*DB).conn database/sql.(*DB).query " +
			"database/sql.(*DB).QueryContext "
		pgxWait = "golang.org/x/sync/semaphore.(*Weighted).Acquire github.com/jackc/puddle/v2.(*Pool[...]).acquire " +
			"github.com/jackc/pgx/v5/pgxpool.(*Pool).Acquire "
		redWait = "github.com/gomodule/redigo/redis.(*Pool).waitVacantConn " +
			"github.com/gomodule/redigo/redis.(*Pool).GetContext "
		query = poll +
			" github.com/jackc/pgx/v5/pgconn.(*PgConn).receiveMessage database/sql.(*DB).queryDC " +
			"database/sql.(*DB).query database/sql.(*DB).QueryContext "
		acquire  = "golang.org/x/sync/semaphore.(*Weighted).Acquire "
		dialling = poll +
			" net.(*Dialer).DialContext database/sql.(*DB).conn database/sql.(*DB).query " +
			"database/sql.(*DB).QueryContext "
	)
	at := func(n int, stack string) crowd { return crowd{n, "select", stack + " " + conn, ""} }
	idle := crowd{1, "select", "database/sql.(*DB).connectionOpener", "main.main:9"}
	txs := crowd{8, "select", "database/sql.(*Tx).awaitDone", "database/sql.(*DB).beginDC:1900"}
	const forgotten, slow, silent = "forgotten", "slow", "silent"
	for _, tt := range []struct {
		name string
		in   diagnose.Input
		want string
		at   string
	}{
		{"rows that were not closed", apart(9, dumpOf(at(700, sqlWait+"main.total:37"), at(20, sqlWait+"main.first:54"),
			idle), dumpOf(at(900, sqlWait+"main.total:37"), at(30, sqlWait+"main.first:54"), idle)), forgotten,
			"main.first"},
		{"transactions that were not ended", apart(9, dumpOf(at(70, sqlWait+"main.pay:37"), txs),
			dumpOf(at(170, sqlWait+"main.pay:37"), txs)), forgotten, "main.pay"},
		{"pgxpool, not released", apart(9, dumpOf(at(70, pgxWait+"main.load:7")),
			dumpOf(at(90, pgxWait+"main.load:7"))), forgotten, "main.load"},
		{"redigo, not closed", apart(9, dumpOf(at(70, redWait+"main.get:7")), dumpOf(at(90, redWait+"main.get:7"))),
			forgotten, "main.get"},
		{"profiles show it, too", apart(9, profileOf("goroutine", at(70, sqlWait+"main.total:37")),
			profileOf("goroutine", at(90, sqlWait+"main.total:37"))), forgotten, "main.total"},
		{"slow queries", apart(9, dumpOf(at(70, sqlWait+"main.total:37"), at(25, query+"main.total:37")),
			dumpOf(at(1500, sqlWait+"main.total:37"), at(25, query+"main.total:37"))), slow, ""},
		{"a call of another service inside the transaction",
			apart(9, dumpOf(at(70, sqlWait+"main.pay:37"), at(8, client+" main.pay:41"), txs),
				dumpOf(at(1500, sqlWait+"main.pay:37"), at(8, client+" main.pay:41"), txs)), slow, ""},
		{"one capture", apart(0, dumpOf(at(900, sqlWait+"main.total:37"))), forgotten, "main.total"},
		{"they got their connections", apart(9, dumpOf(at(900, sqlWait+"main.total:37")),
			dumpOf(at(3, sqlWait+"main.total:37"))), silent, ""},
		{"a few wait", apart(9, dumpOf(at(4, sqlWait+"main.total:37")), dumpOf(at(5, sqlWait+"main.total:37"))), silent,
			""},
		{"the database does not answer", apart(9, dumpOf(at(70, dialling+"main.total:37")),
			dumpOf(at(90, dialling+"main.total:37"))), silent, ""},
		{"a semaphore of the service's own", apart(9, dumpOf(at(70, acquire+"main.total:37")),
			dumpOf(at(90, acquire+"main.total:37"))), silent, ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			f, score := scoreOf(t, tt.in, "connection-leak")
			if got := score >= worthKnowing; got != (tt.want == forgotten) {
				t.Fatalf("connection-leak scores %d (%s), want one: %v", score, f.Title, tt.want == forgotten)
			}
			if tt.want == forgotten && (f.Where[0].Function != tt.at ||
				!strings.Contains(f.Remedies[0].Text, "defer ")) {
				t.Errorf("it blames %v and says %q, want %s and to close", f.Where, f.Remedies[0].Text, tt.at)
			}
			surge, score := scoreOf(t, tt.in, "goroutine-surge")
			if tt.want == forgotten && score > 0 {
				t.Errorf("goroutine-surge says the same again: %s", surge.Title)
			}
		})
	}
}
