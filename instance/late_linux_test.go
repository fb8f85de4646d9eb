package instance

import (
	"context"
	"net"
	"strings"
	"testing"
	"time"
)

// TestSilentFromTheStart: of a process of this machine that never answers the error says how it stands.
func TestSilentFromTheStart(t *testing.T) {
	l, err := net.Listen("tcp", "127.0.0.1:0") // the kernel takes the connection, and nobody reads it
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	h, err := NewHTTP(l.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(t.Context(), 300*time.Millisecond)
	defer cancel()
	_, err = h.Describe(ctx)
	if err == nil || !strings.Contains(err.Error(), "no answer in time") ||
		!strings.Contains(err.Error(), "; after ") ||
		!strings.Contains(err.Error(), " lives") {
		t.Errorf("got %v, want that nothing answered, for how long, and the state of the process", err)
	}
}
