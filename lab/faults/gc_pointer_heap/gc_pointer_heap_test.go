package gc_pointer_heap

import (
	"net/http/httptest"
	"testing"
)

// TestTwins: both caches give the same answers.
func TestTwins(t *testing.T) {
	const customers = 1000
	faulty, repaired := service(customers, &pointers{}, 1), service(customers, &flat{}, 1)
	for _, path := range []string{"/points?n=0", "/points?n=7", "/points?n=123456"} {
		a, b := httptest.NewRecorder(), httptest.NewRecorder()
		faulty.Handler.ServeHTTP(a, httptest.NewRequest("GET", path, nil))
		repaired.Handler.ServeHTTP(b, httptest.NewRequest("GET", path, nil))
		if a.Body.Len() == 0 || a.Body.String() != b.Body.String() {
			t.Errorf("%s: the faulty program answers %q, the repaired one %q", path, a.Body, b.Body)
		}
	}
}
