package server

import (
	"bytes"
	"context"
	"io"
	"net/http"
	"net/url"
)

// A View draws a page about the evidence of a case; the query of its address says what of it. Its errors are those of
// package store.
type View = func(ctx context.Context, w io.Writer, id string, query url.Values) error

// view is a page of Config.Views.
func (s *Server) view(name string) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		draw := s.cfg.Views[name]
		if draw == nil {
			answerProblem(w, http.StatusNotFound, "this server has no such pages")
			return
		}
		var b bytes.Buffer
		query := r.URL.Query()
		if err := draw(r.Context(), &b, r.PathValue("id"), query); err != nil {
			s.fail(w, r, err)
			return
		}
		s.log.Info("evidence read", "case", r.PathValue("id"), "page", name, "file", query.Get("file"), "base",
			query.Get("base"), "who", whoIs(r))
		answerDrawn(w, &b)
	}
}

// answerDrawn sends a page that brings its own policy, which names its one script and its one style sheet by their
// hashes; ours would forbid both. This one adds what a page cannot say of itself.
func answerDrawn(w http.ResponseWriter, b *bytes.Buffer) {
	answerWithForms(w, b, "'none'")
}

// answerWithForms sends a page whose forms go to some addresses. Its own policy says what else it may do.
func answerWithForms(w http.ResponseWriter, b *bytes.Buffer, forms string) {
	w.Header().Set("Content-Security-Policy", "base-uri 'none'; form-action "+forms+"; frame-ancestors 'none'; "+
		"connect-src 'none'; object-src 'none'")
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	w.Header().Set("Cache-Control", "no-store")
	_, _ = b.WriteTo(w)
}
