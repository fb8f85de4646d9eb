package heavy

import (
	"context"
	"fmt"
	"math/rand/v2"
	"net/url"
)

// blackbox probes web pages and ports on this machine, as several Prometheus servers have it do.
func blackbox() Service {
	return Service{
		Name: "blackbox_exporter", Module: "github.com/prometheus/blackbox_exporter", Version: "v0.28.0", Main: ".",
		Unseen: true,
		Args: []string{"--web.listen-address=127.0.0.1:{port}", "--config.file={dir}/blackbox.yml",
			"--log.level=error"},
		Config: map[string]string{"blackbox.yml": `modules:
  page:
    prober: http
    http:
      method: GET
      headers: {Accept-Language: en-US}
      fail_if_body_not_matches_regexp: ["Prometheus|Healthy", "[a-z]+"]
      fail_if_header_matches: [{header: Set-Cookie, regexp: ".*", allow_missing: true}]
  post:
    prober: http
    http: {method: POST, body: "a=b", valid_status_codes: [200, 404, 405]}
  port:
    prober: tcp
    tcp: {query_response: [{send: "GET / HTTP/1.0\r\n\r"}, {expect: "^HTTP/1"}]}
`},
		Ready: "/-/healthy",
		Load: func(ctx context.Context, on Target) error {
			probes := []struct{ module, target string }{{"page", "http://%s/"}, {"page", "http://%s/-/healthy"},
				{"post", "http://%s/config"}, {"port", "%s"}}
			return together(ctx, times(4, browser(on, "http://"+on.Addr, func(r *rand.Rand) request {
				if r.IntN(20) == 0 {
					return get("/metrics")
				}
				p := pick(r, probes)
				q := url.Values{"module": {p.module}, "target": {fmt.Sprintf(p.target, on.Addr)}}
				return get("/probe?" + q.Encode())
			}))...)
		},
	}
}
