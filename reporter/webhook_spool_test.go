package reporter

import (
	"context"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"
)

// An inbox is a server that keeps what webhooks send it, and answers with a status.
type inbox struct {
	*httptest.Server
	status atomic.Int64

	mu   sync.Mutex // guards got
	got  []string   // bodies that it accepted
	keys []string
}

func newInbox(t *testing.T) *inbox {
	t.Helper()
	in := &inbox{}
	in.status.Store(http.StatusOK)
	in.Server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, err := io.ReadAll(r.Body)
		status := int(in.status.Load())
		if err == nil && status == http.StatusOK {
			in.mu.Lock()
			in.got, in.keys = append(in.got, string(body)), append(in.keys, r.Header.Get("Idempotency-Key"))
			in.mu.Unlock()
		}
		w.WriteHeader(status)
	}))
	t.Cleanup(in.Close)
	return in
}

func (in *inbox) bodies() []string {
	in.mu.Lock()
	defer in.mu.Unlock()
	return append([]string(nil), in.got...)
}

func spooled(t *testing.T, url, spool string, format Format) Reporter {
	t.Helper()
	r, err := Webhook(WebhookConfig{URL: url + "/s3cret", Format: format, Spool: spool, Timeout: 10 * time.Second})
	if err != nil {
		t.Fatal(err)
	}
	r.Retry = Retry{First: time.Millisecond, Max: 2 * time.Millisecond}
	return r
}

// A report that a webhook's server did not accept is sent by the next process, unchanged, once.
func TestWebhookOutlivesAServerThatIsDown(t *testing.T) {
	for _, format := range []Format{JSON, Slack} {
		t.Run(string(format), func(t *testing.T) {
			in, spool := newInbox(t), filepath.Join(t.TempDir(), "spool")
			in.status.Store(http.StatusServiceUnavailable)
			reports := []Report{named(1), named(2)}
			q := mustQueue(t, QueueOptions{}, spooled(t, in.URL, spool, format))
			kept := make(chan error, 2)
			stop := running(q)
			for _, r := range reports {
				q.PutFor(nil, r, func(_ string, err error) { kept <- err })
			}
			for range reports {
				if err := <-kept; err != nil {
					t.Errorf("keeping a report: %v", err)
				}
			}
			if err := stop(); err != nil {
				t.Error(err)
			}
			if got := q.Status()[0]; got.Sent != 0 || got.Pending != 2 {
				t.Errorf("of a server that is down: %+v, want two that wait", got)
			}
			wantFiles(t, spool, reports[0].Case.ID+".json", reports[1].Case.ID+".json")
			for _, name := range dirNames(t, spool) {
				if data, err := os.ReadFile(filepath.Join(spool, name)); err != nil ||
					strings.Contains(string(data), "s3cret") {
					t.Errorf("%s holds the URL: %v", name, err)
				}
			}

			in.status.Store(http.StatusOK)
			next := mustQueue(t, QueueOptions{}, spooled(t, in.URL, spool, format))
			stop = running(next)
			eventually(t, "both sent", func() bool { return len(in.bodies()) == 2 && next.Status()[0].Sent == 2 })
			if err := stop(); err != nil {
				t.Error(err)
			}
			wantFiles(t, spool)
			if got := in.bodies(); !strings.Contains(got[0], reports[0].Case.ID) && format == JSON {
				t.Errorf("it got %q", got)
			}
			if in.keys[0] != reports[0].Case.ID || in.keys[1] != reports[1].Case.ID {
				t.Errorf("the keys are %q, want the cases' IDs", in.keys)
			}
		})
	}
}

func dirNames(t *testing.T, dir string) (names []string) {
	t.Helper()
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range entries {
		names = append(names, e.Name())
	}
	return names
}

// What the server refuses for good stays for a person to look at, and blocks nothing.
func TestWebhookThatIsRefused(t *testing.T) {
	in, spool := newInbox(t), t.TempDir()
	in.status.Store(http.StatusBadRequest)
	q := mustQueue(t, QueueOptions{}, spooled(t, in.URL, spool, JSON))
	stop := running(q)
	refused := named(1)
	q.Put(refused)
	eventually(t, "refused", func() bool { return q.Status()[0].Failed == 1 })
	in.status.Store(http.StatusOK)
	q.Put(named(2))
	eventually(t, "the next sent", func() bool { return q.Status()[0].Sent == 1 })
	if err := stop(); err != nil {
		t.Error(err)
	}
	wantFiles(t, spool, refused.Case.ID+".refused-400.json")
}

// The callback is called once per reporter with what became of a report.
func TestPutForTells(t *testing.T) {
	answers := make(chan string, 10)
	settled := func(name string, err error) {
		switch {
		case err == nil:
			name += " has it"
		case isFinal(err):
			name += " will never have it"
		}
		answers <- name
	}
	q := mustQueue(t, QueueOptions{},
		Reporter{Name: "good", Send: func(context.Context, Report) error { return nil }},
		Reporter{Name: "bad", Retry: Retry{Tries: 1}, Send: func(context.Context, Report) error { return errTest }},
		Reporter{Name: "never", Send: func(context.Context, Report) error { return final(errTest) }},
		Reporter{Name: "not asked", Send: func(context.Context, Report) error { return nil }},
	)
	stop := running(q)
	q.PutFor([]string{"good", "bad", "never", "nobody"}, named(1), settled)
	got := map[string]int{}
	for range 3 {
		got[<-answers]++
	}
	if err := stop(); err != nil {
		t.Error(err)
	}
	if len(answers) > 0 || got["good has it"] != 1 || got["bad"] != 1 || got["never will never have it"] != 1 {
		t.Errorf("told of %v, and %d more", got, len(answers))
	}
	if s := q.Status()[3]; s.Sent != 0 {
		t.Errorf("who was not asked has it: %+v", s)
	}
}
