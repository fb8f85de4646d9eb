package reporter

import (
	"context"
	"crypto/sha256"
	"encoding/base64"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
)

// upload sends one case of the spool and, when it has arrived or was refused for good, takes it out of those that
// wait. The spool's lock is held.
func (c *collector) upload(ctx context.Context, root *os.Root, it item) error {
	err := c.put(ctx, root, it)
	var no *refusal
	switch {
	case err == nil:
		return c.spool.remove(root, it)
	case errors.Is(err, os.ErrNotExist):
		return errGone
	case isFinal(err) && errors.As(err, &no):
		if moved := root.Rename(it.name(), it.refusedWith(no.code).name()); moved != nil {
			c.failed(it)
			return fmt.Errorf("marking case %s as refused: %w; %w", it.id, moved, err)
		}
		return &refusedError{fmt.Errorf("case %s was refused and stays in the spool: %w", it.id, err)}
	}
	c.failed(it)
	return fmt.Errorf("uploading case %s: %w", it.id, err)
}

func (c *collector) put(ctx context.Context, root *os.Root, it item) error {
	f, err := root.Open(it.name())
	if err != nil {
		return err
	}
	defer f.Close()
	req, err := c.request(f, it)
	if err != nil {
		return err
	}
	return c.to.do(ctx, req, func(code int) bool {
		switch code {
		case http.StatusOK, http.StatusCreated, http.StatusNoContent, http.StatusConflict:
			return true
		}
		return false
	})
}

// request reads the file once for its digest; the transport reads it again. Expect lets the server refuse a case, or
// the token, before it has been sent 100 MB.
func (c *collector) request(f *os.File, it item) (*http.Request, error) {
	sum := sha256.New()
	size, err := io.Copy(sum, f)
	if err != nil {
		return nil, err
	}
	body := func() (io.ReadCloser, error) { return io.NopCloser(io.NewSectionReader(f, 0, size)), nil }
	first, _ := body()
	req, err := http.NewRequest(http.MethodPut, c.to.url.JoinPath("api/v1/cases", it.id).String(), first)
	if err != nil {
		return nil, fmt.Errorf("making a request to %s: the URL cannot be used", address(c.to.url))
	}
	req.ContentLength, req.GetBody = size, body
	req.Close = true // or the client would send the body after a refusal, to keep the connection
	req.Header.Set("Content-Type", "application/zip")
	req.Header.Set("Content-Digest", "sha-256=:"+base64.StdEncoding.EncodeToString(sum.Sum(nil))+":")
	req.Header.Set("Idempotency-Key", it.key())
	req.Header.Set("Expect", "100-continue")
	return req, nil
}
