package heavy

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"math/rand/v2"
	"net"
	"net/http"
)

// gotify takes messages of applications, pushes them to clients that listen, and shows them to those that come later.
func gotify() Service {
	return Service{
		Name: "gotify", Module: "github.com/gotify/server/v2", Version: "v2.6.1", Main: ".", Unseen: true,
		Env: []string{"GOTIFY_SERVER_LISTENADDR=127.0.0.1", "GOTIFY_SERVER_PORT={port}",
			"GOTIFY_DEFAULTUSER_PASS=" + gotifyPassword},
		Missing: map[string]string{
			"ui/build/index.html": "<html>%CONFIG%</html>", "ui/build/manifest.json": "{}",
			"ui/build/asset-manifest.json": "{}",
			// Its Makefile sets this by -ldflags.
			"mode_prod.go": "package main\n\nfunc init() { Mode = \"prod\" }\n",
		},
		Ready: "/health",
		Load:  loadGotify,
	}
}

// gotifyPassword is of an instance that lives for two minutes, on loopback.
const gotifyPassword = "a-password-of-two-minutes"

func loadGotify(ctx context.Context, on Target) error {
	base := "http://" + on.Addr
	basic := func(q request) request {
		r, _ := http.NewRequest(http.MethodGet, base, nil) // the address is right
		r.SetBasicAuth("admin", gotifyPassword)
		q.header = map[string]string{"Authorization": r.Header.Get("Authorization"), "Content-Type": "application/json"}
		return q
	}
	type made struct {
		ID    int
		Token string
	}
	create := func(path, body string) (m made, err error) {
		status, got, err := send(ctx, http.DefaultClient, base, basic(post(path, body)))
		if err == nil && status != http.StatusOK {
			err = fmt.Errorf("gotify: %s: %d: %s", path, status, got)
		}
		if err == nil {
			err = json.Unmarshal(got, &m)
		}
		return m, err
	}
	client, err := create("/client", `{"name":"phone"}`)
	if err != nil {
		return err
	}
	apps := make([]made, 12)
	for i := range apps {
		apps[i], err = create("/application", fmt.Sprintf(`{"name":"app%d","description":"of host %d"}`, i, i))
		if err != nil {
			return err
		}
	}
	clients := times(3, browser(on, base, func(r *rand.Rand) request {
		body, _ := json.Marshal(map[string]any{"title": text(r, 3), "message": text(r, 10+r.IntN(40)),
			"priority": r.IntN(10),
			"extras":   map[string]any{"client::display": map[string]string{"contentType": "text/markdown"}}})
		q := post("/message", string(body))
		q.header["X-Gotify-Key"] = pick(r, apps).Token
		return q
	}))
	clients = append(clients, times(2, browser(on, base, func(r *rand.Rand) request {
		q := get("/message?limit=100")
		switch r.IntN(10) {
		case 0:
			q = get("/application")
		case 1:
			q = get("/current/user")
		case 2:
			q = get("/client")
		case 3, 4:
			q = get(fmt.Sprintf("/application/%d/message?limit=50", pick(r, apps).ID))
		case 5:
			q = get(fmt.Sprintf("/message?limit=50&since=%d", 200+r.IntN(200)))
		case 6:
			q = get(pick(r, []string{"/", "/version", "/health"}))
		case 7:
			if r.IntN(10) == 0 { // somebody has read all of an application
				q = request{method: http.MethodDelete, path: fmt.Sprintf("/application/%d/message", pick(r, apps).ID)}
			}
		}
		q.header = map[string]string{"X-Gotify-Key": client.Token}
		return q
	}))...)
	clients = append(clients, times(15, func(ctx context.Context, _ int) error {
		return gotifyListen(ctx, on, client.Token)
	})...)
	return together(ctx, clients...)
}

// gotifyListen reads what a WebSocket brings.
func gotifyListen(ctx context.Context, on Target, token string) error {
	conn, err := new(net.Dialer).DialContext(ctx, "tcp", on.Addr)
	if err != nil {
		return err
	}
	defer conn.Close()
	defer context.AfterFunc(ctx, func() { conn.Close() })()
	fmt.Fprintf(conn, "GET /stream?token=%s HTTP/1.1\r\nHost: %s\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n"+
		"Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n", token, on.Addr)
	r := bufio.NewReader(conn)
	res, err := http.ReadResponse(r, nil)
	if err != nil {
		return err
	}
	res.Body.Close()
	if res.StatusCode != http.StatusSwitchingProtocols {
		return fmt.Errorf("gotify: stream: %s", res.Status)
	}
	_, err = io.Copy(io.Discard, r)
	return err
}
