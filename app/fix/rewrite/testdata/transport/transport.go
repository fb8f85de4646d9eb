// Package transport makes requests.
package transport

import (
	"crypto/tls"
	"net"
	"net/http"
	"time"
)

type bank struct {
	timeout time.Duration
	verify  bool
}

// client is lab/holdout/partner.
func (b *bank) client() *http.Client {
	tr := &http.Transport{
		TLSClientConfig: &tls.Config{MinVersion: tls.VersionTLS12}, // the bank's
		DialContext:     (&net.Dialer{Timeout: time.Second}).DialContext,
	}
	return &http.Client{Transport: tr, Timeout: b.timeout}
}

func (b *bank) covered(url string) (int, error) {
	c := b.client()
	defer c.CloseIdleConnections()
	res, err := c.Get(url)
	if err != nil {
		return 0, err
	}
	defer res.Body.Close()
	return res.StatusCode, nil
}

func get(url string) (*http.Response, error) {
	c := http.Client{Transport: &http.Transport{MaxIdleConnsPerHost: 4}}
	return c.Get(url)
}

// honoured is lab/holdout3/pingback: its settings are the caller's.
func honoured(b bank) *http.Client {
	return &http.Client{Transport: &http.Transport{TLSClientConfig: &tls.Config{InsecureSkipVerify: !b.verify}}}
}

// newClient is called once.
func newClient() *http.Client {
	return &http.Client{Transport: &http.Transport{MaxIdleConns: 10}}
}

// changed is changed later.
func changed(n int) *http.Client {
	tr := &http.Transport{}
	tr.MaxIdleConns = n
	return &http.Client{Transport: tr}
}

var verify = true

// flagged depends on a flag, which is not parsed yet when package variables are made.
func flagged() *http.Client {
	return &http.Client{Transport: &http.Transport{TLSClientConfig: &tls.Config{InsecureSkipVerify: !verify}}}
}

func settings() *tls.Config { return &tls.Config{} }

// reread asks a function each time.
func reread() *http.Client {
	return &http.Client{Transport: &http.Transport{TLSClientConfig: settings()}}
}

var shared = &http.Client{Transport: &http.Transport{}}
