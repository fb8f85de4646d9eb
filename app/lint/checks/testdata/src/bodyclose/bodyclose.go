package bodyclose

import (
	"encoding/json"
	"io"
	"net/http"
)

func ping(url string) error {
	res, err := http.Get(url) // want `nobody closes the body`
	if err != nil {
		return err
	}
	if res.StatusCode != http.StatusOK {
		return io.ErrUnexpectedEOF
	}
	return nil
}

func dropped(c *http.Client, req *http.Request) error {
	_, err := c.Do(req) // want `nobody closes the body`
	return err
}

func forgotten(url string) { http.Head(url) } // want `nobody closes the body`

func decodes(c *http.Client, req *http.Request, v any) error {
	res, err := c.Do(req) // want `nobody closes the body`
	if err != nil {
		return err
	}
	return json.NewDecoder(res.Body).Decode(v)
}

func reads(url string) ([]byte, error) {
	res, err := http.Get(url) // want `nobody closes the body`
	if err != nil {
		return nil, err
	}
	return io.ReadAll(res.Body)
}

// What follows is fine.

func closed(url string) ([]byte, error) {
	res, err := http.Get(url)
	if err != nil {
		return nil, err
	}
	defer res.Body.Close()
	return io.ReadAll(res.Body)
}

func closedLater(url string) (int, error) {
	res, err := http.Get(url)
	if err != nil {
		return 0, err
	}
	defer func() { res.Body.Close() }()
	return res.StatusCode, nil
}

func passedOn(url string, f func(*http.Response) error) error {
	res, err := http.Get(url)
	if err != nil {
		return err
	}
	return f(res)
}

func returned(url string) (*http.Response, error) {
	res, err := http.Get(url)
	return res, err
}

func directly(url string) (*http.Response, error) { return http.Get(url) }

func bodyReturned(url string) (io.ReadCloser, error) {
	res, err := http.Get(url)
	if err != nil {
		return nil, err
	}
	return res.Body, nil
}

func bodyPassedOn(url string, drain func(io.ReadCloser)) error {
	res, err := http.Get(url)
	if err != nil {
		return err
	}
	drain(res.Body)
	return nil
}

func named(url string) (res *http.Response, err error) {
	res, err = http.Get(url)
	return
}

type proxy struct{ last *http.Response }

func (p *proxy) kept(url string) (err error) {
	p.last, err = http.Get(url)
	return err
}
