package server

import (
	"bytes"
	"errors"
	"net/http"
	"strconv"

	"github.com/gocasebook/casebook/app/store"
)

// A comparePage lets a reader choose two cases.
type comparePage struct {
	Service string
	A, B    string
	Cases   []store.Summary // to choose from
	Problem string
}

// maxComparisons bounds those that run at once: each runs the detectors twice, with hundreds of megabytes for large
// profiles. Others wait.
const maxComparisons = 2

// compare shows what differs between the cases ?a= and ?b=, as `casebook compare --html` does. Without both it is a
// form.
func (s *Server) compare(w http.ResponseWriter, r *http.Request) {
	q := r.URL.Query()
	p := comparePage{Service: q.Get("service"), A: q.Get("a"), B: q.Get("b")}
	if p.A == "" || p.B == "" {
		s.compareForm(w, r, http.StatusOK, p)
		return
	}
	if s.cfg.Compare == nil {
		answerProblem(w, http.StatusNotFound, "this server compares no cases")
		return
	}
	var page bytes.Buffer
	err := s.drawComparison(&page, r, p.A, p.B)
	switch {
	case errors.Is(err, store.ErrNotFound):
		p.Problem = "There is no such case."
		s.compareForm(w, r, http.StatusNotFound, p)
	case errors.Is(err, ErrIncomparable):
		s.log.Warn("two cases cannot be compared", "case", p.A, "other", p.B, "error", err)
		p.Problem = "These two cannot be compared: evidence of one of them cannot be read, or it has none."
		s.compareForm(w, r, http.StatusUnprocessableEntity, p)
	case err != nil:
		s.fail(w, r, err)
	default:
		answerDrawn(w, &page)
	}
}

func (s *Server) drawComparison(page *bytes.Buffer, r *http.Request, a, b string) error {
	select {
	case s.comparing <- struct{}{}:
		defer func() { <-s.comparing }()
	case <-r.Context().Done():
		return r.Context().Err()
	}
	before, err := s.cfg.Cases.Checkout(r.Context(), a)
	if err != nil {
		return err
	}
	defer before.Close()
	after, err := s.cfg.Cases.Checkout(r.Context(), b)
	if err != nil {
		return err
	}
	defer after.Close()
	s.log.Info("cases read", "case", a, "other", b, "who", whoIs(r))
	return s.cfg.Compare(r.Context(), page, before.Folder, after.Folder)
}

// compareForm offers the newest cases, of one service if there is one.
func (s *Server) compareForm(w http.ResponseWriter, r *http.Request, code int, p comparePage) {
	list, err := s.cfg.Cases.List(r.Context(), store.Filter{Service: p.Service, Limit: offered})
	if err != nil {
		s.fail(w, r, err)
		return
	}
	p.Cases = list.Cases
	s.answerPage(w, r, code, "compare.html", p)
}

// offered is how many cases a form lists; the ID of any other can be written into the address.
const offered = 100

// latest stands for the number of the proof that was taken last.
const latest = "latest"

// proofPage is the page of one proof of a case, as `casebook prove --html` draws it. The first that was taken is 1, so
// that a link to it stays right when others come.
func (s *Server) proofPage(w http.ResponseWriter, r *http.Request) {
	list, err := s.cfg.Cases.Proofs(r.Context(), r.PathValue("id"))
	if err != nil {
		s.fail(w, r, err)
		return
	}
	n, err := strconv.Atoi(r.PathValue("n"))
	if r.PathValue("n") == latest {
		n, err = len(list), nil
	}
	if err != nil || n < 1 || n > len(list) || s.cfg.Proof == nil {
		answerProblem(w, http.StatusNotFound, "the case has no such proof")
		return
	}
	var page bytes.Buffer
	if err := s.cfg.Proof(&page, list[len(list)-n].Proof); err != nil {
		s.fail(w, r, err)
		return
	}
	s.log.Info("proof read", "case", r.PathValue("id"), "proof", n, "who", whoIs(r))
	answerDrawn(w, &page)
}
