package store

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/gocasebook/casebook/casefile"
)

const anEngine = "pyroscope://engine:4040"

// A rankedStore is a store whose clock a test sets.
type rankedStore struct {
	*Store
	t   *testing.T
	now time.Time
}

func openRanked(t *testing.T, cfg Config) *rankedStore {
	s := &rankedStore{openStore(t, cfg), t, opened.Add(time.Hour)}
	s.Store.now = func() time.Time { return s.now }
	return s
}

func (s *rankedStore) list(source string, services ...string) {
	s.t.Helper()
	if err := s.AddSources(s.t.Context(), source); err != nil {
		s.t.Fatal(err)
	}
	for _, turn := range s.take("lister", 100, source) {
		if turn.Service == "" {
			if err := s.Listed(s.t.Context(), turn, services); err != nil {
				s.t.Fatal(err)
			}
		}
	}
}

func (s *rankedStore) take(holder string, n int, sources ...string) []Turn {
	s.t.Helper()
	turns, err := s.TakeTurns(s.t.Context(), holder, sources, n, time.Minute)
	if err != nil && !errors.Is(err, ErrNotFound) {
		s.t.Fatal(err)
	}
	return turns
}

// judge judges a service an hour after the last time, with findings that cost some cores.
func (s *rankedStore) judge(source, service, version string, cores map[string]float64) {
	s.t.Helper()
	s.now = s.now.Add(2 * time.Hour)
	s.list(source, service)
	s.now = s.now.Add(2 * time.Minute) // the lister's hold is over
	for _, turn := range s.take("judge", 100, source) {
		if turn.Service != service {
			continue
		}
		j := Judged{Turn: turn, Owner: "shop team", Version: version, Cores: 8}
		for function, n := range cores {
			j.Findings = append(j.Findings, RankedFinding{ID: "CPU003", Kind: "cpu-json", Title: "JSON takes CPU",
				Function: function, File: "main.go", Line: 7, Score: 60, Share: n / 8, Cores: n})
		}
		if err := s.KeepJudged(s.t.Context(), []Judged{j}); err != nil {
			s.t.Fatal(err)
		}
	}
}

func (s *rankedStore) ranking() Ranking {
	s.t.Helper()
	r, err := s.Ranking(s.t.Context(), 0)
	if err != nil {
		s.t.Fatal(err)
	}
	return r
}

// shown are a list's services and functions, with what is said of each.
func shown(list []RankedFinding) string {
	var all []string
	for i := range list {
		f := &list[i]
		text := fmt.Sprintf("%s %s %.1f", f.Service, f.Function, f.Cores)
		if f.NewSinceYesterday {
			text += " new"
		}
		if f.NewSinceRelease {
			text += " since " + f.Version + " after " + f.EarlierVersion
		}
		if f.ProofCase != "" {
			text += " proved"
		}
		all = append(all, text)
	}
	return strings.Join(all, "; ")
}

func wantShown(t *testing.T, what string, list []RankedFinding, want string) {
	t.Helper()
	if got := shown(list); got != want {
		t.Errorf("%s: %q, want %q", what, got, want)
	}
}

// Two processes take different turns, and one whose process died is free again when its time is up.
func TestTurns(t *testing.T) {
	eachStore(t, func(t *testing.T, cfg Config) {
		s := openRanked(t, cfg)
		if got := s.take("one", 10, anEngine); got != nil {
			t.Errorf("there are turns of a source that nobody added: %v", got)
		}
		s.list(anEngine, "cart", "shop", "users")
		first, second := s.take("one", 2, anEngine), s.take("two", 2, anEngine)
		var all []string
		for _, turn := range append(first, second...) {
			all = append(all, turn.Service)
		}
		slices.Sort(all)
		if len(first) != 2 || strings.Join(all, " ") != "cart shop users" {
			t.Errorf("two processes took %v and %v, want each service once", first, second)
		}
		if got := s.take("three", 2, anEngine); got != nil {
			t.Errorf("what others hold was taken: %v", got)
		}
		s.now = s.now.Add(2 * time.Minute)
		if got := s.take("three", 10, anEngine); len(got) != 3 {
			t.Errorf("after their time is up %v can be taken, want all three", got)
		}
		if err := s.KeepJudged(t.Context(), []Judged{{Turn: first[0], Cores: 1}}); err != nil {
			t.Error(err)
		}
		if r := s.ranking(); r.Services != 0 {
			t.Errorf("a turn that another process has by now was kept: %+v", r)
		}
	})
}

// Findings are ranked by their cores, and each says since when, and what it is newer than.
func TestRanking(t *testing.T) {
	eachStore(t, func(t *testing.T, cfg Config) {
		s := openRanked(t, cfg)
		s.judge(anEngine, "shop", "v1", map[string]float64{"main.a": 2, "main.b": 1})
		r := s.ranking()
		wantShown(t, "the first hour", r.Findings, "shop main.a 2.0; shop main.b 1.0")
		if r.Services != 1 || r.Cores != 8 || r.Formula == "" || r.Findings[0].Owner != "shop team" ||
			r.Findings[0].ServiceCores != 8 {
			t.Errorf("the ranking is %+v", r)
		}
		first := r.Findings[0].Since
		for range 12 { // a day
			s.judge(anEngine, "shop", "v1", map[string]float64{"main.a": 2, "main.b": 1})
		}
		s.judge(anEngine, "shop", "v2", map[string]float64{"main.a": 3, "main.c": 4})
		r = s.ranking()
		wantShown(t, "a day later", r.Findings, "shop main.c 4.0 new since v2 after v1; shop main.a 3.0")
		wantShown(t, "gone", r.Gone, "shop main.b 1.0")
		if !r.Findings[1].Since.Equal(first) {
			t.Errorf("main.a is known since %s, want since %s", r.Findings[1].Since, first)
		}
		s.now = s.now.Add(rankFresh)
		if r = s.ranking(); len(r.Findings) != 0 || r.Services != 0 {
			t.Errorf("what nobody judged for three hours is still ranked: %+v", r)
		}
	})
}

