package instance

import (
	"strings"
	"testing"

	"github.com/gocasebook/casebook/internal/redact"
)

func TestCandidates(t *testing.T) {
	for _, c := range []struct{ in, want string }{
		{"localhost:6060", "http://localhost:6060/debug/pprof/ http://localhost:6060/"},
		{"http://h:1/", "http://h:1/debug/pprof/ http://h:1/"},
		{"http://h:1/debug/pprof",
			"http://h:1/debug/pprof http://h:1/debug/pprof/ http://h:1/debug/pprof/debug/pprof/"},
		{"https://h/svc/debug/pprof/heap?debug=1&seconds=3",
			"https://h/svc/debug/pprof/ https://h/svc/debug/pprof/debug/pprof/ https://h/debug/pprof/"},
		{"http://h/admin/pprof/", "http://h/admin/pprof/ http://h/admin/pprof/debug/pprof/ http://h/debug/pprof/"},
		{"http://h/admin/pprof",
			"http://h/admin/pprof http://h/admin/pprof/ http://h/admin/pprof/debug/pprof/ http://h/debug/pprof/"},
		{"http://h/internal/profile?seconds=30",
			"http://h/internal/ http://h/internal/debug/pprof/ http://h/debug/pprof/"},
		{"http://h/debug/pprof/?token=x&gc=1",
			"http://h/debug/pprof/?token=x http://h/debug/pprof/debug/pprof/?token=x"},
		{"unix:///run/app.sock", "unix:///run/app.sock:/debug/pprof/ unix:///run/app.sock:/"},
		{"unix:///run/app.sock:/admin/pprof/",
			"unix:///run/app.sock:/admin/pprof/ unix:///run/app.sock:/admin/pprof/debug/pprof/ " +
				"unix:///run/app.sock:/debug/pprof/"},
	} {
		u, err := parseURL(c.in)
		if err != nil {
			t.Errorf("%q: %v", c.in, err)
			continue
		}
		var got []string
		for _, u := range candidates(u) {
			got = append(got, u.String())
		}
		if got := strings.Join(got, " "); got != c.want {
			t.Errorf("%q: tried are\n%s, want\n%s", c.in, got, c.want)
		}
	}
}

func TestWrongURLs(t *testing.T) {
	for _, c := range []struct{ in, fault string }{
		{"ftp://h", "scheme"}, {"http://", "names no host"}, {"http://h:port", "not a URL"}, {"", "names no host"},
		{"unix://run/app.sock", "names no socket"}, {"unix://", "names no socket"},
	} {
		if _, err := parseURL(c.in); err == nil || !strings.Contains(err.Error(), c.fault) {
			t.Errorf("%q: error is %v, want %q in it", c.in, err, c.fault)
		}
	}
}

func TestUnixAddresses(t *testing.T) {
	u, err := parseURL("unix:///run/my app.sock:/admin/?token=x")
	if err != nil {
		t.Fatal(err)
	}
	if socket, page := splitUnix(u); socket != "/run/my app.sock" || page != "/admin/" {
		t.Errorf("the socket is %q, the page %q", socket, page)
	}
	if got := wire(u).String(); got != "http://localhost/admin/?token=x" {
		t.Errorf("sent to %s", got)
	}
	if got := redact.URL(at(u, "/metrics")); got != "unix:///run/my%20app.sock:/metrics" {
		t.Errorf("shown as %s", got)
	}
}
