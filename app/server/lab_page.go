package server

import (
	_ "embed"
	"encoding/json"
	"fmt"
	"net/http"
	"sync"
)

// labSummary is what the lab's last run said, in a few words: `make lab` writes it, and a test of lab/play compares.
//
//go:embed lab.json
var labSummary []byte

// A labRun is that run: services that are really sick, what was found, what cured them, and the figures.
type labRun struct {
	Machine  string       `json:"machine"`
	Tool     string       `json:"tool"`
	Measure  string       `json:"measure"` // how long each form was measured
	From     string       `json:"from"`
	To       string       `json:"to"`
	Rows     []labRow     `json:"rows"`
	Services []labService `json:"-"` // the rows by service
}

type labService struct {
	Name, About string
	Rows        []labRow
}

type labRow struct {
	Service string `json:"service"`
	About   string `json:"about"`
	Name    string `json:"name"`
	Sick    string `json:"sick"`
	Finding *struct {
		ID       string `json:"id"`
		Kind     string `json:"kind"`
		Title    string `json:"title"`
		Score    int    `json:"score"`
		Function string `json:"function"`
	} `json:"finding"`
	Cure    string `json:"cure"`
	Fixed   string `json:"fixed"` // the kind for which casebook fix made the cure
	Figures []struct {
		Name    string `json:"name"`
		Key     bool   `json:"key"`
		Before  string `json:"before"`
		After   string `json:"after"`
		Change  string `json:"change"`
		Verdict string `json:"verdict"`
	} `json:"figures"`
	Promise string `json:"promise"`
	Result  string `json:"result"`
}

// readLab reads the summary once: it never changes while the process runs.
var readLab = sync.OnceValues(func() (run labRun, err error) {
	if err = json.Unmarshal(labSummary, &run); err != nil {
		return run, fmt.Errorf("reading the lab's summary: %w", err)
	}
	for _, r := range run.Rows {
		if n := len(run.Services); n == 0 || run.Services[n-1].Name != r.Service {
			run.Services = append(run.Services, labService{Name: r.Service, About: r.About})
		}
		last := &run.Services[len(run.Services)-1]
		last.Rows = append(last.Rows, r)
	}
	return run, nil
})

// lab is the page of the lab: it says what the detectors are worth.
func (s *Server) lab(w http.ResponseWriter, r *http.Request) {
	run, err := readLab()
	if err != nil {
		s.fail(w, r, err)
		return
	}
	s.answerPage(w, r, http.StatusOK, "lab.html", run)
}
