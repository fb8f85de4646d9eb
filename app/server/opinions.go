package server

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strconv"
	"strings"

	"github.com/gocasebook/casebook/app/store"
	"github.com/gocasebook/casebook/casefile"
)

// maxAnswer bounds what somebody says of a case; a diff is most of it.
const maxAnswer = 1 << 20

// mayAnswer reports whether the sender of a request may give an opinion here.
func (s *Server) mayAnswer(r *http.Request) bool {
	return s.cfg.Opinions != nil && s.cfg.Answer != nil && role(r).Allows(store.Uploader)
}

// addOpinion takes an answer to a case in, in the form of docs/answer.md: it is checked, and kept as an opinion.
func (s *Server) addOpinion(w http.ResponseWriter, r *http.Request) {
	answer, err := io.ReadAll(http.MaxBytesReader(w, r.Body, maxAnswer))
	if err != nil {
		s.unreadAnswer(w, r, err)
		return
	}
	if o, ok := s.giveOpinion(w, r, answer); ok {
		answerJSON(w, http.StatusCreated, o)
	}
}

// opinionPosted is addOpinion for the form of the page.
func (s *Server) opinionPosted(w http.ResponseWriter, r *http.Request) {
	r.Body = http.MaxBytesReader(w, r.Body, maxAnswer)
	if err := r.ParseForm(); err != nil {
		s.unreadAnswer(w, r, err)
		return
	}
	answer, err := formAnswer(r.PostForm)
	if err != nil {
		answerProblem(w, http.StatusUnprocessableEntity, err.Error())
		return
	}
	if _, ok := s.giveOpinion(w, r, answer); ok {
		http.Redirect(w, r, "/cases/"+url.PathEscape(r.PathValue("id"))+"#opinions", http.StatusSeeOther)
	}
}

// formAnswer makes an answer of a form's fields.
func formAnswer(form url.Values) ([]byte, error) {
	field := func(name string) string { // browsers end lines as mail does
		return strings.TrimSpace(strings.ReplaceAll(form.Get(name), "\r\n", "\n"))
	}
	at := casefile.At{Function: field("function"), File: field("file")}
	if text := field("line"); text != "" {
		line, err := strconv.ParseInt(text, 10, 32)
		if err != nil || line < 1 {
			return nil, fmt.Errorf("the line is %.40q: want a number", text)
		}
		at.Line = int(line)
	}
	if at == (casefile.At{}) {
		return nil, errors.New("where is it? Name a function, or a file and a line")
	}
	diff := strings.ReplaceAll(form.Get("diff"), "\r\n", "\n") // spaces at its ends are its own
	if strings.TrimSpace(diff) == "" {
		diff = ""
	} else if !strings.HasSuffix(diff, "\n") {
		diff += "\n"
	}
	return json.Marshal(struct {
		Author string        `json:"author,omitempty"`
		Place  []casefile.At `json:"place"`
		Cause  string        `json:"cause"`
		Change string        `json:"change,omitempty"`
		Diff   string        `json:"diff,omitempty"`
	}{field("author"), []casefile.At{at}, field("cause"), field("change"), diff})
}

func (s *Server) unreadAnswer(w http.ResponseWriter, r *http.Request, err error) {
	var large *http.MaxBytesError
	if errors.As(err, &large) {
		answerProblem(w, http.StatusRequestEntityTooLarge,
			fmt.Sprintf("an answer may have %d bytes; say the change in words, without the diff", maxAnswer))
		return
	}
	s.log.Debug("an answer could not be read", "case", r.PathValue("id"), "error", err)
	answerProblem(w, http.StatusBadRequest, "the answer could not be read")
}

// giveOpinion checks an answer against the evidence of its case, and keeps it with its check. Nothing of it is run.
func (s *Server) giveOpinion(w http.ResponseWriter, r *http.Request, answer []byte) (o casefile.Opinion, ok bool) {
	if s.cfg.Opinions == nil || s.cfg.Answer == nil {
		answerProblem(w, http.StatusNotFound, "this server checks no answers")
		return o, false
	}
	id, who := r.PathValue("id"), whoIs(r)
	o, err := s.checkAnswer(r, answer)
	if err == nil {
		o.ID, err = s.cfg.Opinions.AddOpinion(r.Context(), id, o)
	}
	if err != nil {
		s.fail(w, r, err)
		return o, false
	}
	s.log.Info("opinion received", "case", id, "opinion", o.ID, "verdict", o.Verdict, "who", who)
	return o, true
}

// checkAnswer holds a copy of the case meanwhile, as the page of a case does.
func (s *Server) checkAnswer(r *http.Request, answer []byte) (casefile.Opinion, error) {
	select {
	case s.drawing <- struct{}{}:
		defer func() { <-s.drawing }()
	case <-r.Context().Done():
		return casefile.Opinion{}, r.Context().Err()
	}
	c, err := s.cfg.Cases.Checkout(r.Context(), r.PathValue("id"))
	if err != nil {
		return casefile.Opinion{}, err
	}
	defer c.Close()
	return s.cfg.Answer(r.Context(), c.Folder, answer, strings.Trim(whoIs(r), "()"))
}
