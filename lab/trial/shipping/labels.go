package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"time"
)

// maxTries is how often a number is asked for. The carrier's service has hiccups.
const maxTries = 100

type labelClient struct {
	url    string
	client *http.Client
}

func newLabelClient(url string) *labelClient {
	transport := http.DefaultTransport.(*http.Transport).Clone()
	transport.MaxIdleConnsPerHost = 100
	return &labelClient{url: url, client: &http.Client{Transport: transport, Timeout: 2 * time.Second}}
}

// number asks for a parcel's number until there is one.
func (c *labelClient) number(ctx context.Context, p parcel) (int, error) {
	var err error
	for range maxTries {
		var n int
		if n, err = c.ask(ctx, p); err == nil { // trial:fault
			return n, nil
		}
		if ctx.Err() != nil {
			break
		}
	}
	return 0, fmt.Errorf("after %d tries: %w", maxTries, err)
}

func (c *labelClient) ask(ctx context.Context, p parcel) (int, error) {
	body, err := json.Marshal(p)
	if err != nil {
		return 0, err
	}
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, c.url+"/numbers", bytes.NewReader(body))
	if err != nil {
		return 0, err
	}
	resp, err := c.client.Do(req)
	if err != nil {
		return 0, err
	}
	defer resp.Body.Close()
	if resp.StatusCode != http.StatusOK {
		_, _ = io.Copy(io.Discard, resp.Body)
		return 0, fmt.Errorf("the carrier answers %s", resp.Status)
	}
	var answer struct {
		Value int `json:"value"`
	}
	if err := json.NewDecoder(resp.Body).Decode(&answer); err != nil {
		return 0, err
	}
	return answer.Value, nil
}
