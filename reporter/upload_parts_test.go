package reporter

import (
	"net/http"
	"sync/atomic"
	"testing"
)

// A collector that takes no parts gets a large case whole: one that has no such address, and one that answers anything.
func TestCollectorWithoutParts(t *testing.T) {
	for name, code := range map[string]int{"no such address": http.StatusNotFound, "no such method": 405, "all is well": 200} {
		t.Run(name, func(t *testing.T) {
			s := newStore(t, func(w http.ResponseWriter, r *http.Request, _ int) bool {
				if r.Method == http.MethodGet {
					w.WriteHeader(code)
				}
				return r.Method == http.MethodGet
			})
			r := mustCommit(t, t.TempDir(), 1, partBytes+1)
			if err := collectorOf(t, s.URL, t.TempDir(), nil).Send(t.Context(), r); err != nil {
				t.Fatal(err)
			}
			s.wantTaken(t, r)
		})
	}
}

// A collector whose answers make no progress is not asked for ever.
func TestCollectorThatHasOtherParts(t *testing.T) {
	var asked atomic.Int32
	s := newStore(t, func(w http.ResponseWriter, r *http.Request, _ int) bool {
		asked.Add(1)
		w.Header().Set("Upload-Offset", "7")
		if r.Method == http.MethodPatch {
			w.WriteHeader(http.StatusConflict)
		}
		return true
	})
	r := mustCommit(t, t.TempDir(), 1, partBytes+1)
	err := collectorOf(t, s.URL, t.TempDir(), nil).Send(t.Context(), r)
	if err == nil || isFinal(err) {
		t.Errorf("sending fails with %v, want an error upon which it is tried again", err)
	}
	if want := maxMoved + 2; int(asked.Load()) != want {
		t.Errorf("the collector was asked %d times, want %d", asked.Load(), want)
	}
}
