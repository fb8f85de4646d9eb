package fleet

import (
	"strings"
	"testing"
	"time"

	"github.com/gocasebook/casebook/app/engine/enginetest"
)

// Services of one engine are targets of their own, and so are services of one name that two tenants have. Each is asked
// for as its own tenant.
func TestServicesOfOneEngine(t *testing.T) {
	s := enginetest.NewPyroscope(t)
	for _, of := range []string{"checkout shop", "checkout cart", "search shop"} {
		tenant, service, _ := strings.Cut(of, " ")
		s.Tenant(tenant).Add(map[string]string{"service_name": service}, "process_cpu", time.Now(),
			enginetest.Recorded(t, "nats-slow", "cpu.pb.gz"))
	}
	address := "pyroscope://" + s.Host + "?since=1h&service="
	r := run(t, nil, at127(address+"shop&tenant=checkout"), at127(address+"cart&tenant=checkout"),
		at127(address+"shop&tenant=search"), at127(address+"cart&tenant=search"))
	await(t, "all to have been asked for", func() bool {
		asked := 0
		for _, one := range r.Targets() {
			if one.State != Starting {
				asked++
			}
		}
		return asked == 4
	})
	urls := make(map[string]State)
	for _, one := range r.Targets() {
		urls[one.URL] = one.State
		absent := strings.Contains(one.URL, "cart") && one.State == Silent // search has none
		if one.State != Watched && !absent || strings.Contains(one.URL, "checkout") {
			t.Errorf("%s is %s (%s)", one.URL, one.State, one.Problem)
		}
	}
	if len(urls) != 4 {
		t.Errorf("the targets are %v, want four", urls)
	}
	silent := 0
	for _, state := range urls {
		if state == Silent {
			silent++
		}
	}
	if silent != 1 {
		t.Errorf("%d targets are silent in %v, want the cart of search alone, which has none", silent, urls)
	}
	tenants := make(map[string]bool)
	for _, q := range s.Asked() {
		tenants[q.Header.Get("X-Scope-OrgID")] = true
	}
	if len(tenants) != 2 || !tenants["checkout"] || !tenants["search"] {
		t.Errorf("asked as %v", tenants)
	}
}
