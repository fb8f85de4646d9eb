package server

import (
	"cmp"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"time"

	"github.com/gocasebook/casebook/app/fleet"
	"github.com/gocasebook/casebook/app/store"
)

// A nowPage is the first page: what hurts now, and since when.
type nowPage struct {
	Range   timeRange
	Ranges  []choice
	Course  *chart
	Cases   int // of the range
	Groups  store.Groups
	Rows    []groupRow
	Team    []teamService
	Others  int             // services that are not shown
	Hurt    int             // services with an open finding
	Ranking *store.Ranking  // nil where there is none
	Active  []activityTotal // one: the totals of all services
	Watched []watchedService
	Newest  []store.Summary
	Reading reading
	Keeps   bool // cases, and does not only show them
	Problem string
}

// A teamService is a service with how it is.
type teamService struct {
	store.Activity
	Findings int // that are open, of the range
	Worst    int // the highest score of these
}

// An activityTotal are the cases of all services.
type activityTotal struct{ Open, Recent, Before, Services int }

const (
	shownGroups   = 12
	shownServices = 60 // a team of fifty services is on one page; the search has all
	shownNewest   = 8
	countedGroups = 2000 // of which services are judged
)

// overview is the first page; with a search it is the list of cases, which once had no address of its own.
func (s *Server) overview(w http.ResponseWriter, r *http.Request) {
	q := r.URL.Query()
	dropEmpty(q)
	if span := q.Get("range"); len(q) > 1 || len(q) == 1 && span == "" {
		s.casesPage(w, r)
		return
	}
	p, err := s.nowPage(r, q)
	if err != nil {
		s.fail(w, r, err)
		return
	}
	code := http.StatusOK
	if p.Problem != "" {
		code = http.StatusBadRequest
	}
	s.answerPage(w, r, code, "overview.html", p)
}

func (s *Server) nowPage(r *http.Request, q url.Values) (p *nowPage, err error) {
	p = &nowPage{Keeps: s.cfg.Keeper != nil, Watched: s.watchedServices()}
	if p.Range, err = rangeOf(q, usualRange); err != nil {
		p.Problem = err.Error()
	}
	p.Ranges = p.Range.choices("/", q)
	span := p.Range.from(time.Now())
	if p.Reading, err = s.reading(); err != nil { // before anything is counted
		return nil, err
	}
	parts, err := s.cfg.Cases.Course(r.Context(), store.Filter{}, span)
	if err != nil {
		return nil, err
	}
	p.Course = courseOf(parts, span, p.Range)
	for _, b := range parts {
		p.Cases += b.Cases
	}
	if p.Groups, err = s.cfg.Cases.Groups(r.Context(), store.GroupFilter{Span: span, Limit: countedGroups}); err != nil {
		return nil, err
	}
	if p.Rows, err = s.groupRows(r, p.Groups.List[:min(shownGroups, len(p.Groups.List))], p.Range); err != nil {
		return nil, err
	}
	if p.Ranking, err = s.rankingOf(r); err != nil {
		return nil, err
	}
	page, err := s.cfg.Cases.List(r.Context(), store.Filter{Limit: shownNewest})
	p.Newest = page.Cases
	if err == nil {
		err = p.addTeam(r, s)
	}
	return p, err
}

// addTeam adds the services with cases, those that hurt most first.
func (p *nowPage) addTeam(r *http.Request, s *Server) error {
	active, err := s.cfg.Cases.Activity(r.Context())
	if err != nil {
		return err
	}
	of := make(map[string]*teamService)
	total := activityTotal{Services: len(active)}
	for _, a := range active {
		total.Open, total.Recent, total.Before = total.Open+a.Open, total.Recent+a.Recent, total.Before+a.Before
		of[a.Service] = &teamService{Activity: a}
	}
	for i := range p.Groups.List {
		g := &p.Groups.List[i]
		if t := of[g.Service]; t != nil {
			t.Findings++
			t.Worst = max(t.Worst, g.Score)
		}
	}
	for _, a := range active {
		p.Team = append(p.Team, *of[a.Service])
		if of[a.Service].Findings > 0 {
			p.Hurt++
		}
	}
	slices.SortStableFunc(p.Team, func(a, b teamService) int {
		return cmp.Or(store.Level(b.Worst)-store.Level(a.Worst), b.Open-a.Open)
	})
	if n := len(p.Team) - shownServices; n > 0 {
		p.Team, p.Others = p.Team[:shownServices], n
	}
	p.Active = []activityTotal{total}
	return nil
}

