package server

import (
	"bytes"
	"crypto/sha256"
	"embed"
	"encoding/base64"
	"html/template"
	"io/fs"
	"net/http"
	"path"
	"strings"
	"time"

	"github.com/gocasebook/casebook/app/site"
	"github.com/gocasebook/casebook/casefile"
	"github.com/gocasebook/casebook/internal/number"
)

//go:embed assets
var assetFiles embed.FS

var templates = template.Must(template.New("").Funcs(template.FuncMap{
	"severity": func(score int) string { return casefile.Finding{Score: score}.Severity() },
	"clock":    func(t time.Time) string { return t.UTC().Format("2006-01-02 15:04:05") },
	"iso":      func(t time.Time) string { return t.UTC().Format(time.RFC3339) },
	"bars":     bars,
	"cores":    cores,
	"percent":  percent,
	"bytes":    func(n int64) string { return number.Bytes(float64(n)) },
	"day":      func(t time.Time) string { return t.UTC().Format("2 Jan 15:04") },
	"frame":    newFrame,
}).Funcs(site.Functions()).ParseFS(bothFiles{}, "assets/*.html", "html/*.html"))

// bothFiles are the templates of our pages and of all pages.
type bothFiles struct{}

func (bothFiles) Open(name string) (fs.File, error) {
	if strings.HasPrefix(name, "html") {
		return site.Templates.Open(name)
	}
	return assetFiles.Open(name)
}

// A frame is what the pages of the server have around them.
type frame struct{ Title, Path, Script string }

func newFrame(title, path, script string) frame { return frame{title, path, script} }

// styleSheet is that of our pages: what all pages have, and then their own.
const styleSheet = "assets/page.css"

// asset sends a file of our pages.
func (s *Server) asset(w http.ResponseWriter, r *http.Request) {
	name := path.Join("assets", path.Base(r.PathValue("file")))
	data, err := assetFiles.ReadFile(name)
	if name == styleSheet {
		data = append([]byte(site.Style), data...)
	}
	if err != nil || strings.HasSuffix(name, ".html") {
		answerProblem(w, http.StatusNotFound, "there is no such file")
		return
	}
	sum := sha256.Sum256(data)
	w.Header().Set("ETag", `"`+base64.RawURLEncoding.EncodeToString(sum[:12])+`"`)
	w.Header().Set("Cache-Control", "no-cache")
	http.ServeContent(w, r, name, time.Time{}, bytes.NewReader(data))
}

func (s *Server) answerPage(w http.ResponseWriter, r *http.Request, code int, name string, p any) {
	var b bytes.Buffer
	if err := templates.ExecuteTemplate(&b, name, p); err != nil {
		s.log.Error("a page cannot be drawn", "page", name, "error", err)
		answerProblem(w, http.StatusInternalServerError, "something is wrong here; the server's log has it")
		return
	}
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	w.Header().Set("Cache-Control", "no-store")
	w.WriteHeader(code)
	_, _ = b.WriteTo(w)
}

// casePage is the page that `casebook case report` writes, with links to the pages of the evidence, and with what
// the store knows of other instances.
func (s *Server) casePage(w http.ResponseWriter, r *http.Request) {
	var b bytes.Buffer
	if err := s.drawCase(&b, r); err != nil {
		s.fail(w, r, err)
		return
	}
	s.log.Info("case read", "case", r.PathValue("id"), "who", whoIs(r))
	if s.mayAnswer(r) {
		answerWithForms(w, &b, "'self'")
		return
	}
	answerDrawn(w, &b)
}

// drawCase has given back what it took before anybody reads the page.
func (s *Server) drawCase(b *bytes.Buffer, r *http.Request) error {
	select {
	case s.drawing <- struct{}{}:
		defer func() { <-s.drawing }()
	case <-r.Context().Done():
		return r.Context().Err()
	}
	c, err := s.cfg.Cases.Checkout(r.Context(), r.PathValue("id"))
	if err != nil {
		return err
	}
	defer c.Close()
	return s.cfg.Page(r.Context(), b, c.Folder, s.mayAnswer(r))
}
