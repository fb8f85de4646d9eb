package demo

import (
	"context"
	"encoding/json"
	"fmt"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/gocasebook/casebook/internal/leaktest"
)

func TestMain(m *testing.M) {
	os.Exit(leaktest.Check(m.Run(), "app/demo.", "net/http.(*persistConn)"))
}

func get(t *testing.T, h http.Handler, n int) *httptest.ResponseRecorder {
	t.Helper()
	w := httptest.NewRecorder()
	h.ServeHTTP(w, httptest.NewRequest(http.MethodGet, fmt.Sprintf("/shelf?n=%d", n), nil))
	return w
}

// The repair changes what a request costs, and nothing that it answers.
func TestRepairedAnswersTheSame(t *testing.T) {
	sick, repaired := newShop(false).handler(), newShop(true).handler()
	for n := 0; n < shelves; n += 50 {
		a, b := get(t, sick, n), get(t, repaired, n)
		if a.Code != http.StatusOK || a.Body.String() != b.Body.String() {
			t.Fatalf("shelf %d: %d %s, repaired %s", n, a.Code, a.Body, b.Body)
		}
		var c content
		if err := json.Unmarshal(a.Body.Bytes(), &c); err != nil || c.Articles < articles/2 || c.Articles >= articles ||
			c.Cents == 0 {
			t.Fatalf("shelf %d has %+v, %v; want some numbers to be wrong, and most right", n, c, err)
		}
	}
	if w := get(t, sick, shelves); w.Code != http.StatusBadRequest {
		t.Errorf("a shelf that is not there answers %d", w.Code)
	}
}

// What is shown of a line is its function, with the line marked, and the repair.
func TestExcerpt(t *testing.T) {
	before, _, found := strings.Cut(source, "regexp.MatchString")
	if !found {
		t.Fatal("the shop has no fault")
	}
	line := 1 + strings.Count(before, "\n")
	text := Excerpt(line)
	for _, want := range []string{fmt.Sprintf("> %3d      ok, err := regexp.MatchString(", line),
		"func wellFormed(", "regexp.MustCompile(", "func wellFormedRepaired("} {
		if !strings.Contains(text, want) {
			t.Errorf("no %q in\n%s", want, text)
		}
	}
	if strings.Count(text, "\n> ") != 1 || strings.Contains(text, "type article") {
		t.Errorf("more than the fault and its repair:\n%s", text)
	}
	for l := range strings.Lines(text) {
		if n := len([]rune(l)); n > 80 {
			t.Errorf("%d columns: %s", n, l)
		}
	}
	for _, n := range []int{-1, 0, 2, 1 << 20} { // 2 is empty
		if text := Excerpt(n); text != "" {
			t.Errorf("of line %d it shows %q", n, text)
		}
	}
}

// A shop serves its clients until the context ends, and both leave nothing behind.
func TestServe(t *testing.T) {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	address := listener.Addr().String()
	if err := listener.Close(); err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	ended := make(chan error, 1)
	go func() { ended <- Serve(ctx, address, true) }()
	c := Ask(ctx, address, 2)
	for c.answered.Load() < 10 && ctx.Err() == nil {
		select {
		case err := <-ended:
			t.Fatalf("the shop has ended: %v", err)
		case <-time.After(time.Millisecond):
		}
	}
	if rate := c.Stop(); rate <= 0 {
		t.Errorf("clients that got answers say %g a second", rate)
	}
	cancel()
	if err := <-ended; err != nil {
		t.Errorf("the shop ends with %v", err)
	}
}

func TestServeSaysWhy(t *testing.T) {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer listener.Close()
	if err := Serve(t.Context(), listener.Addr().String(), false); err == nil ||
		!strings.Contains(err.Error(), "opening the shop") {
		t.Errorf("on a port that is taken: %v", err)
	}
}
