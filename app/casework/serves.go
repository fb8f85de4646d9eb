// Package casework is what Casebook does for its users: one function per use case, a typed request in, a typed result
// out. The command line is one face over it; a server would be another. A face parses what people type, prints, and
// chooses exit codes. This package does the work between that and the packages below.
//
// The problem it solves: work that lives in a command can only be done by that command. Here nothing prints, exits or
// reads flags. What happens meanwhile is reported to a func of the request. Errors are plain or typed; a sentence that
// names a flag or a command is the face's (it finds the type with errors.As).
//
// This package is about cases: taken by hand or by a watch, listed, drawn, pruned, exported, imported. What judges
// evidence and measurements that somebody names is package assess.
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
