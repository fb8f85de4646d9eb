package phones

import (
	"encoding/json"
	"net/http"
	"strings"
	"testing"

	"github.com/gocasebook/casebook/lab/serve/servetest"
)

// TestUpstreamsGoAndComeBack: while the upstreams are stopped the gateway answers what it has cached and 502 to what it
// has not; it stays ready, and when they are back it answers everything again, by itself.
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
	for range 3 { // idle connections that the upstreams closed are among the first tries
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
