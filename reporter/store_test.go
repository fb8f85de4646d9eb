package reporter

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
	"strings"
	"sync"
	"testing"

	"github.com/gocasebook/casebook/casefile"
)

// A store is a collector: it accepts cases and counts them by key. If answer is set, it may answer instead.
type store struct {
	*httptest.Server
	answer func(w http.ResponseWriter, r *http.Request, n int) bool

	mu       sync.Mutex
	requests int
	tries    map[string]int // by key
	taken    map[string]int // by key: bodies that arrived complete
	faults   []string
}

func newStore(t *testing.T, answer func(w http.ResponseWriter, r *http.Request, n int) bool) *store {
	t.Helper()
	s := &store{answer: answer, tries: map[string]int{}, taken: map[string]int{}}
	s.Server = httptest.NewServer(s)
	t.Cleanup(s.Close)
	return s
}

func (s *store) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	key := r.Header.Get("Idempotency-Key")
	s.mu.Lock()
	s.requests++
	s.tries[key]++
	n := s.requests
	s.mu.Unlock()
	if s.answer != nil && s.answer(w, r, n) {
		return
	}
	body, err := io.ReadAll(r.Body)
	if err != nil {
		return // the sender is gone
	}
	if err := s.take(r, key, body); err != nil {
		http.Error(w, err.Error(), http.StatusBadRequest)
		s.mu.Lock()
		s.faults = append(s.faults, err.Error())
		s.mu.Unlock()
		return
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.taken[key]++; s.taken[key] > 1 {
		w.WriteHeader(http.StatusConflict)
		return
	}
	w.WriteHeader(http.StatusCreated)
}

// take checks a request as a real collector would.
func (s *store) take(r *http.Request, key string, body []byte) error {
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
		r.Header.Get("Authorization") != "Bearer "+secretToken {
		return fmt.Errorf("%s %s with %v", r.Method, r.URL.Path, r.Header)
	}
	return nil
}

// wantTaken fails unless every report arrived exactly once.
func (s *store) wantTaken(t *testing.T, reports ...Report) {
	t.Helper()
	s.mu.Lock()
	defer s.mu.Unlock()
	if len(s.faults) > 0 {
		t.Errorf("bad requests: %q", s.faults)
	}
	got := map[string]int{}
	for key, n := range s.taken {
		got[key[:len(key)-65]] += n
	}
	for _, r := range reports {
		if got[r.Case.ID] != 1 {
			t.Errorf("case %s arrived %d times, want once", r.Case.ID, got[r.Case.ID])
		}
	}
	if len(got) != len(reports) {
		t.Errorf("%d cases arrived, want %d: %v", len(got), len(reports), got)
	}
}
