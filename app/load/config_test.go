package load_test

import (
	"context"
	"errors"
	"math"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/gocasebook/casebook/app/load"
)

func TestRunRefusesConfig(t *testing.T) {
	for _, c := range []struct {
		name   string
		change func(*load.Config)
		want   string
	}{
		{"no request", func(c *load.Config) { c.Request = nil }, "Request is nil"},
		{"a call and a request", func(c *load.Config) { c.Call = func(uint64) (load.Call, error) { return nil, nil } },
			"Call is set"},
		{"a client and a protocol", func(c *load.Config) { c.Client, c.Protocol = http.DefaultClient, load.HTTP2 },
			"Client is set"},
		{"no such protocol", func(c *load.Config) { c.Protocol = "http/3" }, "http/3"},
		{"too many connections", func(c *load.Config) { c.Connections = 1 << 20 }, "Connections is 1048576"},
		{"error share in percent", func(c *load.Config) { c.MaxErrorShare = 5 }, "MaxErrorShare is 5"},
		{"no rate", func(c *load.Config) { c.Rate = 0 }, "Rate is 0"},
		{"negative rate", func(c *load.Config) { c.Rate = -1 }, "Rate is -1"},
		{"NaN", func(c *load.Config) { c.Rate = math.NaN() }, "Rate is NaN"},
		{"infinite", func(c *load.Config) { c.Rate = math.Inf(1) }, "Rate is +Inf"},
		{"rate and pace", func(c *load.Config) { c.Pace = load.Constant(1) }, "Pace is set"},
		{"no duration", func(c *load.Config) { c.Duration = 0 }, "Duration is 0s"},
		{"negative duration", func(c *load.Config) { c.Duration = -time.Second }, "Duration is -1s"},
		{"negative timeout", func(c *load.Config) { c.Timeout = -1 }, "Timeout is -1ns"},
		{"negative window", func(c *load.Config) { c.Window = -time.Second }, "Window is -1s"},
		{"window too short", func(c *load.Config) { c.Window = time.Microsecond }, "Window is 1µs"},
		{"negative cap", func(c *load.Config) { c.MaxInFlight = -1 }, "MaxInFlight is -1"},
	} {
		t.Run(c.name, func(t *testing.T) {
			cfg := load.Config{Rate: 1, Duration: time.Millisecond, Request: get("http://127.0.0.1:1/")}
			c.change(&cfg)
			_, err := load.Run(context.Background(), cfg)
			if err == nil || !strings.Contains(err.Error(), c.want) {
				t.Errorf("err = %v, want one with %q", err, c.want)
			}
		})
	}
}

func TestRunRefusesRequest(t *testing.T) {
	bad := errors.New("no more lines")
	for _, c := range []struct {
		name    string
		request func(uint64) (*http.Request, error)
		want    string
	}{
		{"an error", func(uint64) (*http.Request, error) { return nil, bad }, "building request 0: no more lines"},
		{"nothing", func(uint64) (*http.Request, error) { return nil, nil }, "returned no request"},
		{"another machine", get("http://192.0.2.1/"),
			"192.0.2.1 is not a loopback address: add the host to AllowHosts"},
		{"any address", get("http://0.0.0.0:1/"), "not a loopback address"},
		{"IPv6 of another machine", get("http://[2001:db8::1]/"), "not a loopback address"},
		{"mapped address of another machine", get("http://[::ffff:192.0.2.1]/"), "not a loopback address"},
		{"no host", get("http:///x"), "has no host"},
		{"no such host", get("http://nowhere.invalid/"), "resolving the host"},
	} {
		t.Run(c.name, func(t *testing.T) {
			_, err := load.Run(context.Background(), load.Config{Rate: 100, Duration: time.Second, Request: c.request})
			if err == nil || !strings.Contains(err.Error(), c.want) {
				t.Errorf("err = %v, want one with %q", err, c.want)
			}
		})
	}
}
