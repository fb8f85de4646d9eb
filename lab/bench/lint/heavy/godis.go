package heavy

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"net"
	"strconv"
	"time"
)

// godis keeps what a shop's web servers share: sessions, baskets, counters, a queue of mails, a list of what sells best
// and news for those who subscribe. What it is told goes to a file, written once a second.
func godis() Service {
	return Service{
		Name: "godis", Module: "github.com/hdt3213/godis", Version: "v1.2.9", Main: ".", Unseen: true, OnOther: true,
		Env: []string{"CONFIG={dir}/redis.conf"},
		Config: map[string]string{"redis.conf": "bind 127.0.0.1\nport {other}\nmaxclients 128\nappendonly yes\n" +
			"appendfilename {dir}/appendonly.aof\nappendfsync everysec\ndir {dir}\ndatabases 16\n"},
		Load: loadGodis,
	}
}

func loadGodis(ctx context.Context, on Target) error {
	clients := times(10, func(ctx context.Context, i int) error { return shop(ctx, on, i) })
	clients = append(clients, times(4, func(ctx context.Context, _ int) error { return shopNews(ctx, on) })...)
	return together(ctx, clients...)
}

// shop is a web server with one connection. A fifth of what it asks goes in batches.
func shop(ctx context.Context, on Target, i int) error {
	c, err := dialRESP(ctx, on.Addr)
	if err != nil {
		return err
	}
	defer c.Close()
	r := rand.New(rand.NewPCG(uint64(i), 41))
	for ctx.Err() == nil {
		n := 1
		if r.IntN(5) == 0 {
			n = 20
		}
		for range n {
			c.send(shopCommand(r)...)
		}
		if err := c.out.Flush(); err != nil {
			return err
		}
		for range n {
			_, err := c.reply()
			if e := (refused{}); errors.As(err, &e) {
				on.Seen.Is(false)
				continue
			}
			if err != nil {
				return err
			}
			on.Seen.Is(true)
		}
	}
	return nil
}

// shopCommand is what a web server asks next.
func shopCommand(r *rand.Rand) []string {
	user, product := strconv.Itoa(r.IntN(5000)), strconv.Itoa(r.IntN(2000))
	switch n := r.IntN(100); {
	case n < 30:
		return []string{"GET", "session:" + user}
	case n < 40:
		return []string{"SET", "session:" + user, `{"user":` + user + `,"seen":"` + text(r, 60) + `"}`, "EX", "1800"}
	case n < 46:
		return []string{"HSET", "basket:" + user, "product:" + product, strconv.Itoa(1 + r.IntN(5))}
	case n < 52:
		return []string{"HGETALL", "basket:" + user}
	case n < 58:
		return []string{"INCR", "views:" + product}
	case n < 63:
		out := []string{"MGET"}
		for range 20 {
			out = append(out, "views:"+strconv.Itoa(r.IntN(2000)))
		}
		return out
	case n < 68:
		return []string{"LPUSH", "mails", `{"to":"user` + user + `@example.com","text":"` + text(r, 40) + `"}`}
	case n < 74:
		return []string{"RPOP", "mails"}
	case n < 77:
		return []string{"LRANGE", "mails", "0", "19"}
	case n < 82:
		return []string{"ZADD", "best", strconv.Itoa(r.IntN(100000)), "product:" + product}
	case n < 86:
		return []string{"ZREVRANGE", "best", "0", "49", "WITHSCORES"}
	case n < 88:
		return []string{"ZREVRANK", "best", "product:" + product}
	case n < 91:
		return []string{"SADD", "liked:" + strconv.Itoa(r.IntN(200)), "user:" + user}
	case n < 93:
		return []string{"SMEMBERS", "liked:" + strconv.Itoa(r.IntN(200))}
	case n < 95:
		return []string{"SINTER", "liked:" + strconv.Itoa(r.IntN(200)), "liked:" + strconv.Itoa(r.IntN(200))}
	case n < 97:
		return []string{"PUBLISH", "news", text(r, 30)}
	case n < 98:
		return []string{"TTL", "session:" + user}
	case n < 99:
		return []string{"DEL", "basket:" + user}
	default:
		return []string{"EXISTS", "session:" + user, "basket:" + user}
	}
}

// shopNews subscribes.
func shopNews(ctx context.Context, on Target) error {
	c, err := dialRESP(ctx, on.Addr)
	if err != nil {
		return err
	}
	defer c.Close()
	c.send("SUBSCRIBE", "news")
	if err := c.out.Flush(); err != nil {
		return err
	}
	for ctx.Err() == nil {
		if _, err := c.reply(); err != nil {
			return err
		}
	}
	return nil
}

// A resp is a connection to a server that speaks the protocol of Redis.
type resp struct {
	net.Conn
	in  *bufio.Reader
	out *bufio.Writer
}

// dialRESP connects until ctx ends.
func dialRESP(ctx context.Context, addr string) (*resp, error) {
	conn, err := (&net.Dialer{Timeout: 10 * time.Second}).DialContext(ctx, "tcp", addr)
	if err != nil {
		return nil, err
	}
	context.AfterFunc(ctx, func() { conn.Close() })
	return &resp{Conn: conn, in: bufio.NewReader(conn), out: bufio.NewWriter(conn)}, nil
}

func (c *resp) send(words ...string) {
	fmt.Fprintf(c.out, "*%d\r\n", len(words))
	for _, w := range words {
		fmt.Fprintf(c.out, "$%d\r\n%s\r\n", len(w), w)
	}
}

// A refused is an error that the server answers.
type refused struct{ error }

// reply reads one answer and returns how many values it has.
func (c *resp) reply() (int, error) {
	line, err := c.in.ReadString('\n')
	if err != nil || len(line) < 3 {
		return 0, errors.Join(err, io.ErrUnexpectedEOF)
	}
	text := line[1 : len(line)-2]
	if line[0] == '-' {
		return 0, refused{errors.New(text)}
	}
	if line[0] != '$' && line[0] != '*' {
		return 1, nil
	}
	n, err := strconv.Atoi(text)
	if err != nil || n < 0 {
		return 0, err
	}
	if line[0] == '$' {
		_, err := c.in.Discard(n + 2)
		return 1, err
	}
	sum := 0
	for range n {
		got, err := c.reply()
		if err != nil {
			return 0, err
		}
		sum += got
	}
	return sum, nil
}
