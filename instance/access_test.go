package instance

import (
	"net/http"
	"testing"
)

// connections are the ways to reach a target.
func connections(t *testing.T, h *HTTP) *http.Transport {
	t.Helper()
	own, err := h.client.Transport.(*transport).connections()
	if err != nil {
		t.Fatal(err)
	}
	return own
}
