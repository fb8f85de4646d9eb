package heavy

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"math/rand/v2"
	"net"
	"strconv"
	"strings"
	"sync"
)

// nats is a broker with subscribers of wildcards and queues, requests and replies, streams that are published to, read
// and asked about, and an operator who looks at its monitoring pages.
func nats() Service {
	return Service{
		Name: "nats-server", Module: "github.com/nats-io/nats-server/v2", Version: "v2.15.2", Main: ".",
		Args:  []string{"-a", "127.0.0.1", "-p", "{port}", "-m", "{other}", "-js", "-sd", "{dir}/js"},
		Load:  loadNATS,
		Ready: "",
	}
}

// A natsConn speaks NATS' client protocol,
// docs.nats.io/reference/reference-protocols/nats-protocol.
type natsConn struct {
	conn net.Conn
	in   *bufio.Reader

	mu  sync.Mutex // guards out
	out *bufio.Writer
}

func dialNATS(ctx context.Context, addr string) (*natsConn, error) {
	conn, err := new(net.Dialer).DialContext(ctx, "tcp", addr)
	if err != nil {
		return nil, err
	}
	context.AfterFunc(ctx, func() { conn.Close() })
	c := &natsConn{conn: conn, in: bufio.NewReaderSize(conn, 64<<10), out: bufio.NewWriterSize(conn, 16<<10)}
	c.write("CONNECT {\"verbose\":false,\"pedantic\":false,\"headers\":true,\"no_responders\":true}\r\n")
	return c, c.flush()
}

func (c *natsConn) write(format string, args ...any) {
	c.mu.Lock()
	defer c.mu.Unlock()
	fmt.Fprintf(c.out, format, args...) // the error stays in out until it is flushed
}

func (c *natsConn) flush() error {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.out.Flush()
}

// A natsMsg is what a client gets.
type natsMsg struct {
	subject, reply string
	data           []byte
}

// next reads until a message or a PONG, which is an empty one.
func (c *natsConn) next() (natsMsg, error) {
	for {
		line, err := c.in.ReadString('\n')
		if err != nil {
			return natsMsg{}, err
		}
		f := strings.Fields(line)
		if len(f) == 0 {
			continue
		}
		switch f[0] {
		case "PONG":
			return natsMsg{}, nil
		case "PING":
			c.write("PONG\r\n")
			if err := c.flush(); err != nil {
				return natsMsg{}, err
			}
		case "MSG", "HMSG":
			n, err := strconv.Atoi(f[len(f)-1])
			if err != nil {
				return natsMsg{}, err
			}
			m := natsMsg{subject: f[1], data: make([]byte, n+2)}
			if with := 5 + len(f[0]) - 3; len(f) == with { // one field more where a reply is wanted
				m.reply = f[3]
			}
			_, err = io.ReadFull(c.in, m.data)
			return m, err
		}
	}
}

// round waits until the server has read all that was sent.
func (c *natsConn) round() error {
	c.write("PING\r\n")
	if err := c.flush(); err != nil {
		return err
	}
	for {
		if m, err := c.next(); err != nil || m.subject == "" {
			return err
		}
	}
}

// request asks and waits for one answer, of which it returns the data.
func (c *natsConn) request(subject, body string) ([]byte, error) {
	c.write("PUB %s _INBOX.%p %d\r\n%s\r\n", subject, c, len(body), body)
	if err := c.flush(); err != nil {
		return nil, err
	}
	for {
		if m, err := c.next(); err != nil || m.subject != "" {
			return m.data, err
		}
	}
}

// asker is a connection with an inbox.
func asker(ctx context.Context, addr string) (*natsConn, error) {
	c, err := dialNATS(ctx, addr)
	if err != nil {
		return nil, err
	}
	c.write("SUB _INBOX.%p 1\r\n", c)
	return c, c.round()
}

