// Registrar checks bearer tokens. What the identity provider said of a token is kept for a while.
package main

import (
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"log/slog"
	"net/http"
	_ "net/http/pprof"
	"os"
	"runtime"
	"strings"
	"sync"
	"time"
)

type Claims struct {
	Subject string    `json:"sub"`
	Until   time.Time `json:"until"`
}

type Introspector interface {
	Introspect(token string) (Claims, error)
}

type provider struct {
	base   string
	client http.Client
}

func (p *provider) Introspect(token string) (Claims, error) {
	var c Claims
	res, err := p.client.Get(p.base + "/introspect?token=" + token)
	if err != nil {
		return c, err
	}
	defer res.Body.Close()
	if res.StatusCode != http.StatusOK {
		return c, errors.New(res.Status)
	}
	return c, json.NewDecoder(res.Body).Decode(&c)
}

type verifier struct {
	mu    sync.Mutex
	known map[string]Claims
	idp   Introspector
}

// Verify asks the provider where it must.
func (v *verifier) Verify(token string) (Claims, error) {
	v.mu.Lock()
	defer v.mu.Unlock()
	if c, ok := v.known[token]; ok && time.Now().Before(c.Until) {
		return c, nil
	}
	c, err := v.idp.Introspect(token)
	if err != nil {
		return c, fmt.Errorf("introspecting: %w", err)
	}
	v.known[token] = c
	return c, nil
}

func (v *verifier) auth(next http.HandlerFunc) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		token, ok := strings.CutPrefix(r.Header.Get("Authorization"), "Bearer ")
		if !ok {
			http.Error(w, "no token", http.StatusUnauthorized)
			return
		}
		c, err := v.Verify(token)
		if err != nil {
			http.Error(w, err.Error(), http.StatusForbidden)
			return
		}
		r.Header.Set("X-Subject", c.Subject)
		next(w, r)
	}
}

func whoami(w http.ResponseWriter, r *http.Request) {
	fmt.Fprintln(w, "you are", r.Header.Get("X-Subject"))
}

// load is the provider, too: it answers after some milliseconds.
func load(self, idp string) {
	go http.ListenAndServe(idp, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		time.Sleep(12 * time.Millisecond)
		json.NewEncoder(w).Encode(Claims{"user-" + r.FormValue("token"), time.Now().Add(20 * time.Second)})
	}))
	client := &http.Client{Transport: &http.Transport{MaxIdleConnsPerHost: 64}}
	for n := range 40 {
		go func() {
			for i := 0; ; i++ {
				req, _ := http.NewRequest(http.MethodGet, "http://"+self+"/whoami", nil)
				req.Header.Set("Authorization", fmt.Sprintf("Bearer t%d", (n*977+i*131)%2000))
				if res, err := client.Do(req); err == nil {
					res.Body.Close()
				}
				time.Sleep(60 * time.Millisecond)
			}
		}()
	}
	select {}
}

func main() {
	port := flag.Int("port", 7000, "")
	l := flag.Bool("load", false, "")
	flag.Parse()
	self, idp := fmt.Sprintf("127.0.0.1:%d", *port), fmt.Sprintf("127.0.0.1:%d", *port+1)
	if *l {
		load(self, idp)
	}
	runtime.SetMutexProfileFraction(10)
	v := &verifier{known: make(map[string]Claims), idp: &provider{base: "http://" + idp}}
	http.HandleFunc("/whoami", v.auth(whoami))
	if err := http.ListenAndServe(self, nil); err != nil {
		slog.Error("serving", "error", err)
		os.Exit(1)
	}
}
