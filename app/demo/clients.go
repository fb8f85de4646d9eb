package demo

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"sync"
	"sync/atomic"
	"time"
)

// Clients ask a shop for its shelves, each again as soon as it has its answer.
type Clients struct {
	began    time.Time
	answered atomic.Int64
	end      context.CancelFunc
	ended    sync.WaitGroup
}

// Ask starts n clients of the shop at an address, which end with Stop or with ctx.
func Ask(ctx context.Context, address string, n int) *Clients {
	ctx, end := context.WithCancel(ctx)
	c := &Clients{began: time.Now(), end: end}
	client := &http.Client{Timeout: time.Minute, Transport: &http.Transport{MaxIdleConnsPerHost: n}}
	for i := range n {
		c.ended.Go(func() {
			for k := i; ctx.Err() == nil; k++ {
				c.ask(ctx, client, fmt.Sprintf("http://%s/shelf?n=%d", address, k%shelves))
			}
		})
	}
	context.AfterFunc(ctx, client.CloseIdleConnections)
	return c
}

// ask waits for one answer. A client that gets none waits a little: the shop may be on its way up or down.
func (c *Clients) ask(ctx context.Context, client *http.Client, url string) {
	if answers(ctx, client, url) {
		c.answered.Add(1)
		return
	}
	select {
	case <-ctx.Done():
	case <-time.After(100 * time.Millisecond):
	}
}

func answers(ctx context.Context, client *http.Client, url string) bool {
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, url, nil)
	if err != nil {
		return false
	}
	response, err := client.Do(request)
	if err != nil {
		return false
	}
	defer response.Body.Close()
	_, err = io.Copy(io.Discard, response.Body)
	return err == nil && response.StatusCode == http.StatusOK
}

// Stop ends the clients and returns how many answers a second they got.
func (c *Clients) Stop() float64 {
	c.end()
	c.ended.Wait()
	return float64(c.answered.Load()) / time.Since(c.began).Seconds()
}
