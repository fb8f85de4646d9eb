package server

import (
	"bytes"
	"net/http"
	"net/url"
	"path"
	"strings"
)

// pprofPolicy is for google/pprof's own pages, which have their scripts and styles in them. Whatever runs there has an
// origin of its own (sandbox): it cannot read what else this server has, and sends no request but that for another page.
const pprofPolicy = "sandbox allow-scripts allow-downloads; default-src 'none'; script-src 'unsafe-inline'; " +
	"style-src 'unsafe-inline'; img-src data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"

// pprof is google/pprof's web interface for one profile: /cases/ID/pprof/FILE/PAGE. Its pages link to each other without
// their folder.
func (s *Server) pprof(w http.ResponseWriter, r *http.Request) {
	file, page := path.Split(r.PathValue("rest"))
	file = strings.TrimSuffix(file, "/")
	id, query := r.PathValue("id"), r.URL.RawQuery
	switch {
	case s.cfg.Pprof == nil:
		answerProblem(w, http.StatusNotFound, "this server has no such pages")
		return
	case file == "":
		answerProblem(w, http.StatusNotFound, "there is no such page")
		return
	case page == "":
		w.Header().Set("Location", (&url.URL{Path: "flamegraph", RawQuery: query}).String())
		w.WriteHeader(http.StatusSeeOther)
		return
	case page == "download": // as it was taken
		http.Redirect(w, r, (&url.URL{Path: "/api/v1/cases/" + id + "/evidence/" + file}).String(), http.StatusSeeOther)
		return
	}
	var b bytes.Buffer
	if err := s.cfg.Pprof(r.Context(), &b, id, file, page, query); err != nil {
		s.fail(w, r, err)
		return
	}
	s.log.Info("evidence read", "case", id, "page", "pprof/"+page, "file", file, "who", whoIs(r))
	h := w.Header()
	h.Set("Content-Security-Policy", pprofPolicy)
	h.Del("Cross-Origin-Opener-Policy") // a browser refuses a sandboxed page that has one
	h.Set("Content-Type", "text/html; charset=utf-8")
	h.Set("Cache-Control", "no-store")
	_, _ = b.WriteTo(w)
}
