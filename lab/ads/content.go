package ads

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"strconv"
	"sync/atomic"
	"time"

	"github.com/gocasebook/casebook/lab/serve"
)

// A content is the content service: it publishes the catalogue of a world, and offers ads of it.
type content struct {
	world     World
	page      atomic.Pointer[edition]
	audiences [][]int64 // the ids of the ads that each group of users may see

	common common
	flows  flows
	rank   rank
}

// An edition is a version of the catalogue: as it is answered, encoded once, and as offers are made of it.
type edition struct {
	version int64
	etag    string
	body    []byte
	stock   stock
}

func newContent(config *contentConfig) (*content, error) {
	w := config.world
	c := &content{world: w, audiences: w.audiences(config.reach), common: newCommon(config.match),
		flows: newFlows(config.flowBy, w.Topics*w.Ads), rank: newRank(config.notes)}
	return c, c.publish(1)
}

func (c *content) publish(version int64) error {
	p := c.world.publish(version)
	body, err := json.Marshal(p)
	if err != nil {
		return fmt.Errorf("encoding the catalogue: %w", err)
	}
	stock, err := newStock(p)
	if err != nil {
		return fmt.Errorf("preparing the catalogue: %w", err)
	}
	c.page.Store(&edition{version, strconv.Quote(strconv.FormatInt(version, 10)), body, stock})
	return nil
}

// republish publishes a new version every interval until ctx ends; 0: never.
func (c *content) republish(ctx context.Context, interval time.Duration) error {
	for interval > 0 {
		pause(ctx, interval)
		if ctx.Err() != nil {
			break
		}
		if err := c.publish(c.page.Load().version + 1); err != nil {
			return err
		}
	}
	return nil
}

func (c *content) handler() http.Handler {
	mux := http.NewServeMux()
	mux.HandleFunc("GET /catalogue", c.serveCatalogue)
	mux.HandleFunc("GET /offers", c.serveOffers)
	mux.HandleFunc("GET /healthz", func(w http.ResponseWriter, _ *http.Request) {
		serve.WriteJSON(w, http.StatusOK, map[string]string{"status": "ok"})
	})
	return mux
}

// serveCatalogue answers 304 to whom has this version.
func (c *content) serveCatalogue(w http.ResponseWriter, r *http.Request) {
	page := c.page.Load()
	w.Header().Set("ETag", page.etag)
	if r.Header.Get("If-None-Match") == page.etag {
		w.WriteHeader(http.StatusNotModified)
		return
	}
	w.Header().Set("Content-Type", "application/json")
	w.Header().Set("Content-Length", strconv.Itoa(len(page.body)))
	_, _ = w.Write(page.body) // a failed write: the client has gone
}
