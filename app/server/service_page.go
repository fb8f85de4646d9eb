package server

import (
	"net/http"
	"net/url"
	"time"

	"github.com/gocasebook/casebook/app/fleet"
	"github.com/gocasebook/casebook/app/store"
)

// A servicePage is what a service's page shows: its targets as they are now, what was asked for, and its cases.
type servicePage struct {
	Name       string
	Range      timeRange
	Ranges     []choice
	Course     *chart
	Groups     store.Groups
	Rows       []groupRow
	Reading    reading
	Problem    string
	Targets    []fleet.Status
	Page       store.Page
	All        string // the address of all its cases
	Captures   []store.Capture
	MayCapture bool
	Engine     bool // its versions can be compared
}

const (
	recentCases    = 12
	recentGroups   = 15
	recentCaptures = 10
)

// service is the page of one service, by ?name=: a name may be a module's path.
func (s *Server) service(w http.ResponseWriter, r *http.Request) {
	name := r.URL.Query().Get("name")
	if name == "" {
		http.Redirect(w, r, "/", http.StatusSeeOther)
		return
	}
	p := servicePage{Name: name, All: "/cases?" + url.Values{"service": {name}}.Encode(),
		Engine: s.cfg.Release != nil, MayCapture: s.cfg.Keeper != nil && role(r).Allows(store.Operator)}
	err := p.addCases(r, s)
	if err == nil {
		err = p.addTargets(r, s)
	}
	if err != nil {
		s.fail(w, r, err)
		return
	}
	code := http.StatusOK
	if p.Problem != "" {
		code = http.StatusBadRequest
	}
	if len(p.Targets)+len(p.Page.Cases) == 0 {
		code = http.StatusNotFound
	}
	s.answerPage(w, r, code, "service.html", p)
}

// addCases adds what its cases say: of a time, and the newest.
func (p *servicePage) addCases(r *http.Request, s *Server) (err error) {
	q := r.URL.Query()
	if p.Range, err = rangeOf(q, usualRange); err != nil {
		p.Problem = err.Error()
	}
	p.Ranges = p.Range.choices("/service", q)
	span := p.Range.from(time.Now())
	if p.Reading, err = s.reading(); err != nil {
		return err
	}
	if p.Page, err = s.cfg.Cases.List(r.Context(), store.Filter{Service: p.Name, Limit: recentCases}); err != nil {
		return err
	}
	parts, err := s.cfg.Cases.Course(r.Context(), store.Filter{Service: p.Name}, span)
	if err != nil {
		return err
	}
	p.Course = courseOf(parts, span, p.Range)
	p.Groups, err = s.cfg.Cases.Groups(r.Context(), store.GroupFilter{Span: span, Service: p.Name, Limit: recentGroups})
	if err == nil {
		p.Rows, err = s.groupRows(r, p.Groups.List, p.Range)
	}
	return err
}

func (p *servicePage) addTargets(r *http.Request, s *Server) error {
	if s.cfg.Fleet == nil {
		return nil
	}
	for _, t := range s.cfg.Fleet.Targets() {
		if t.Service != p.Name {
			continue
		}
		if st, ok := s.cfg.Fleet.Status(t.ID); ok {
			p.Targets = append(p.Targets, st)
		}
		list, err := s.cfg.Keeper.Captures(r.Context(), t.ID, recentCaptures)
		if err != nil {
			return err
		}
		p.Captures = append(p.Captures, list...)
	}
	return nil
}
