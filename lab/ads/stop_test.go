package ads

import (
	"net/http"
	"strings"
	"testing"
)

// TestStop: a stop lets the request in flight get its answer, and ends with 0.
func TestStop(t *testing.T) {
	_, content := startContent(t)
	db := startRedis(t)
	p, addr := startDelivery(t, db.Addr, content.Listen)
	if err := db.Freeze(); err != nil {
		t.Fatal(err)
	}
	type reply struct {
		status int
		body   string
	}
	answered := make(chan reply, 1)
	go func() {
		status, body := ask(t, addr, 1)
		answered <- reply{status, body}
	}()
	awaitMetric(t, addr, "\nads_requests_in_flight 1\n")
	p.Stop()
	if err := db.Thaw(); err != nil {
		t.Fatal(err)
	}
	if got := <-answered; got.status != http.StatusOK {
		t.Errorf("the request in flight got %d %s", got.status, got.body)
	}
	if code := <-p.Code; code != 0 {
		t.Errorf("exit code %d, stderr:\n%s", code, p.Stderr)
	}
}

// TestTooMany: requests above -in-flight are refused at once, and those in flight are not.
func TestTooMany(t *testing.T) {
	_, content := startContent(t)
	db := startRedis(t)
	_, addr := startDelivery(t, db.Addr, content.Listen, "-in-flight", "1")
	if err := db.Freeze(); err != nil {
		t.Fatal(err)
	}
	answered := make(chan int, 1)
	go func() {
		status, _ := ask(t, addr, 1)
		answered <- status
	}()
	awaitMetric(t, addr, "\nads_requests_in_flight 1\n")
	if status, body := ask(t, addr, 2); status != http.StatusServiceUnavailable ||
		!strings.Contains(body, "too many requests") {
		t.Errorf("the second request: %d %s; want 503", status, body)
	}
	if err := db.Thaw(); err != nil {
		t.Fatal(err)
	}
	if status := <-answered; status != http.StatusOK {
		t.Errorf("the first request got %d", status)
	}
}

func awaitMetric(t *testing.T, addr, line string) {
	t.Helper()
	for t.Context().Err() == nil {
		if _, metrics := fetch(t, "http://"+addr+"/metrics"); strings.Contains(metrics, line) {
			return
		}
	}
	t.Fatalf("never:%s", line)
}
