package instance

import (
	"runtime/debug"
	"testing"
)

func TestBuildName(t *testing.T) {
	for path, want := range map[string]string{
		"github.com/nats-io/nats-server/v2": "nats-server",
		"example.org/shop/cmd/orders":       "orders",
		"example.org/vault":                 "vault",
		"example.org/v":                     "v",
		"v2":                                "v2",
		"command-line-arguments":            "",
		"":                                  "",
	} {
		if got := buildName(&debug.BuildInfo{Path: path}); got != want {
			t.Errorf("the binary of %q is called %q, want %q", path, got, want)
		}
	}
}
