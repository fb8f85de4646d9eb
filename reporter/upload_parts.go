package reporter

import (
	"context"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"strconv"
)

// partBytes is the length of a part: a minute over a line of 1 Mbit/s. A smaller case is sent whole.
const partBytes = 8 << 20

// maxMoved bounds how often a collector may say that it has another amount than we think: two processes that send the
// same case would else go on for ever.
const maxMoved = 5

// An upload is a case that is sent in parts.
type upload struct {
	e    *endpoint
	file *os.File
	size int64
	url  string
}

// putParts sends what a collector has not got yet of a case. parted is false where it takes no parts.
func (e *endpoint) putParts(ctx context.Context, f *os.File, it item) (parted bool, err error) {
	sum := sha256.New()
	size, err := io.Copy(sum, f)
	if err != nil {
		return false, err
	}
	if _, err := f.Seek(0, io.SeekStart); err != nil { // for caseRequest
		return false, err
	}
	u := &upload{e, f, size, e.url.JoinPath("api/v1/cases", it.id, "uploads", hex.EncodeToString(sum.Sum(nil))).String()}
	at, known, err := u.arrived(ctx)
	if !known || err != nil {
		return false, err
	}
	for moved := 0; ; {
		resp, err := u.send(ctx, at)
		if err != nil {
			return true, err
		}
		next, tells := offset(resp)
		switch {
		case resp.StatusCode == http.StatusAccepted && next == at+min(partBytes, size-at) && next < size:
			at = next
		case resp.StatusCode == http.StatusConflict && tells && next <= size && moved < maxMoved:
			at, moved = next, moved+1
		case resp.StatusCode == http.StatusAccepted, resp.StatusCode == http.StatusConflict && tells:
			return true, &Error{Err: fmt.Errorf("%s says that it has %d of %d bytes of the case, after %d were sent",
				address(e.url), next, size, at)}
		default:
			return true, nil
		}
	}
}

// arrived asks how much the collector has. known is false where it takes no parts.
func (u *upload) arrived(ctx context.Context) (at int64, known bool, err error) {
	req, err := http.NewRequest(http.MethodGet, u.url, nil)
	if err != nil {
		return 0, false, fmt.Errorf("making a request to %s: the URL cannot be used", address(u.e.url))
	}
	resp, err := u.e.ask(ctx, req, func(code int) bool { return code == http.StatusOK })
	var no *refusal
	if errors.As(err, &no) && isFinal(err) {
		return 0, false, nil // whatever it has against it, it will say again of the whole case
	}
	if err != nil {
		return 0, false, err
	}
	at, known = offset(resp)
	return at, known && at <= u.size, nil
}

func (u *upload) send(ctx context.Context, at int64) (*http.Response, error) {
	n := min(partBytes, u.size-at)
	body := func() (io.ReadCloser, error) { return io.NopCloser(io.NewSectionReader(u.file, at, n)), nil }
	first, _ := body()
	req, err := http.NewRequest(http.MethodPatch, u.url, first)
	if err != nil {
		return nil, fmt.Errorf("making a request to %s: the URL cannot be used", address(u.e.url))
	}
	req.ContentLength, req.GetBody = n, body
	if n == 0 { // all of it is there, and the store was away
		req.Body = http.NoBody
	}
	req.Close = true // as of a whole case
	req.Header.Set("Content-Type", "application/partial-upload")
	req.Header.Set("Upload-Offset", strconv.FormatInt(at, 10))
	req.Header.Set("Upload-Length", strconv.FormatInt(u.size, 10))
	req.Header.Set("Expect", "100-continue")
	return u.e.ask(ctx, req, func(code int) bool { return code == http.StatusAccepted || hasCase(code) })
}

// offset is how much of an upload an answer says has arrived.
func offset(resp *http.Response) (n int64, found bool) {
	n, err := strconv.ParseInt(resp.Header.Get("Upload-Offset"), 10, 64)
	return n, err == nil && n >= 0
}

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
