package heavy

import (
	"bufio"
	"context"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"io"
	"math/rand/v2"
	"net"
	"net/http"
	"net/url"
	"strings"
	"time"
)

// centrifugo passes messages on to browsers: a backend publishes by HTTP, people chat over WebSockets, some only listen
// to server-sent events, and it asks the backend what it may not decide.
func centrifugo() Service {
	return Service{
		Name: "centrifugo", Module: "github.com/centrifugal/centrifugo/v6", Version: "v6.9.1", Main: ".", Unseen: true,
		Args: []string{"--config={dir}/config.json"},
		Env: []string{"CENTRIFUGO_HTTP_SERVER_PORT={port}", "CENTRIFUGO_HTTP_SERVER_ADDRESS=127.0.0.1",
			"CENTRIFUGO_USAGE_STATS_DISABLED=true"},
		Config: map[string]string{"config.json": `{
  "client": {"token": {"hmac_secret_key": "of-two-minutes"}, "allowed_origins": ["https://*.example.com"]},
  "channel": {
    "proxy": {"publish": {"endpoint": "http://127.0.0.1:{other}/publish"},
      "subscribe": {"endpoint": "http://127.0.0.1:{other}/subscribe"}},
    "namespaces": [
      {"name": "chat", "presence": true, "join_leave": true, "force_push_join_leave": true, "history_size": 50,
        "history_ttl": "300s", "force_recovery": true, "allow_subscribe_for_client": true,
        "allow_publish_for_client": true, "allow_history_for_subscriber": true,
        "allow_presence_for_subscriber": true},
      {"name": "news", "history_size": 10, "history_ttl": "60s", "allow_subscribe_for_client": true},
      {"name": "room", "subscribe_proxy_enabled": true, "publish_proxy_enabled": true, "presence": true}]},
  "rpc": {"proxy": {"endpoint": "http://127.0.0.1:{other}/rpc"}, "without_namespace": {"proxy_enabled": true}},
  "http_api": {"key": "of-two-minutes"},
  "uni_sse": {"enabled": true}, "prometheus": {"enabled": true}, "health": {"enabled": true},
  "usage_stats": {"disabled": true}
}`},
		Ready: "/health",
		Load:  loadCentrifugo,
	}
}

func loadCentrifugo(ctx context.Context, on Target) error {
	backend := &http.Server{Addr: on.Other, ReadHeaderTimeout: time.Second,
		Handler: http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			io.Copy(io.Discard, r.Body)
			w.Header().Set("Content-Type", "application/json")
			io.WriteString(w, `{"result":{"data":{"of":"`+r.URL.Path+`"}}}`)
		})}
	go backend.ListenAndServe() // until it is closed
	defer backend.Close()
	clients := times(2, browser(on, "http://"+on.Addr, func(r *rand.Rand) request {
		time.Sleep(2 * time.Millisecond)
		q := centrifugoCall(r)
		q.header["X-API-Key"] = "of-two-minutes"
		return q
	}))
	clients = append(clients, times(120, func(ctx context.Context, i int) error {
		r := rand.New(rand.NewPCG(uint64(i), 29))
		for ctx.Err() == nil { // people come and go
			if err := chat(ctx, on, r); err != nil && ctx.Err() == nil {
				return err
			}
		}
		return nil
	})...)
	clients = append(clients, times(10, browser(on, "http://"+on.Addr, func(r *rand.Rand) request {
		connect, _ := json.Marshal(map[string]any{"token": centrifugoToken(r.IntN(500), "news:sport", "news:politics"),
			"name": "widget"}) // texts
		return get("/connection/uni_sse?cf_connect=" + url.QueryEscape(string(connect)))
	}))...)
	clients = append(clients, times(1, browser(on, "http://"+on.Addr, func(*rand.Rand) request {
		time.Sleep(5 * time.Second)
		return get("/metrics")
	}))...)
	return together(ctx, clients...)
}

// centrifugoCall is what the backend does.
func centrifugoCall(r *rand.Rand) request {
	channel := fmt.Sprintf("chat:%d", r.IntN(20))
	message := map[string]any{"text": text(r, 8+r.IntN(40)), "from": fmt.Sprint(r.IntN(500)), "at": time.Now()}
	publish := map[string]any{"channel": channel, "data": message}
	method, call := "publish", publish
	switch r.IntN(12) {
	case 0, 1:
		method = "broadcast"
		call = map[string]any{"channels": []string{"news:sport", "news:politics", "room:1"}, "data": message}
	case 2:
		method = "batch"
		call = map[string]any{"commands": []any{map[string]any{"publish": publish},
			map[string]any{"presence_stats": map[string]string{"channel": channel}}}}
	case 3:
		method, call = "presence", map[string]any{"channel": channel}
	case 4:
		method, call = "history", map[string]any{"channel": channel, "limit": 20, "reverse": true}
	case 5:
		method, call = "presence_stats", map[string]any{"channel": channel}
	case 6:
		method, call = "channels", map[string]any{"pattern": "chat:1*"}
	}
	body, _ := json.Marshal(call) // texts and numbers
	return post("/api/"+method, string(body))
}

