package heavy

import (
	"bytes"
	"context"
	"encoding/base64"
	"fmt"
	"io"
	"math/rand/v2"
	"net/http"
	"net/url"
	"strings"
	"time"
)

// tusd takes uploads that can be resumed, and asks an application before and after each.
func tusd() Service {
	return Service{
		Name: "tusd", Module: "github.com/tus/tusd/v2", Version: "v2.9.1", Main: "cmd/tusd", Unseen: true,
		Args: []string{"-host=127.0.0.1", "-port={port}", "-upload-dir={dir}/uploads", "-behind-proxy",
			"-hooks-http=http://127.0.0.1:{other}/hooks",
			"-hooks-enabled-events=pre-create,post-create,post-finish,post-terminate",
			"-hooks-http-forward-headers=Authorization"},
		Ready: "/metrics",
		Load:  loadTusd,
	}
}

func loadTusd(ctx context.Context, on Target) error {
	hooks := &http.Server{Addr: on.Other, ReadHeaderTimeout: time.Second,
		Handler: http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			io.Copy(io.Discard, r.Body)
			w.Header().Set("Content-Type", "application/json") // it insists
			io.WriteString(w, "{}")
		})}
	go hooks.ListenAndServe() // until it is closed
	defer hooks.Close()
	clients := times(5, func(ctx context.Context, i int) error { return (&tusdClient{on: on, i: i}).run(ctx) })
	clients = append(clients, times(1, browser(on, "http://"+on.Addr, func(r *rand.Rand) request {
		time.Sleep(200 * time.Millisecond)
		return get("/metrics")
	}))...)
	return together(ctx, clients...)
}

// A tusdClient uploads photos and documents of 4 kB to 1 MB in chunks, after breaks too, and looks at some.
type tusdClient struct {
	on     Target
	i      int
	client http.Client
}

func (c *tusdClient) run(ctx context.Context) error {
	r := rand.New(rand.NewPCG(uint64(c.i), 11))
	defer c.client.CloseIdleConnections()
	data := make([]byte, 1<<20)
	for i := range data {
		data[i] = byte(r.Uint32())
	}
	for ctx.Err() == nil {
		size := 4_000 << r.IntN(9)
		ok := c.upload(ctx, r, data[:min(size, len(data))])
		c.on.Seen.Is(ok || ctx.Err() != nil)
		if !ok {
			time.Sleep(50 * time.Millisecond)
		}
	}
	return nil
}

// ask sends a request, and returns the place of what it made.
func (c *tusdClient) ask(ctx context.Context, method, path string, body []byte, header ...string) (string, bool) {
	req, err := http.NewRequestWithContext(ctx, method, "http://"+c.on.Addr+path, bytes.NewReader(body))
	if err != nil {
		return "", false
	}
	req.Header.Set("Tus-Resumable", "1.0.0")
	req.Header.Set("X-Forwarded-Host", "files.example.com")
	req.Header.Set("X-Forwarded-Proto", "https")
	req.Header.Set("Origin", "https://app.example.com")
	req.Header.Set("Authorization", "Bearer "+strings.Repeat("ab", 40))
	for i := 0; i+1 < len(header); i += 2 {
		req.Header.Set(header[i], header[i+1])
	}
	res, err := c.client.Do(req)
	if err != nil {
		return "", false
	}
	defer res.Body.Close()
	io.Copy(io.Discard, res.Body)
	place, err := url.Parse(res.Header.Get("Location"))
	if err != nil {
		return "", false
	}
	return place.Path, res.StatusCode < 400
}

const tusdChunk = 256 << 10

func (c *tusdClient) upload(ctx context.Context, r *rand.Rand, file []byte) bool {
	meta := "filename " + base64.StdEncoding.EncodeToString([]byte(text(r, 3)+".jpg")) + ",filetype " +
		base64.StdEncoding.EncodeToString([]byte(pick(r, []string{"image/jpeg", "application/pdf", "video/mp4"})))
	length := fmt.Sprint(len(file))
	var place string
	var ok bool
	if len(file) < 20_000 { // small ones come with the request that creates them
		place, ok = c.ask(ctx, http.MethodPost, "/files/", file, "Upload-Length", length, "Upload-Metadata", meta,
			"Content-Type", "application/offset+octet-stream")
	} else {
		place, ok = c.ask(ctx, http.MethodPost, "/files/", nil, "Upload-Length", length, "Upload-Metadata", meta)
		for at := 0; ok && at < len(file); at += tusdChunk {
			if r.IntN(6) == 0 { // it lost the connection and asks where it was
				if _, ok = c.ask(ctx, http.MethodHead, place, nil); !ok {
					return false
				}
			}
			_, ok = c.ask(ctx, http.MethodPatch, place, file[at:min(at+tusdChunk, len(file))], "Upload-Offset", fmt.Sprint(at),
				"Content-Type", "application/offset+octet-stream")
		}
	}
	switch {
	case !ok:
		return false
	case r.IntN(3) == 0:
		_, ok = c.ask(ctx, http.MethodGet, place, nil)
	case r.IntN(3) == 0:
		_, ok = c.ask(ctx, http.MethodOptions, place, nil, "Access-Control-Request-Method", "PATCH")
	}
	if ok && r.IntN(20) != 0 { // what was processed is deleted
		_, ok = c.ask(ctx, http.MethodDelete, place, nil)
	}
	return ok
}
