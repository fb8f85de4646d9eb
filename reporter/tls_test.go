package reporter

import (
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
)

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
