package clientpercall

import (
	"crypto/tls"
	"net/http"
	"time"
)

var shared = &http.Client{Transport: &http.Transport{MaxIdleConns: 100}}

func fetch(url string) (*http.Response, error) {
	tr := &http.Transport{ // want `this transport is made at every call`
		TLSClientConfig: &tls.Config{InsecureSkipVerify: true},
	}
	client := &http.Client{Transport: tr}
	return client.Get(url)
}

func fetchIn(url string, timeout time.Duration) error {
	client := http.Client{Transport: &http.Transport{}, Timeout: timeout} // want `this transport is made at every call`
	client.Timeout = time.Second
	resp, err := client.Get(url)
	if err != nil {
		return err
	}
	return resp.Body.Close()
}

func cloned(req *http.Request) (*http.Response, error) {
	tr := http.DefaultTransport.(*http.Transport).Clone() // want `this transport is made at every call`
	tr.MaxIdleConns = 1
	client := new(http.Client)
	client.Transport = tr
	return client.Do(req)
}

func trip(req *http.Request) (*http.Response, error) {
	return (&http.Transport{}).RoundTrip(req) // want `this transport is made at every call`
}

func closes(url string) {
	tr := &http.Transport{} // want `this transport is made at every call`
	defer tr.CloseIdleConnections()
	(&http.Client{Transport: tr}).Get(url)
}

// What follows is fine.

func timeoutOnly(url string) (*http.Response, error) {
	client := &http.Client{Timeout: time.Second}
	return client.Get(url)
}

func newClient() *http.Client {
	return &http.Client{Transport: &http.Transport{MaxIdleConns: 10}}
}

type api struct{ c *http.Client }

func newAPI(url string) (*api, error) {
	c := &http.Client{Transport: &http.Transport{}}
	if _, err := c.Get(url); err != nil {
		return nil, err
	}
	return &api{c: c}, nil
}

func passedOn(url string) {
	c := &http.Client{Transport: &http.Transport{}}
	use(c, url)
	c.Get(url)
}

func use(c *http.Client, url string) { c.Get(url) }

func init() {
	c := &http.Client{Transport: &http.Transport{}}
	c.Get("http://localhost")
}

func neverSent() http.RoundTripper {
	tr := &http.Transport{}
	tr.MaxIdleConns = 3
	return tr
}

func watch(url string, tick *time.Ticker) {
	c := &http.Client{Transport: &http.Transport{}}
	for range tick.C {
		c.Get(url)
	}
}

func each(urls []string) {
	for _, u := range urls {
		c := &http.Client{Transport: &http.Transport{}} // want `this transport is made at every call`
		c.Get(u)
	}
}
