package server

import (
	"net/http"
	"net/url"

	"github.com/gocasebook/casebook/app/fleet"
	"github.com/gocasebook/casebook/app/store"
)

// A servicePage is what a service's page shows: its targets as they are now, what was asked for, and its cases.
type servicePage struct {
	Name       string
	Targets    []fleet.Status
	Page       store.Page
	All        string // the address of all its cases
	Captures   []store.Capture
	MayCapture bool
	Engine     bool // its versions can be compared
}

const (
	recentCases    = 20
	recentCaptures = 10
)

// service is the page of one service, by ?name=: a name may be a module's path.
func (s *Server) service(w http.ResponseWriter, r *http.Request) {
	name := r.URL.Query().Get("name")
	if name == "" {
		http.Redirect(w, r, "/", http.StatusSeeOther)
		return
	}
	p := servicePage{Name: name, All: "/?" + url.Values{"service": {name}}.Encode(),
		Engine: s.cfg.Release != nil, MayCapture: s.cfg.Keeper != nil && role(r).Allows(store.Operator)}
	var err error
	if p.Page, err = s.cfg.Cases.List(r.Context(), store.Filter{Service: name, Limit: recentCases}); err == nil {
		err = p.addTargets(r, s)
	}
	if err != nil {
		s.fail(w, r, err)
		return
	}
	code := http.StatusOK
	if len(p.Targets)+len(p.Page.Cases) == 0 {
		code = http.StatusNotFound
	}
	s.answerPage(w, r, code, "service.html", p)
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
