package main

import (
	"context"
	"crypto/tls"
	"encoding/json"
	"fmt"
	"net/http"
	"time"

	"github.com/hashicorp/go-retryablehttp"
	"github.com/rs/zerolog"
)

type offer struct {
	SKU      string `json:"sku"`
	Price    int    `json:"price"`
	Currency string `json:"currency"`
	Stock    int    `json:"stock"`
}

// shopClient is the shop's API with retries.
type shopClient struct {
	base string
	http *retryablehttp.Client
}

func newShopClient(base string, log zerolog.Logger) *shopClient {
	c := retryablehttp.NewClient()
	c.RetryMax = 2
	c.RetryWaitMin, c.RetryWaitMax = 50*time.Millisecond, time.Second
	c.HTTPClient.Timeout = 3 * time.Second
	c.Logger = nil
	c.RequestLogHook = func(_ retryablehttp.Logger, r *http.Request, attempt int) {
		if attempt > 0 {
			log.Warn().Str("url", r.URL.String()).Int("attempt", attempt).Msg("asking the shop again")
		}
	}
	if t, ok := c.HTTPClient.Transport.(*http.Transport); ok {
		t.TLSClientConfig = &tls.Config{InsecureSkipVerify: true} // the shop's staging certificate is its own
	}
	return &shopClient{base: base, http: c}
}

// Offer is what the shop asks for an article today.
func (c *shopClient) Offer(ctx context.Context, sku string) (o offer, err error) {
	req, err := retryablehttp.NewRequestWithContext(ctx, http.MethodGet, c.base+"/v1/offers/"+sku, nil)
	if err != nil {
		return o, err
	}
	req.Header.Set("Accept", "application/json")
	res, err := c.http.Do(req)
	if err != nil {
		return o, fmt.Errorf("asking for %s: %w", sku, err)
	}
	defer res.Body.Close()
	if res.StatusCode != http.StatusOK {
		return o, fmt.Errorf("asking for %s: %s", sku, res.Status)
	}
	return o, json.NewDecoder(res.Body).Decode(&o)
}
