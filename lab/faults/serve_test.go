package faults_test

import (
	"context"
	"io"
	"net/http"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/gocasebook/casebook/lab/faults"
)

// echo is a fault whose service counts its requests.
func echo(calls *atomic.Int64, background func(context.Context)) *faults.Fault {
	return &faults.Fault{Kind: "echo", Faulty: func() faults.Service {
		return faults.Service{
			Handler: http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				b, _ := io.ReadAll(r.Body)
				if r.Method == http.MethodPost && strings.HasPrefix(r.URL.Path, "/echo/") && string(b) == "body" {
					calls.Add(1)
				}
			}),
			Load: []faults.Call{{Method: http.MethodPost, Path: "/echo/%d", PerSecond: 200,
				Body: func(int) []byte { return []byte("body") }}},
			Background: background,
		}
	}}
}

// TestServeAndDrive runs a whole service and its load until the load has been answered, then ends both.
func TestServeAndDrive(t *testing.T) {
	ctx, cancel := context.WithTimeout(t.Context(), 8*time.Minute)
	defer cancel()
	var calls atomic.Int64
	worked := make(chan struct{})
	f := echo(&calls, func(ctx context.Context) {
		close(worked)
		<-ctx.Done()
	})
	var all sync.WaitGroup
	at := make(chan faults.Addresses, 1)
	all.Go(func() {
		if err := faults.Serve(ctx, f, faults.Faulty, func(a faults.Addresses) { at <- a }); err != nil {
			t.Errorf("Serve: %v", err)
		}
	})
	where := <-at
	all.Go(func() {
		if err := faults.Drive(ctx, where.Service, f.Faulty().Load); err != nil {
			t.Errorf("Drive: %v", err)
		}
	})
	<-worked
	for calls.Load() < 20 && ctx.Err() == nil {
		time.Sleep(time.Millisecond)
	}
	want(t, where.Pprof+"/debug/pprof/goroutine?debug=1", "goroutine profile: total")
	want(t, where.Service+"/shop/search?q=red+chair", "chair")
	cancel()
	all.Wait()
	if calls.Load() < 20 {
		t.Errorf("%d calls were answered, want 20 or more", calls.Load())
	}
}

func want(t *testing.T, url, text string) {
	t.Helper()
	resp, err := http.Get(url)
	if err != nil {
		t.Errorf("getting %s: %v", url, err)
		return
	}
	defer resp.Body.Close()
	b, err := io.ReadAll(resp.Body)
	if err != nil || !strings.Contains(string(b), text) {
		t.Errorf("%s answered %s %.200q (%v), want %q in it", url, resp.Status, b, err, text)
	}
	http.DefaultClient.CloseIdleConnections()
}

func TestVariants(t *testing.T) {
	f := echo(new(atomic.Int64), nil)
	for name, text := range map[string]string{
		"faulty": "", "repaired": "no program for its variant", "limit": "no program for its variant",
		"other": "has no variant",
	} {
		_, err := f.Variant(name)
		if (err == nil) != (text == "") || err != nil && !strings.Contains(err.Error(), text) {
			t.Errorf("variant %s: %v, want %q", name, err, text)
		}
	}
}
