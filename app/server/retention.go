package server

import (
	"net/http"
	"time"

	"github.com/gocasebook/casebook/app/store"
	"github.com/gocasebook/casebook/casefile"
	"github.com/gocasebook/casebook/internal/number"
)

// A RetentionPlan says what the limits would remove now. A limit of 0 is none.
type RetentionPlan struct {
	On       bool  `json:"on"` // there are limits
	MaxBytes int64 `json:"max_bytes"`
	MaxAge   int64 `json:"max_age_seconds"`
	MaxCases int   `json:"max_cases"`
	store.Pruning
}

func (s *Server) retentionPlan(r *http.Request) (p RetentionPlan, err error) {
	keep := casefile.KeepAll()
	if s.cfg.Retention != nil {
		keep = *s.cfg.Retention
	}
	p = RetentionPlan{On: s.cfg.Retention != nil, MaxBytes: max(keep.MaxBytes, 0),
		MaxAge: int64(max(keep.MaxAge, 0) / time.Second), MaxCases: max(keep.MaxCases, 0)}
	p.Pruning, err = s.cfg.Keeper.PlanPrune(r.Context(), keep)
	return p, err
}

func (s *Server) retention(w http.ResponseWriter, r *http.Request) {
	p, err := s.retentionPlan(r)
	if err != nil {
		s.fail(w, r, err)
		return
	}
	answerJSON(w, http.StatusOK, p)
}

// A retentionPage shows what the limits would remove, and what is pinned.
type retentionPage struct {
	RetentionPlan
	Shown  []store.Summary // of those that would be removed, the first
	Pinned []store.Summary // the newest
	MayPin bool
	Limits []string
}

// shownRemovals bounds the rows of the page; the API has all.
const shownRemovals = 200

func (s *Server) retentionPage(w http.ResponseWriter, r *http.Request) {
	plan, err := s.retentionPlan(r)
	if err != nil {
		s.fail(w, r, err)
		return
	}
	pinned, err := s.cfg.Cases.List(r.Context(), store.Filter{Pinned: true, Limit: shownRemovals})
	if err != nil {
		s.fail(w, r, err)
		return
	}
	p := retentionPage{RetentionPlan: plan, Pinned: pinned.Cases, MayPin: role(r).Allows(store.Operator),
		Shown: plan.Removed[:min(len(plan.Removed), shownRemovals)]}
	if plan.MaxAge > 0 {
		p.Limits = append(p.Limits, number.Setting(time.Duration(plan.MaxAge)*time.Second)+" after they came")
	}
	if plan.MaxBytes > 0 {
		p.Limits = append(p.Limits, number.Bytes(float64(plan.MaxBytes))+" of evidence")
	}
	if plan.MaxCases > 0 {
		p.Limits = append(p.Limits, number.Things(plan.MaxCases, "case"))
	}
	s.answerPage(w, r, http.StatusOK, "retention.html", p)
}

// pin makes a case stay whatever the limits, or, with DELETE, no longer.
func (s *Server) pin(w http.ResponseWriter, r *http.Request) {
	if s.pinned(w, r, r.PathValue("id"), r.Method == http.MethodPut) {
		w.WriteHeader(http.StatusNoContent)
	}
}

// pinPosted is pin for the forms of the page.
func (s *Server) pinPosted(w http.ResponseWriter, r *http.Request) {
	r.Body = http.MaxBytesReader(w, r.Body, 4<<10)
	if s.pinned(w, r, r.PostFormValue("case"), r.PostFormValue("pinned") == "yes") {
		http.Redirect(w, r, "/retention", http.StatusSeeOther)
	}
}

func (s *Server) pinned(w http.ResponseWriter, r *http.Request, id string, pinned bool) bool {
	if err := s.cfg.Keeper.Pin(r.Context(), id, pinned); err != nil {
		s.fail(w, r, err)
		return false
	}
	s.log.Info("case pinned", "case", id, "pinned", pinned, "who", whoIs(r))
	return true
}
