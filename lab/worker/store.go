package worker

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"log/slog"
	"net"

	"github.com/apache/thrift/lib/go/thrift"
	"golang.org/x/sync/errgroup"

	"github.com/gocasebook/casebook/lab/serve"
	"github.com/gocasebook/casebook/lab/worker/rows"
)

// A storeConfig says what the database of the table's rows is.
type storeConfig struct {
	listen string // host:port
	keep   int    // MiB of keys and values that a table keeps: the newest
}

// storeAddress is the line that the store prints when it listens, as JSON.
type storeAddress struct {
	Store string `json:"store"` // for lab worker -store
}

// StoreMain runs a database that keeps rows in memory: "lab store" with args. It speaks Thrift's binary protocol. When
// it listens it prints {"store":"host:port"} to stdout. It ends and returns like Main.
func StoreMain(ctx context.Context, args []string, stdout, stderr io.Writer) int {
	c := storeConfig{listen: "127.0.0.1:0", keep: 64}
	f := flag.NewFlagSet("store", flag.ContinueOnError)
	f.SetOutput(stderr)
	f.StringVar(&c.listen, "listen", c.listen, "`host:port`; port 0 picks a free one")
	f.IntVar(&c.keep, "keep", c.keep, "`MiB` of keys and values that each table keeps: the newest")
	err := serve.Parse(f, args)
	if err == nil {
		err = errors.Join(serve.CheckAddress("listen", c.listen, false),
			serve.Check(c.keep >= 1 && c.keep <= 1<<20, "keep", "must be from 1 to 1048576"))
	}
	if err != nil {
		return serve.Usage(err, "store", stderr)
	}
	return serve.Run(ctx, stderr, func(ctx context.Context, log *slog.Logger) error {
		return runStore(ctx, c, stdout, log)
	})
}

// runStore serves until ctx ends.
func runStore(ctx context.Context, c storeConfig, stdout io.Writer, log *slog.Logger) error {
	var lc net.ListenConfig
	listener, err := lc.Listen(ctx, "tcp", c.listen)
	if err != nil {
		return fmt.Errorf("listening for rows: %w; give another address with -listen", err)
	}
	if err := serve.Announce(stdout, storeAddress{listener.Addr().String()}, nil); err != nil {
		return errors.Join(err, listener.Close())
	}
	all, ctx := errgroup.WithContext(ctx)
	all.Go(func() error { <-ctx.Done(); return listener.Close() })
	processor := rows.NewStoreProcessor(newTables(int64(c.keep) << 20))
	all.Go(func() error {
		for {
			conn, err := listener.Accept()
			if ctx.Err() != nil {
				return nil
			}
			if err != nil {
				return fmt.Errorf("accepting a connection: %w", err)
			}
			all.Go(func() error { answer(ctx, conn, processor, log); return nil })
		}
	})
	return all.Wait()
}

// answer serves one connection until it or ctx ends.
func answer(ctx context.Context, conn net.Conn, processor thrift.TProcessor, log *slog.Logger) {
	socket := thrift.NewTSocketFromConnConf(conn, nil)
	defer context.AfterFunc(ctx, func() { _ = socket.Close() })()
	defer socket.Close()
	buffered := thrift.NewTBufferedTransport(socket, bufferBytes)
	protocol := thrift.NewTBinaryProtocolConf(buffered, nil)
	for ctx.Err() == nil {
		if _, err := processor.Process(ctx, protocol, protocol); err != nil {
			if !errors.Is(err, io.EOF) && ctx.Err() == nil {
				log.Warn("a connection ended", "from", conn.RemoteAddr().String(), "err", err)
			}
			return
		}
	}
}
