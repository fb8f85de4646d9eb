package main

import (
	"bytes"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
)

func TestLast(t *testing.T) {
	h := &history{by: map[string][][]byte{}}
	for i := range 3 * shown {
		h.add("a", fmt.Append(nil, "message ", i))
	}
	h.add("b", []byte("another device"))
	got := h.last("a")
	if len(got) != shown {
		t.Fatalf("%d messages are shown, wanted %d", len(got), shown)
	}
	for i, message := range got {
		if want := fmt.Append(nil, "message ", 2*shown+i); !bytes.Equal(message, want) {
			t.Errorf("message %d is %q, wanted %q", i, message, want)
		}
	}
	if got := h.last("nobody"); len(got) != 0 {
		t.Errorf("a device that never said anything said %q", got)
	}
}

// TestTake holds that a message stays as it came, whatever comes after it.
func TestTake(t *testing.T) {
	h := &history{by: map[string][][]byte{}}
	mux := http.NewServeMux()
	mux.HandleFunc("POST /devices/{device}", h.take)
	for _, text := range []string{"first", "later", "third"} {
		r := httptest.NewRequest("POST", "/devices/a", strings.NewReader(text))
		mux.ServeHTTP(httptest.NewRecorder(), r)
	}
	if got := h.last("a"); len(got) != 3 || string(got[0]) != "first" || string(got[2]) != "third" {
		t.Errorf("kept are %q, wanted first, later, third", got)
	}
}
