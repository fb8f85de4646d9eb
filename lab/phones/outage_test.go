package phones

import (
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
	"testing"

	"github.com/gocasebook/casebook/lab/serve/servetest"
)

// TestUpstreamsGoAndComeBack: while the upstreams are stopped the gateway answers what it has cached, and 502 to
// everything else. It stays ready, and when they are back it answers everything again, by itself.
func TestUpstreamsGoAndComeBack(t *testing.T) {
	var up upstreamAddresses
	upstreams := servetest.Start(t, UpstreamsMain, &up, "-median", "0", "-p99", "0")
	_, where := startGateway(t, up, "-tracking-users", "500")
	seen := findItem(t, func(i uint64) bool { return categoryOf(i) == "home" })
	unseen := findItem(t, func(i uint64) bool { return categoryOf(i) == "home" && i > seen })
	want := func(state string, item uint64, status int, upstream string) {
		t.Helper()
		code, body := fetch(t, http.MethodGet, "http://"+where.Listen+itemPath(item), "")
		var failure errorReply
		if err := json.Unmarshal([]byte(body), &failure); err != nil || code != status || failure.Upstream != upstream {
			t.Errorf("%s, item %d: %d %s (%v), want %d and upstream %q", state, item, code, body, err, status, upstream)
		}
	}
	blamed := "items"
	if byBusiness(unseen) {
		blamed = "tracking"
	}

	want("upstreams up", seen, http.StatusOK, "")
	upstreams.Stop()
	if code := <-upstreams.Code; code != 0 {
		t.Fatalf("the upstreams stopped with %d:\n%s", code, upstreams.Stderr)
	}
	for range 3 { // the first attempts use idle connections that the upstreams closed
		want("upstreams stopped", seen, http.StatusOK, "")
		want("upstreams stopped", unseen, http.StatusBadGateway, blamed)
	}
	if code, body := fetch(t, http.MethodGet, "http://"+where.Listen+"/readyz", ""); code != http.StatusOK {
		t.Errorf("/readyz while the upstreams are stopped = %d %s, want 200: what is cached is served", code, body)
	}

	servetest.Start(t, UpstreamsMain, &up, "-median", "0", "-p99", "0", "-items", up.Items, "-users", up.Users,
		"-tracking", up.Tracking)
	want("upstreams back", unseen, http.StatusOK, "")
	_, metrics := fetch(t, http.MethodGet, "http://"+where.Listen+"/metrics", "")
	if line := `phones_upstream_errors_total{status="502",upstream="` + blamed +
		`"} 3`; !strings.Contains(metrics, line) {
		t.Errorf("/metrics has no line %q", line)
	}
}

// TestSlowUpstream: the upstream that is slow makes its requests fail at the gateway's timeout, and no others; what is
// cached is answered. The page of metrics counts the requests by their status, as watches read it.
func TestSlowUpstream(t *testing.T) {
	var up upstreamAddresses
	servetest.Start(t, UpstreamsMain, &up, "-median", "0", "-p99", "0", "-slow", "tracking", "-slow-median", "1h",
		"-slow-p99", "1h")
	business := findItem(t, func(i uint64) bool { return categoryOf(i) == "home" && byBusiness(i) })
	private := findItem(t, func(i uint64) bool { return categoryOf(i) == "home" && !byBusiness(i) })
	for _, tt := range []struct {
		name, cached string
		flags        []string
		item         uint64
		want         int
	}{
		{"the slow one", "both", []string{"-timeout", "50ms"}, business, http.StatusGatewayTimeout},
		{"another", "both", nil, private, http.StatusOK},
		{"cached", "tracking", []string{"-warm", "200", "-items", "200"}, findItem(t, byBusiness), http.StatusOK},
	} {
		_, where := startGateway(t, up, append([]string{"-tracking-users", "500", "-cached", tt.cached,
			"-cache", "remedy"}, tt.flags...)...)
		awaitReady(t, where.Listen)
		code, body := fetch(t, http.MethodGet, "http://"+where.Listen+itemPath(tt.item), "")
		if code != tt.want {
			t.Errorf("%s: %d %s, want %d", tt.name, code, body, tt.want)
		}
		_, metrics := fetch(t, http.MethodGet, "http://"+where.Listen+"/metrics", "")
		if line := fmt.Sprintf(`http_request_duration_seconds_count{code="%d"} 1`, tt.want); !strings.Contains(metrics,
			line) {
			t.Errorf("%s: /metrics has no line %q", tt.name, line)
		}
	}
}

// awaitReady asks until the gateway's caches are warm.
func awaitReady(t *testing.T, listen string) {
	t.Helper()
	for t.Context().Err() == nil {
		if code, _ := fetch(t, http.MethodGet, "http://"+listen+"/readyz", ""); code == http.StatusOK {
			return
		}
	}
	t.Fatal("the gateway was not ready before the test ended")
}
