package server

import (
	"fmt"
	"net/http"
	"strconv"

	"github.com/gocasebook/casebook/app/store"
)

// ranking lists the findings that cost most CPU.
func (s *Server) ranking(w http.ResponseWriter, r *http.Request) {
	limit := 0
	if text := r.URL.Query().Get("limit"); text != "" {
		var err error
		if limit, err = strconv.Atoi(text); err != nil || limit < 1 {
			answerProblem(w, http.StatusBadRequest, fmt.Sprintf("limit is %.40q; want a number from 1 on", text))
			return
		}
	}
	list, err := s.cfg.Keeper.Ranking(r.Context(), limit)
	if err != nil {
		s.fail(w, r, err)
		return
	}
	answerJSON(w, http.StatusOK, list)
}

// cores writes a number of cores with as many digits as matter: 12, 1.4, 0.031.
func cores(n float64) string {
	digits := 1
	switch {
	case n >= 10:
		digits = 0
	case n < 0.1:
		digits = 3
	case n < 1:
		digits = 2
	}
	return strconv.FormatFloat(n, 'f', digits, 64)
}

// percent writes a share.
func percent(share float64) string { return strconv.FormatFloat(100*share, 'f', 0, 64) + " %" }

// rankingOf is what the first page shows of the ranking; nil where there is none.
func (s *Server) rankingOf(r *http.Request) (*store.Ranking, error) {
	if s.cfg.Keeper == nil {
		return nil, nil
	}
	list, err := s.cfg.Keeper.Ranking(r.Context(), 0)
	if err != nil || list.Services == 0 {
		return nil, err
	}
	return &list, nil
}
