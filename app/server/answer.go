package server

import (
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"strconv"
	"strings"
	"time"

	"github.com/gocasebook/casebook/app/store"
)

// readyTime bounds how long the store may take to say that it is there.
const readyTime = 5 * time.Second

// retryAfter is what a sender is told to wait while the store is away.
const retryAfter = 10 * time.Second

func answerText(w http.ResponseWriter, code int, text string) {
	w.Header().Set("Content-Type", "text/plain; charset=utf-8")
	w.WriteHeader(code)
	_, _ = w.Write([]byte(text + "\n"))
}

// answerJSON encodes before it answers: half an answer with the code of a whole one would be taken for all there is.
func answerJSON(w http.ResponseWriter, code int, v any) {
	data, err := json.MarshalIndent(v, "", "  ")
	if err != nil {
		answerProblem(w, http.StatusInternalServerError, "the answer cannot be written as JSON: "+err.Error())
		return
	}
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(code)
	_, _ = w.Write(append(data, '\n'))
}

// answerProblem is RFC 9457's form of an error.
func answerProblem(w http.ResponseWriter, code int, detail string) {
	w.Header().Set("Content-Type", "application/problem+json")
	w.Header().Set("Cache-Control", "no-store")
	w.WriteHeader(code)
	_ = json.NewEncoder(w).Encode(problem{http.StatusText(code), code, detail})
}

// problem is answerProblem for a program, and a page that leads on for a browser that asked for a page.
func (s *Server) problem(w http.ResponseWriter, r *http.Request, code int, detail string) {
	if strings.HasPrefix(r.URL.Path, "/api/") || !strings.Contains(r.Header.Get("Accept"), "text/html") {
		answerProblem(w, code, detail)
		return
	}
	s.answerPage(w, r, code, "problem.html", problem{http.StatusText(code), code, detail})
}

type problem struct {
	Title  string `json:"title"`
	Status int    `json:"status"`
	Detail string `json:"detail"`
}

// busy says what there is too much of.
func busy(err error) string {
	_, what, _ := strings.Cut(err.Error(), store.ErrBusy.Error()+": ")
	if what == "" {
		what = "too much waits already"
	}
	return what + "; try again"
}

// fail answers with what an error of the store means. The text of one that is the sender's affair is told; of others
// the log has it, because it may name paths and addresses.
func (s *Server) fail(w http.ResponseWriter, r *http.Request, err error) {
	switch {
	case errors.Is(err, store.ErrTooLarge):
		s.problem(w, r, http.StatusRequestEntityTooLarge, err.Error())
	case errors.Is(err, store.ErrInvalid):
		s.problem(w, r, http.StatusUnprocessableEntity, err.Error())
	case errors.Is(err, store.ErrExists), errors.Is(err, store.ErrConflict):
		s.problem(w, r, http.StatusConflict, err.Error())
	case errors.Is(err, store.ErrNotFound):
		s.problem(w, r, http.StatusNotFound, "there is no such case, or no such evidence in it")
	case errors.Is(err, store.ErrCutShort): // if its sender still listens
		s.problem(w, r, http.StatusRequestTimeout, "the case did not arrive whole; send it again")
	case errors.Is(err, context.Canceled): // the sender is gone
	case errors.Is(err, store.ErrFull):
		s.log.Error("no room", "path", r.URL.Path, "error", err)
		w.Header().Set("Retry-After", strconv.Itoa(int(retryAfter.Seconds())))
		s.problem(w, r, http.StatusInsufficientStorage, "the server has no room left")
	case errors.Is(err, store.ErrBusy):
		w.Header().Set("Retry-After", strconv.Itoa(int(retryAfter.Seconds())))
		s.problem(w, r, http.StatusServiceUnavailable, busy(err))
	case errors.Is(err, store.ErrUnavailable), errors.Is(err, context.DeadlineExceeded):
		s.log.Warn("store not available", "path", r.URL.Path, "error", err)
		w.Header().Set("Retry-After", strconv.Itoa(int(retryAfter.Seconds())))
		s.problem(w, r, http.StatusServiceUnavailable, "the store does not answer; try again")
	default:
		s.log.Error("request failed", "method", r.Method, "path", r.URL.Path, "error", err)
		s.problem(w, r, http.StatusInternalServerError, "something is wrong here; the server's log has it")
	}
}
