package phones

import (
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"
)

func TestMetrics(t *testing.T) {
	b := &backend{}
	g := gatewayOn(t, b, Config{})
	business := findItem(t, func(i uint64) bool { return byBusiness(i) && categoryOf(i) == "home" })
	private := findItem(t, func(i uint64) bool { return !byBusiness(i) && categoryOf(i) == "home" })
	hidden := findItem(t, hides)
	for _, path := range []string{itemPath(business), itemPath(business), itemPath(private), itemPath(hidden),
		"/phone"} {
		g.ServeHTTP(httptest.NewRecorder(), httptest.NewRequest(http.MethodGet, path, nil))
	}
	b.errorRate = 1
	g.ServeHTTP(httptest.NewRecorder(), httptest.NewRequest(http.MethodGet, itemPath(hidden), nil))
	postSync(g, `{"1":6,"2":6,"9999":1}`)

	lines := strings.Split(metricsOf(t, g), "\n")
	for _, want := range []string{
		`phones_requests_total{outcome="call-tracking"} 2`,
		`phones_requests_total{outcome="real"} 1`,
		`phones_requests_total{outcome="anonymous"} 1`,
		`phones_requests_total{outcome="bad_request"} 1`,
		`phones_requests_total{outcome="upstream_error"} 1`,
		`phones_requests_total{outcome="upstream_timeout"} 0`,
		`phones_request_duration_seconds_count 6`,
		`phones_cache_lookups_total{cache="tracking",result="miss"} 1`,
		`phones_cache_lookups_total{cache="tracking",result="hit"} 1`,
		`phones_cache_lookups_total{cache="real",result="miss"} 1`,
		`phones_cache_entries{cache="real"} 1`,
		`phones_cache_entries{cache="tracking"} 1`,
		`phones_upstream_duration_seconds_count{upstream="users"} 2`,
		`phones_upstream_errors_total{status="502",upstream="users"} 1`,
		`phones_sync_changes_total{to="on"} 1`,
		`phones_sync_changes_total{to="off"} 2`,
		`phones_call_tracking_users 499`,
		`phones_warm_goal_entries 0`,
	} {
		if !slices.Contains(lines, want) {
			t.Errorf("no line %q", want)
		}
	}
	for _, prefix := range []string{"go_memstats_heap_objects ", "go_gc_duration_seconds",
		"process_cpu_seconds_total "} {
		if !strings.Contains(strings.Join(lines, "\n"), prefix) {
			t.Errorf("no metric %q", prefix)
		}
	}
}
