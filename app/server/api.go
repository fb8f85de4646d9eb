package server

import (
	"bytes"
	"crypto/sha256"
	_ "embed"
	"encoding/base64"
	"errors"
	"fmt"
	"io"
	"mime"
	"net/http"
	"net/url"
	"path"
	"strconv"
	"strings"
	"time"

	"github.com/gocasebook/casebook/app/site"
	"github.com/gocasebook/casebook/app/store"
	"github.com/gocasebook/casebook/casefile"
)

//go:embed openapi.json
var openAPIDocument []byte

func (s *Server) openAPI(w http.ResponseWriter, r *http.Request) {
	w.Header().Set("Content-Type", "application/json")
	http.ServeContent(w, r, "", time.Time{}, bytes.NewReader(openAPIDocument))
}

func (s *Server) services(w http.ResponseWriter, r *http.Request) {
	list, err := s.cfg.Cases.Services(r.Context())
	if err != nil {
		s.fail(w, r, err)
		return
	}
	answerJSON(w, http.StatusOK, map[string]any{"services": list})
}

func (s *Server) list(w http.ResponseWriter, r *http.Request) {
	f, err := readFilter(r.URL.Query())
	if err != nil {
		answerProblem(w, http.StatusBadRequest, err.Error())
		return
	}
	page, err := s.cfg.Cases.List(r.Context(), f)
	if err != nil {
		s.fail(w, r, err)
		return
	}
	answerJSON(w, http.StatusOK, page)
}

// readFilter reads the query of a list. Names that it does not know are errors: a filter with a slip in its name would
// let all cases through.
func readFilter(q url.Values) (store.Filter, error) {
	f := store.Filter{Service: q.Get("service"), Rule: q.Get("rule"), Kind: q.Get("kind"), Text: q.Get("q"),
		After: q.Get("after")}
	var errs []error
	for name, values := range q {
		var err error
		switch value := values[0]; name {
		case "service", "rule", "kind", "q", "after":
		case "function":
			if f.OfProcess = value == site.OfProcess; !f.OfProcess {
				f.Function = value
			}
		case "label":
			f.Label, err = readLabels(values)
		case "from":
			f.From, err = time.Parse(time.RFC3339, value)
		case "to":
			f.To, err = time.Parse(time.RFC3339, value)
		case "score":
			f.Score, err = wholeNumber(value)
		case "limit":
			f.Limit, err = wholeNumber(value)
		default:
			err = errors.New("there is no such filter")
		}
		if err != nil {
			errs = append(errs, fmt.Errorf("%.40q: %w", name, err))
		}
	}
	return f, errors.Join(errs...)
}

// wholeNumber reads a number that both databases have room for.
func wholeNumber(text string) (int, error) {
	n, err := strconv.ParseInt(text, 10, 32)
	return int(n), err
}

func readLabels(values []string) (map[string]string, error) {
	labels := map[string]string{}
	for _, v := range values {
		name, value, ok := strings.Cut(v, "=")
		if !ok {
			return nil, errors.New("want NAME=VALUE")
		}
		labels[name] = value
	}
	return labels, nil
}

func (s *Server) oneCase(w http.ResponseWriter, r *http.Request) {
	c, err := s.cfg.Cases.Case(r.Context(), r.PathValue("id"))
	if err != nil {
		s.fail(w, r, err)
		return
	}
	s.log.Info("case read", "case", c.ID, "who", whoIs(r))
	answerJSON(w, http.StatusOK, c)
}

