package worker

import (
	"context"
	"errors"
	"time"

	"github.com/apache/thrift/lib/go/thrift"

	"github.com/gocasebook/casebook/lab/worker/rows"
)

// A database is the connection to lab store, through Thrift. It is used by one goroutine. After an error the next call
// opens another connection.
type database struct {
	addr     string
	buffered bool
	numbers  *groupNumbers

	connection thrift.TTransport // nil when there is none
	client     *rows.StoreClient
}

// callTimeout is how long a call may take.
const callTimeout = 10 * time.Second

func newDatabase(c Config, numbers *groupNumbers) database {
	return database{addr: c.Store, buffered: c.Transport == "buffered", numbers: numbers}
}

// put puts rows by one call.
func (d *database) put(table string, some []*rows.Row) error {
	return d.call(func(ctx context.Context) error { return d.client.Put(ctx, table, some) })
}

// take takes the oldest rows by one call, at most so many.
func (d *database) take(table string, most int) (some []*rows.Row, err error) {
	err = d.call(func(ctx context.Context) (err error) {
		some, err = d.client.Take(ctx, table, int32(most))
		return err
	})
	return some, err
}

// call makes one call and counts it.
func (d *database) call(f func(context.Context) error) error {
	if err := d.connect(); err != nil {
		return err
	}
	ctx, cancel := context.WithTimeout(context.Background(), callTimeout)
	defer cancel()
	began := time.Now()
	if err := f(ctx); err != nil {
		return errors.Join(err, d.close())
	}
	d.numbers.called(time.Since(began))
	return nil
}

// connect opens the connection, if there is none.
func (d *database) connect() error {
	if d.connection != nil {
		return nil
	}
	settings := &thrift.TConfiguration{ConnectTimeout: callTimeout, SocketTimeout: callTimeout}
	connection := d.transport(settings)
	if err := connection.Open(); err != nil {
		return err
	}
	d.connection = connection
	d.client = rows.NewStoreClientFactory(connection, thrift.NewTBinaryProtocolFactoryConf(settings))
	return nil
}

// transport is what the protocol writes to: the socket, or a buffer before it.
func (d *database) transport(settings *thrift.TConfiguration) thrift.TTransport {
	if d.buffered {
		return thrift.NewTBufferedTransport(thrift.NewTSocketConf(d.addr, settings), bufferBytes)
	}
	return thrift.NewTSocketConf(d.addr, settings)
}

func (d *database) close() error {
	if d.connection == nil {
		return nil
	}
	err := d.connection.Close()
	d.connection = nil
	return err
}