// centrifugoToken is a user's.
func centrifugoToken(user int, channels ...string) string {
	claims, _ := json.Marshal(map[string]any{"sub": fmt.Sprint("user", user), "exp": time.Now().Add(time.Hour).Unix(),
		"info": map[string]string{"name": fmt.Sprint("User ", user)}, "channels": channels}) // texts and numbers
	signed := base64.RawURLEncoding.EncodeToString([]byte(`{"alg":"HS256","typ":"JWT"}`)) + "." +
		base64.RawURLEncoding.EncodeToString(claims)
	mac := hmac.New(sha256.New, []byte("of-two-minutes"))
	io.WriteString(mac, signed)
	return signed + "." + base64.RawURLEncoding.EncodeToString(mac.Sum(nil))
}

// chat is one visit over a WebSocket.
func chat(ctx context.Context, on Target, r *rand.Rand) error {
	conn, err := new(net.Dialer).DialContext(ctx, "tcp", on.Addr)
	if err != nil {
		return err
	}
	defer conn.Close()
	defer context.AfterFunc(ctx, func() { conn.Close() })()
	fmt.Fprintf(conn, "GET /connection/websocket HTTP/1.1\r\nHost: %s\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n"+
		"Origin: https://www.example.com\r\nSec-WebSocket-Version: 13\r\n"+
		"Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n", on.Addr)
	in := bufio.NewReader(conn)
	res, err := http.ReadResponse(in, nil)
	if err != nil {
		return err
	}
	if res.StatusCode != http.StatusSwitchingProtocols {
		return fmt.Errorf("centrifugo: %s", res.Status)
	}
	read := make(chan struct{})
	go func() { // frames of the server are not masked; what it pings with outlives a visit
		defer close(read)
		for {
			message, err := frame(in)
			if err != nil {
				return
			}
			for reply := range strings.SplitSeq(message, "\n") {
				if strings.HasPrefix(reply, `{"id"`) {
					on.Seen.Is(!strings.Contains(reply, `"error"`))
				}
			}
		}
	}()
	defer func() { conn.Close(); <-read }()
	room, place := fmt.Sprintf("chat:%d", r.IntN(20)), fmt.Sprintf("room:%d", r.IntN(5))
	write := func(id int, command string) error {
		text := fmt.Sprintf(`{"id":%d,%s}`, id, command)
		head := append([]byte{0x81, 0x80 | 126}, byte(len(text)>>8), byte(len(text)), 0, 0, 0, 0) // a mask of zeros
		_, err := conn.Write(append(head, text...))
		return err
	}
	commands := []string{fmt.Sprintf(`"connect":{"token":%q,"name":"js"}`, centrifugoToken(r.IntN(500))),
		fmt.Sprintf(`"subscribe":{"channel":%q}`, room), fmt.Sprintf(`"subscribe":{"channel":%q}`, place)}
	for range 20 + r.IntN(30) {
		command := fmt.Sprintf(`"publish":{"channel":%q,"data":{"text":%q}}`, room, text(r, 4+r.IntN(20)))
		switch r.IntN(10) {
		case 0:
			command = fmt.Sprintf(`"history":{"channel":%q,"limit":20}`, room)
		case 1:
			command = fmt.Sprintf(`"presence":{"channel":%q}`, room)
		case 2, 3:
			command = fmt.Sprintf(`"rpc":{"method":"typing","data":{"in":%q}}`, room)
		case 4:
			command = fmt.Sprintf(`"publish":{"channel":%q,"data":{"x":%d,"y":%d}}`, place, r.IntN(100), r.IntN(100))
		}
		commands = append(commands, command)
	}
	for i, c := range commands {
		if err := write(i+1, c); err != nil {
			return err
		}
		time.Sleep(time.Duration(50+r.IntN(400)) * time.Millisecond)
	}
	return nil
}

// frame reads one message of a WebSocket's server.
func frame(in *bufio.Reader) (string, error) {
	var head [2]byte
	if _, err := io.ReadFull(in, head[:]); err != nil {
		return "", err
	}
	n := uint64(head[1] & 0x7f)
	switch n {
	case 126:
		var size uint16
		if err := binary.Read(in, binary.BigEndian, &size); err != nil {
			return "", err
		}
		n = uint64(size)
	case 127:
		if err := binary.Read(in, binary.BigEndian, &n); err != nil {
			return "", err
		}
	}
	text := make([]byte, n)
	_, err := io.ReadFull(in, text)
	return string(text), err
}