// upload takes a case in. Its answers are those that reporter.Collector knows: 201 for a new case, 200 for a known one,
// 409 for another of the same ID.
func (s *Server) upload(w http.ResponseWriter, r *http.Request) {
	up := store.Upload{ID: r.PathValue("id"), Body: r.Body, MaxBytes: s.cfg.MaxUpload}
	if r.ContentLength > s.cfg.MaxUpload { // before its sender is asked for it (Expect: 100-continue)
		answerProblem(w, http.StatusRequestEntityTooLarge, fmt.Sprintf("a case may have %d bytes", s.cfg.MaxUpload))
		return
	}
	var err error
	if up.SHA256, err = contentDigest(r.Header.Get("Content-Digest")); err == nil && !casefile.ValidID(up.ID) {
		err = errors.New("the address does not end in the ID of a case")
	}
	if err != nil {
		answerProblem(w, http.StatusBadRequest, err.Error())
		return
	}
	receipt, err := s.cfg.Keeper.Put(r.Context(), up)
	if err != nil {
		s.fail(w, r, err)
		return
	}
	s.received(w, r, receipt)
}

func (s *Server) received(w http.ResponseWriter, r *http.Request, receipt store.Receipt) {
	s.log.Info("case received", "case", receipt.ID, "known", receipt.Known, "who", whoIs(r))
	code := http.StatusCreated
	if receipt.Known {
		code = http.StatusOK
	}
	answerJSON(w, code, receipt)
}

// contentDigest reads the SHA-256 of a Content-Digest header (RFC 9530); nil where there is none.
func contentDigest(header string) ([]byte, error) {
	for part := range strings.SplitSeq(header, ",") {
		text, found := strings.CutPrefix(strings.TrimSpace(part), "sha-256=:")
		if !found {
			continue
		}
		sum, err := base64.StdEncoding.DecodeString(strings.TrimSuffix(text, ":"))
		if err != nil || len(sum) != sha256.Size {
			return nil, errors.New("the Content-Digest is not a SHA-256 in base64")
		}
		return sum, nil
	}
	return nil, nil
}

func (s *Server) remove(w http.ResponseWriter, r *http.Request) {
	id := r.PathValue("id")
	if err := s.cfg.Keeper.Remove(r.Context(), id); err != nil {
		s.fail(w, r, err)
		return
	}
	s.log.Info("case removed", "case", id, "who", whoIs(r))
	w.WriteHeader(http.StatusNoContent)
}

// zip sends a case as casefile.Export writes it, straight from where its evidence is.
func (s *Server) zip(w http.ResponseWriter, r *http.Request) {
	id := r.PathValue("id")
	out := &zipAnswer{w: w, begin: func() {
		s.log.Info("case read", "case", id, "who", whoIs(r))
		w.Header().Set("Content-Type", "application/zip")
		attach(w, id+".zip")
	}}
	switch err := s.cfg.Cases.Export(r.Context(), id, out); {
	case err == nil:
	case out.begun: // too late for an answer: cut it short, so that nobody takes it for whole
		s.log.Warn("a zip is cut short", "case", id, "who", whoIs(r), "error", err)
		panic(http.ErrAbortHandler)
	default:
		s.fail(w, r, err)
	}
}

// A zipAnswer begins with the first byte: until then there may be another answer.
type zipAnswer struct {
	w     io.Writer
	begin func()
	begun bool
}

func (z *zipAnswer) Write(p []byte) (int, error) {
	if !z.begun {
		z.begin()
		z.begun = true
	}
	return z.w.Write(p)
}

// evidence sends a file as it is, and parts of it on request.
func (s *Server) evidence(w http.ResponseWriter, r *http.Request) {
	id, file := r.PathValue("id"), r.PathValue("file")
	e, b, err := s.cfg.Cases.Evidence(r.Context(), id, file)
	if err != nil {
		s.fail(w, r, err)
		return
	}
	defer b.Close()
	s.log.Info("evidence read", "case", id, "file", e.File, "who", whoIs(r))
	w.Header().Set("Content-Type", "application/octet-stream") // a browser must not try to show it
	w.Header().Set("ETag", `"`+e.SHA256+`"`)
	w.Header().Set("Cache-Control", "private, no-cache")
	attach(w, id+"-"+path.Base(e.File))
	http.ServeContent(w, r, "", time.Time{}, b)
}

func attach(w http.ResponseWriter, name string) {
	w.Header().Set("Content-Disposition", mime.FormatMediaType("attachment", map[string]string{"filename": name}))
}
