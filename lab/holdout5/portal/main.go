// Portal is the front door of several services: it checks who calls and passes the request on.
package main

import (
	"context"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	_ "net/http/pprof"
	"os"
	"strings"
	"time"

	"github.com/gocasebook/casebook/lab/holdout5/internal/drive"
)

var secret = []byte("rotated on Mondays")

func main() {
	p := drive.Flags()
	if p.Load {
		services(p)
		clients(p)
		load(p)
	}
	log := slog.New(slog.NewTextHandler(os.Stderr, &slog.HandlerOptions{Level: slog.LevelError}))
	mux := http.NewServeMux()
	mux.Handle("/api/", signed(newGateway(map[string]string{
		"orders": p.Dependency(), "search": p.Second(),
	}, log)))
	mux.Handle("/debug/pprof/", http.DefaultServeMux)
	srv := &http.Server{
		Addr: p.Main(), Handler: mux, ReadHeaderTimeout: 5 * time.Second, IdleTimeout: 2 * time.Minute,
	}
	if err := srv.ListenAndServe(); err != nil {
		log.Error("portal", "err", err)
		os.Exit(1)
	}
}

func sign(user string) string {
	m := hmac.New(sha256.New, secret)
	m.Write([]byte(user))
	return hex.EncodeToString(m.Sum(nil))
}

// signed lets requests through whose user is the one that signed in.
func signed(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		user := r.Header.Get("X-User")
		if !hmac.Equal([]byte(sign(user)), []byte(r.Header.Get("X-Signature"))) {
			http.Error(w, "sign in first", http.StatusUnauthorized)
			return
		}
		next.ServeHTTP(w, r)
	})
}

// services plays what is behind the portal; some answers take long.
func services(p drive.Ports) {
	text := strings.Repeat("x", 6<<10)
	drive.Serve(p.Dependency(), http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		time.Sleep(60 * time.Millisecond)
		io.WriteString(w, text)
	}))
	drive.Serve(p.Second(), http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		time.Sleep(15 * time.Millisecond)
		if strings.HasSuffix(r.URL.Path, "/export") {
			time.Sleep(2 * time.Second)
		}
		io.WriteString(w, text)
	}))
}

// clients keep their connections and ask now and then.
func clients(p drive.Ports) {
	drive.Await(p.Main())
	for i := range 400 {
		go func() {
			client := &http.Client{Transport: &http.Transport{}}
			for n := i; ; n++ {
				time.Sleep(time.Duration(3000+i*17%4000) * time.Millisecond)
				ask(client, request(p, n))
			}
		}()
	}
}

func ask(client *http.Client, req *http.Request) {
	ctx, cancel := context.WithTimeout(req.Context(), 10*time.Second)
	defer cancel()
	res, err := client.Do(req.WithContext(ctx))
	if err != nil {
		return
	}
	defer res.Body.Close()
	io.Copy(io.Discard, res.Body)
}

func request(p drive.Ports, i int) *http.Request {
	path := fmt.Sprintf("/api/orders/%d", i)
	switch {
	case i%40 == 0:
		path = "/api/search/export"
	case i%3 == 0:
		path = "/api/search/q"
	}
	req := drive.Get(p.Main(), "%s", path)
	user := fmt.Sprintf("user-%d", i%500)
	req.Header.Set("X-User", user)
	req.Header.Set("X-Signature", sign(user))
	return req
}

func load(p drive.Ports) {
	drive.Load{Rate: 260, Callers: 128}.Run(func(i int) *http.Request { return request(p, i) })
}
