package feature

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"
)

// TestRedisLost: without Redis the origin computes the answers, with the same bytes. When Redis is back it is used
// again.
func TestRedisLost(t *testing.T) {
	server := startRedis(t)
	_, at := startCompute(t, "-redis", server.Addr, "-events", "100", "-cache", "none")
	url := "http://" + at.Listen + "/groups?user="
	status, want := fetch(t, url+"5")
	if status != http.StatusOK {
		t.Fatalf("with Redis: %d %s", status, want)
	}
	if err := server.Stop(); err != nil {
		t.Fatal(err)
	}
	for range 3 {
		if status, body := fetch(t, url+"5"); status != http.StatusOK || body != want {
			t.Fatalf("without Redis: %d %.200s\nwant %.200s", status, body, want)
		}
	}
	if metric(t, at.Listen, "compute_redis_errors_total") == 0 {
		t.Error("no failed call of Redis was counted")
	}
	if err := server.Restart(t.Context()); err != nil {
		t.Fatal(err)
	}
	hits := metric(t, at.Listen, `compute_cache_lookups_total{cache="redis",result="hit"}`)
	waitFor(t, "a hit in Redis", func() bool {
		if status, body := fetch(t, url+"6"); status != http.StatusOK {
			t.Fatalf("after the restart: %d %.200s", status, body)
		}
		return metric(t, at.Listen, `compute_cache_lookups_total{cache="redis",result="hit"}`) > hits
	})
}

// TestRedisHangs: a Redis that accepts and does not answer costs one request its timeout, not each request.
func TestRedisHangs(t *testing.T) {
	server := startRedis(t)
	_, at := startCompute(t, "-redis", server.Addr, "-redis-timeout", "20ms", "-events", "100", "-cache", "none")
	if err := server.Freeze(); err != nil {
		t.Fatal(err)
	}
	defer func() {
		if err := server.Thaw(); err != nil {
			t.Error(err)
		}
	}()
	for user := range 5 {
		if status, body := fetch(t, fmt.Sprintf("http://%s/groups?user=%d", at.Listen,
			user+1)); status != http.StatusOK {
			t.Errorf("user %d: %d %.200s; want an answer of the origin", user+1, status, body)
		}
	}
	if n := metric(t, at.Listen, "compute_redis_errors_total"); n == 0 || n > 10 {
		t.Errorf("%v failed calls of Redis for 5 requests, want few", n)
	}
}

// TestForeignValue: what another program has put under our keys is not served, and the service continues.
func TestForeignValue(t *testing.T) {
	server := startRedis(t)
	s := newShared(server.Addr, time.Minute, func() {})
	defer func() { _ = s.Close() }()
	k := newKey(3, 1, 0)
	if err := s.client.Set(t.Context(), redisKey(k), "12345678{}", 0).Err(); err != nil {
		t.Fatal(err)
	}
	if _, err := s.get(t.Context(), []key{k}); err == nil || !strings.Contains(err.Error(), "another program") {
		t.Errorf("reading a foreign value: %v; want what is wrong", err)
	}
	_, at := startCompute(t, "-redis", server.Addr, "-events", "100")
	if status, body := fetch(t, "http://"+at.Listen+"/groups?user=3"); status != http.StatusOK ||
		!strings.Contains(body, `"user":3}`) {
		t.Errorf("%d %.200s; want the origin's answer", status, body)
	}
}

// TestComputeLost: the API tier says which service is at fault, and answers again when that service is back.
func TestComputeLost(t *testing.T) {
	compute, at := startCompute(t, "-events", "100")
	_, where := startAPI(t, "http://"+at.Listen)
	url := "http://" + where.Listen + "/features?user=1&model=pricing"
	status, want := fetch(t, url)
	if status != http.StatusOK {
		t.Fatalf("%d %s", status, want)
	}
	compute.Stop()
	<-compute.Code
	if status, body := fetch(t, url); status != http.StatusBadGateway ||
		!strings.Contains(body, `"upstream":"compute"`) {
		t.Errorf("without the compute tier: %d %s; want 502", status, body)
	}
	startCompute(t, "-events", "100", "-listen", at.Listen)
	if status, body := fetch(t, url); status != http.StatusOK || body != want {
		t.Errorf("with the compute tier back: %d %s; want %s", status, body, want)
	}
}

