package phones

import (
	"context"
	"flag"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"slices"
	"strings"
	"time"

	"github.com/gocasebook/casebook/lab/serve"
)

// An upstreamsConfig says how the three upstreams run.
type upstreamsConfig struct {
	items, users, tracking string // host:port of each
	median, p99            time.Duration
	slow                   string // the upstream that has its own times; "" for none
	slowMedian, slowP99    time.Duration
	errorRate              float64
	seed                   uint64
	drain                  time.Duration
	latency                latency // from median and p99
	slowLatency            latency
}

// upstreamAddresses is the line that the upstreams print when they listen, as JSON.
type upstreamAddresses struct {
	Items    string `json:"items"`
	Users    string `json:"users"`
	Tracking string `json:"tracking"`
}

// UpstreamsMain runs the three services behind the gateway, in one process on three ports: "lab upstreams" with
// args. When they listen it prints {"items":"host:port","users":"host:port","tracking":"host:port"} to stdout. It ends
// and returns like Main.
func UpstreamsMain(ctx context.Context, args []string, stdout, stderr io.Writer) int {
	c, err := parseUpstreams(args, stderr)
	if err != nil {
		return serve.Usage(err, "upstreams", stderr)
	}
	return serve.Run(ctx, stderr, func(ctx context.Context, log *slog.Logger) error {
		return runUpstreams(ctx, c, stdout, log)
	})
}

func parseUpstreams(args []string, stderr io.Writer) (upstreamsConfig, error) {
	var c upstreamsConfig
	f := flag.NewFlagSet("upstreams", flag.ContinueOnError)
	f.SetOutput(stderr)
	f.StringVar(&c.items, "items", "127.0.0.1:0", "`host:port` of the item service; port 0 picks a free one")
	f.StringVar(&c.users, "users", "127.0.0.1:0", "`host:port` of the user service")
	f.StringVar(&c.tracking, "tracking", "127.0.0.1:0", "`host:port` of the call-tracking service")
	f.DurationVar(&c.median, "median", 5*time.Millisecond, "median time of an answer")
	f.DurationVar(&c.p99, "p99", 40*time.Millisecond, "99th percentile of the time of an answer (log-normal)")
	f.StringVar(&c.slow, "slow", "", "the `upstream` with times of its own: items, users or tracking; empty: none")
	f.DurationVar(&c.slowMedian, "slow-median", 320*time.Millisecond, "median time of the slow one")
	f.DurationVar(&c.slowP99, "slow-p99", 600*time.Millisecond, "99th percentile of the time of the slow one")
	f.Float64Var(&c.errorRate, "error-rate", 0, "`share` of the calls that fail with 500, from 0 to 1")
	f.Uint64Var(&c.seed, "seed", 1, "of the times and failures")
	f.DurationVar(&c.drain, "drain", 10*time.Second, "how long a stop waits for requests in flight")
	if err := serve.Parse(f, args); err != nil {
		return c, err
	}
	return c, c.validate()
}

func (c *upstreamsConfig) validate() (err error) {
	if c.latency, err = newLatency(c.median, c.p99); err != nil {
		return fmt.Errorf("-median and -p99: %w", err)
	}
	if c.slowLatency, err = newLatency(c.slowMedian, c.slowP99); err != nil {
		return fmt.Errorf("-slow-median and -slow-p99: %w", err)
	}
	if names := []string{"", itemsUpstream, usersUpstream, trackingUpstream}; !slices.Contains(names, c.slow) {
		return fmt.Errorf("-slow must be one of %s", strings.Join(names[1:], ", "))
	}
	for flag, address := range map[string]string{"items": c.items, "users": c.users, "tracking": c.tracking} {
		if err := serve.CheckAddress(flag, address, false); err != nil {
			return err
		}
	}
	if err := serve.Check(c.errorRate >= 0 && c.errorRate <= 1, "error-rate", "must be from 0 to 1"); err != nil {
		return err
	}
	return serve.Check(c.drain > 0, "drain", "must be above 0")
}

// runUpstreams serves until ctx ends.
func runUpstreams(ctx context.Context, c upstreamsConfig, stdout io.Writer, log *slog.Logger) error {
	services, err := listenUpstreams(ctx, c)
	if err != nil {
		return err
	}
	where := upstreamAddresses{services[0].Address(), services[1].Address(), services[2].Address()}
	if err := serve.Announce(stdout, where, services); err != nil {
		return err
	}
	log.Info("listening", "items", where.Items, "users", where.Users, "tracking", where.Tracking)
	return serve.Serve(ctx, log, c.drain, func() {}, services...)
}

// listenUpstreams opens the three listeners: items, users, tracking.
func listenUpstreams(ctx context.Context, c upstreamsConfig) ([]*serve.Service, error) {
	var services []*serve.Service
	for _, u := range []struct {
		flag, address string
		handler       http.Handler
	}{
		{itemsUpstream, c.items, c.backend(itemsUpstream).items()},
		{usersUpstream, c.users, c.backend(usersUpstream).users()},
		{trackingUpstream, c.tracking, c.backend(trackingUpstream).tracking()},
	} {
		s, err := serve.Listen(ctx, "the "+u.flag+" service", u.flag, u.address, serve.API(u.handler))
		if err != nil {
			serve.CloseAll(services)
			return nil, err
		}
		services = append(services, s)
	}
	return services, nil
}

// backend is how an upstream behaves.
func (c *upstreamsConfig) backend(name string) *backend {
	b := &backend{latency: c.latency, errorRate: c.errorRate, seed: c.seed}
	if name == c.slow {
		b.latency = c.slowLatency
	}
	return b
}
