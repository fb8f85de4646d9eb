//go:build linux

package cli_test

import (
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
)

// TestProveProtocols proves servers that speak gRPC and HTTP/2, with and without TLS, under loads that change. B
// allocates 400 objects more per request, and a pprof server on its own port shows what they are.
func TestProveProtocols(t *testing.T) {
	t.Parallel()
	times := make([]string, 400) // 100 a second, in pairs
	for i := range times {
		times[i] = strconv.FormatFloat(float64(i/2)*0.02, 'f', 2, 64)
	}
	// by a name of its own, so that leftovers can be told from those of other tests
	server := filepath.Join(t.TempDir(), "server")
	if err := os.Link(os.Args[0], server); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if left := running(t, server); len(left) > 0 {
			t.Errorf("servers are left: %v", left)
		}
	})
	for _, c := range []struct {
		mode string
		args []string
		url  string
		load string
	}{
		{"grpc", []string{"--pace", "ramp 50..150 10s"}, "grpc://127.0.0.1:{port}/grpc.health.v1.Health/Check",
			"ramp 50..150 10s to grpc://"},
		{"h2c", []string{"--pace", "step 50..150 by 50 every 2s", "--protocol", "http/2"}, "/",
			"step 50..150 by 50 every 2s to http://"},
		{"tls", []string{"--pace", "sine 50..150 every 2s 6s", "--insecure"}, "https://127.0.0.1:{port}/",
			"sine 50..150 every 2s 6s to https://"},
		{"h2c", []string{"--pace", "replay " + write(t, "times", strings.Join(times, "\n")+"\n"), "--protocol",
			"http/2"}, "/", "replay "},
	} {
		t.Run(c.mode+" "+strings.Fields(c.load)[0], func(t *testing.T) {
			t.Parallel()
			args := []string{"prove", "--key", "allocs", "--slice", "200ms", "--warmup", "200ms", "--profile", "1s",
				"--max-time", "10m",
				"--a-env", serverMode + "=" + c.mode, "--b-env", serverMode + "=" + c.mode, "--b-env",
				serverWaste + "=400"}
			args = append(append(args, c.args...), server+" 127.0.0.1:{port} 127.0.0.1:{pprof}", c.url)
			casebook(t, t.TempDir(), args...).want(t, 1, "allocs *", "worse", "noise floor: A/A", c.load,
				"from all over it")
		})
	}
}
