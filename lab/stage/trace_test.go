//go:build linux

package stage

import (
	"net/http"
	"testing"
	"time"
)

// TestTrace: a service that makes garbage has mark phases in a trace of it.
func TestTrace(t *testing.T) {
	s := start(t, "garbage", Config{Rate: 200, Request: func(addr string, _ uint64) (*http.Request, error) {
		return http.NewRequest(http.MethodGet, "http://"+addr+"/work", nil)
	}})
	for began := time.Now(); ; { // on a busy machine a second may pass without an answer
		got, err := s.Trace(t.Context(), time.Second)
		if err != nil {
			t.Fatal(err)
		}
		if len(got.GC.Cycles) > 0 && !got.Start.IsZero() {
			return
		}
		if time.Since(began) > 5*time.Minute {
			t.Fatalf("no mark phase in %v; it began at %v", got.Span, got.Start)
		}
	}
}
