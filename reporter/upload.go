package reporter

import (
	"context"
	"crypto/sha256"
	"encoding/base64"
	"fmt"
	"io"
	"net/http"
	"os"
)

// putCase uploads a case: whole, or in parts where it is large and the collector takes them.
func (e *endpoint) putCase(ctx context.Context, f *os.File, it item) error {
	info, err := f.Stat()
	if err != nil {
		return err
	}
	if info.Size() > partBytes {
		if parted, err := e.putParts(ctx, f, it); parted || err != nil {
			return err
		}
	}
	req, err := e.caseRequest(f, it)
	if err != nil {
		return err
	}
	return e.do(ctx, req, hasCase)
}

// hasCase reports whether an answer means that the collector has the case.
func hasCase(code int) bool {
	switch code {
	case http.StatusOK, http.StatusCreated, http.StatusNoContent, http.StatusConflict:
		return true
	}
	return false
}

// caseRequest reads the file once for its digest; the transport reads it again. Expect lets the server refuse a case,
// or the token, before it has been sent 100 MB.
func (e *endpoint) caseRequest(f *os.File, it item) (*http.Request, error) {
	sum := sha256.New()
	size, err := io.Copy(sum, f)
	if err != nil {
		return nil, err
	}
	body := func() (io.ReadCloser, error) { return io.NopCloser(io.NewSectionReader(f, 0, size)), nil }
	first, _ := body()
	req, err := http.NewRequest(http.MethodPut, e.url.JoinPath("api/v1/cases", it.id).String(), first)
	if err != nil {
		return nil, fmt.Errorf("making a request to %s: the URL cannot be used", address(e.url))
	}
	req.ContentLength, req.GetBody = size, body
	req.Close = true // or the client would send the body after a refusal, to keep the connection
	req.Header.Set("Content-Type", "application/zip")
	req.Header.Set("Content-Digest", "sha-256=:"+base64.StdEncoding.EncodeToString(sum.Sum(nil))+":")
	req.Header.Set("Idempotency-Key", it.key())
	req.Header.Set("Expect", "100-continue")
	return req, nil
}
