//go:build go1.26

package bodyunread

import (
	"errors"
	"io"
	"net/http"
)

func alive(url string) bool {
	resp, err := http.Get(url) // want `closed unread`
	if err != nil {
		return false
	}
	defer resp.Body.Close()
	return resp.StatusCode == http.StatusOK
}

func post(c *http.Client, req *http.Request) error {
	resp, err := c.Do(req) // want `closed unread`
	if err != nil {
		return err
	}
	resp.Body.Close()
	if resp.StatusCode >= 300 {
		return errors.New(resp.Status)
	}
	return nil
}

func nilled(url string) {
	resp, err := http.Post(url, "text/plain", nil) // want `closed unread`
	if err == nil && resp != nil {
		_ = resp.Body.Close()
	}
}

// What follows is fine.

func drains(url string) int {
	resp, err := http.Get(url)
	if err != nil {
		return 0
	}
	defer resp.Body.Close()
	io.Copy(io.Discard, resp.Body)
	return resp.StatusCode
}

func onError(url string) ([]byte, error) {
	resp, err := http.Get(url)
	if err != nil {
		return nil, err
	}
	defer resp.Body.Close()
	if resp.StatusCode != 200 {
		return nil, errors.New(resp.Status)
	}
	return io.ReadAll(resp.Body)
}

func passesOn(url string) (*http.Response, error) {
	resp, err := http.Get(url)
	return resp, err
}

func head(c *http.Client, url string) bool {
	req, _ := http.NewRequest("HEAD", url, nil)
	resp, err := c.Do(req)
	if err != nil {
		return false
	}
	resp.Body.Close()
	return true
}

func helper(url string) {
	resp, _ := http.Get(url)
	closeBody(resp)
	defer resp.Body.Close()
}

func closeBody(r *http.Response) { io.Copy(io.Discard, r.Body) }
