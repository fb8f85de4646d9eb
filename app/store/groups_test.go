package store

import (
	"bytes"
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/gocasebook/casebook/casefile"
)

// A counter is a store or a folder.
type counter interface {
	Groups(context.Context, GroupFilter) (Groups, error)
	Occurrences(context.Context, []GroupKey) ([][]Occurrence, error)
	Course(context.Context, Filter, Span) ([]Bar, error)
	List(context.Context, Filter) (Page, error)
}

// groupCases are cases of three services, by how many hours ago they were opened.
func groupCases(t *testing.T) (list []parcel) {
	t.Helper()
	ago := func(hours int, service string, findings ...casefile.Finding) parcel {
		return newParcel(t, -3600*hours, service, findings...)
	}
	leak := finding("mem-leak", 80, "main.leak")
	leak.Impact = casefile.Impact{Resource: "memory", Share: 0.4}
	worse := leak
	worse.Score, worse.Impact.Share = 90, 0.6
	whole := finding("gc-cpu", 60, "")
	whole.Where = nil
	return []parcel{
		ago(1, "shop", worse, leak), // twice in a case
		ago(3, "shop", leak),
		ago(30, "shop", leak, finding("faint", 24, "main.faint")),
		ago(20*24, "shop", leak), // a run before
		ago(2, "cart", whole),
		ago(26, "cart", finding("cpu-json", 60, "main.encode")),
		ago(50, "cart", finding("cpu-json", 55, "main.encode")),
		ago(4, "mail", finding("cpu-json", 60, "main.encode")), // gets a proof
		ago(5, "mail"),
	}
}

// Equal findings of a service are one, in a store of each kind and in a folder: with counts, since when, what a proof
// closes left out, and the worst first.
func TestGroups(t *testing.T) {
	cases := groupCases(t)
	proof := casefile.Proof{Taken: opened, Verdict: casefile.Better, Summary: "a third less", Figures: lessCPU}
	eachStore(t, func(t *testing.T, cfg Config) {
		s := openRanked(t, cfg)
		s.now = opened.Add(time.Minute)
		for _, p := range cases {
			put(t, s.Store, p)
		}
		if _, err := s.AddProof(t.Context(), cases[7].c.ID, proof, "ci"); err != nil {
			t.Fatal(err)
		}
		wantGroups(t, s.Store, s.now)
	})
	t.Run("folder", func(t *testing.T) {
		dir := casefile.Dir(t.TempDir())
		for i, p := range cases {
			f, err := dir.Import(bytes.NewReader(p.zip), int64(len(p.zip)))
			if err == nil && i == 7 {
				err = f.Update(func(c *casefile.Case) { c.Proof = &proof })
			}
			if err != nil {
				t.Fatal(err)
			}
		}
		s, err := OpenShelf(string(dir))
		if err != nil {
			t.Fatal(err)
		}
		s.now = func() time.Time { return opened.Add(time.Minute) }
		if err := s.Read(t.Context()); err != nil {
			t.Fatal(err)
		}
		wantGroups(t, s, s.now())
	})
}

func wantGroups(t *testing.T, s counter, now time.Time) {
	t.Helper()
	span := Span{now.Add(-7 * day), day}
	ask := func(f GroupFilter) string {
		t.Helper()
		f.Span = span
		g, err := s.Groups(t.Context(), f)
		if err != nil {
			t.Fatal(err)
		}
		var b strings.Builder
		for _, x := range g.List {
			fmt.Fprintf(&b, "%s %s %s %d: %s %.1f, %d cases, %d open, %d and %d, %v\n", x.Service, x.Kind, x.Function, x.Score,
				x.Resource, x.Share, x.Cases, x.Open, x.Recent, x.Before, x.Parts[4:])
		}
		fmt.Fprintf(&b, "%d, %d new", g.All, g.New)
		return b.String()
	}
	const leaks = "shop mem-leak main.leak 90: memory 0.6, 3 cases, 3 open, 2 and 1, [0 1 2]\n"
	const gc = "cart gc-cpu  60: cpu 0.0, 1 cases, 1 open, 1 and 0, [0 0 1]\n"
	const json = "cart cpu-json main.encode 60: cpu 0.0, 2 cases, 2 open, 0 and 1, [1 1 0]\n"
	for _, c := range []struct {
		f    GroupFilter
		want string
	}{
		{GroupFilter{Limit: 10}, leaks + gc + json + "3, 1 new"},
		{GroupFilter{Limit: 1}, leaks + "3, 1 new"},
		{GroupFilter{Limit: 10, Service: "cart"}, gc + json + "2, 1 new"},
		{GroupFilter{Limit: 10, Kind: "cpu-json"}, json + "1, 0 new"},
		{GroupFilter{Limit: 10, Score: 75}, leaks + "1, 0 new"},
		{GroupFilter{Limit: 10, Match: func(k GroupKey) bool { return k.Function == "" }}, gc + "1, 1 new"},
		{GroupFilter{Limit: 10, Service: "nobody\x00"}, "0, 0 new"},
	} {
		if got := ask(c.f); got != c.want {
			t.Errorf("%+v: %s\nwant %s", c.f, got, c.want)
		}
	}
	all, err := s.Occurrences(t.Context(), []GroupKey{{"nobody", "mem-leak", ""}, {"shop", "mem-leak", "main.leak"}})
	if err != nil || len(all) != 2 || len(all[0]) != 0 {
		t.Fatalf("the cases of two findings, one of which there is not: %v, %v", all, err)
	}
	list := all[1]
	if since, n := Since(list); len(list) != 4 || n != 3 || !since.Equal(opened.Add(-30*time.Hour)) {
		t.Errorf("the leak has %v, %v: %d since %v; want 4, of which 3 since 30 hours before", list, err, n, since)
	}
	wantCourse(t, s, span)
	for _, c := range []struct {
		f    Filter
		want int
	}{{Filter{Kind: "cpu-json", Function: "main.encode"}, 3}, {Filter{Kind: "gc-cpu", OfProcess: true}, 1},
		{Filter{Kind: "cpu-json", OfProcess: true}, 0}, {Filter{Function: "main.leak"}, 4}} {
		if page, err := s.List(t.Context(), c.f); err != nil || len(page.Cases) != c.want {
			t.Errorf("%+v lets %d cases through, %v; want %d", c.f, len(page.Cases), err, c.want)
		}
	}
}

func wantCourse(t *testing.T, s counter, span Span) {
	t.Helper()
	for _, c := range []struct {
		f    Filter
		want []Bar
	}{
		{Filter{}, []Bar{{}, {}, {}, {}, {1, 1, 0}, {2, 1, 1}, {5, 1, 2}}},
		{Filter{Service: "shop"}, []Bar{{}, {}, {}, {}, {}, {1, 0, 1}, {2, 0, 2}}},
		{Filter{Kind: "cpu-json"}, []Bar{{}, {}, {}, {}, {1, 1, 0}, {1, 1, 0}, {1, 0, 0}}},
	} {
		if got, err := s.Course(t.Context(), c.f, span); err != nil || !slices.Equal(got, c.want) {
			t.Errorf("the course of %+v is %v, %v; want %v", c.f, got, err, c.want)
		}
	}
}