func loadNATS(ctx context.Context, on Target) error {
	if err := natsStreams(ctx, on); err != nil {
		return err
	}
	clients := times(40, func(ctx context.Context, i int) error { return natsSubscriber(ctx, on, i) })
	clients = append(clients, times(4, func(ctx context.Context, i int) error { return natsPublisher(ctx, on, i) })...)
	clients = append(clients, times(3, func(ctx context.Context, i int) error { return natsResponder(ctx, on) })...)
	clients = append(clients, times(3, func(ctx context.Context, i int) error { return natsRequester(ctx, on, i) })...)
	clients = append(clients, times(3, func(ctx context.Context, i int) error { return natsStreamer(ctx, on, i) })...)
	clients = append(clients, times(2, func(ctx context.Context, i int) error { return natsConsumer(ctx, on, i) })...)
	clients = append(clients, func(ctx context.Context) error { return natsAdmin(ctx, on) })
	pages := []string{"/varz", "/connz?subs=1&sort=bytes_to", "/connz?limit=10", "/subsz?subs=1&limit=100",
		"/jsz?accounts=1&streams=1&consumers=1&config=1", "/healthz", "/accountz?acc=$G"}
	clients = append(clients, times(1, browser(on, "http://"+on.Other, func(r *rand.Rand) request {
		return get(pick(r, pages))
	}))...)
	return together(ctx, clients...)
}

// natsStreams makes a stream on disk, and a bucket of keys in memory.
func natsStreams(ctx context.Context, on Target) error {
	c, err := asker(ctx, on.Addr)
	if err != nil {
		return err
	}
	for _, s := range []string{
		`{"name":"EVENTS","subjects":["events.>"],"storage":"file","retention":"limits","max_msgs":50000,` +
			`"duplicate_window":10000000000,"num_replicas":1,"allow_direct":true}`,
		`{"name":"KV_cfg","subjects":["$KV.cfg.>"],"storage":"memory","max_msgs_per_subject":3,"allow_direct":true,` +
			`"allow_rollup_hdrs":true,"discard":"new","num_replicas":1}`,
	} {
		var is struct{ Name string }
		if err := json.Unmarshal([]byte(s), &is); err != nil {
			return err
		}
		answer, err := c.request("$JS.API.STREAM.CREATE."+is.Name, s)
		if err != nil || strings.Contains(string(answer), `"error"`) {
			return fmt.Errorf("making a stream: %w: %s", err, answer)
		}
	}
	return c.conn.Close()
}

func natsSubscriber(ctx context.Context, on Target, i int) error {
	c, err := dialNATS(ctx, on.Addr)
	if err != nil {
		return err
	}
	for k, subject := range []string{"orders.*.created", "orders.eu.>", fmt.Sprintf("metrics.host%d.>", i), "metrics.*.cpu",
		fmt.Sprintf("orders.%s.paid workers", []string{"eu", "us", "ap"}[i%3])} {
		if (i+k)%3 != 0 {
			c.write("SUB %s %d\r\n", subject, k+1)
		}
	}
	if err := c.flush(); err != nil {
		return err
	}
	for ctx.Err() == nil {
		if _, err := c.next(); err != nil {
			return err
		}
	}
	return nil
}

func natsPublisher(ctx context.Context, on Target, i int) error {
	c, err := dialNATS(ctx, on.Addr)
	if err != nil {
		return err
	}
	r := rand.New(rand.NewPCG(uint64(i), 1))
	body := strings.Repeat("x", 2048)
	for ctx.Err() == nil {
		for range 64 {
			data := body[:64<<r.IntN(5)]
			switch r.IntN(8) {
			case 0, 1, 2:
				c.write("PUB orders.%s.%s %d\r\n%s\r\n", pick(r, []string{"eu", "us", "ap"}),
					pick(r, []string{"created", "paid", "sent"}), len(data), data)
			case 3:
				head := fmt.Sprintf("NATS/1.0\r\nTrace: %d\r\nTenant: t%d\r\n\r\n", r.IntN(1e9), r.IntN(50))
				c.write("HPUB orders.eu.created %d %d\r\n%s%s\r\n", len(head), len(head)+len(data), head, data)
			default:
				c.write("PUB metrics.host%d.%s %d\r\n%s\r\n", r.IntN(2000), pick(r, []string{"cpu", "mem", "disk"}), len(data),
					data)
			}
		}
		err := c.round()
		on.Seen.Is(err == nil)
		if err != nil {
			return err
		}
	}
	return nil
}

