package feature

import (
	"bytes"
	"context"
	"io"
	"net/http"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/gocasebook/casebook/internal/leaktest"
	"github.com/gocasebook/casebook/lab/redis"
	"github.com/gocasebook/casebook/lab/serve"
	"github.com/gocasebook/casebook/lab/serve/servetest"
)

func TestMain(m *testing.M) {
	os.Exit(leaktest.Check(m.Run(), "lab/feature", "net/http.", "go-redis", "remedy/"))
}

// startRedis starts a real one, which ends with the test.
func startRedis(t *testing.T) *redis.Server {
	t.Helper()
	s, err := redis.Start(t.Context(), t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := s.Stop(); err != nil {
			t.Error(err)
		}
	})
	return s
}

// startCompute runs a compute tier with a timeout that a busy machine can keep. extra are more flags.
func startCompute(t *testing.T, extra ...string) (*servetest.Process, serve.Addresses) {
	t.Helper()
	return startMain(t, ComputeMain, extra)
}

// startAPI runs an API tier on replicas of the compute tier.
func startAPI(t *testing.T, compute string, extra ...string) (*servetest.Process, serve.Addresses) {
	t.Helper()
	return startMain(t, Main, append([]string{"-compute-url", compute}, extra...))
}

type mainFunc = func(context.Context, []string, io.Writer, io.Writer) int

func startMain(t *testing.T, main mainFunc, extra []string) (*servetest.Process, serve.Addresses) {
	t.Helper()
	var where serve.Addresses
	args := append([]string{"-listen", "127.0.0.1:0", "-pprof", "127.0.0.1:0", "-timeout", "1m"}, extra...)
	return servetest.Start(t, main, &where, args...), where
}

// fetch does a GET on its own connection and returns status and body.
func fetch(t *testing.T, url string) (int, string) {
	t.Helper()
	req, err := http.NewRequestWithContext(t.Context(), http.MethodGet, url, nil)
	if err != nil {
		t.Fatal(err)
	}
	req.Close = true
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		t.Fatalf("GET %s: %v", url, err)
	}
	defer resp.Body.Close()
	body, err := io.ReadAll(resp.Body)
	if err != nil {
		t.Fatalf("GET %s: reading the answer: %v", url, err)
	}
	return resp.StatusCode, string(body)
}

// waitFor asks until ok is true, for minutes on a busy machine.
func waitFor(t *testing.T, what string, ok func() bool) {
	t.Helper()
	tick := time.NewTicker(5 * time.Millisecond)
	defer tick.Stop()
	const limit = 5 * time.Minute
	for deadline := time.Now().Add(limit); !ok(); <-tick.C {
		if time.Now().After(deadline) {
			t.Fatalf("%s did not come within %v", what, limit)
		}
	}
}

// waitReady waits until the caches are warm.
func waitReady(t *testing.T, listen string) {
	t.Helper()
	waitFor(t, "readiness", func() bool {
		status, _ := fetch(t, "http://"+listen+"/readyz")
		return status == http.StatusOK
	})
}

func TestBadFlags(t *testing.T) {
	url := "-compute-url=http://h"
	for _, tt := range []struct {
		main mainFunc
		arg  string
		want string
	}{
		{Main, "-nope", "not defined"},
		{Main, "serve", "serve"},
		{Main, "-compute-url=127.0.0.1:80", "-compute-url must be a URL"},
		{Main, "-compute-url=http://a,http://b/", "-compute-url must be a URL"},
		{Main, "-decode=half", "-decode must be one of whole, fields"},
		{Main, "-call=twice", "-call must be one of single, hedged"},
		{Main, "-timeout=0s", "-timeout"},
		{Main, "-max-in-flight=0", "-max-in-flight must be from 1"},
		{Main, "-drain=0s", "-drain"},
		{ComputeMain, "-cache=lru", "-cache must be one of none, decoded, segments"},
		{ComputeMain, "-cache-groups=3", "-cache-groups must be from 4"},
		{ComputeMain, "-join=zip", "-join must be one of decode, copy"},
		{ComputeMain, "-expiry=never", "-expiry must be one of boundary, keyed, jitter"},
		{ComputeMain, "-period=1ms", "-period must be 100ms or more"},
		{ComputeMain, "-redis=6379", "-redis must be host:port"},
		{ComputeMain, "-redis-timeout=-1s", "-redis-timeout"},
		{ComputeMain, "-events=-1", "-events"},
		{ComputeMain, "-origin-slots=0", "-origin-slots"},
		{ComputeMain, "-warm=1000000", "-warm must be from 0 to 250000"},
		{ComputeMain, "-pause-share=1.5", "-pause-share"},
		{ComputeMain, "-pause-share=NaN", "-pause-share"},
		{ComputeMain, "-pause-mean=0s", "-pause-mean"},
		{ComputeMain, "-cpus=-1", "-cpus"},
	} {
		t.Run(tt.arg, func(t *testing.T) {
			args := []string{tt.arg}
			if strings.Contains(tt.want, "decode must") || strings.Contains(tt.want, "call must") ||
				strings.Contains(tt.want, "-max") {
				args = []string{url, tt.arg}
			}
			var stdout, stderr bytes.Buffer
			if code := tt.main(t.Context(), args, &stdout, &stderr); code != 2 ||
				!strings.Contains(stderr.String(), tt.want) || stdout.Len() > 0 {
				t.Errorf("exit code %d, stderr %q, stdout %q; want 2 and %q", code, &stderr, &stdout, tt.want)
			}
		})
	}
}

func TestHelpIsNotAnError(t *testing.T) {
	for _, main := range []mainFunc{Main, ComputeMain} {
		var stderr bytes.Buffer
		if code := main(t.Context(), []string{"-help"}, io.Discard, &stderr); code != 0 ||
			!strings.Contains(stderr.String(), "-max-in-flight") {
			t.Errorf("-help: exit code %d, stderr %q; want 0 and the flags", code, &stderr)
		}
	}
}

func TestGracefulStop(t *testing.T) {
	compute, at := startCompute(t, "-events", "10")
	api, where := startAPI(t, "http://"+at.Listen)
	if status, body := fetch(t, "http://"+where.Listen+"/features?user=7&model=fraud"); status != http.StatusOK {
		t.Fatalf("before the stop: %d %s", status, body)
	}
	for name, p := range map[string]*servetest.Process{"API": api, "compute": compute} {
		p.Stop()
		if code := <-p.Code; code != 0 || !strings.Contains(p.Stderr.String(), "stopping") {
			t.Errorf("%s tier: exit code %d, stderr:\n%s\nwant 0", name, code, p.Stderr)
		}
	}
}

func TestAddressInUse(t *testing.T) {
	_, at := startCompute(t, "-events", "10")
	var stderr bytes.Buffer
	code := ComputeMain(t.Context(), []string{"-listen", at.Listen}, io.Discard, &stderr)
	if code != 1 || !strings.Contains(stderr.String(), "give another address with -listen") {
		t.Errorf("exit code %d, stderr %q; want 1 and what to do", code, &stderr)
	}
}
