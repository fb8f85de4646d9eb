// Partner asks a bank, over TLS, whether a payment is covered.
package main

import (
	"context"
	"crypto/tls"
	"flag"
	"fmt"
	"io"
	"log"
	"net"
	"net/http"
	"net/http/httptest"
	_ "net/http/pprof"
	"net/url"
	"time"
)

// Bank is what a payment needs of one.
type Bank interface {
	Covered(ctx context.Context, account string, pence int) (bool, error)
}

type httpBank struct {
	base    string
	timeout time.Duration
}

func (b *httpBank) client() *http.Client {
	tr := &http.Transport{
		TLSClientConfig: &tls.Config{InsecureSkipVerify: true}, // the bank's test certificate
		DialContext:     (&net.Dialer{Timeout: time.Second}).DialContext,
	}
	return &http.Client{Transport: tr, Timeout: b.timeout}
}

func (b *httpBank) Covered(ctx context.Context, account string, pence int) (bool, error) {
	q := url.Values{"account": {account}, "pence": {fmt.Sprint(pence)}}
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, b.base+"/covered?"+q.Encode(), nil)
	if err != nil {
		return false, err
	}
	c := b.client()
	defer c.CloseIdleConnections()
	res, err := c.Do(req)
	if err != nil {
		return false, err
	}
	defer res.Body.Close()
	_, err = io.Copy(io.Discard, res.Body)
	return res.StatusCode == http.StatusNoContent, err
}

func pay(b Bank) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		ok, err := b.Covered(r.Context(), r.FormValue("account"), 1250)
		if err != nil {
			http.Error(w, err.Error(), http.StatusBadGateway)
			return
		}
		fmt.Fprintln(w, ok)
	}
}

// bank is the other side, in the load's process.
func bank(port int) {
	l, err := net.Listen("tcp", fmt.Sprintf("127.0.0.1:%d", port))
	if err != nil {
		log.Fatal(err)
	}
	s := httptest.NewUnstartedServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		time.Sleep(2 * time.Millisecond)
		w.WriteHeader(http.StatusNoContent)
	}))
	s.Listener = l
	s.StartTLS()
}

func load(port int) {
	bank(port + 2)
	for i, t := 0, time.NewTicker(6*time.Millisecond); ; i++ {
		<-t.C
		go func() {
			if res, err := http.Get(fmt.Sprintf("http://127.0.0.1:%d/pay?account=%d", port, i%100)); err == nil {
				res.Body.Close()
			}
		}()
	}
}

func main() {
	port := flag.Int("port", 7000, "")
	l := flag.Bool("load", false, "")
	flag.Parse()
	if *l {
		load(*port)
	}
	b := &httpBank{fmt.Sprintf("https://127.0.0.1:%d", *port+2), 5 * time.Second}
	http.HandleFunc("/pay", pay(b))
	log.Fatal(http.ListenAndServe(fmt.Sprintf("127.0.0.1:%d", *port), nil))
}
