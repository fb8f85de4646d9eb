// Package casetest makes cases for the tests of what sends them, and stands in for the server that takes them. Only
// tests import it; those inside of package casefile cannot.
package casetest

import (
	"archive/zip"
	"bytes"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"regexp"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/gocasebook/casebook/casefile"
)

// Opened is when the cases were opened.
var Opened = time.Date(2026, 11, 21, 13, 25, 12, 0, time.UTC)

// Sample is a case with two findings; the second explains the first.
func Sample() casefile.Case {
	return casefile.Case{
		ID: "20261121T132512Z-gc-cpu-3f2a9c", Opened: Opened, Closed: Opened.Add(12 * time.Second),
		Target: casefile.Target{Name: "phones", URL: "http://127.0.0.1:6060", PID: 4711,
			Labels: map[string]string{"zone": "b"},
			Build:  casefile.Build{Version: "v1.2.3", GoVersion: "go1.26.8"}},
		Trigger: casefile.Trigger{Rule: "gc-cpu", Time: Opened, Text: "gc_cpu was 31 %, above 25 % for 5s",
			Signal: "gc_cpu", Value: 0.31, Unit: "share"},
		Also: []casefile.Trigger{{Rule: "heap", Text: "heap_live doubled"}},
		Diagnosis: casefile.Diagnosis{Findings: []casefile.Finding{
			{ID: "CPU001", Title: "The collector takes a third of the CPU", Score: 90, Confidence: 0.9,
				Summary: "31 % of the CPU.", CausedBy: []string{"GC003"}},
			{ID: "GC003", Title: "Many pointers in the heap", Score: 80, Confidence: 0.8, Summary: "35 M objects.",
				Where:    []casefile.Frame{{Function: "main.load", File: "cache.go", Line: 42, Share: 0.61}},
				Remedies: []casefile.Remedy{{Kind: casefile.Change, Title: "Keep the entries in pointer-free memory"}}},
		}},
	}
}

// Commit writes the n-th case to disk, with size bytes of evidence.
func Commit(dir string, n, size int) (*casefile.Folder, error) {
	c := Sample()
	c.ID = fmt.Sprintf("20261121T%02d%02d%02dZ-gc-cpu-%06x", n/3600, n/60%60, n%60, n)
	w, err := casefile.Dir(dir).Create(c)
	if err != nil {
		return nil, err
	}
	data := make([]byte, size+1)
	copy(data, "\x1f\x8b") // as if compressed: the zip stores it unchanged
	err = w.Add(casefile.Evidence{File: "during/cpu.pb.gz", Kind: casefile.CPU, Phase: casefile.During, Taken: Opened},
		data)
	if err != nil {
		return nil, err
	}
	return w.Commit()
}

// checksum is in the name of what waits in a spool.
var checksum = regexp.MustCompile(`\.[0-9a-f]{64}\b`)

// Spooled are the names in a spool, without the lock, and with checksums cut off.
func Spooled(tb testing.TB, spool string) []string {
	tb.Helper()
	entries, err := os.ReadDir(spool)
	if err != nil {
		tb.Fatal(err)
	}
	names := []string{}
	for _, e := range entries {
		if e.Name() != ".lock" {
			names = append(names, checksum.ReplaceAllString(e.Name(), ""))
		}
	}
	return names
}

// WantSpooled fails unless these wait in a spool.
func WantSpooled(tb testing.TB, spool string, want ...string) {
	tb.Helper()
	if got := Spooled(tb, spool); fmt.Sprint(got) != fmt.Sprint(want) {
		tb.Errorf("the spool holds %q, want %q", got, want)
	}
}

// A Collector accepts cases at /base and counts them by key.
type Collector struct {
	*httptest.Server
	token  string
	answer func(w http.ResponseWriter, r *http.Request, n int) bool

	sync.Mutex // guards those below
	Requests   int
	Tries      map[string]int // by key
	Taken      map[string]int // by key: bodies that arrived complete
	Faults     []string
}

// NewCollector starts a server that ends with the test and wants a token. If answer is set, it may answer instead.
func NewCollector(tb testing.TB, token string, answer func(http.ResponseWriter, *http.Request, int) bool) *Collector {
	tb.Helper()
	s := &Collector{token: token, answer: answer, Tries: map[string]int{}, Taken: map[string]int{}}
	s.Server = httptest.NewServer(s)
	tb.Cleanup(s.Close)
	return s
}

func (s *Collector) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	key := r.Header.Get("Idempotency-Key")
	s.Lock()
	s.Requests++
	s.Tries[key]++
	n := s.Requests
	s.Unlock()
	if s.answer != nil && s.answer(w, r, n) {
		return
	}
	body, err := io.ReadAll(r.Body)
	if err != nil {
		return // the sender is gone
	}
	err = s.take(r, key, body)
	s.Lock()
	defer s.Unlock()
	if err != nil {
		http.Error(w, err.Error(), http.StatusBadRequest)
		s.Faults = append(s.Faults, err.Error())
		return
	}
	if s.Taken[key]++; s.Taken[key] > 1 {
		w.WriteHeader(http.StatusConflict)
		return
	}
	w.WriteHeader(http.StatusCreated)
}

// take checks a request as a real collector would.
func (s *Collector) take(r *http.Request, key string, body []byte) error {
	sum := sha256.Sum256(body)
	if got, want := r.Header.Get("Content-Digest"),
		"sha-256=:"+base64.StdEncoding.EncodeToString(sum[:])+":"; got != want {
		return fmt.Errorf("digest %s, want %s", got, want)
	}
	z, err := zip.NewReader(bytes.NewReader(body), int64(len(body)))
	if err != nil {
		return err
	}
	id := strings.TrimPrefix(r.URL.Path, "/base/api/v1/cases/")
	file, err := z.Open(id + "/case.json")
	if err != nil {
		return err
	}
	defer file.Close()
	data, err := io.ReadAll(file)
	if err != nil {
		return err
	}
	caseSum := sha256.Sum256(data)
	if want := id + "-" + hex.EncodeToString(caseSum[:]); key != want {
		return fmt.Errorf("key %s, want %s", key, want)
	}
	if c, err := casefile.Decode(data); err != nil || c.ID != id {
		return fmt.Errorf("case %s at %s: %w", c.ID, id, err)
	}
	if r.Method != http.MethodPut || r.Header.Get("Content-Type") != "application/zip" ||
		r.Header.Get("Authorization") != "Bearer "+s.token {
		return fmt.Errorf("%s %s with %v", r.Method, r.URL.Path, r.Header)
	}
	return nil
}
