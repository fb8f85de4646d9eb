package worker

import (
	"testing"

	"github.com/apache/thrift/lib/go/thrift"

	"github.com/gocasebook/casebook/lab/worker/event"
	"github.com/gocasebook/casebook/lab/worker/rows"
)

// A countedTransport counts the writes that reach the socket.
type countedTransport struct {
	thrift.TTransport
	writes, bytes int
}

func (c *countedTransport) Write(b []byte) (int, error) {
	n, err := c.TTransport.Write(b)
	c.writes++
	c.bytes += n
	return n, err
}

// BenchmarkPut is a call of the database with 200 rows, by each of Thrift's transports and protocols; the store has the
// same ones, with a buffer where there is none.
func BenchmarkPut(b *testing.B) {
	settings := &thrift.TConfiguration{}
	transports := []struct {
		name           string
		client, server func(thrift.TTransport) thrift.TTransport
	}{
		{"socket", nil, buffered},
		{"buffered", buffered, buffered},
		{"framed", framed, framed},
		{"stream", streamed, buffered},
	}
	protocols := []struct {
		name string
		thrift.TProtocolFactory
	}{
		{"binary", thrift.NewTBinaryProtocolFactoryConf(settings)},
		{"compact", thrift.NewTCompactProtocolFactoryConf(settings)},
		{"json", thrift.NewTJSONProtocolFactory()},
	}
	m := rowMaker{items: smallCatalogue()}
	some := m.make([]*event.Batch{smallWorld.batch(0, rowsEach)})
	for _, transport := range transports {
		for _, protocol := range protocols {
			b.Run("transport="+transport.name+"/protocol="+protocol.name, func(b *testing.B) {
				addr := serveRows(b, transport.server, protocol)
				socket := &countedTransport{TTransport: thrift.NewTSocketConf(addr, settings)}
				if err := socket.Open(); err != nil {
					b.Fatal(err)
				}
				var connection thrift.TTransport = socket
				if transport.client != nil {
					connection = transport.client(socket)
				}
				defer connection.Close()
				client := rows.NewStoreClientFactory(connection, protocol)
				b.ReportAllocs()
				calls := 0
				for b.Loop() {
					if err := client.Put(b.Context(), tableName, some); err != nil {
						b.Fatal(err)
					}
					calls++
				}
				b.ReportMetric(float64(socket.writes)/float64(calls), "writes/op")
				b.ReportMetric(float64(socket.bytes)/float64(calls), "wire-B/op")
			})
		}
	}
}

func buffered(t thrift.TTransport) thrift.TTransport {
	return thrift.NewTBufferedTransport(t, bufferBytes)
}

func framed(t thrift.TTransport) thrift.TTransport { return thrift.NewTFramedTransportConf(t, nil) }

// streamed has bufio's buffers of 4 kB around any io.ReadWriter.
func streamed(t thrift.TTransport) thrift.TTransport { return thrift.NewStreamTransportRW(t) }

// BenchmarkEncode writes the rows of such a call into memory, by each of Thrift's protocols. Simple JSON has names
// instead of numbers, is for scripts, and cannot be read back.
func BenchmarkEncode(b *testing.B) {
	settings := &thrift.TConfiguration{}
	m := rowMaker{items: smallCatalogue()}
	some := m.make([]*event.Batch{smallWorld.batch(0, rowsEach)})
	for _, protocol := range []struct {
		name string
		thrift.TProtocolFactory
	}{
		{"binary", thrift.NewTBinaryProtocolFactoryConf(settings)},
		{"compact", thrift.NewTCompactProtocolFactoryConf(settings)},
		{"json", thrift.NewTJSONProtocolFactory()},
		{"simple-json", thrift.NewTSimpleJSONProtocolFactoryConf(settings)},
	} {
		b.Run("transport=memory/protocol="+protocol.name, func(b *testing.B) {
			memory := thrift.NewTMemoryBufferLen(bufferBytes)
			p := protocol.GetProtocol(memory)
			b.ReportAllocs()
			for b.Loop() {
				memory.Reset()
				for _, row := range some {
					if err := row.Write(b.Context(), p); err != nil {
						b.Fatal(err)
					}
				}
				if err := p.Flush(b.Context()); err != nil {
					b.Fatal(err)
				}
			}
			b.ReportMetric(float64(memory.Len()), "wire-B/op")
		})
	}
}

// serveRows serves a database for the benchmark and gives its address.
func serveRows(b *testing.B, transport func(thrift.TTransport) thrift.TTransport,
	protocol thrift.TProtocolFactory) string {
	b.Helper()
	socket, err := thrift.NewTServerSocket("127.0.0.1:0")
	if err != nil {
		b.Fatal(err)
	}
	if err := socket.Listen(); err != nil {
		b.Fatal(err)
	}
	done := make(chan struct{})
	go func() {
		defer close(done)
		conn, err := socket.Accept()
		if err != nil {
			return
		}
		p := protocol.GetProtocol(transport(conn))
		for processor := rows.NewStoreProcessor(newTables(1 << 20)); ; {
			if _, err := processor.Process(b.Context(), p, p); err != nil {
				return
			}
		}
	}()
	b.Cleanup(func() { socket.Close(); <-done })
	return socket.Addr().String()
}