// TestUpstreamAnswers: what the compute tier does becomes the API tier's status.
func TestUpstreamAnswers(t *testing.T) {
	for _, tt := range []struct {
		name    string
		handler http.HandlerFunc
		status  int
		want    string
	}{
		{"overloaded", func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(503) }, 503, "it answered 503"},
		{"broken", func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(500) }, 502, "it answered 500"},
		{"redirects", func(w http.ResponseWriter, r *http.Request) { http.Redirect(w, r, "/", http.StatusFound) }, 502,
			"it answered 302"},
		{"no JSON", func(w http.ResponseWriter, _ *http.Request) { fmt.Fprint(w, "<html>") }, 502,
			"decoding the answer"},
		{"cut off", func(w http.ResponseWriter, _ *http.Request) { fmt.Fprint(w, `{"groups":{"orders":{`) }, 502,
			"decoding the answer"},
		{"a group lacks", func(w http.ResponseWriter, _ *http.Request) { fmt.Fprint(w, `{"groups":{},"user":1}`) }, 502,
			"no number for feature amount_1d of group orders"},
		{"endless", func(w http.ResponseWriter, _ *http.Request) {
			for i := 0; i < 2*maxAnswerBytes; i += 1024 {
				fmt.Fprint(w, strings.Repeat(" ", 1024))
			}
		}, 502, "over 262144 bytes"},
		{"hangs", func(_ http.ResponseWriter, r *http.Request) { <-r.Context().Done() }, 504, "deadline exceeded"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			upstream := httptest.NewServer(tt.handler)
			defer upstream.Close()
			for _, decode := range decodeNames {
				timeout := "1m"
				if tt.status == http.StatusGatewayTimeout {
					timeout = "30ms"
				}
				_, where := startAPI(t, upstream.URL, "-decode", decode, "-timeout", timeout)
				status, body := fetch(t, "http://"+where.Listen+"/features?user=1&model=pricing")
				if status != tt.status ||
					!strings.Contains(body, tt.want) {
					t.Errorf("-decode %s: %d %s; want %d and %q", decode, status, body, tt.status, tt.want)
				}
			}
		})
	}
}

// TestOriginBusy: a computation that finds no slot in time is refused, not queued forever.
func TestOriginBusy(t *testing.T) {
	o := newOrigin(10, 1, time.Millisecond)
	o.slots <- struct{}{}
	if _, err := o.group(t.Context(), newKey(1, 0, 0)); err != errBusy {
		t.Errorf("with all slots taken: %v, want errBusy", err)
	}
	<-o.slots
	if g, err := o.group(t.Context(), newKey(1, 0, 0)); err != nil || len(g.Features) != perGroup {
		t.Errorf("with a slot free: %v, want the group", err)
	}
}

// TestDoor: above the bound requests are refused at once, and accepted again afterwards.
func TestDoor(t *testing.T) {
	d := newDoor(1)
	through := func(http.ResponseWriter, *http.Request) outcome { return ok }
	nested := func(w http.ResponseWriter, r *http.Request) outcome {
		rec := httptest.NewRecorder()
		if got := d.pass(rec, r, through); got != refused || rec.Code != http.StatusServiceUnavailable ||
			rec.Header().Get("Retry-After") == "" {
			t.Errorf("a second request: outcome %v, %d; want 503", got, rec.Code)
		}
		return ok
	}
	r := httptest.NewRequest(http.MethodGet, "/", nil)
	for range 2 {
		if got := d.pass(httptest.NewRecorder(), r, nested); got != ok {
			t.Errorf("a request alone: outcome %v, want ok", got)
		}
	}
}

// metric reads one series of /metrics.
func metric(t *testing.T, listen, series string) float64 {
	t.Helper()
	_, body := fetch(t, "http://"+listen+"/metrics")
	var v float64
	_, rest, found := strings.Cut(body, "\n"+series+" ")
	if _, err := fmt.Sscan(rest, &v); !found || err != nil {
		t.Fatalf("series %s: %v in\n%s", series, err, body)
	}
	return v
}

// TestKeyedExpiry: with the period in the keys the answers are the same, and what was computed in one period is not
// asked for in the next.
func TestKeyedExpiry(t *testing.T) {
	server := startRedis(t)
	_, plain := startCompute(t, "-events", "100")
	_, at := startCompute(t, "-redis", server.Addr, "-events", "100", "-expiry", "keyed", "-period", "1h")
	_, want := fetch(t, "http://"+plain.Listen+"/groups?user=5")
	s := newShared(server.Addr, time.Minute, func() {})
	defer func() { _ = s.Close() }()
	// what was computed is not kept if Redis does not answer in time, as on a busy machine: then it is asked for again
	for end := time.Now().Add(time.Minute); ; time.Sleep(100 * time.Millisecond) {
		if status, body := fetch(t, "http://"+at.Listen+"/groups?user=5"); status != http.StatusOK || body != want {
			t.Errorf("%d %.200s\nwant %.200s", status, body, want)
		}
		keys, err := s.client.Keys(t.Context(), "f:clicks:5:*0000").Result()
		if err == nil && len(keys) > 0 {
			break
		}
		if time.Now().After(end) {
			t.Fatalf("Redis has the keys %v (%v), want one that ends with the hour", keys, err)
		}
	}
	first, next := time.Unix(1_700_000_000, 0), time.Unix(1_700_003_600, 0)
	l := lifetime{expireKeyed, time.Hour}
	if newKey(5, 0, l.of(first)) == newKey(5, 0, l.of(next)) || !l.deadline(first).Equal(next.Truncate(time.Hour)) {
		t.Errorf("keys of %v and %v are the same, or what expires first does so at %v", first, next, l.deadline(first))
	}
}
