package phones

import (
	"context"
	"encoding/json"
	"fmt"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"
)

// world is a small made-up world. The first half of its users has call tracking.
var world = NewSpace(1000, 100_000, 500)

// findItem is the first item for which ok is true.
func findItem(t *testing.T, ok func(item uint64) bool) uint64 {
	t.Helper()
	for item := uint64(1); item <= world.Items; item++ {
		if ok(item) {
			return item
		}
	}
	t.Fatal("no such item")
	return 0
}

// hides reports whether the anonymous number is shown for an item.
func hides(item uint64) bool {
	c, _ := lookupCategory(string(categoryOf(item)))
	return c.anonymous && hasAnonymous(world.owner(item))
}

func phonePath(user, item uint64, c Category, p Phone) string {
	return fmt.Sprintf("/phone?user=%d&item=%d&category=%s&phone=%%2B%s", user, item, c, p.Digits())
}

func itemPath(item uint64) string {
	return phonePath(world.owner(item), item, categoryOf(item), realPhone(item))
}

func decodeAnswer(t *testing.T, body string) Answer {
	t.Helper()
	var a Answer
	if err := json.Unmarshal([]byte(body), &a); err != nil {
		t.Fatalf("decoding %q: %v", body, err)
	}
	return a
}

func TestOutcomes(t *testing.T) {
	mayHide := func(item uint64) bool { c, _ := lookupCategory(string(categoryOf(item))); return c.anonymous }
	private := findItem(t, func(i uint64) bool { return !byBusiness(i) && !mayHide(i) && hasAnonymous(world.owner(i)) })
	business := findItem(t, func(i uint64) bool { return byBusiness(i) && !mayHide(i) })
	hidden := findItem(t, func(i uint64) bool { return !byBusiness(i) && hides(i) })
	both := findItem(t, func(i uint64) bool { return byBusiness(i) && hides(i) })
	openCar := findItem(t, func(i uint64) bool { return !byBusiness(i) && mayHide(i) && !hasAnonymous(world.owner(i)) })
	for _, tt := range []struct {
		name string
		item uint64
		want Answer
	}{
		{"real: the category does not allow anonymous", private, Answer{realPhone(private).String(), Real}},
		{"real: not connected", openCar, Answer{realPhone(openCar).String(), Real}},
		{"call-tracking", business, Answer{trackingPhone(realPhone(business)).String(), CallTracking}},
		{"anonymous", hidden, Answer{anonymousPhone(world.owner(hidden)).String(), Anonymous}},
		{"anonymous before call-tracking", both, Answer{anonymousPhone(world.owner(both)).String(), Anonymous}},
	} {
		for _, cache := range cacheNames {
			t.Run(tt.name+"/"+cache, func(t *testing.T) {
				_, where := startAll(t, "-cache", cache, "-tracking-users", "500")
				for _, state := range []string{"cold", "warm"} {
					status, body := fetch(t, http.MethodGet, "http://"+where.Listen+itemPath(tt.item), "")
					if got := decodeAnswer(t, body); status != http.StatusOK || got != tt.want {
						t.Errorf("%s: %d %+v, want 200 %+v", state, status, got, tt.want)
					}
				}
			})
		}
	}
}

// TestUpstreamCalls checks the number of calls that a request makes: one for the anonymous check, one for a miss.
func TestUpstreamCalls(t *testing.T) {
	local := findItem(t, func(i uint64) bool { return categoryOf(i) == "home" })
	car := findItem(t, func(i uint64) bool { return categoryOf(i) == "transport" && !hides(i) })
	hidden := findItem(t, hides)
	for _, tt := range []struct {
		name       string
		item       uint64
		cache      string
		cold, warm uint64
	}{
		{"cached", local, "freelru", 1, 0},
		{"cached, with the anonymous check", car, "freelru", 2, 1},
		{"anonymous", hidden, "freelru", 1, 1},
		{"no cache", local, "none", 1, 1},
	} {
		t.Run(tt.name, func(t *testing.T) {
			b := &backend{}
			g := gatewayOn(t, b, Config{Cache: tt.cache})
			for state, want := range []uint64{tt.cold, tt.warm} {
				before := b.calls.Load()
				rec := httptest.NewRecorder()
				g.ServeHTTP(rec, httptest.NewRequest(http.MethodGet, itemPath(tt.item), nil))
				if got := b.calls.Load() - before; got != want || rec.Code != http.StatusOK {
					t.Errorf("request %d: %d with %d calls of upstreams, want 200 with %d", state+1, rec.Code, got,
						want)
				}
			}
		})
	}
}

// gatewayOn is a gateway on real servers of a backend, with defaults for what c leaves out.
func gatewayOn(t *testing.T, b *backend, c Config) *Gateway {
	t.Helper()
	serve := func(h http.Handler) string {
		s := httptest.NewServer(h)
		t.Cleanup(s.Close)
		return s.URL
	}
	return newGateway(t, c, serve(b.items()), serve(b.users()), serve(b.tracking()))
}

func newGateway(t *testing.T, c Config, items, users, tracking string) *Gateway {
	t.Helper()
	d := DefaultConfig()
	d.ItemsURL, d.UsersURL, d.TrackingURL = items, users, tracking
	d.CacheSize, d.TrackingUsers = 10_000, int(world.Tracking)
	d.Timeout = time.Minute // far beyond what a busy test machine takes
	if c.Cache != "" {
		d.Cache = c.Cache
	}
	if c.Timeout != 0 {
		d.Timeout = c.Timeout
	}
	g, err := New(d)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(g.Close)
	return g
}

