package settled

import (
	"encoding/json"
	"errors"
	"io"
	"net/http"
)

var seen = map[string]int{}

var recent = map[string]int{}

func leaks(c *http.Client, url string) error {
	res, err := c.Get(url) //ask connection-leak: confirms the way out of leaks at :\d+ leaves the body open
	if err != nil {
		return err
	}
	if res.StatusCode != http.StatusOK {
		return errors.New(res.Status)
	}
	defer res.Body.Close()
	_, err = io.Copy(io.Discard, res.Body)
	return err
}

func closes(c *http.Client, url string) (v any, err error) {
	res, err := c.Get(url) //ask connection-leak: contradicts closed on each way out of closes
	if err != nil {
		return nil, err
	}
	defer res.Body.Close()
	return v, json.NewDecoder(res.Body).Decode(&v)
}

func hands(c *http.Client, url string) (*http.Response, error) {
	res, err := c.Get(url) //ask connection-leak: silent
	if err != nil {
		return nil, err
	}
	return res, nil
}

func checked(c *http.Client, url string) error {
	res, err := c.Get(url) //ask connection-leak: confirms the way out of checked at
	if err != nil {
		return err
	}
	_, err = io.ReadAll(res.Body)
	if err != nil {
		return err
	}
	return res.Body.Close()
}

func perCall(url string) error {
	c := client()
	res, err := c.Get(url) //ask net-no-keepalive: confirms has a transport of its own
	if err != nil {
		return err
	}
	defer res.Body.Close()
	_, err = io.Copy(io.Discard, res.Body)
	return err
}

func client() *http.Client { return &http.Client{Transport: &http.Transport{}} }

func unread(c *http.Client, url string) error {
	res, err := c.Get(url) //ask net-no-keepalive: confirms nothing reads the body
	if err != nil {
		return err
	}
	return res.Body.Close()
}

func keeps(c *http.Client, url string) error {
	res, err := c.Get(url) //ask net-no-keepalive: adds is read to its end \(:83\), and closed
	if err != nil {
		return err
	}
	defer res.Body.Close()
	_, err = io.Copy(io.Discard, res.Body)
	return err
}

func note(name string) {
	seen[name]++
	seen[name] = len(name) //ask mem-leak: confirms nothing in the package takes anything out of it
}

func noteRecent(name string) {
	recent[name] = len(name) //ask mem-leak: adds loses at
}

func forget(name string) { delete(recent, name) }

func local(names []string) int {
	m := map[string]int{}
	for _, n := range names {
		m[n] = 1 //ask mem-leak: silent
	}
	return len(m)
}
