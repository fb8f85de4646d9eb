package reporter

import (
	"context"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/gocasebook/casebook/internal/casetest"
)

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

// https means a certificate that somebody vouches for; the owner's client may trust more. Both versions of HTTP work.
func TestTLS(t *testing.T) {
	for _, h2 := range []bool{false, true} {
		proto := ""
		s := httptest.NewUnstartedServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
			proto = r.Proto
			_, _ = io.Copy(io.Discard, r.Body)
		}))
		s.EnableHTTP2 = h2
		s.Config.ErrorLog = discardLog()
		s.StartTLS()
		t.Cleanup(s.Close)

		got := report(t, hook(t, s.URL, nil))
		wantCounts(t, got, counts{failed: 1, retried: 2})
		if !strings.Contains(got.LastError, "certificate") {
			t.Errorf("a certificate of nobody's: last error %q", got.LastError)
		}
		wantNoSecret(t, got.LastError)

		wantCounts(t, report(t, hook(t, s.URL, func(c *WebhookConfig) { c.Client = trusting(s) })), counts{sent: 1})
		c := collectorOf(t, s.URL, t.TempDir(), func(c *CollectorConfig) { c.Client = trusting(s) })
		if err := c.Send(t.Context(), mustCommit(t, t.TempDir(), 1, 1<<20)); err != nil {
			t.Error(err)
		}
		if want := map[bool]string{false: "HTTP/1.1", true: "HTTP/2.0"}[h2]; proto != want {
			t.Errorf("the server spoke %s, want %s", proto, want)
		}
	}
}

// trusting is our own client, which also trusts the test server's certificate.
func trusting(s *httptest.Server) *http.Client {
	c := newClient(nil)
	c.Transport.(*http.Transport).TLSClientConfig = s.Client().Transport.(*http.Transport).TLSClientConfig.Clone()
	return c
}

// A collector whose answers make no progress is not asked for ever.
func TestCollectorThatHasOtherParts(t *testing.T) {
	var asked atomic.Int32
	s := casetest.NewCollector(t, secretToken, func(w http.ResponseWriter, r *http.Request, _ int) bool {
		asked.Add(1)
		w.Header().Set("Upload-Offset", "7")
		if r.Method == http.MethodPatch {
			w.WriteHeader(http.StatusConflict)
		}
		return true
	})
	r := mustCommit(t, t.TempDir(), 1, partBytes+1)
	err := collectorOf(t, s.URL, t.TempDir(), nil).Send(t.Context(), r)
	if err == nil || isFinal(err) {
		t.Errorf("sending fails with %v, want an error upon which it is tried again", err)
	}
	if want := maxMoved + 2; int(asked.Load()) != want {
		t.Errorf("the collector was asked %d times, want %d", asked.Load(), want)
	}
}

// A secret path, as Slack's are, with a query and a header that must not be shown either.
const (
	secretPath  = "/services/T00000000/B00000000/XsecretX"
	secretQuery = "?key=QsecretQ"
	secretToken = "HsecretH"
)

// hook is a webhook of the server at url, without retries.
func hook(t *testing.T, url string, change func(*WebhookConfig)) Reporter {
	t.Helper()
	cfg := WebhookConfig{URL: url + secretPath + secretQuery,
		Header: map[string]string{"Authorization": "Bearer " + secretToken}}
	if change != nil {
		change(&cfg)
	}
	r, err := Webhook(cfg)
	if err != nil {
		t.Fatal(err)
	}
	r.Retry = Retry{First: time.Millisecond, Max: 2 * time.Millisecond}
	return r
}

// report queues one case for r and returns what became of it.
func report(t *testing.T, r Reporter) Status {
	t.Helper()
	return reportOf(t, r, Report{Case: casetest.Sample(), Folder: "/var/lib/casebook/x"})
}

// reportOf is report of a case that may be on disk.
func reportOf(t *testing.T, r Reporter, about Report) Status {
	t.Helper()
	q := mustQueue(t, QueueOptions{}, r)
	stop := running(q)
	q.Put(about)
	eventually(t, "sent or failed", func() bool { s := q.Status()[0]; return s.Sent+s.Failed > 0 })
	if err := stop(); err != nil {
		t.Error(err)
	}
	return q.Status()[0]
}

func wantNoSecret(t *testing.T, text string) {
	t.Helper()
	for _, secret := range []string{"secret", "T00000000", "services", "key="} {
		if strings.Contains(text, secret) {
			t.Errorf("%q is in: %s", secret, text)
		}
	}
}