// A reading is how far a folder has been read: what counts all cases has the newest until then. Of is 0 afterwards.
type reading struct{ Read, Of int }

func (s *Server) reading() (reading, error) {
	f, ok := s.cfg.Cases.(interface {
		Progress() (read, all int, err error)
	})
	if !ok {
		return reading{}, nil
	}
	read, all, err := f.Progress()
	return reading{read, all}, err
}

// A listPage is a list of cases.
type listPage struct {
	searchForm
	Page    store.Page
	Count   int // of the range; 0 where it is not known
	Course  *chart
	Ranges  []choice
	Range   timeRange
	Next    string // the address of the next page; empty at the end
	Reading reading
	Keeps   bool
}

// casesPage lists cases. Without a range the list goes back to the first case, and the chart shows the longest range.
func (s *Server) casesPage(w http.ResponseWriter, r *http.Request) {
	p := listPage{searchForm: newSearch("/cases", r.URL.Query()), Keeps: s.cfg.Keeper != nil}
	code := http.StatusOK
	ranged := p.Query.Get("range") != ""
	var err error
	if p.Range, err = p.read(ranges[len(ranges)-1].Name); err != nil {
		p.Problem, code = err.Error(), http.StatusBadRequest
	}
	span := p.Range.from(time.Now())
	all := choice{"all", addressOf("/cases", p.Query, "range", ""), !ranged}
	p.Ranges = append(p.Range.choices("/cases", p.Query), all)
	for i := range p.Ranges[:len(ranges)] {
		p.Ranges[i].Here = p.Ranges[i].Here && ranged
	}
	if ranged && p.Filter.From.Before(span.From) {
		p.Filter.From = span.From
	}
	if p.Reading, err = s.reading(); err == nil {
		err = p.add(r, s, span)
	}
	if err != nil {
		s.fail(w, r, err)
		return
	}
	s.answerPage(w, r, code, "cases.html", &p)
}

func (p *listPage) add(r *http.Request, s *Server, span store.Span) (err error) {
	if p.Page, err = s.cfg.Cases.List(r.Context(), p.Filter); err != nil {
		return err
	}
	if p.Services, err = s.cfg.Cases.Services(r.Context()); err != nil {
		return err
	}
	parts, err := s.cfg.Cases.Course(r.Context(), p.Filter, span)
	if err != nil {
		return err
	}
	p.Course = courseOf(parts, span, p.Range)
	for _, b := range parts {
		p.Count += b.Cases
	}
	if p.Page.Next != "" {
		q := url.Values{}
		for name, values := range p.Query {
			q[name] = values
		}
		q.Set("after", p.Page.Next)
		p.Next = "/cases?" + q.Encode()
	}
	return nil
}

// A watchedService is one that this server watches.
type watchedService struct {
	Name            string
	Targets, Silent int
	CPU             *chart // of the last hour; nil where nothing is known
}

func (s *Server) watchedServices() (list []watchedService) {
	if s.cfg.Fleet == nil {
		return nil
	}
	cpu := s.cfg.Fleet.CPU(time.Now())
	for _, t := range s.cfg.Fleet.Targets() { // by service
		if n := len(list); n == 0 || list[n-1].Name != t.Service {
			minutes := cpu[t.Service]
			list = append(list, watchedService{Name: t.Service, CPU: coresOf(minutes[:])})
		}
		at := &list[len(list)-1]
		at.Targets++
		if t.State == fleet.Silent {
			at.Silent++
		}
	}
	return list
}

// dropEmpty removes the fields of a form that nothing was written into.
func dropEmpty(q url.Values) {
	for name, values := range q {
		if strings.Join(values, "") == "" {
			delete(q, name)
		}
	}
}
