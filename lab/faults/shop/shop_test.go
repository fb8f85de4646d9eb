package shop

import (
	"context"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"testing/synctest"
	"time"
)

func TestAnswers(t *testing.T) {
	h := New().Handler()
	for _, tt := range []struct {
		method, path, body string
		status             int
		text               string
	}{
		{"GET", "/shop/products?page=0", "", 200, `"id":7,`},
		{"GET", "/shop/products?page=625", "", 200, `"id":0,`},
		{"GET", "/shop/products?page=-1", "", 400, "page wants"},
		{"GET", "/shop/search?q=red+chair", "", 200, `"red oak chair 0"`},
		{"GET", "/shop/search?q=nothing", "", 200, "[]"},
		{"GET", "/shop/search?q=", "", 200, "[]"},
		{"GET", "/shop/page?id=601", "", 200, "<h1>green ash table 1</h1>"},
		{"GET", "/shop/page?id=x", "", 400, "id wants"},
		{"POST", "/shop/orders", `{"product":3,"count":2}`, 202, ""},
		{"POST", "/shop/orders", `{"product":5000,"count":2}`, 400, "an order wants"},
		{"POST", "/shop/orders", `{"product":1,"count":2,"x":"` + strings.Repeat("x", 5000) + `"}`, 400,
			"an order wants"},
		{"GET", "/shop/best", "", 200, "["},
	} {
		w := httptest.NewRecorder()
		h.ServeHTTP(w, httptest.NewRequest(tt.method, tt.path, strings.NewReader(tt.body)))
		if w.Code != tt.status || !strings.Contains(w.Body.String(), tt.text) {
			t.Errorf("%s %s: %d %q, want %d with %q", tt.method, tt.path, w.Code, w.Body, tt.status, tt.text)
		}
	}
}

// TestOrders: workers accept orders, the ranking shows them within a second, and a full queue refuses.
func TestOrders(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := New()
		h := s.Handler()
		order := func() int {
			w := httptest.NewRecorder()
			h.ServeHTTP(w, httptest.NewRequest("POST", "/shop/orders", strings.NewReader(`{"product":42,"count":1}`)))
			return w.Code
		}
		for range cap(s.orders.queue) {
			order()
		}
		if got := order(); got != http.StatusServiceUnavailable {
			t.Errorf("an order too many: %d, want %d", got, http.StatusServiceUnavailable)
		}
		ctx, cancel := context.WithCancel(t.Context())
		done := make(chan struct{})
		go func() {
			s.Run(ctx)
			close(done)
		}()
		time.Sleep(1100 * time.Millisecond)
		synctest.Wait()
		if top := s.ranking.top.Load(); top[0] != 42 || top[1] != 0 {
			t.Errorf("best: %v, want 42 and then the others in order", top)
		}
		cancel()
		<-done
	})
}

// TestPagesAreBounded: a cache with fixed places returns what was put last, and nothing else.
func TestPagesAreBounded(t *testing.T) {
	p := newPages(4)
	for id := range 10 {
		p.put(&page{id: id})
	}
	for id := range 10 {
		if got, want := p.get(id) != nil, id >= 6; got != want {
			t.Errorf("page %d is kept: %v, want %v", id, got, want)
		}
	}
}
