package server

import (
	"fmt"
	"math"
	"net/http"
	"net/url"
	"strings"
	"time"

	"github.com/gocasebook/casebook/app/fleet"
	"github.com/gocasebook/casebook/app/store"
	"github.com/gocasebook/casebook/vitals"
)

// An overviewPage is what the list of cases shows.
type overviewPage struct {
	Filter   store.Filter
	Query    url.Values
	Services []store.Service
	First    *firstPage // nil where something is searched
	Watched  []watchedService
	Page     store.Page
	Next     string // the address of the next page; empty at the end
	Problem  string // of the filter
	Read     int    // cases of a folder that is still being read
	Of       int    // how many there are; 0 if all have been read
	Keeps    bool   // cases, and does not only show them
}

// A reading is a folder that may still be being read: what counts all cases has the newest then.
type reading interface {
	Progress() (read, all int, err error)
}

func (s *Server) overview(w http.ResponseWriter, r *http.Request) {
	p := overviewPage{Query: r.URL.Query(), Keeps: s.cfg.Keeper != nil}
	var err error
	code := http.StatusOK
	dropEmpty(p.Query)
	if p.Filter, err = readFilter(p.Query); err != nil {
		p.Problem, p.Filter, code = err.Error(), store.Filter{}, http.StatusBadRequest
	}
	if f, ok := s.cfg.Cases.(reading); ok { // before anything is counted
		if p.Read, p.Of, err = f.Progress(); err != nil {
			s.fail(w, r, err)
			return
		}
	}
	if p.Page, err = s.cfg.Cases.List(r.Context(), p.Filter); err == nil {
		p.Services, err = s.cfg.Cases.Services(r.Context())
	}
	if err == nil && len(p.Query) == 0 {
		p.First, err = s.firstPage(r)
	}
	if err != nil {
		s.fail(w, r, err)
		return
	}
	if p.Page.Next != "" {
		next := url.Values{}
		for name, values := range p.Query {
			next[name] = values
		}
		next.Set("after", p.Page.Next)
		p.Next = "/?" + next.Encode()
	}
	p.Watched = s.watchedServices()
	s.answerPage(w, r, code, "overview.html", p)
}

// A firstPage is what the first page shows before the list of cases.
type firstPage struct {
	Ranking  *store.Ranking   // nil where there is none
	Active   []store.Activity // services with cases of the last two weeks, as many as are shown
	Others   int              // that are not shown
	Open     int              // cases of all services
	Recent   int              // of the last 24 hours
	Before   int              // of the 24 hours before
	New      []store.RankedFinding
	HasCases bool
}

// shownServices bounds the table of services: those with open cases come first, and the search has all.
const shownServices = 20

func (s *Server) firstPage(r *http.Request) (*firstPage, error) {
	p := &firstPage{}
	var err error
	if p.Ranking, err = s.rankingOf(r); err != nil {
		return nil, err
	}
	if p.Active, err = s.cfg.Cases.Activity(r.Context()); err != nil {
		return nil, err
	}
	p.HasCases = len(p.Active) > 0
	for i := range p.Active {
		p.Open += p.Active[i].Open
		p.Recent += p.Active[i].Recent
		p.Before += p.Active[i].Before
	}
	if n := len(p.Active) - shownServices; n > 0 {
		p.Active, p.Others = p.Active[:shownServices], n
	}
	if p.Ranking != nil {
		for _, f := range p.Ranking.Findings {
			if f.NewSinceYesterday {
				p.New = append(p.New, f)
			}
		}
	}
	return p, nil
}

// A bar is one day or minute of a service's sparkline.
type bar struct {
	X, Y, Height int
}

// A sparkline has a bar for each day or minute, in a box of 4 for each by sparkHeight. Its text is for who does not see it.
type sparkline struct {
	Bars  []bar
	Width int
	Text  string
}

const (
	sparkHeight = 20
	sparkStep   = 4
)

// bars draws the cases of the last days of a service. Each service has its own scale.
func bars(days []int) sparkline {
	most := 1
	for _, n := range days {
		most = max(most, n)
	}
	line := sparkline{Width: sparkStep * len(days)}
	var words []string
	for i, n := range days {
		words = append(words, fmt.Sprint(n))
		height := (sparkHeight*n + most - 1) / most // one case of many is still seen
		line.Bars = append(line.Bars, bar{sparkStep * i, sparkHeight - height, height})
	}
	line.Text = "cases per day, the last is today: " + strings.Join(words, ", ")
	return line
}

// coresOf draws the CPU of a service by minutes, NaN where it was not sampled; nil if nothing was. Each service has its
// own scale.
func coresOf(minutes []float64) *sparkline {
	most, last := 0.0, math.NaN()
	for _, v := range minutes {
		if !math.IsNaN(v) {
			most, last = max(most, v), v
		}
	}
	if math.IsNaN(last) || most <= 0 {
		return nil
	}
	line := sparkline{Width: sparkStep * len(minutes)}
	for i, v := range minutes {
		if math.IsNaN(v) {
			continue
		}
		height := int(math.Ceil(sparkHeight * v / most))
		line.Bars = append(line.Bars, bar{sparkStep * i, sparkHeight - height, height})
	}
	line.Text = fmt.Sprintf("CPU by minutes of the last hour: %s now, %s at most", vitals.Cores.Format(last),
		vitals.Cores.Format(most))
	return &line
}

// A watchedService is one that this server watches.
type watchedService struct {
	Name            string
	Targets, Silent int
	CPU             *sparkline // of the last hour; nil where nothing is known
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
