// Package connection_leak asks another service what is in stock.
//
// The fault: the body of an answer other than 200 is not closed.
package connection_leak

import (
	"fmt"
	"io"
	"net/http"
	"time"

	"github.com/gocasebook/casebook/lab/faults"
	"github.com/gocasebook/casebook/lab/faults/backend"
)

// A Client asks for the stock.
type Client struct {
	backend backend.Backend
	http    http.Client
	closes  bool
	gone    int // the first requests are for what is not there
	missing int // of 1000 requests after them, as well
}

// stock asks for an article.
func (c *Client) stock(path string) (string, error) {
	resp, err := c.http.Get(c.backend.URL() + path)
	if err != nil {
		return "", err
	}
	if resp.StatusCode != http.StatusOK {
		if c.closes {
			resp.Body.Close()
		}
		return "", fmt.Errorf("the stock answers %s", resp.Status)
	}
	defer resp.Body.Close()
	body, err := io.ReadAll(io.LimitReader(resp.Body, 1<<10))
	return string(body), err
}

// ServeHTTP answers with the stock.
func (c *Client) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	var i int
	fmt.Sscan(r.FormValue("i"), &i)
	path := "/item?i=1"
	if i < c.gone || i*c.missing%1000 < c.missing {
		path = "/missing"
	}
	stock, err := c.stock(path)
	if err != nil {
		http.Error(w, err.Error(), http.StatusNotFound)
		return
	}
	fmt.Fprint(w, stock)
}

func service(gone, missing int, closes bool) faults.Service {
	c := &Client{closes: closes, gone: gone, missing: missing}
	c.http = http.Client{Timeout: time.Hour, Transport: &http.Transport{MaxIdleConnsPerHost: 20}}
	return faults.Service{Handler: c, Load: []faults.Call{{Path: "/stock?i=%d", PerSecond: 60}}}
}

// Fault is the kind with its variants.
func Fault() faults.Fault {
	return faults.Fault{
		Kind: "connection-leak", Text: "the bodies of answers other than 200 are not closed",
		Culprit:  "connection_leak.(*Client).stock",
		Faulty:   func() faults.Service { return service(0, 300, false) },
		Repaired: func() faults.Service { return service(0, 300, true) },
		Limit:    func() faults.Service { return service(30, 1, false) },
		Twice:    20 * time.Second,
	}
}
