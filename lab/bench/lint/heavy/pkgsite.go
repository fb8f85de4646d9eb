package heavy

import (
	"context"
	"math/rand/v2"
)

// pkgsite shows the documentation of the standard library and of three modules, as in a company that serves its own.
func pkgsite() Service {
	return Service{
		Name: "pkgsite", Module: "golang.org/x/pkgsite", Version: "v0.6.0", Main: "cmd/pkgsite", Unseen: true,
		Args: []string{"-http", "127.0.0.1:{port}", "-list=false", "{sources}/node_exporter", "{sources}/nats-server",
			"{sources}/statsd_exporter"},
		Env:   []string{"GOWORK=off", "GOFLAGS=-mod=mod"},
		Ready: "/about",
		Load: func(ctx context.Context, on Target) error {
			packages := []string{"fmt", "strings", "net/http", "go/ast", "encoding/json", "time", "os", "reflect", "sync",
				"html/template", "crypto/tls", "database/sql", "bufio", "context", "errors", "path/filepath",
				"github.com/prometheus/node_exporter", "github.com/prometheus/node_exporter/collector",
				"github.com/nats-io/nats-server/v2/server", "github.com/nats-io/nats-server/v2/conf",
				"github.com/nats-io/nats-server/v2", "github.com/prometheus/statsd_exporter",
				"github.com/prometheus/statsd_exporter/pkg/mapper"}
			return together(ctx, times(4, browser(on, "http://"+on.Addr, func(r *rand.Rand) request {
				p := pick(r, packages)
				switch r.IntN(12) {
				case 0:
					return get("/" + p + "?tab=imports")
				case 1:
					return get("/" + p + "?tab=versions")
				case 2:
					return get("/" + p + "?tab=licenses")
				case 3:
					return get("/search?q=" + pick(r, []string{"json", "server", "collector", "Reader", "http+client", "%23Marshal"}))
				case 4:
					return get(pick(r, []string{"/v1/package/" + p, "/v1/symbols/" + p, "/v1/module/github.com/nats-io/nats-server/v2"}))
				case 5:
					return get(pick(r, []string{"/std", "/", "/about", "/static/frontend/frontend.min.css", "/license-policy"}))
				}
				return get("/" + p)
			}))...)
		},
	}
}
