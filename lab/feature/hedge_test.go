package feature

import (
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"
)

// TestHedgedCall: when a replica that is usually quick hangs, the other one answers. A single call would wait for its
// timeout.
func TestHedgedCall(t *testing.T) {
	var stuck atomic.Bool
	body := answerOf(1)
	first := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if stuck.Load() {
			<-r.Context().Done()
			return
		}
		writeBytes(w, body)
	}))
	defer first.Close()
	second := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { writeBytes(w, body) }))
	defer second.Close()
	// less than the server gives an answer
	_, where := startAPI(t, first.URL+","+second.URL, "-call", "hedged", "-timeout", "8s")
	url := "http://" + where.Listen + "/features?user=1&model=fraud"
	const learning = 200 // calls: twice what the policy wants to have measured
	_, want := fetch(t, url)
	// On a busy machine calls are late by themselves. Tokens that the policy spends on them may be missing when a
	// replica hangs: then that call waits for its timeout, and the next calls earn new tokens.
	waitFor(t, "a second call that wins", func() bool {
		stuck.Store(false)
		for range learning {
			if status, got := fetch(t, url); status != http.StatusOK || got != want {
				t.Fatalf("%d %s", status, got)
			}
		}
		won := metric(t, where.Listen, "feature_hedges_won_total")
		stuck.Store(true)
		for range 2 { // one of them begins at the replica that hangs
			if status, got := fetch(t, url); status != http.StatusGatewayTimeout &&
				(status != http.StatusOK || got != want) {
				t.Errorf("with a replica that hangs: %d %s; want the other's answer", status, got)
			}
		}
		return metric(t, where.Listen, "feature_hedges_won_total") > won
	})
}

// TestSingleCallWaits: without hedging the request fails with its timeout, which the error names.
func TestSingleCallWaits(t *testing.T) {
	hangs := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) { <-r.Context().Done() }))
	defer hangs.Close()
	_, where := startAPI(t, hangs.URL, "-call", "single", "-timeout", "20ms")
	status, body := fetch(t, "http://"+where.Listen+"/features?user=1&model=fraud")
	if status != http.StatusGatewayTimeout ||
		!strings.Contains(body, "compute") {
		t.Errorf("%d %s; want 504 and who is at fault", status, body)
	}
}
