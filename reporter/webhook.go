package reporter

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"net/http"
	"os"
	"time"
)

// A Format is what a webhook is sent.
type Format string

// The formats.
const (
	JSON  Format = "json"  // a Message
	Slack Format = "slack" // {"text": "…"} in Slack's mrkdwn; Mattermost, Rocket.Chat and Discord's /slack read it too
)

// A WebhookConfig says where a webhook is and what it wants.
type WebhookConfig struct {
	// URL is where the POST goes: https, or http on the loopback interface. Nothing but its scheme and host is shown.
	URL string
	// Format is what is sent. Empty means JSON.
	Format Format
	// Header is added to every request, such as Authorization.
	Header map[string]string
	// PlainHTTP allows http to other machines: everybody on the way can read what is sent.
	PlainHTTP bool
	// Name is the reporter's. Empty means "webhook"; two in one queue need names of their own.
	Name string
	// Timeout bounds one try. Zero means DefaultTimeout.
	Timeout time.Duration
	// Spool is a folder where reports wait that the server does not take now, made if needed (0700): they are tried
	// without end, with growing pauses, also by the next process. Webhooks with different URLs must not share one.
	// Empty means none: a report is given up after Retry.Tries, and is lost with the process.
	Spool string
	// Client makes the requests. Nil means one of our own, with timeouts and the proxy of the environment. Its rule for
	// redirects is replaced: only 307 and 308 to the same server are followed.
	Client *http.Client
}

// Webhook posts each case to a URL. Any 2xx is success; 408, 425, 429, 5xx and what gets no answer are tried again,
// with the server's Retry-After honoured; everything else is final.
func Webhook(cfg WebhookConfig) (Reporter, error) {
	if cfg.Name == "" {
		cfg.Name = "webhook"
	}
	encode := map[Format]func(Message) ([]byte, error){"": Message.encode, JSON: Message.encode,
		Slack: encodeSlack}[cfg.Format]
	if encode == nil {
		return Reporter{}, fmt.Errorf("webhook %.80q: field Format is %.20q; it must be %q or %q", cfg.Name, cfg.Format,
			JSON, Slack)
	}
	e, err := newEndpoint(cfg.URL, cfg.PlainHTTP, cfg.Header, cfg.Client)
	if err != nil {
		return Reporter{}, fmt.Errorf("webhook %.80q: %w", cfg.Name, err)
	}
	if cfg.Spool != "" {
		return spooledWebhook(cfg, e, encode), nil
	}
	send := func(ctx context.Context, r Report) error {
		body, err := encode(NewMessage(r))
		if err != nil {
			return final(fmt.Errorf("encoding the report: %w", err))
		}
		return e.post(ctx, body, r.Case.ID)
	}
	return Reporter{Name: cfg.Name, Send: send, Timeout: cfg.Timeout}, nil
}

// post sends JSON. key stays the same over all tries, so that the server can tell a repetition.
func (e *endpoint) post(ctx context.Context, body []byte, key string) error {
	req, err := http.NewRequest(http.MethodPost, e.url.String(), bytes.NewReader(body))
	if err != nil {
		return final(fmt.Errorf("making a request to %s: the URL cannot be used", address(e.url)))
	}
	req.Header.Set("Content-Type", "application/json")
	req.Header.Set("Idempotency-Key", plain(key, 200))
	return e.do(ctx, req, func(code int) bool { return code >= 200 && code < 300 })
}

// maxMessages bounds the spool of a webhook, bytes: a thousand messages of ordinary size.
const maxMessages = 16 << 20

// spooledWebhook keeps what it has to send on disk until it has arrived or was refused for good.
func spooledWebhook(cfg WebhookConfig, e *endpoint, encode func(Message) ([]byte, error)) Reporter {
	pack := func(ctx context.Context, s *spool, r Report) (item, int, error) {
		body, err := encode(NewMessage(r))
		if err != nil {
			return item{}, 0, final(fmt.Errorf("encoding the report: %w", err))
		}
		return s.addMessage(ctx, r.Case.ID, body)
	}
	put := func(ctx context.Context, f *os.File, it item) error {
		body, err := io.ReadAll(io.LimitReader(f, maxMessages))
		if err != nil {
			return err
		}
		return e.post(ctx, body, it.id)
	}
	c := newCourier(spool{dir: cfg.Spool, most: maxMessages}, pack, put)
	out := c.outbox()
	out.keep = func(ctx context.Context, r Report) error {
		err := c.keep(ctx, r)
		if err != nil && !isFinal(err) { // a disk that is full or read-only is when people must hear of it
			if body, bad := encode(NewMessage(r)); bad == nil && e.post(ctx, body, r.Case.ID) == nil {
				return nil
			}
		}
		return err
	}
	return Reporter{Name: cfg.Name, Send: c.send, Timeout: cfg.Timeout, Retry: Retry{Max: collectorMaxInterval},
		outbox: out}
}
