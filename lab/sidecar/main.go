package sidecar

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"log/slog"
	"net"

	"github.com/gocasebook/casebook/lab/serve"
)

// Main runs the forwarder: "lab sidecar" with args. It prints where it listens, {"listen":"host:port"}, and serves
// until ctx ends or SIGTERM or SIGINT comes. It returns the exit code: 0 stopped as asked, 1 failed, 2 wrong flags.
func Main(ctx context.Context, args []string, stdout, stderr io.Writer) int {
	listen, to, err := parse(args, stderr)
	if err != nil {
		return serve.Usage(err, "sidecar", stderr)
	}
	return serve.Run(ctx, stderr, func(ctx context.Context, log *slog.Logger) error {
		l, err := (&net.ListenConfig{}).Listen(ctx, "tcp", listen)
		if err != nil {
			return fmt.Errorf("listening: %w; -listen names another address", err)
		}
		if err := serve.Announce(stdout, serve.Addresses{Listen: l.Addr().String()}, nil); err != nil {
			return errors.Join(err, l.Close())
		}
		log.Info("forwarding", "listen", l.Addr(), "to", to)
		return (&forwarder{to: to, log: log, conns: map[net.Conn]bool{}}).serve(ctx, l)
	})
}

func parse(args []string, stderr io.Writer) (listen, to string, err error) {
	f := flag.NewFlagSet("sidecar", flag.ContinueOnError)
	f.SetOutput(stderr)
	f.StringVar(&listen, "listen", "127.0.0.1:0", "`host:port` of the callers; port 0 picks a free one")
	f.StringVar(&to, "to", "127.0.0.1:6379", "`host:port` that they are connected with")
	if err := serve.Parse(f, args); err != nil {
		return "", "", err
	}
	return listen, to, errors.Join(serve.CheckAddress("listen", listen, false), serve.CheckAddress("to", to, false))
}
