package access_test

import (
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/gocasebook/casebook/app/access"
)

func here() *http.Request {
	r := httptest.NewRequest(http.MethodGet, "/", nil)
	r.RemoteAddr, r.Host = "127.0.0.1:5", "127.0.0.1:7070"
	return r
}

// A code signs in one browser, of those that try at once. The next code is told.
func TestDeskCodeIsGoodOnce(t *testing.T) {
	var told []string
	d := access.NewDesk(access.NewSecret(), func(code string) { told = append(told, code) })
	code, now := d.Code(), time.Unix(1_800_000_000, 0)
	proxied := here()
	proxied.Header.Set("X-Forwarded-For", "")
	for name, c := range map[string]struct {
		r    *http.Request
		code string
	}{"another code": {here(), "x"}, "none": {here(), ""}, "through a proxy": {proxied, code}} {
		if _, ok := d.SignIn(c.r, c.code, now); ok {
			t.Errorf("%s signs in", name)
		}
	}
	var in atomic.Int32
	var work sync.WaitGroup
	for range 16 {
		work.Go(func() {
			if _, ok := d.SignIn(here(), code, now); ok {
				in.Add(1)
			}
		})
	}
	work.Wait()
	if in.Load() != 1 || len(told) != 1 || told[0] != d.Code() || told[0] == code {
		t.Errorf("%d browsers are signed in by %s; told was %q, the next is %s", in.Load(), code, told, d.Code())
	}
}

func TestDeskSession(t *testing.T) {
	secret, now := access.NewSecret(), time.Unix(1_800_000_000, 0)
	d := access.NewDesk(secret, func(string) {})
	cookie, ok := d.SignIn(here(), d.Code(), now)
	if !ok || !cookie.HttpOnly || cookie.SameSite != http.SameSiteLaxMode || cookie.Path != "/" || cookie.Domain != "" {
		t.Fatalf("the cookie is %+v", cookie)
	}
	with := func(value string, change func(*http.Request)) *http.Request {
		r := here()
		r.AddCookie(&http.Cookie{Name: cookie.Name, Value: value})
		if change != nil {
			change(r)
		}
		return r
	}
	until, rest, _ := strings.Cut(cookie.Value, ".")
	nothing := func(string) {}
	for name, c := range map[string]struct {
		d    *access.Desk
		r    *http.Request
		at   time.Time
		want bool
	}{
		"the browser":                   {d, with(cookie.Value, nil), now, true},
		"after a new start":             {access.NewDesk(secret, nothing), with(cookie.Value, nil), now, true},
		"another server's":              {access.NewDesk(access.NewSecret(), nothing), with(cookie.Value, nil), now, false},
		"after 30 days":                 {d, with(cookie.Value, nil), now.Add(30 * 24 * time.Hour), false},
		"no cookie":                     {d, here(), now, false},
		"an empty one":                  {d, with("", nil), now, false},
		"one that is good longer":       {d, with("9"+until[1:]+"."+rest, nil), now, false},
		"without its signature":         {d, with(until+"."+rest[:26], nil), now, false},
		"beside one of somebody else's": {d, with(cookie.Value, func(r *http.Request) { r.AddCookie(cookie) }), now, true},
		"taken to another machine": {d, with(cookie.Value, func(r *http.Request) {
			r.RemoteAddr = "10.0.0.1:5"
		}), now, false},
		"through a proxy": {d, with(cookie.Value, func(r *http.Request) { r.Header.Set("Via", "") }), now, false},
	} {
		if got := c.d.SignedIn(c.r, c.at); got != c.want {
			t.Errorf("%s: %t, want %t", name, got, c.want)
		}
	}
}