func natsResponder(ctx context.Context, on Target) error {
	c, err := dialNATS(ctx, on.Addr)
	if err != nil {
		return err
	}
	c.write("SUB svc.* responders 1\r\n")
	for ctx.Err() == nil {
		if err := c.flush(); err != nil {
			return err
		}
		m, err := c.next()
		if err != nil {
			return err
		}
		if m.reply != "" {
			c.write("PUB %s 2\r\nok\r\n", m.reply)
		}
	}
	return nil
}

func natsRequester(ctx context.Context, on Target, i int) error {
	return ask(ctx, on, i, func(r *rand.Rand) (string, string) {
		return pick(r, []string{"svc.price", "svc.stock", "svc.user"}), text(r, 8)
	})
}

// ask is a client that asks one thing after the other.
func ask(ctx context.Context, on Target, i int, what func(r *rand.Rand) (subject, body string)) error {
	c, err := asker(ctx, on.Addr)
	if err != nil {
		return err
	}
	r := rand.New(rand.NewPCG(uint64(i), 2))
	for ctx.Err() == nil {
		answer, err := c.request(what(r))
		on.Seen.Is(err == nil && !strings.Contains(string(answer), `"error"`))
		if err != nil {
			return err
		}
	}
	return nil
}

// natsStreamer publishes into the streams and waits for the acknowledgements.
func natsStreamer(ctx context.Context, on Target, i int) error {
	return ask(ctx, on, i, func(r *rand.Rand) (string, string) {
		if r.IntN(3) == 0 {
			return fmt.Sprintf("$KV.cfg.tenant%d.%s", r.IntN(300), pick(r, []string{"limits", "flags", "plan"})), text(r, 20)
		}
		return fmt.Sprintf("events.%s.%d", pick(r, []string{"login", "click", "buy"}), r.IntN(1000)), text(r, 40)
	})
}

// natsConsumer pulls batches from a consumer of its own, and acknowledges them.
func natsConsumer(ctx context.Context, on Target, i int) error {
	c, err := asker(ctx, on.Addr)
	if err != nil {
		return err
	}
	name := fmt.Sprintf("c%d", i)
	if _, err := c.request("$JS.API.CONSUMER.DURABLE.CREATE.EVENTS."+name, fmt.Sprintf(`{"stream_name":"EVENTS",`+
		`"config":{"durable_name":%q,"ack_policy":"explicit","deliver_policy":"all","filter_subject":"events.%s.>"}}`, name,
		[]string{"login", "click"}[i%2])); err != nil {
		return err
	}
	for ctx.Err() == nil {
		c.write("PUB $JS.API.CONSUMER.MSG.NEXT.EVENTS.%s _INBOX.%p 40\r\n%-40s\r\n", name, c,
			`{"batch":50,"expires":500000000}`)
		if err := c.flush(); err != nil {
			return err
		}
		for range 50 {
			m, err := c.next()
			if err != nil {
				return err
			}
			if !strings.HasPrefix(m.reply, "$JS.ACK") {
				break // a status: nothing is left
			}
			c.write("PUB %s 4\r\n+ACK\r\n", m.reply)
			on.Seen.Is(true)
		}
	}
	return nil
}

// natsAdmin is a tool that lists streams and consumers, and reads single messages.
func natsAdmin(ctx context.Context, on Target) error {
	return ask(ctx, on, 0, func(r *rand.Rand) (string, string) {
		switch r.IntN(6) {
		case 0:
			return "$JS.API.STREAM.INFO.KV_cfg", `{"subjects_filter":">"}`
		case 1:
			return "$JS.API.STREAM.LIST", ""
		case 2:
			return "$JS.API.CONSUMER.LIST.EVENTS", `{"offset":0}`
		case 3:
			return "$JS.API.CONSUMER.CREATE.EVENTS", fmt.Sprintf(`{"stream_name":"EVENTS","config":{"ack_policy":"none",`+
				`"inactive_threshold":1000000000,"filter_subject":"events.buy.%d"}}`, r.IntN(1000))
		case 4:
			return fmt.Sprintf("$JS.API.DIRECT.GET.KV_cfg.$KV.cfg.tenant%d.plan", r.IntN(300)), ""
		}
		return "$JS.API.STREAM.NAMES", ""
	})
}
