// Package close opens and closes.
package close

import (
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
)

var errRefused = errors.New("refused")

// late is lab/holdout/courier: an answer that is an error leaves before the defer.
func late(c *http.Client, url string) error {
	resp, err := c.Get(url)
	if err != nil {
		return fmt.Errorf("delivering: %w", err)
	}
	if resp.StatusCode >= 400 {
		return errRefused
	}
	defer resp.Body.Close()
	_, err = io.Copy(io.Discard, resp.Body)
	return err
}

// inCase is lab/holdout3/geoquote: one case closes.
func inCase(url string) (p struct{ Lat float64 }, err error) {
	res, err := http.Get(url)
	if err != nil {
		return p, err
	}
	switch res.StatusCode {
	case http.StatusOK:
		defer res.Body.Close()
		err = json.NewDecoder(res.Body).Decode(&p)
		return p, err
	case http.StatusNotFound:
		return p, nil
	}
	return p, fmt.Errorf("geocoder: %s", res.Status)
}

// rows is lab/modules/sqlite -sick: it reads the first and returns.
func rows(db *sql.DB) (string, error) {
	rows, err := db.Query("SELECT item FROM orders")
	if err != nil {
		return "", err
	}
	var item string
	if rows.Next() {
		err = rows.Scan(&item)
	}
	return item, err
}

// text never closes.
func text(url string) ([]byte, error) {
	resp, err := http.Get(url)
	if err != nil {
		return nil, err
	}
	return io.ReadAll(io.LimitReader(resp.Body, 1<<20))
}

// right closes at once.
func right(url string) ([]byte, error) {
	resp, err := http.Get(url)
	if err != nil {
		return nil, err
	}
	defer resp.Body.Close()
	return io.ReadAll(resp.Body)
}

// open gives the body to the caller.
func open(url string) (io.ReadCloser, error) {
	resp, err := http.Get(url)
	if err != nil {
		return nil, err
	}
	return resp.Body, nil
}

type page struct{ resp *http.Response }

// kept stores the response.
func (p *page) kept(url string) error {
	resp, err := http.Get(url)
	if err != nil {
		return err
	}
	p.resp = resp
	return nil
}

// all would defer in a loop.
func all(urls []string) (n int, err error) {
	for _, url := range urls {
		resp, err := http.Get(url)
		if err != nil {
			return n, err
		}
		n += resp.StatusCode
	}
	return n, nil
}

// byHand closes on one way and not on the other.
func byHand(url string) (int, error) {
	resp, err := http.Get(url)
	if err != nil {
		return 0, err
	}
	if resp.StatusCode != http.StatusOK {
		return resp.StatusCode, errRefused
	}
	resp.Body.Close()
	return resp.StatusCode, nil
}

// goesOn uses the response although there was an error.
func goesOn(name string) string {
	f, err := os.Open(name)
	if err != nil {
		fmt.Println(err)
	}
	return f.Name()
}
