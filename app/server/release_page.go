package server

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
)

// A Release is what the version of a service that runs changed in its functions, against the one before.
type Release struct {
	Report any                     // is encoded as JSON
	Page   func(w io.Writer) error // draws it
}

// ErrNoRelease says that there are no two versions to compare. Its wrapper's text is for the reader.
var ErrNoRelease = errors.New("there are no two versions to compare")

// releasePage shows what a release changed, by ?service=. Where there is nothing to show, the reader may compare cases.
func (s *Server) releasePage(w http.ResponseWriter, r *http.Request) {
	service := r.URL.Query().Get("service")
	var page bytes.Buffer
	found, code, problem := s.release(r.Context(), service)
	if problem == "" {
		if err := found.Page(&page); err != nil {
			s.fail(w, r, err)
			return
		}
		answerDrawn(w, &page)
		return
	}
	s.compareForm(w, r, code, comparePage{Service: service, Problem: problem})
}

func (s *Server) releaseReport(w http.ResponseWriter, r *http.Request) {
	found, code, problem := s.release(r.Context(), r.URL.Query().Get("service"))
	if problem != "" {
		answerProblem(w, code, problem)
		return
	}
	answerJSON(w, http.StatusOK, found.Report)
}

// release asks the engines, for a few readers at a time: one takes two dozen requests. problem is why there is nothing.
func (s *Server) release(ctx context.Context, service string) (found Release, code int, problem string) {
	switch {
	case service == "":
		return found, http.StatusBadRequest, "Name a service: ?service=NAME."
	case s.cfg.Release == nil:
		return found, http.StatusNotFound, "This server asks no engine for profiles of versions; " +
			"casebook serve --engine does."
	}
	select {
	case s.comparing <- struct{}{}:
		defer func() { <-s.comparing }()
	case <-ctx.Done():
		return found, http.StatusServiceUnavailable, "The request ended before its turn came."
	}
	found, err := s.cfg.Release(ctx, service)
	switch {
	case errors.Is(err, ErrNoRelease):
		return found, http.StatusNotFound, fmt.Sprintf("Nothing to compare: %v.", err)
	case err != nil:
		s.log.Warn("a release cannot be compared", "service", service, "error", err)
		return found, http.StatusBadGateway, "The engine did not give the profiles of both versions; " +
			"the server's log says why."
	}
	return found, http.StatusOK, ""
}
