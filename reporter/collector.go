package reporter

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"strings"
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
// Of more than 8 MiB it goes in parts where the collector takes them, so that a line that breaks costs one part
// (upload_parts.go). GET /api/v1/cases/ID/uploads/SHA256 says with 200 and Upload-Offset how much has arrived, and
// PATCH sends what follows, with Upload-Offset and Upload-Length, until the answer is 200 or 201. Where there is no such
// address, the case is sent whole.
//
// 200, 201, 204 and 409 (it has the case already) are success. No answer, 408, 425, 429, 5xx and an unusual 2xx are
// tried again without end, with growing pauses and Retry-After honoured. Everything else is final: the case stays in
// the spool as refused, until a person looks or room is needed. Refusals that are not the case's fault (redirects, 401,
// 403, 404, 405, 407, 410) get another chance when the next process starts, because by then the token or the URL may
// have been corrected.
//
// A case is on the disk, fsynced, before its first upload, and what an earlier process left there is sent as soon as
// a Queue runs. One process sends at a time. Send outside a Queue keeps the case and tries to upload it once.
func Collector(cfg CollectorConfig) (Reporter, error) {
	cfg = cfg.withDefaults()
	e, err := newEndpoint(cfg.URL, cfg.PlainHTTP, cfg.headers(), cfg.Client)
	errs := []error{err, cfg.Retry.validate()}
	if cfg.Spool == "" {
		errs = append(errs, errors.New("field Spool is empty; name a folder where cases can wait"))
	}
	if cfg.MaxSpoolBytes < minSpoolBytes {
		errs = append(errs, fmt.Errorf("field MaxSpoolBytes is %d; it must be %d or more", cfg.MaxSpoolBytes,
			minSpoolBytes))
	}
	if strings.ContainsAny(cfg.Token, "\r\n\x00") {
		errs = append(errs,
			errors.New("field Token has a line end in it; a trailing one comes from reading it from a file: trim it"))
	}
	if err := errors.Join(errs...); err != nil {
		return Reporter{}, fmt.Errorf("collector %.80q: %w", cfg.Name, err)
	}
	c := newCourier(spool{dir: cfg.Spool, most: cfg.MaxSpoolBytes}, packCase, e.putCase)
	return Reporter{Name: cfg.Name, Send: c.send, Timeout: cfg.Timeout, Retry: cfg.Retry, outbox: c.outbox()}, nil
}

// packCase keeps the whole case.
func packCase(ctx context.Context, s *spool, r Report) (item, int, error) {
	if r.Folder == "" {
		return item{}, 0, final(errors.New("the report names no folder; without one there is no case to upload"))
	}
	return s.add(ctx, r.Folder)
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
