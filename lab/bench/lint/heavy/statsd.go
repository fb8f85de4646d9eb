package heavy

import (
	"context"
	"fmt"
	"math/rand/v2"
	"net"
	"strings"
	"time"
)

// statsd gets lines of several dialects over UDP and TCP, maps them, and is scraped.
func statsd() Service {
	return Service{
		Name: "statsd_exporter", Module: "github.com/prometheus/statsd_exporter", Version: "v0.31.0", Main: ".", Unseen: true,
		Args: []string{"--web.listen-address=127.0.0.1:{port}", "--statsd.listen-udp=127.0.0.1:{other}",
			"--statsd.listen-tcp=127.0.0.1:{other}", "--statsd.mapping-config={dir}/mapping.yml", "--log.level=error"},
		Config: map[string]string{"mapping.yml": statsdMapping},
		Ready:  "/metrics",
		Load:   loadStatsd,
	}
}

const statsdMapping = `defaults:
  observer_type: histogram
  histogram_options: {buckets: [0.01, 0.1, 1, 10]}
mappings:
- match: "shop.*.requests.*"
  name: shop_requests_total
  labels: {service: "$1", code: "$2"}
- match: "shop.*.latency"
  name: shop_latency_seconds
  labels: {service: "$1"}
- match: "db.*.*.pool"
  name: db_pool
  labels: {host: "$1", table: "$2"}
- match: "legacy\\.([a-z0-9-]+)\\.(\\w+)\\.time"
  match_type: regex
  observer_type: summary
  name: legacy_seconds
  labels: {host: "$1", job: "$2"}
- match: "debug.*"
  action: drop
  name: dropped
`

func loadStatsd(ctx context.Context, on Target) error {
	clients := times(3, func(ctx context.Context, i int) error { return statsdSender(ctx, on, "udp", i) })
	clients = append(clients, func(ctx context.Context) error { return statsdSender(ctx, on, "tcp", 9) })
	clients = append(clients, times(1, browser(on, "http://"+on.Addr, func(*rand.Rand) request {
		time.Sleep(200 * time.Millisecond) // who scrapes more often?
		return get("/metrics")
	}))...)
	return together(ctx, clients...)
}

// statsdSender sends lines as fast as the network takes them, with a pause after each hundred datagrams.
func statsdSender(ctx context.Context, on Target, network string, i int) error {
	conn, err := new(net.Dialer).DialContext(ctx, network, on.Other)
	if err != nil {
		return err
	}
	defer conn.Close()
	r := rand.New(rand.NewPCG(uint64(i), 6))
	for n := 0; ctx.Err() == nil; n++ {
		var b strings.Builder
		for range 12 {
			statsdLine(&b, r)
		}
		if _, err := conn.Write([]byte(b.String())); err != nil {
			return err
		}
		on.Seen.Is(true)
		if n%100 == 0 {
			time.Sleep(5 * time.Millisecond)
		}
	}
	return nil
}

func statsdLine(b *strings.Builder, r *rand.Rand) {
	service := fmt.Sprintf("api%d", r.IntN(50))
	switch r.IntN(8) {
	case 0, 1:
		fmt.Fprintf(b, "shop.%s.requests.%d:1|c\n", service, pick(r, []int{200, 404, 500}))
	case 2:
		fmt.Fprintf(b, "shop.%s.latency:%d|ms|@0.1\n", service, r.IntN(1000))
	case 3:
		fmt.Fprintf(b, "db.host%d.table%d.pool:%d|g\n", r.IntN(20), r.IntN(30), r.IntN(100))
	case 4:
		fmt.Fprintf(b, "legacy.host-%d.job%d.time:%d|ms\n", r.IntN(20), r.IntN(10), r.IntN(1000))
	case 5:
		fmt.Fprintf(b, "cart.size:%d|h|#shop:%s,region:eu-%d,tier:gold\n", r.IntN(50), service, r.IntN(3))
	case 6:
		fmt.Fprintf(b, "orders,shop=%s,region=eu-%d:1|c\n", service, r.IntN(3))
	default:
		fmt.Fprintf(b, "debug.%s:1|c\nunmapped.%s.count:1|c\n", service, service)
	}
}
