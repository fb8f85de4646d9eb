package diagnose

import (
	"strings"
	"testing"
	"time"

	"github.com/gocasebook/casebook/diagnose/stacks"
	"github.com/gocasebook/casebook/diagnose/view"
	"github.com/gocasebook/casebook/vitals"
)

// Vitals of a minute and a half: the first minute as in was, the rest as in is.
func changing(was, is map[vitals.ID]float64) []vitals.Sample {
	at := time.Date(2026, 11, 22, 12, 0, 0, 0, time.UTC)
	var all []vitals.Sample
	for i := range 90 {
		s, values := vitals.NewSample(at.Add(time.Duration(i)*time.Second)), was
		if i >= 60 {
			values = is
		}
		for id, v := range values {
			s.Set(id, v)
		}
		all = append(all, s)
	}
	return all
}

func TestLateness(t *testing.T) {
	type v = map[vitals.ID]float64
	for _, c := range []struct {
		name    string
		was, is v
		want    bool
	}{
		// Must speak: what a slow database, API, cache, queue and disk behind a service do to its numbers.
		{"the median went from 6 ms to 5 s", v{vitals.HTTPLatencyP50: 0.006}, v{vitals.HTTPLatencyP50: 5}, true},
		{"from 0.4 to 1.5 s", v{vitals.HTTPLatencyP50: 0.4}, v{vitals.HTTPLatencyP50: 1.5}, true},
		{"slow, and more load at once", v{vitals.HTTPLatencyP50: 0.01, vitals.HTTPRate: 10},
			v{vitals.HTTPLatencyP50: 3, vitals.HTTPRate: 100}, true},
		{"goroutines only, at level load", v{vitals.Goroutines: 30, vitals.AllocRate: 1e6},
			v{vitals.Goroutines: 800, vitals.AllocRate: 1.1e6}, true},
		{"goroutines, nothing else known", v{vitals.Goroutines: 30}, v{vitals.Goroutines: 100}, true},
		// Must not.
		{"fast though slower", v{vitals.HTTPLatencyP50: 0.006}, v{vitals.HTTPLatencyP50: 0.3}, false},
		{"always slow", v{vitals.HTTPLatencyP50: 2}, v{vitals.HTTPLatencyP50: 2.5}, false},
		{"more requests, more goroutines, as fast", v{vitals.HTTPLatencyP50: 0.01, vitals.Goroutines: 30},
			v{vitals.HTTPLatencyP50: 0.012, vitals.Goroutines: 800}, false},
		{"more work, more goroutines", v{vitals.Goroutines: 30, vitals.AllocRate: 1e6},
			v{vitals.Goroutines: 800, vitals.AllocRate: 2e7}, false},
		{"a level", v{vitals.Goroutines: 500}, v{vitals.Goroutines: 520}, false},
		{"nothing known", v{}, v{}, false},
	} {
		r := Reading{View: view.View{Vitals: changing(c.was, c.is)}}
		if _, got := becameLate(&r); got != c.want {
			t.Errorf("%s: %v, want %v", c.name, got, c.want)
		}
	}
	level := map[vitals.ID]float64{vitals.Goroutines: 10}
	short := Reading{View: view.View{Vitals: changing(level, map[vitals.ID]float64{vitals.Goroutines: 100})[50:70]}}
	if _, late := becameLate(&short); late {
		t.Error("20 seconds of vitals have no before")
	}
}

// TestAwaitsNews: nobody expects a stream or a subscription to end; a call is expected to.
func TestAwaitsNews(t *testing.T) {
	for stack, want := range map[string]bool{
		"google.golang.org/grpc.(*clientStream).RecvMsg " +
			"main.watch": true,
		"google.golang.org/grpc.(*clientStream).RecvMsg google.golang.org/grpc.(*ClientConn).Invoke " +
			"main.ask": false,
		"github.com/redis/go-redis/v9.(*baseClient).process github.com/redis/go-redis/v9.cmdable.BLPop " +
			"main.queue": true,
		"github.com/redis/go-redis/v9.(*baseClient).process github.com/redis/go-redis/v9.cmdable.Get " +
			"main.session": false,
		"github.com/jackc/pgx/v5.(*Conn).WaitForNotification " +
			"main.listen": true,
		"database/sql.(*DB).QueryContext " +
			"main.orders": false,
		// The user's code, called by a stream's.
		"main.watch google.golang.org/grpc.(*clientStream).RecvMsg": false,
	} {
		stackNames := strings.Fields(stack)
		tab := tableOf(t, stackNames...)
		ids := make([]stacks.FrameID, len(stackNames))
		for k, name := range stackNames {
			for id := range tab.Frames {
				if tab.Func(stacks.FrameID(id)).Name == name {
					ids[k] = stacks.FrameID(id)
				}
			}
		}
		if got := awaitsNews(tab, ids); got != want {
			t.Errorf("%s: %v, want %v", stack, got, want)
		}
	}
}
