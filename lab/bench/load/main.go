// Command load holds casebook load to what it promises, and prints the tables.
//
// The first: a server whose delays are known to the millisecond, and which stands still for a second, is loaded; the
// quantiles are compared with those that every caller of the schedule would have had. wrk, a closed-loop tool, stands
// beside it where it is installed. The second: rates up to and above 20,000 a second against a trivial server that
// shares the machine.
package main

import (
	"context"
	"flag"
	"fmt"
	"os"
	"os/signal"
	"runtime"
	"syscall"
	"time"
)

func main() { os.Exit(run()) }

func run() int {
	if len(os.Args) > 1 && os.Args[1] == "serve" {
		if err := serve(); err != nil {
			fmt.Fprintln(os.Stderr, "serve:", err)
			return 1
		}
		return 0
	}
	var o options
	flag.DurationVar(&o.truth, "truth", 20*time.Second, "how long each tool loads the server whose delays are known")
	flag.DurationVar(&o.rates, "rates", 5*time.Second, "how long each rate is sent")
	flag.StringVar(&o.only, "only", "", "truth or rates: one of the tables")
	flag.Parse()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	if err := o.tables(ctx); err != nil {
		fmt.Fprintln(os.Stderr, "bench-load:", err)
		return 1
	}
	return 0
}

// options are what the command was asked for.
type options struct {
	truth, rates time.Duration
	only         string
}

func (o *options) tables(ctx context.Context) error {
	fmt.Printf("%s, %d CPUs, %s/%s, %s\n", runtime.Version(), runtime.NumCPU(), runtime.GOOS, runtime.GOARCH,
		time.Now().Format(time.DateTime))
	srv, err := startServer()
	if err != nil {
		return err
	}
	defer srv.stop()
	if o.only != "rates" {
		if err := truthTable(ctx, srv, o.truth); err != nil {
			return err
		}
	}
	if o.only != "truth" {
		return ratesTable(ctx, srv, o.rates)
	}
	return nil
}
