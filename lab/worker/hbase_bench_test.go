package worker

import (
	"context"
	"errors"
	"fmt"
	"net"
	"testing"

	"github.com/apache/thrift/lib/go/thrift"
)

// An hbasePut is HBase's putMultiple with its TPut and TColumnValue, as hbase.thrift (thrift2) numbers their fields. It
// is written by hand: HBase itself needs Java, ZooKeeper and a network, and what the article met is on this side of it.
type hbasePut struct {
	table  string
	rows   []string
	family string
	cells  []string // qualifiers, the same for each row
	value  []byte
}

// write writes the call, field by field, as code does that Thrift generates.
func (p *hbasePut) write(ctx context.Context, out thrift.TProtocol) error {
	w := thriftWriter{ctx: ctx, out: out}
	w.do(out.WriteMessageBegin(ctx, "putMultiple", thrift.CALL, 1))
	w.do(out.WriteStructBegin(ctx, "putMultiple_args"))
	w.binary(1, []byte(p.table))
	w.list(2, len(p.rows), func(i int) { p.put(&w, p.rows[i]) })
	w.end()
	w.do(out.WriteMessageEnd(ctx))
	w.do(out.Flush(ctx))
	return w.err
}

func (p *hbasePut) put(w *thriftWriter, row string) {
	w.do(w.out.WriteStructBegin(w.ctx, "TPut"))
	w.binary(1, []byte(row))
	w.list(2, len(p.cells), func(i int) {
		w.do(w.out.WriteStructBegin(w.ctx, "TColumnValue"))
		w.binary(1, []byte(p.family))
		w.binary(2, []byte(p.cells[i]))
		w.binary(3, p.value)
		w.end()
	})
	w.end()
}

// A thriftWriter keeps the first error.
type thriftWriter struct {
	ctx context.Context
	out thrift.TProtocol
	err error
}

func (w *thriftWriter) do(err error) {
	if w.err == nil {
		w.err = err
	}
}

func (w *thriftWriter) binary(id int16, value []byte) {
	w.do(w.out.WriteFieldBegin(w.ctx, "", thrift.STRING, id))
	w.do(w.out.WriteBinary(w.ctx, value))
	w.do(w.out.WriteFieldEnd(w.ctx))
}

func (w *thriftWriter) list(id int16, n int, each func(i int)) {
	w.do(w.out.WriteFieldBegin(w.ctx, "", thrift.LIST, id))
	w.do(w.out.WriteListBegin(w.ctx, thrift.STRUCT, n))
	for i := range n {
		each(i)
	}
	w.do(w.out.WriteListEnd(w.ctx))
	w.do(w.out.WriteFieldEnd(w.ctx))
}

// end ends a struct.
func (w *thriftWriter) end() {
	w.do(w.out.WriteFieldStop(w.ctx))
	w.do(w.out.WriteStructEnd(w.ctx))
}

// answered reads the answer to a putMultiple, which is empty.
func answered(ctx context.Context, in thrift.TProtocol) error {
	name, kind, _, err := in.ReadMessageBegin(ctx)
	if err == nil && (name != "putMultiple" || kind != thrift.REPLY) {
		err = fmt.Errorf("%s came, of kind %d", name, kind)
	}
	return errors.Join(err, thrift.SkipDefaultDepth(ctx, in, thrift.STRUCT), in.ReadMessageEnd(ctx))
}

// serveHBase reads calls and answers them, until the client closes.
func serveHBase(tb testing.TB) (addr string) {
	tb.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		tb.Fatal(err)
	}
	served := make(chan struct{})
	tb.Cleanup(func() { l.Close(); <-served })
	go func() {
		defer close(served)
		conn, err := l.Accept()
		if err != nil {
			return
		}
		defer conn.Close()
		ctx, p := context.Background(), thrift.NewTBinaryProtocolConf(buffered(thrift.NewTSocketFromConnConf(conn, nil)), nil)
		for {
			name, _, id, err := p.ReadMessageBegin(ctx)
			if err != nil || thrift.SkipDefaultDepth(ctx, p, thrift.STRUCT) != nil || p.ReadMessageEnd(ctx) != nil {
				return
			}
			w := thriftWriter{ctx: ctx, out: p}
			w.do(p.WriteMessageBegin(ctx, name, thrift.REPLY, id))
			w.do(p.WriteStructBegin(ctx, ""))
			w.end()
			w.do(p.WriteMessageEnd(ctx))
			if w.do(p.Flush(ctx)); w.err != nil {
				return
			}
		}
	}()
	return l.Addr().String()
}

// BenchmarkHBasePut is a put of 20 rows of 12 cells through HBase's Thrift API, to a stand-in that reads and answers:
// Thrift's plain socket makes a system call for each field's header and content, the buffered transport one for all.
//
//	go test -run '^$' -bench HBasePut ./lab/worker
//
// On two cores of an AMD EPYC with other work (30 November 2026):
//
//	3,313 writes and 20 ms a put through the socket, one write and 0.37 ms through the buffer
func BenchmarkHBasePut(b *testing.B) {
	put := &hbasePut{table: "views", family: "f", value: []byte("thirty-two bytes are one field..")}
	for i := range 20 {
		put.rows = append(put.rows, fmt.Sprintf("user-%08d", i))
	}
	for i := range 12 {
		put.cells = append(put.cells, fmt.Sprintf("q%02d", i))
	}
	for _, form := range []struct {
		name string
		wrap func(thrift.TTransport) thrift.TTransport
	}{{"socket", func(t thrift.TTransport) thrift.TTransport { return t }}, {"buffered", buffered}} {
		b.Run("transport="+form.name, func(b *testing.B) {
			socket := &countedTransport{TTransport: thrift.NewTSocketConf(serveHBase(b), nil)}
			if err := socket.Open(); err != nil {
				b.Fatal(err)
			}
			defer socket.Close()
			p := thrift.NewTBinaryProtocolConf(form.wrap(socket), nil)
			b.ReportAllocs()
			for b.Loop() {
				if err := errors.Join(put.write(b.Context(), p), answered(b.Context(), p)); err != nil {
					b.Fatal(err)
				}
			}
			b.ReportMetric(float64(socket.writes)/float64(b.N), "writes/op")
			b.ReportMetric(float64(socket.bytes)/float64(b.N), "bytes/op")
		})
	}
}
