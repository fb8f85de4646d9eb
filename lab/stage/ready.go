package stage

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"time"
)

// readyEvery is how often a service is asked whether it is ready.
const readyEvery = 250 * time.Millisecond

// Await waits until the service answers GET path with 200: it is in the state that is to be measured. told, which may
// be nil, gets the body of every other answer.
func (s *Stage) Await(ctx context.Context, path string, limit time.Duration, told func(body []byte)) error {
	deadline := time.NewTimer(limit)
	defer deadline.Stop()
	ticker := time.NewTicker(readyEvery)
	defer ticker.Stop()
	last := "it was not asked"
	for {
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-deadline.C:
			return s.Failure(fmt.Sprintf("was not ready within %v (GET %s: %s)", limit, path, last))
		case <-ticker.C:
		}
		if err := s.Failed(); err != nil {
			return err
		}
		status, body, err := s.get(ctx, path)
		switch {
		case err != nil:
			last = err.Error() // a service in trouble may be slow to answer; if it has ended, the next turn says so
		case status == http.StatusOK:
			return nil
		default:
			last = fmt.Sprintf("status %d", status)
			if told != nil {
				told(body)
			}
		}
	}
}

// askTime bounds one question to the service.
const askTime = 5 * time.Second

// get reads a page of the service, a megabyte of it at most.
func (s *Stage) get(ctx context.Context, path string) (status int, body []byte, err error) {
	ctx, cancel := context.WithTimeout(ctx, askTime)
	defer cancel()
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, "http://"+s.Addr+path, nil)
	if err != nil {
		return 0, nil, err
	}
	resp, err := s.client.Do(req)
	if err != nil {
		return 0, nil, err
	}
	defer resp.Body.Close() // it was only read
	body, err = io.ReadAll(io.LimitReader(resp.Body, 1<<20))
	return resp.StatusCode, body, err
}