// A service that cannot be judged keeps what was found, and is counted.
func TestRankingFailure(t *testing.T) {
	eachStore(t, func(t *testing.T, cfg Config) {
		s := openRanked(t, cfg)
		s.judge(anEngine, "shop", "v1", map[string]float64{"main.a": 2})
		s.now = s.now.Add(90 * time.Minute)
		for _, turn := range s.take("judge", 10, anEngine) {
			if err := s.KeepJudged(t.Context(), []Judged{{Turn: turn, Failure: errors.New("it is away")}}); err != nil {
				t.Fatal(err)
			}
		}
		r := s.ranking()
		wantShown(t, "with an engine that is away", r.Findings, "shop main.a 2.0")
		if r.Failing != 1 {
			t.Errorf("%d services fail, want 1", r.Failing)
		}
	})
}

// A finding that is not found any more is closed by the proof of a case that names it, or whose first finding it was. One
// that is still found names the proof.
func TestRankingProof(t *testing.T) {
	eachStore(t, func(t *testing.T, cfg Config) {
		s := openRanked(t, cfg)
		s.judge(anEngine, "shop", "v1", map[string]float64{"main.a": 2, "main.b": 1})
		p := newParcel(t, 1, "shop", finding("cpu-json", 60, "main.a"), finding("cpu-json", 50, "main.b"))
		put(t, s.Store, p)
		if _, err := s.AddProof(t.Context(), p.c.ID, casefile.Proof{Taken: opened, Verdict: casefile.Better,
			Summary: "a third less", Figures: lessCPU}, "ci"); err != nil {
			t.Fatal(err)
		}
		wantShown(t, "proved", s.ranking().Findings, "shop main.a 2.0 proved; shop main.b 1.0")
		s.judge(anEngine, "shop", "v2", map[string]float64{"main.b": 1})
		r := s.ranking()
		wantShown(t, "after the release", r.Findings, "shop main.b 1.0")
		wantShown(t, "closed", r.Closed, "shop main.a 2.0 proved")
		if len(r.Gone) != 0 || len(r.Closed) != 1 || r.Closed[0].ProofCase != p.c.ID {
			t.Errorf("gone %+v, closed %+v", r.Gone, r.Closed)
		}
		if _, err := s.AddProof(t.Context(), p.c.ID, casefile.Proof{Taken: opened.Add(time.Hour), Verdict: casefile.Better,
			Summary: "half", Finding: &casefile.Treated{ID: "CPU001", Kind: "cpu-json", Function: "main.b"},
			Figures: lessCPU}, "ci"); err != nil {
			t.Fatal(err)
		}
		wantShown(t, "the other finding is proved", s.ranking().Findings, "shop main.b 1.0 proved")
	})
}

// Of a service that an engine has, what its cases say is left out.
func TestRankingPrefersEngines(t *testing.T) {
	eachStore(t, func(t *testing.T, cfg Config) {
		s := openRanked(t, cfg)
		s.judge(SourceCases, "shop", "", map[string]float64{"main.a": 1})
		wantShown(t, "cases alone", s.ranking().Findings, "shop main.a 1.0")
		s.judge(anEngine, "shop", "v1", map[string]float64{"main.a": 5})
		wantShown(t, "with an engine", s.ranking().Findings, "shop main.a 5.0")
		s.now = s.now.Add(rankKept)
		s.list(anEngine, "cart")
		if r, err := s.Store.Ranking(t.Context(), 0); err != nil || len(r.Findings)+len(r.Gone) != 0 {
			t.Errorf("a month later: %+v, %v", r, err)
		}
	})
}

func TestActivity(t *testing.T) {
	eachStore(t, func(t *testing.T, cfg Config) {
		s := openRanked(t, cfg)
		s.now = opened.Add(25 * time.Hour)
		p := newParcel(t, 2, "cart", finding("cpu-json", 60, "main.a"))
		put(t, s.Store, p)
		put(t, s.Store, newParcel(t, 3, "shop", finding("cpu-json", 60, "main.a")))
		put(t, s.Store, newParcel(t, 3*3600, "shop", finding("cpu-json", 60, "main.b")))
		put(t, s.Store, newParcel(t, 3*3600+1, "shop"))
		if _, err := s.AddProof(t.Context(), p.c.ID, casefile.Proof{Taken: opened, Verdict: casefile.Better,
			Summary: "a third less", Figures: lessCPU}, "ci"); err != nil {
			t.Fatal(err)
		}
		got, err := s.Activity(t.Context())
		if err != nil || len(got) != 2 {
			t.Fatalf("activity %+v, %v", got, err)
		}
		shop, cart := got[0], got[1]
		if shop.Service != "shop" || shop.Open != 2 || shop.Recent != 2 || shop.Before != 1 {
			t.Errorf("of the shop: %+v, want 2 open, 2 of the last day, 1 of the day before", shop)
		}
		if cart.Service != "cart" || cart.Open != 0 || cart.Before != 1 {
			t.Errorf("of the cart: %+v, want none open, because its remedy was proved", cart)
		}
		if n := len(shop.Days); n != ActivityDays || shop.Days[n-2] != 3 || shop.Days[n-1] != 0 {
			t.Errorf("cases per day %v, want 3 yesterday", shop.Days)
		}
	})
}
