package casework

import (
	"bytes"
	"context"
	"io"
	"net/http"

	"github.com/gocasebook/casebook/instance"
)

// maxIndex is more than the index page of net/http/pprof has.
const maxIndex = 256 << 10

// ServesProfiles reports whether the index page of net/http/pprof is at an address. It asks for nothing else, so that a
// program which is something else is not bothered with more.
func ServesProfiles(ctx context.Context, url string, access instance.HTTPOptions) bool {
	process, err := instance.NewHTTPWith(url, access)
	if err != nil {
		return false
	}
	defer process.CloseIdle()
	client, page, err := process.PageClient(url)
	if err != nil {
		return false
	}
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, page, nil)
	if err != nil {
		return false
	}
	resp, err := client.Do(req)
	if err != nil {
		return false
	}
	defer resp.Body.Close()
	text, _ := io.ReadAll(io.LimitReader(resp.Body, maxIndex)) // what came says whether it is the page
	return resp.StatusCode == http.StatusOK && bytes.Contains(text, []byte("goroutine?debug="))
}
