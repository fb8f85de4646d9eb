package server

import (
	"context"
	"net/http"
	"time"

	"github.com/gocasebook/casebook/app/store"
)

// A FoundPage is a part of the list of findings: those of a page of cases.
type FoundPage struct {
	Findings []Found `json:"findings"`
	Next     string  `json:"next,omitempty"` // empty at the end
}

// A Found is a finding of a case, in a row without parts.
type Found struct {
	Case       string    `json:"case"`
	Opened     time.Time `json:"opened"`
	Service    string    `json:"service"`
	Version    string    `json:"version,omitempty"`
	ID         string    `json:"id"`
	Kind       string    `json:"kind"`
	Title      string    `json:"title"`
	Score      int       `json:"score"`
	Confidence float64   `json:"confidence"`
	Summary    string    `json:"summary"`
	Function   string    `json:"function,omitempty"` // the place to change; empty when it is about the whole process
	File       string    `json:"file,omitempty"`
	Line       int       `json:"line,omitempty"`
	Resource   string    `json:"resource,omitempty"`
	Share      float64   `json:"share,omitempty"` // 0–1 of that resource
	Proof      string    `json:"proof,omitempty"` // of the case: better, worse, …
}

// maxFoundCases bounds a page: each case.json of it is read.
const maxFoundCases = 100

// findings lists the findings of the cases that a filter lets through: those of its kind and score.
func (s *Server) findings(w http.ResponseWriter, r *http.Request) {
	f, err := readFilter(r.URL.Query())
	if err != nil {
		answerProblem(w, http.StatusBadRequest, err.Error())
		return
	}
	page, err := s.found(r.Context(), f)
	if err != nil {
		s.fail(w, r, err)
		return
	}
	answerJSON(w, http.StatusOK, page)
}

func (s *Server) found(ctx context.Context, f store.Filter) (FoundPage, error) {
	f.Limit = min(f.Limit, maxFoundCases)
	out := FoundPage{Findings: []Found{}}
	list, err := s.cfg.Cases.List(ctx, f)
	if err != nil {
		return out, err
	}
	out.Next = list.Next
	for i := range list.Cases {
		of := &list.Cases[i]
		c, err := s.cfg.Cases.Case(ctx, of.ID)
		if err != nil {
			return out, err
		}
		for k := range c.Findings {
			x := &c.Findings[k]
			if f.Kind != "" && x.Kind != f.Kind || x.Score < f.Score {
				continue
			}
			at := store.PlaceOf(x)
			out.Findings = append(out.Findings, Found{Case: c.ID, Opened: of.Opened, Service: of.Service, Version: of.Version,
				ID: x.ID, Kind: x.Kind, Title: x.Title, Score: x.Score, Confidence: x.Confidence, Summary: x.Summary,
				Function: at.Function, File: at.File, Line: at.Line, Resource: x.Impact.Resource, Share: x.Impact.Share,
				Proof: of.Proof})
		}
	}
	return out, nil
}
