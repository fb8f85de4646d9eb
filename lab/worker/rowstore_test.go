package worker

import (
	"encoding/binary"
	"net"
	"strconv"
	"strings"
	"testing"

	"github.com/apache/thrift/lib/go/thrift"

	"github.com/gocasebook/casebook/lab/serve/servetest"
	"github.com/gocasebook/casebook/lab/worker/rows"
)

// startStore runs lab store and gives its address.
func startStore(t *testing.T, flags ...string) (*servetest.Process, string) {
	t.Helper()
	var where storeAddress
	return servetest.Start(t, StoreMain, &where, flags...), where.Store
}

// taken are the rows that the store has, as lines of the table.
func taken(t *testing.T, addr string) (lines []string) {
	t.Helper()
	connection := thrift.NewTBufferedTransport(thrift.NewTSocketConf(addr, nil), bufferBytes)
	if err := connection.Open(); err != nil {
		t.Fatal(err)
	}
	defer connection.Close()
	client := rows.NewStoreClientFactory(connection, thrift.NewTBinaryProtocolFactoryConf(nil))
	for {
		some, err := client.Take(t.Context(), tableName, 7)
		if err != nil {
			t.Fatal(err)
		}
		if len(some) == 0 {
			return lines
		}
		for _, r := range some {
			cells := []string{strconv.FormatUint(binary.BigEndian.Uint64(r.Key), 10)}
			for i, c := range r.Cells {
				if c.Column != columns[i] {
					t.Fatalf("cell %d of a row is of the column %q, want %q", i, c.Column, columns[i])
				}
				cells = append(cells, string(c.Value))
			}
			lines = append(lines, strings.Join(cells, "\t")+"\n")
		}
	}
}

// TestTransportsAgree: whatever the transport, the database has the rows that the file would have.
func TestTransportsAgree(t *testing.T) {
	k := newTopic(t)
	k.send(t, 60)
	file := startWorker(t, k, t.TempDir(), "-groups", "table")
	file.waitStored(t, 60)
	file.stopped(t)
	want := map[string]bool{}
	for _, line := range file.lines(t) {
		want[line] = true
	}
	for _, transport := range transportNames {
		t.Run(transport, func(t *testing.T) {
			_, addr := startStore(t)
			r := startWorker(t, k, t.TempDir(), "-groups", "table", "-store", addr, "-transport", transport,
				"-group-prefix", transport)
			r.waitStored(t, 60)
			got := r.wait(t, "the calls of the store", func(s statsReply) bool { return s.Groups["table"].Calls > 0 })
			if g := got.Groups["table"]; g.Call <= 0 || g.Bytes == 0 {
				t.Errorf("stats %+v, want the time of calls and the bytes", g)
			}
			r.stopped(t)
			lines := taken(t, addr)
			if len(lines) != 60*eventsEach {
				t.Errorf("%d rows, want %d", len(lines), 60*eventsEach)
			}
			for _, line := range lines {
				if !want[line] {
					t.Fatalf("a row that the table has not: %q", line)
				}
			}
		})
	}
}

// TestStoreGoesAway: the worker waits for its database, and puts what it had.
func TestStoreGoesAway(t *testing.T) {
	k := newTopic(t)
	store, addr := startStore(t)
	r := startWorker(t, k, t.TempDir(), "-groups", "table", "-store", addr)
	k.send(t, 10)
	r.waitStored(t, 10)
	store.Stop()
	if code := <-store.Code; code != 0 {
		t.Fatalf("the store ended with %d: %s", code, store.Stderr)
	}
	k.send(t, 10)
	r.wait(t, "an error in storing", func(statsReply) bool {
		_, body := r.get(t, "/metrics")
		return !strings.Contains(body, `worker_store_errors_total{group="table"} 0`)
	})
	_, again := startStore(t, "-listen", addr)
	r.waitStored(t, 20)
	r.stopped(t)
	if got := len(taken(t, again)); got != 10*eventsEach {
		t.Errorf("the store that came back has %d rows, want %d", got, 10*eventsEach)
	}
}

// TestStoreForgets: a table keeps the newest rows, and each key once.
func TestStoreForgets(t *testing.T) {
	all := newTables(100)
	row := func(key string, bytes int) *rows.Row {
		return &rows.Row{Key: []byte(key), Cells: []*rows.Cell{{Column: "c", Value: make([]byte, bytes)}}}
	}
	put := func(some ...*rows.Row) {
		t.Helper()
		if err := all.Put(t.Context(), "t", some); err != nil {
			t.Fatal(err)
		}
	}
	put(row("a", 30), row("b", 30), row("a", 40)) // 74 bytes
	put(row("c", 50))
	got, err := all.Take(t.Context(), "t", 10)
	if err != nil || len(got) != 2 || string(got[0].Key) != "b" || string(got[1].Key) != "c" {
		t.Errorf("%v (%v), want b and c", got, err)
	}
	if got, err := all.Take(t.Context(), "other", 10); err != nil || len(got) != 0 {
		t.Errorf("of a table that is not there: %v (%v)", got, err)
	}
}

// TestStoreIsAskedWrongly: what is no Thrift ends the connection, not the store.
func TestStoreIsAskedWrongly(t *testing.T) {
	_, addr := startStore(t)
	var d net.Dialer
	conn, err := d.DialContext(t.Context(), "tcp", addr)
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close()
	if _, err := conn.Write([]byte("GET / HTTP/1.1\r\n\r\n")); err != nil {
		t.Fatal(err)
	}
	if n, err := conn.Read(make([]byte, 1<<10)); err == nil && n > 0 {
		// Thrift answers with an exception before it closes
		_, err = conn.Read(make([]byte, 1))
		if err == nil {
			t.Error("the connection is still open")
		}
	}
	if lines := taken(t, addr); len(lines) != 0 {
		t.Errorf("%d rows", len(lines))
	}
}