func TestUpstreamFailures(t *testing.T) {
	hang := func(_ http.ResponseWriter, r *http.Request) { <-r.Context().Done() }
	answer := func(status int, body string) http.HandlerFunc {
		return func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(status); fmt.Fprint(w, body) }
	}
	for _, tt := range []struct {
		name     string
		upstream http.HandlerFunc
		timeout  time.Duration // 0: the tests' default
		status   int
		want     string
	}{
		{"too slow", hang, 30 * time.Millisecond, http.StatusGatewayTimeout, "deadline exceeded"},
		{"failing", answer(500, `{}`), 0, http.StatusBadGateway, "it answered 500"},
		{"unknown item", answer(404, `{}`), 0, http.StatusNotFound, "it answered 404"},
		{"redirect", http.RedirectHandler("http://127.0.0.1:1/", http.StatusFound).ServeHTTP, 0, http.StatusBadGateway,
			"it answered 302"},
		{"not JSON", answer(200, `<html>`), 0, http.StatusBadGateway, "decoding the answer"},
		{"no phone", answer(200, `{"phone":"12"}`), 0, http.StatusBadGateway, "11 digits"},
		{"endless", answer(200, strings.Repeat(" ", maxAnswerBytes+1)), 0, http.StatusBadGateway, "over 65536 bytes"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			up := httptest.NewServer(tt.upstream)
			t.Cleanup(up.Close)
			g := newGateway(t, Config{Timeout: tt.timeout}, up.URL, up.URL, up.URL)
			wantFailure(t, g, itemPath(findItem(t, func(i uint64) bool {
				return !byBusiness(i) &&
					categoryOf(i) == "home"
			})), tt.status, "items", tt.want)
		})
	}
}

func TestUpstreamDown(t *testing.T) {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	dead := "http://" + listener.Addr().String()
	listener.Close()
	g := newGateway(t, Config{}, dead, dead, dead)
	for upstream, item := range map[string]uint64{
		"items":    findItem(t, func(i uint64) bool { return !byBusiness(i) && categoryOf(i) == "home" }),
		"tracking": findItem(t, func(i uint64) bool { return byBusiness(i) && categoryOf(i) == "home" }),
		"users":    findItem(t, func(i uint64) bool { return categoryOf(i) == "transport" }),
	} {
		wantFailure(t, g, itemPath(item), http.StatusBadGateway, upstream, "connection refused")
	}
}

// TestNoLeakOfTheRealNumber: a user may hide behind an anonymous number. While nobody can say whether he does, no
// number is shown.
func TestNoLeakOfTheRealNumber(t *testing.T) {
	b := &backend{}
	items := httptest.NewServer(b.items())
	t.Cleanup(items.Close)
	users := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(500) }))
	t.Cleanup(users.Close)
	g := newGateway(t, Config{}, items.URL, users.URL, items.URL)
	item := findItem(t, func(i uint64) bool { return !byBusiness(i) && categoryOf(i) == "real-estate" })
	wantFailure(t, g, itemPath(item), http.StatusBadGateway, "users", "it answered 500")
	if n := b.calls.Load(); n != 0 {
		t.Errorf("the item service was asked %d times, want 0", n)
	}
}

// wantFailure does one request and wants status and an error body that names the upstream and contains text.
func wantFailure(t *testing.T, g *Gateway, path string, status int, upstream, text string) {
	t.Helper()
	rec := httptest.NewRecorder()
	g.ServeHTTP(rec, httptest.NewRequest(http.MethodGet, path, nil))
	var got errorReply
	if err := json.Unmarshal(rec.Body.Bytes(), &got); err != nil {
		t.Fatalf("decoding %q: %v", rec.Body, err)
	}
	if rec.Code != status || got.Upstream != upstream || !strings.Contains(got.Error, text) {
		t.Errorf("%d %+v, want %d, upstream %q and %q", rec.Code, got, status, upstream, text)
	}
}

// TestGoneClient: a client that disconnects is not a failure of an upstream.
func TestGoneClient(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	up := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter,
		r *http.Request) {
		cancel()
		<-r.Context().Done()
	}))
	t.Cleanup(up.Close)
	g := newGateway(t, Config{}, up.URL, up.URL, up.URL)
	item := findItem(t, func(i uint64) bool { return !byBusiness(i) && categoryOf(i) == "home" })
	rec := httptest.NewRecorder()
	g.ServeHTTP(rec, httptest.NewRequest(http.MethodGet, itemPath(item), nil).WithContext(ctx))
	got := metricsOf(t, g)
	for _, want := range []string{`phones_requests_total{outcome="canceled"} 1`,
		`phones_upstream_errors_total{status="502",upstream="items"} 0`} {
		if !strings.Contains(got, want) {
			t.Errorf("the metrics have no line %q", want)
		}
	}
}

func metricsOf(t *testing.T, g *Gateway) string {
	t.Helper()
	rec := httptest.NewRecorder()
	g.ServeHTTP(rec, httptest.NewRequest(http.MethodGet, "/metrics", nil))
	return rec.Body.String()
}
