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

// A content is the content service: it publishes the catalogue of a world.
type content struct {
	world World
	page  atomic.Pointer[encodedCatalogue]
}

// An encodedCatalogue is what is answered, encoded once a version.
type encodedCatalogue struct {
	version int64
	etag    string
	body    []byte
}

func newContent(w World) (*content, error) {
	c := &content{world: w}
	return c, c.publish(1)
}

func (c *content) publish(version int64) error {
	body, err := json.Marshal(c.world.publish(version))
	if err != nil {
		return fmt.Errorf("encoding the catalogue: %w", err)
	}
	c.page.Store(&encodedCatalogue{version, strconv.Quote(strconv.FormatInt(version, 10)), body})
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
