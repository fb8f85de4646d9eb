//go:build linux

package casebook_test

import (
	"context"
	"net/http"
	"net/http/httptest"
	"net/http/pprof"
	"strings"
	"testing"
	"time"

	"github.com/gocasebook/casebook"
	"github.com/gocasebook/casebook/casefile"
)

// From outside, a service whose own windows hold the CPU profiler says so. With ProfileHandler mounted it serves them.
func TestProfilerHeldByOwnWindows(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	w, err := casebook.New(casebook.Config{
		Dir: t.TempDir(), Interval: 100 * time.Millisecond, TraceCost: -1, Rules: when("goroutines", 1e9),
	})
	if err != nil {
		t.Fatal(err)
	}
	ran := make(chan error, 1)
	go func() { ran <- w.Run(ctx) }()
	until(ctx, func() bool { s := w.Status(); return s.Windows != nil && s.Windows.State == "running" })
	plain, mounted := http.NewServeMux(), http.NewServeMux()
	for _, mux := range []*http.ServeMux{plain, mounted} {
		mux.HandleFunc("/debug/pprof/", pprof.Index)
	}
	plain.HandleFunc("/debug/pprof/profile", pprof.Profile)
	mounted.Handle("/debug/pprof/profile", w.ProfileHandler())
	outside, served := httptest.NewServer(plain), httptest.NewServer(mounted)
	defer outside.Close()
	defer served.Close()
	var profileErr error
	until(ctx, func() bool { // the profiler is free for a moment between two windows
		_, profileErr = httpTarget(t, outside.URL).Capture(ctx, casefile.CPU, time.Second)
		return profileErr != nil
	})
	for _, want := range []string{"Casebook's own rolling windows", "mount Watch.ProfileHandler"} {
		if !strings.Contains(profileErr.Error(), want) {
			t.Errorf("want %q in %v", want, profileErr)
		}
	}
	if p, err := httpTarget(t, served.URL).Capture(ctx, casefile.CPU, time.Second); err != nil || len(p.Data) == 0 {
		t.Errorf("with ProfileHandler: %v", err)
	}
	cancel()
	if err := <-ran; err != nil {
		t.Error(err)
	}
}
