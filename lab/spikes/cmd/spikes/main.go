// Command spikes records services whose requests are slow at the same moment of every period, and some whose are not,
// into evidence/cases/spikes.
//
// The problem: what comes back shows only in minutes of vitals, and whose line it is only in what was captured in a
// spike. The approach: each form of the service lab/modules/rates, which keeps what it asks for in caches by other
// hands, or has jobs beside it, is watched with the default rules and its page of metrics until a rule opens a case;
// where none trips, a case is taken by hand. In lab:
//
//	go run ./spikes/cmd/spikes -run 'otter.*' -keep
//
// The limits: a period is 20 s, so that a recording takes two minutes; a machine that others use adds spikes of its
// own.
package main

import (
	"context"
	"flag"
	"fmt"
	"os"
	"os/signal"
	"syscall"
	"time"

	"github.com/gocasebook/casebook/lab/choose"
)

// options are the flags.
type options struct {
	run      string
	keep     bool
	patience time.Duration
	port     int
}

// forms are those of the service, in the order of docs: what must speak, then what must not.
var forms = [...]string{
	"gocache-flush", "memcached-slot", "ristretto-ttl", "lru-flights", "groupcache-slot", "otter-loader",
	"cron-lock", "ticker-sort", "checkpoint",
	"callers", "random", "morning", "restart", "sawtooth", "ristretto-jitter", "cron-light",
}

func main() {
	var o options
	flag.StringVar(&o.run, "run", "", "only the forms whose name matches the `regexp` as a whole")
	flag.BoolVar(&o.keep, "keep", false, "write into evidence/cases; without it, what was found is printed only")
	flag.DurationVar(&o.patience, "patience", 3*time.Minute, "how long a rule has to trip")
	flag.IntVar(&o.port, "port", 7510, "`port` of the service")
	flag.Parse()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	if err := o.all(ctx); err != nil {
		fmt.Fprintln(os.Stderr, "spikes:", err)
		stop()
		os.Exit(1)
	}
}

// all records the forms one after the other.
func (o *options) all(ctx context.Context) error {
	names, err := choose.Named(forms[:], func(n string) string { return n }, o.run)
	if err != nil {
		return err
	}
	dir, err := os.MkdirTemp("", "casebook-spikes-")
	if err != nil {
		return fmt.Errorf("making a folder for the program: %w", err)
	}
	defer os.RemoveAll(dir)
	bin, err := build(ctx, dir)
	if err != nil {
		return err
	}
	for _, name := range names {
		if err := o.form(ctx, bin, name); err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
	}
	return nil
}
