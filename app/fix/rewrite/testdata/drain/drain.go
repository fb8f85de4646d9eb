//go:build go1.25

// Package drain asks whether something is there. The build constraint makes it a file for Go 1.25: from 1.27 on
// net/http reads the rest by itself.
package drain

import (
	"io"
	"net/http"
)

func alive(url string) bool {
	resp, err := http.Get(url)
	if err != nil {
		return false
	}
	defer resp.Body.Close()
	return resp.StatusCode == http.StatusOK
}

func status(url string) (int, error) {
	resp, err := http.Get(url)
	if err != nil {
		return 0, err
	}
	resp.Body.Close()
	return resp.StatusCode, nil
}

// read reads it.
func read(url string) ([]byte, error) {
	resp, err := http.Get(url)
	if err != nil {
		return nil, err
	}
	defer resp.Body.Close()
	return io.ReadAll(resp.Body)
}

// head has no body.
func head(url string) (int, error) {
	resp, err := http.Head(url)
	if err != nil {
		return 0, err
	}
	resp.Body.Close()
	return resp.StatusCode, nil
}

// kept gives it away.
func kept(url string) (*http.Response, error) {
	resp, err := http.Get(url)
	if err != nil {
		return nil, err
	}
	resp.Body.Close()
	return resp, nil
}
