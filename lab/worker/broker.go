package worker

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"log/slog"
	"net"
	"strconv"
	"strings"
	"time"

	"github.com/twmb/franz-go/pkg/kfake"
	"golang.org/x/sync/errgroup"

	"github.com/gocasebook/casebook/lab/serve"
)

// A brokerConfig says what the broker is and what is produced.
type brokerConfig struct {
	listen     string   // host:port of the embedded broker
	brokers    []string // of another broker to produce to; none: the embedded one
	topic      string
	partitions int
	retention  time.Duration
	rate       float64 // records a second
	events     int     // in a record
	large      float64 // share of the records that are large
	largeBytes int     // their size, before they are compressed
	sample     float64 // share of the stream that is produced
	items      int     // of the made-up world
}

// brokerAddresses is the line that the broker prints when it listens, as JSON.
type brokerAddresses struct {
	Brokers string `json:"brokers"` // for lab worker -brokers
}

// BrokerMain runs a broker with a producer: "lab broker" with args. When it listens it prints {"brokers":"host:port"}
// to stdout. It ends and returns like Main. With -brokers it produces to that broker and is none itself.
func BrokerMain(ctx context.Context, args []string, stdout, stderr io.Writer) int {
	c, err := parseBroker(args, stderr)
	if err != nil {
		return serve.Usage(err, "broker", stderr)
	}
	return serve.Run(ctx, stderr, func(ctx context.Context, log *slog.Logger) error {
		return runBroker(ctx, c, stdout, log)
	})
}

func parseBroker(args []string, stderr io.Writer) (brokerConfig, error) {
	c := brokerConfig{listen: "127.0.0.1:0", topic: "events", partitions: 6, retention: time.Minute, rate: 100,
		events: 40, largeBytes: 1_500_000, sample: 1, items: DefaultConfig().Items}
	f := flag.NewFlagSet("broker", flag.ContinueOnError)
	f.SetOutput(stderr)
	f.StringVar(&c.listen, "listen", c.listen, "`host:port` of the broker; port 0 picks a free one")
	f.Func("brokers", "`host:port,…` of a Kafka broker to produce to, in place of the embedded one",
		func(s string) error { c.brokers = strings.Split(s, ","); return nil })
	f.StringVar(&c.topic, "topic", c.topic, "topic to produce to")
	f.IntVar(&c.partitions, "partitions", c.partitions, "of the embedded broker's topic")
	f.DurationVar(&c.retention, "retention", c.retention, "how long the embedded broker keeps a record, in memory")
	f.Float64Var(&c.rate, "rate", c.rate, "records a second; 0: none")
	f.IntVar(&c.events, "events", c.events, "events in a record")
	f.Float64Var(&c.large, "large", c.large, "`share` of the records that are large: with 0.02 their size is the P99's")
	f.IntVar(&c.largeBytes, "large-bytes", c.largeBytes, "size of a large record before it is compressed")
	f.Float64Var(&c.sample, "sample", c.sample, "`share` of the stream of -rate that is produced")
	f.IntVar(&c.items, "items", c.items, "listings of the made-up world")
	if err := serve.Parse(f, args); err != nil {
		return c, err
	}
	return c, c.validate()
}

func (c brokerConfig) validate() error {
	var brokers error
	if c.brokers != nil {
		brokers = checkBrokers(c.brokers)
	}
	return errors.Join(
		serve.CheckAddress("listen", c.listen, false), brokers,
		serve.Check(c.topic != "", "topic", "must not be empty"),
		serve.Check(c.partitions >= 1 && c.partitions <= 1000, "partitions", "must be from 1 to 1000"),
		serve.Check(c.retention >= time.Second, "retention", "must be 1s or more"),
		serve.Check(c.rate >= 0 && c.rate <= 100_000, "rate", "must be from 0 to 100000"),
		serve.Check(c.events >= 1 && c.events <= 1000, "events", "must be from 1 to 1000"),
		serve.Check(c.large >= 0 && c.large <= 1, "large", "must be from 0 to 1"),
		serve.Check(c.largeBytes >= 1000 && c.largeBytes <= maxRaw, "large-bytes",
			fmt.Sprintf("must be from 1000 to %d", maxRaw)),
		serve.Check(c.sample > 0 && c.sample <= 1, "sample", "must be above 0, and 1 at most"),
		serve.Check(c.items >= 1 && c.items <= maxItems, "items", fmt.Sprintf("must be from 1 to %d", maxItems)),
	)
}

// runBroker serves and produces until ctx ends.
func runBroker(ctx context.Context, c brokerConfig, stdout io.Writer, log *slog.Logger) error {
	payloads, err := makePayloads(world{uint64(c.items), users}, c)
	if err != nil {
		return err
	}
	all, ctx := errgroup.WithContext(ctx)
	if len(c.brokers) == 0 {
		cluster, err := startCluster(c)
		if err != nil {
			return err
		}
		defer cluster.Close()
		c.brokers = cluster.ListenAddrs()
		all.Go(func() error { expire(ctx, cluster); return nil })
	}
	if err := serve.Announce(stdout, brokerAddresses{strings.Join(c.brokers, ",")}, nil); err != nil {
		return err
	}
	log.Info("producing", "brokers", c.brokers, "topic", c.topic, "rate", c.rate, "events", c.events,
		"large", c.large, "sample", c.sample)
	all.Go(func() error { return produce(ctx, c, payloads, log) })
	return all.Wait()
}

// startCluster starts the embedded broker with its topic.
func startCluster(c brokerConfig) (*kfake.Cluster, error) {
	cluster, err := kfake.NewCluster(
		kfake.NumBrokers(1),
		kfake.ListenFn(func(network, _ string) (net.Listener, error) { return net.Listen(network, c.listen) }),
	)
	if err != nil {
		return nil, fmt.Errorf("starting the broker: %w; give another address with -listen", err)
	}
	err = cluster.CreateTopic(c.topic, int32(c.partitions), map[string]string{
		"retention.ms":  strconv.FormatInt(c.retention.Milliseconds(), 10),
		"segment.bytes": strconv.Itoa(8 << 20), // whole segments are dropped: small ones keep to the retention
	})
	if err != nil {
		cluster.Close()
		return nil, fmt.Errorf("making the topic %s: %w", c.topic, err)
	}
	return cluster, nil
}

// expire drops what is older than the retention, each second.
func expire(ctx context.Context, cluster *kfake.Cluster) {
	tick := time.NewTicker(time.Second)
	defer tick.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
			cluster.ApplyRetention()
		}
	}
}
