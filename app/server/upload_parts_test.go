package server

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io"
	"math/rand/v2"
	"net"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/gocasebook/casebook/app/store"
	"github.com/gocasebook/casebook/casefile"
	"github.com/gocasebook/casebook/reporter"
)

// A case comes in parts; each answer says from where on the next one goes.
func TestUploadInParts(t *testing.T) {
	sv := newServed(t, func(c *Config) { c.MaxUpload = 1 << 20 })
	c, zip := newCase(t, "shop")
	sum := sha256.Sum256(zip)
	at := "/api/v1/cases/" + c.ID + "/uploads/" + hex.EncodeToString(sum[:])
	part := func(from, size any) []string {
		return []string{"Upload-Offset", fmt.Sprint(from), "Upload-Length", fmt.Sprint(size)}
	}
	n := len(zip)
	for _, tt := range []struct {
		name, method, path string
		body               []byte
		header             []string
		code               int
		offset             string
	}{
		{"nothing yet", "GET", at, nil, nil, 200, "0"},
		{"no offset", "PATCH", at, zip, nil, 400, ""},
		{"a negative one", "PATCH", at, zip, part(-1, n), 400, ""},
		{"too large", "PATCH", at, zip[:10], part(0, 2<<20), 413, ""},
		{"no ID", "PATCH", "/api/v1/cases/x/uploads/" + strings.Repeat("a", 64), zip, part(0, n), 400, ""},
		{"no digest", "PATCH", "/api/v1/cases/" + c.ID + "/uploads/abc", zip, part(0, n), 400, ""},
		{"another digest", "PATCH", "/api/v1/cases/" + c.ID + "/uploads/" + strings.Repeat("a", 64), zip, part(0, n), 422, ""},
		{"another site's page", "PATCH", at, zip[:10], append(part(0, n), "Sec-Fetch-Site", "cross-site"), 403, ""},
		{"the first part", "PATCH", at, zip[:100], part(0, n), 202, "100"},
		{"the first part again", "PATCH", at, zip[:100], part(0, n), 409, "100"},
		{"how much", "GET", at, nil, nil, 200, "100"},
		{"the rest", "PATCH", at, zip[100:], part(100, n), 201, fmt.Sprint(n)},
		{"all of it again", "PATCH", at, zip, part(0, n), 200, fmt.Sprint(n)},
	} {
		w := sv.ask(tt.method, tt.path, tt.body, tt.header...)
		if got := w.Header().Get("Upload-Offset"); w.Code != tt.code || got != tt.offset {
			t.Errorf("%s: answered %d, offset %q: %s; want %d, %q", tt.name, w.Code, got, w.Body, tt.code, tt.offset)
		}
	}
	if w := sv.ask("GET", "/api/v1/cases/"+c.ID+"/zip", nil); !bytes.Equal(w.Body.Bytes(), zip) {
		t.Errorf("the case differs from what was sent: %d, %d bytes", w.Code, w.Body.Len())
	}
}

// brokenLine forwards to a server, and cuts each connection after so many bytes of the sender.
func brokenLine(t *testing.T, to string, after int64) (url string, sent *atomic.Int64) {
	t.Helper()
	sent = &atomic.Int64{}
	l := listen(t)
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		for {
			from, err := l.Accept()
			if err != nil {
				return
			}
			forward(from, to, after, sent)
		}
	}()
	t.Cleanup(func() {
		_ = l.Close()
		<-ended
	})
	return "http://" + l.Addr().String(), sent
}

// forward serves one connection at a time: a watch has no more.
func forward(from net.Conn, to string, after int64, sent *atomic.Int64) {
	defer from.Close()
	server, err := net.Dial("tcp", to)
	if err != nil {
		return
	}
	answered := make(chan struct{})
	go func() {
		defer close(answered)
		_, _ = io.Copy(from, server)
		_ = from.Close() // the sender has its answer
	}()
	n, _ := io.Copy(server, io.LimitReader(from, after))
	sent.Add(n)
	if n == after {
		_ = from.Close()
	}
	_ = server.(*net.TCPConn).CloseWrite()
	<-answered
	_ = server.Close()
}

// largeCase has evidence that does not get smaller in a zip.
func largeCase(t *testing.T, size int) *casefile.Folder {
	t.Helper()
	at := time.Now().UTC().Truncate(time.Second)
	w, err := casefile.Dir(t.TempDir()).Create(casefile.Case{Schema: casefile.Schema, ID: casefile.NewID(at, "gc-cpu"),
		Opened: at, Target: casefile.Target{Name: "shop"}, Trigger: casefile.Trigger{Rule: "gc-cpu", Time: at, Text: "it was"}})
	if err != nil {
		t.Fatal(err)
	}
	data := make([]byte, size)
	var seed [32]byte
	_, _ = rand.NewChaCha8(seed).Read(data)
	if err := w.Add(casefile.Evidence{Kind: casefile.Trace, File: "during/trace.out", Phase: casefile.During, Taken: at},
		data); err != nil {
		t.Fatal(err)
	}
	f, err := w.Commit()
	if err != nil {
		t.Fatal(err)
	}
	return f
}

// A watch sends a case of 9 MB over a line that breaks after 3 MB each time: no try is whole, and none is for nothing.
func TestCollectorOverBrokenLine(t *testing.T) {
	sv := newServed(t, nil)
	token, err := sv.store.CreateToken(t.Context(), "watch", store.Uploader)
	if err != nil {
		t.Fatal(err)
	}
	web := httptest.NewServer(sv.Handler())
	defer web.Close()
	const size, after = 9_000_000, 3_000_000
	url, sent := brokenLine(t, web.Listener.Addr().String(), after)
	f := largeCase(t, size)
	to, err := reporter.Collector(reporter.CollectorConfig{URL: url, Token: token, Spool: t.TempDir(),
		Retry: reporter.Retry{First: time.Millisecond, Max: time.Millisecond}})
	if err != nil {
		t.Fatal(err)
	}
	q, err := reporter.NewQueue([]reporter.Reporter{to}, reporter.QueueOptions{})
	if err != nil {
		t.Fatal(err)
	}
	ctx, stop := context.WithCancel(t.Context())
	ended := make(chan error, 1)
	go func() { ended <- q.Run(ctx) }()
	q.Put(reporter.Report{Folder: f.Path, Case: f.Case})
	for end := time.Now().Add(patience); q.Status()[0].Sent == 0; time.Sleep(10 * time.Millisecond) {
		if time.Now().After(end) {
			t.Fatalf("the case does not come: %+v", q.Status()[0])
		}
	}
	stop()
	if err := <-ended; err != nil {
		t.Error(err)
	}
	e, b, err := sv.store.Evidence(t.Context(), f.Case.ID, "during/trace.out")
	if err != nil {
		t.Fatal(err)
	}
	defer b.Close()
	if e.SHA256 != f.Case.Evidence[0].SHA256 {
		t.Errorf("the evidence has the SHA-256 %s, want %s", e.SHA256, f.Case.Evidence[0].SHA256)
	}
	if n := sent.Load(); n < size || n > size+after {
		t.Errorf("%d bytes were sent for a case of %d; want what is missing, each time", n, size)
	}
	t.Logf("%d bytes over a line that breaks after %d: %d bytes sent", size, after, sent.Load())
}
