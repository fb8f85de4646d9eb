package reporter

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"os"
	"strings"
	"sync"
	"time"
)

// A CollectorConfig says where a collector is and where cases wait for it.
type CollectorConfig struct {
	// URL is the collector's: https, or http on the loopback interface. A case goes to URL/api/v1/cases/ID. Nothing but
	// its scheme and host is shown.
	URL string
	// Token is sent as "Authorization: Bearer TOKEN". Empty means none.
	Token string
	// Header is added to every request.
	Header map[string]string
	// Spool is the folder where cases wait, made if needed (0700). Collectors with the same URL may share one, also in
	// several processes; collectors with different ones must not.
	Spool string
	// MaxSpoolBytes bounds what waits there, 1 MiB or more; a case larger than that is not sent. Refused cases are
	// dropped first, then the oldest. While a case is being added, its size comes on top. Zero means
	// DefaultMaxSpoolBytes.
	MaxSpoolBytes int64
	// PlainHTTP allows http to other machines: everybody on the way can read cases and token.
	PlainHTTP bool
	// Name is the reporter's. Empty means "collector"; two in one queue need names of their own.
	Name string
	// Timeout bounds one upload. Zero means 5 minutes: 100 MB at 3 Mbit/s.
	Timeout time.Duration
	// Retry says how long the pauses between uploads are, and how often writing to the spool is tried. Zero fields mean
	// DefaultFirst, 15 minutes for Max, and DefaultTries.
	Retry Retry
	// Client makes the requests. Nil means one of our own. See WebhookConfig.Client.
	Client *http.Client
}

// DefaultMaxSpoolBytes bounds a spool without a bound of its own.
const DefaultMaxSpoolBytes = 512 << 20

const (
	minSpoolBytes        = 1 << 20
	collectorTimeout     = 5 * time.Minute
	collectorMaxInterval = 15 * time.Minute
)

// Collector uploads each case whole, as the zip of casefile.Export:
//
//	PUT /api/v1/cases/ID
//	Content-Type: application/zip
//	Content-Digest: sha-256=:BASE64:            of the zip (RFC 9530)
//	Idempotency-Key: ID-SHA256                  hexadecimal, of the case.json in it: the same for every try
//
// 200, 201, 204 and 409 (it has the case already) are success. No answer, 408, 425, 429, 5xx and an unusual 2xx are
// tried again without end, with growing pauses and Retry-After honoured. All else is final: the case stays in the
// spool as refused, until a person looks or room is needed. Refusals that are not the case's fault (redirects, 401,
// 403, 404, 405, 407, 410) get another chance when the next process starts, for by then the token or the URL may have
// been put right.
//
// A case is on the disk, fsynced, before its first upload, and what an earlier process left there is sent as soon as
// a Queue runs. One process sends at a time. Send outside of a Queue keeps the case and tries to upload it once.
func Collector(cfg CollectorConfig) (Reporter, error) {
	cfg = cfg.withDefaults()
	e, err := newEndpoint(cfg.URL, cfg.PlainHTTP, cfg.headers(), cfg.Client)
	errs := []error{err, cfg.Retry.validate()}
	if cfg.Spool == "" {
		errs = append(errs, errors.New("field Spool is empty; name a folder where cases can wait"))
	}
	if cfg.MaxSpoolBytes < minSpoolBytes {
		errs = append(errs, fmt.Errorf("field MaxSpoolBytes is %d; it must be %d or more", cfg.MaxSpoolBytes, minSpoolBytes))
	}
	if strings.ContainsAny(cfg.Token, "\r\n\x00") {
		errs = append(errs, errors.New("field Token has a line end in it; a trailing one comes from reading it from a file: trim it"))
	}
	if err := errors.Join(errs...); err != nil {
		return Reporter{}, fmt.Errorf("collector %.80q: %w", cfg.Name, err)
	}
	c := &collector{to: e, spool: spool{dir: cfg.Spool, most: cfg.MaxSpoolBytes}, tries: map[string]int{}}
	return Reporter{
		Name: cfg.Name, Send: c.send, Timeout: cfg.Timeout, Retry: cfg.Retry,
		outbox: &outbox{keep: c.keep, deliver: c.deliver, tally: c.tally},
	}, nil
}

