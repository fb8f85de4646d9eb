package ads

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"time"
)

// maxCatalogueBytes bounds what is read of the content service's answer.
const maxCatalogueBytes = 256 << 20

// A contentClient asks the content service for its catalogue.
type contentClient struct {
	url     string
	index   string // the form of the index of campaigns
	client  *http.Client
	timeout time.Duration
}

func newContentClient(c *Config) *contentClient {
	return &contentClient{c.ContentURL + "/catalogue", c.Index,
		&http.Client{Transport: &http.Transport{MaxIdleConnsPerHost: 1}}, 10 * c.Timeout}
}

// newer returns the catalogue that is published now; the one at hand, confirmed, when that is current.
func (c *contentClient) newer(ctx context.Context, at *catalogue) (*catalogue, error) {
	ctx, cancel := context.WithTimeout(ctx, c.timeout)
	defer cancel()
	asked := time.Now()
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, c.url, nil)
	if err != nil {
		return nil, fmt.Errorf("making the request for the catalogue: %w", err)
	}
	if at != nil {
		req.Header.Set("If-None-Match", at.etag)
	}
	resp, err := c.client.Do(req)
	if err != nil {
		return nil, fmt.Errorf("asking for the catalogue: %w", err)
	}
	defer resp.Body.Close()
	var fresh *catalogue
	switch {
	case resp.StatusCode == http.StatusOK:
		fresh, err = c.read(resp)
	case resp.StatusCode == http.StatusNotModified && at != nil:
		same := *at
		fresh = &same
	default:
		err = fmt.Errorf("asking for the catalogue: the content service answered %s", resp.Status)
	}
	if err != nil {
		return nil, err
	}
	fresh.confirmed = asked
	return fresh, nil
}

func (c *contentClient) read(resp *http.Response) (*catalogue, error) {
	body := &io.LimitedReader{R: resp.Body, N: maxCatalogueBytes}
	var p published
	if err := json.NewDecoder(body).Decode(&p); err != nil {
		if body.N <= 0 {
			err = errors.New("it is larger than 256 MiB")
		}
		return nil, fmt.Errorf("reading the catalogue: %w", err)
	}
	fresh, err := newCatalogue(&p, c.index)
	if err != nil {
		return nil, fmt.Errorf("the catalogue has a fault: %w", err)
	}
	fresh.etag = resp.Header.Get("ETag")
	return fresh, nil
}

func (c *contentClient) close() { c.client.CloseIdleConnections() }
