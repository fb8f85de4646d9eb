// Package hedge asks others.
package hedge

import (
	"net/http"
	"time"
)

var client = &http.Client{Timeout: time.Second}

type api struct {
	http *http.Client
	base string
}

func newAPI(base string) *api {
	return &api{base: base, http: &http.Client{
		Transport: &http.Transport{MaxIdleConnsPerHost: 100},
	}}
}

// ask makes one for each call.
func ask(url string) error {
	c := &http.Client{Timeout: time.Second}
	resp, err := c.Get(url)
	if err != nil {
		return err
	}
	return resp.Body.Close()
}

func (a *api) get(path string) (*http.Response, error) { return a.http.Get(a.base + path) }

func plain(url string) (*http.Response, error) { return client.Get(url) }