func (cfg CollectorConfig) withDefaults() CollectorConfig {
	if cfg.Name == "" {
		cfg.Name = "collector"
	}
	if cfg.MaxSpoolBytes == 0 {
		cfg.MaxSpoolBytes = DefaultMaxSpoolBytes
	}
	if cfg.Timeout == 0 {
		cfg.Timeout = collectorTimeout
	}
	if cfg.Retry.Max == 0 {
		cfg.Retry.Max = max(collectorMaxInterval, cfg.Retry.First)
	}
	return cfg
}

// headers adds the token to Header.
func (cfg CollectorConfig) headers() map[string]string {
	if cfg.Token == "" {
		return cfg.Header
	}
	h := map[string]string{}
	for name, value := range cfg.Header {
		h[name] = value
	}
	h["Authorization"] = "Bearer " + cfg.Token
	return h
}

// A collector is the way from a report by the spool to the server.
type collector struct {
	to    *endpoint
	spool spool

	mu      sync.Mutex // guards what follows
	cleared bool       // deliver has looked at what an earlier process left
	counts  tally
	tries   map[string]int // failed uploads by name, of what still waits
}

// send is the Send of those who have no Queue.
func (c *collector) send(ctx context.Context, r Report) error {
	it, err := c.add(ctx, r)
	if err != nil {
		return err
	}
	err = c.spool.locked(func(root *os.Root) error { return c.upload(ctx, root, it) })
	if err != nil {
		return fmt.Errorf("the case is kept and not yet delivered: %w", err)
	}
	return nil
}

func (c *collector) keep(ctx context.Context, r Report) error {
	_, err := c.add(ctx, r)
	return err
}

func (c *collector) add(ctx context.Context, r Report) (item, error) {
	if r.Folder == "" {
		return item{}, final(errors.New("the report names no folder; without one there is no case to upload"))
	}
	it, dropped, err := c.spool.add(ctx, r.Folder)
	c.count(dropped)
	if err != nil {
		return item{}, fmt.Errorf("keeping the case in the spool %s: %w", c.spool.dir, explain(err))
	}
	return it, nil
}

// deliver uploads one case of the spool.
func (c *collector) deliver(ctx context.Context) error {
	defer c.count(0)
	return c.spool.locked(func(root *os.Root) error {
		if err := c.clear(root); err != nil {
			return err
		}
		waiting, err := c.spool.waiting(root)
		if err != nil {
			return err
		}
		if len(waiting) == 0 {
			return errNothing
		}
		return c.upload(ctx, root, c.pick(waiting))
	})
}

// pick takes the oldest of those tried least: one case that breaks the server must not hold up the others.
func (c *collector) pick(waiting []item) item {
	c.mu.Lock()
	defer c.mu.Unlock()
	best := waiting[0]
	left := map[string]int{}
	for _, it := range waiting {
		n := c.tries[it.name()]
		if n > 0 {
			left[it.name()] = n
		}
		if n < c.tries[best.name()] {
			best = it
		}
	}
	c.tries = left
	return best
}

func (c *collector) failed(it item) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.tries[it.name()]++
}

// clear puts in order what processes before this one left behind.
func (c *collector) clear(root *os.Root) error {
	c.mu.Lock()
	first := !c.cleared
	c.cleared = true
	c.mu.Unlock()
	var err error
	if first {
		err = c.spool.reprieve(root)
	}
	return errors.Join(err, c.spool.sweep(root, time.Now()))
}

// count notes what waits and what was dropped.
func (c *collector) count(dropped int) {
	waiting := c.spool.count()
	c.mu.Lock()
	defer c.mu.Unlock()
	c.counts.waiting = waiting
	c.counts.dropped += dropped
}

func (c *collector) tally() tally {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.counts
}
