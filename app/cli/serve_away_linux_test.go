package cli_test

import (
	"context"
	"maps"
	"net/http"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/gocasebook/casebook/casefile"
	"github.com/gocasebook/casebook/reporter"
)

// A sender is a watch's own way of sending cases: a queue with a spool.
type sender struct {
	queue *reporter.Queue
	cases casefile.Dir
	spool string
	sums  map[string]string // of what was put
}

// startSender runs a queue that sends to a server, and looks again soon.
func startSender(t *testing.T, url string) *sender {
	t.Helper()
	sn := &sender{cases: casefile.Dir(t.TempDir()), spool: t.TempDir(), sums: map[string]string{}}
	to, err := reporter.Collector(reporter.CollectorConfig{URL: url, Spool: sn.spool, Token: mustSecret(t, "serve-token"),
		Retry: reporter.Retry{First: 50 * time.Millisecond, Max: 500 * time.Millisecond}})
	if err != nil {
		t.Fatal(err)
	}
	if sn.queue, err = reporter.NewQueue([]reporter.Reporter{to}, reporter.QueueOptions{}); err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	ended := make(chan error, 1)
	go func() { ended <- sn.queue.Run(ctx) }()
	t.Cleanup(func() {
		cancel()
		if err := <-ended; err != nil {
			t.Error(err)
		}
	})
	return sn
}

// put gives the sender some cases and waits until they are in its spool, or sent.
func (sn *sender) put(t *testing.T, n int) {
	t.Helper()
	for range n {
		at := time.Now().UTC().Truncate(time.Second)
		w, err := sn.cases.Create(casefile.Case{Schema: casefile.Schema, ID: casefile.NewID(at, "gc-cpu"), Opened: at,
			Target: casefile.Target{Name: "shop"}, Trigger: casefile.Trigger{Rule: "gc-cpu", Time: at, Text: "it was"},
			Diagnosis: casefile.Diagnosis{Findings: []casefile.Finding{{ID: "X001", Kind: "gc-cpu", Score: 50}}}})
		if err != nil {
			t.Fatal(err)
		}
		data := []byte(strings.Repeat(w.ID(), 1000))
		if err := w.Add(casefile.Evidence{Kind: casefile.CPU, File: parcelFile, Phase: casefile.During, Taken: at}, data); err != nil {
			t.Fatal(err)
		}
		f, err := w.Commit()
		if err != nil {
			t.Fatal(err)
		}
		sn.sums[f.Case.ID] = f.Case.Evidence[0].SHA256
		sn.queue.Put(reporter.Report{Case: f.Case, Folder: f.Path, Service: "shop"})
	}
	awaitThat(t, "all cases are in the spool", func() bool {
		return sn.waiting(t)+sn.queue.Status()[0].Sent >= len(sn.sums)
	})
}

// waiting counts the cases in the spool.
func (sn *sender) waiting(t *testing.T) (n int) {
	t.Helper()
	files, err := os.ReadDir(sn.spool)
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range files {
		if strings.HasSuffix(f.Name(), ".zip") {
			n++
		}
	}
	return n
}

func awaitThat(t *testing.T, what string, test func() bool) {
	t.Helper()
	for end := time.Now().Add(patience); !test(); time.Sleep(20 * time.Millisecond) {
		if time.Now().After(end) {
			t.Fatalf("waited %s: %s", patience, what)
		}
	}
}

// What a server keeps its cases in goes away: ended, or there without an answer. Senders are told to come back, their
// spools hold what is new, and when it is back all of it arrives.
func TestServerWithoutItsStore(t *testing.T) {
	t.Parallel()
	pg, s3, flags := teamStore(t)
	s := serve(t, flags...)
	sn := startSender(t, s.url)
	for _, tt := range []struct {
		name         string
		away         func() error
		back         func() error
		reads, lists int // what those who read evidence, and the list, are answered
	}{
		{"PostgreSQL ended", func() error { pg.Stop(); return nil }, pg.Start, 503, 503},
		{"PostgreSQL frozen", pg.Freeze, pg.Thaw, 503, 503},
		{"S3 ended", func() error { s3.Stop(); return nil }, s3.Start, 503, 200},
		{"S3 frozen", s3.Freeze, s3.Thaw, 0, 200},
	} {
		t.Run(tt.name, func(t *testing.T) {
			sn.put(t, 2)
			awaitThat(t, "the first cases are sent", func() bool { return sn.queue.Status()[0].Sent == len(sn.sums) })
			known := maps.Clone(sn.sums)
			if err := tt.away(); err != nil {
				t.Fatal(err)
			}
			sent := len(sn.sums)
			sn.put(t, 5)
			if resp, _ := s.get(t, "/readyz"); resp.StatusCode != http.StatusServiceUnavailable {
				t.Errorf("/readyz: %s, want 503", resp.Status)
			}
			if resp, _ := s.get(t, "/healthz"); resp.StatusCode != http.StatusOK {
				t.Errorf("/healthz: %s, want 200", resp.Status)
			}
			s.wantUnavailable(t, "/", tt.lists)
			if tt.reads != 0 { // otherwise nothing is answered until it is back, or its patience is over
				s.wantRefused(t)
				s.wantUnavailable(t, "/api/v1/cases/"+oneOf(known)+"/evidence/"+parcelFile, tt.reads)
			}
			if n, status := sn.waiting(t), sn.queue.Status()[0]; n != 5 || status.Sent != sent {
				t.Errorf("%d cases wait in the spool, want 5; %+v", n, status)
			}
			if err := tt.back(); err != nil {
				t.Fatal(err)
			}
			awaitThat(t, "all cases are sent", func() bool { return sn.queue.Status()[0].Sent == len(sn.sums) })
			if n := sn.waiting(t); n != 0 {
				t.Errorf("%d cases are left in the spool", n)
			}
			s.wantWhole(t, sn.sums)
			if status := sn.queue.Status()[0]; status.Failed+status.Dropped > 0 {
				t.Errorf("the sender gave up: %+v", status)
			}
		})
	}
}

func oneOf(sums map[string]string) (id string) {
	for id = range sums {
		break
	}
	return id
}

// wantUnavailable fails unless a request is answered so, and a 503 with when to come back.
func (s *serving) wantUnavailable(t *testing.T, path string, code int) {
	t.Helper()
	resp, body := s.get(t, path)
	if resp.StatusCode != code || code == http.StatusServiceUnavailable && resp.Header.Get("Retry-After") == "" {
		t.Errorf("%s: %s, Retry-After %q, want %d: %.200s", path, resp.Status, resp.Header.Get("Retry-After"), code, body)
	}
}

// wantRefused fails unless an upload is answered 503 with when to come back.
func (s *serving) wantRefused(t *testing.T) {
	t.Helper()
	p := newParcel(t, 1000)
	resp, err := p.put(s.url)
	if err != nil {
		t.Fatal(err)
	}
	if resp.StatusCode != http.StatusServiceUnavailable || resp.Header.Get("Retry-After") == "" {
		t.Errorf("an upload is answered %s, Retry-After %q", resp.Status, resp.Header.Get("Retry-After"))
	}
}
