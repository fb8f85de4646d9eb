package play

import (
	"context"
	"errors"
	"math"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/gocasebook/casebook/lab"
	"github.com/gocasebook/casebook/lab/stage"
	"github.com/gocasebook/casebook/lab/stage/stagetest"
)

func TestMachineTime(t *testing.T) {
	const line = "cpu  100 20 30 400 50 1 2 7 60 0\ncpu0 50 10 15 200 25 0 1 3 30 0\n"
	got, err := machineTime(line)
	if want := (cpuTime{total: 610 * tick, idle: 450 * tick}); err != nil || got != want {
		t.Errorf("machineTime = %+v, %v; want %+v", got, err, want)
	}
	for _, bad := range []string{"", "cpu 1 2 3\n", "cpu  1 2 x 4 5 6 7 8\n", "intr 1 2 3 4 5 6 7 8 9\n"} {
		if got, err := machineTime(bad); err == nil {
			t.Errorf("machineTime(%q) = %+v, want an error", bad, got)
		}
	}
}

func TestOthers(t *testing.T) {
	s := time.Second
	for _, tt := range []struct {
		name      string
		before    cpuTime
		after     cpuTime
		cpu, idle float64
		unknown   bool
		why       string
	}{
		{"idle machine", cpuTime{}, cpuTime{100 * s, 30 * s, 68 * s}, 0.02, 0.3, false, ""},
		{"a busy loop beside", cpuTime{10 * s, 5 * s, s}, cpuTime{110 * s, 10 * s, 61 * s}, 0.35, 0.05, false,
			"other processes used 35 % of its CPU time, and 5 % was left"},
		{"neighbours on a large machine", cpuTime{}, cpuTime{1000 * s, 800 * s, 60 * s}, 0.14, 0.8, false, ""},
		{"clocks of different steps", cpuTime{}, cpuTime{100 * s, 40 * s, 61 * s}, 0, 0.4, false, ""},
		{"no time", cpuTime{}, cpuTime{}, 0, 0, true, ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			got := othersSince(tt.before, tt.after)
			if (got == nil) != tt.unknown {
				t.Fatalf("%+v", got)
			}
			if got != nil && (math.Abs(got.CPU-tt.cpu) > 1e-9 || math.Abs(got.Idle-tt.idle) > 1e-9) {
				t.Errorf("others %+v, want %g and %g", got, tt.cpu, tt.idle)
			}
			if why := got.why(); (why == "") != (tt.why == "") || !strings.Contains(why, tt.why) {
				t.Errorf("why = %q, want %q", why, tt.why)
			}
		})
	}
}

// What does not hold on a busy machine is LIMITED; what holds there holds, and a row that breaks down is not excused.
func TestLimited(t *testing.T) {
	busy, idle := &Others{CPU: 0.4, Idle: 0.1}, &Others{CPU: 0.02, Idle: 0.3}
	for _, tt := range []struct {
		name  string
		r     Result
		want  string // what the state begins with
		short string
	}{
		{"fails, busy", Result{Fails: []string{"no default rule tripped"}, Others: busy},
			"LIMITED: the machine was busy: other processes used 40 % of its CPU time, and 10 % was left; here no " +
				"default rule tripped", "LIMITED"},
		{"fails, idle", Result{Fails: []string{"no default rule tripped"}, Others: idle},
			"does not hold: no default rule tripped", "**does not hold**"},
		{"fails, nothing known", Result{Fails: []string{"no default rule tripped"}},
			"does not hold: no default rule tripped", "**does not hold**"},
		{"holds, busy", Result{Others: busy}, "holds", "holds"},
		{"error, busy", Result{Error: "phones ended by itself", Others: busy},
			"not finished: phones ended by itself; the machine was busy", "**not finished**"},
		{"no quota", Result{Unable: "a quota takes root"}, "LIMITED: a quota takes root", "LIMITED"},
	} {
		if got := tt.r.stateText(); !strings.HasPrefix(got, tt.want) {
			t.Errorf("%s: %q, want %q", tt.name, got, tt.want)
		}
		if got := state(&tt.r); got != tt.short {
			t.Errorf("%s: %q in the table, want %q", tt.name, got, tt.short)
		}
		if limited := strings.HasPrefix(tt.want, "LIMITED"); tt.r.Limited() != limited || limited && tt.r.Holds() {
			t.Errorf("%s: limited %v, holds %v", tt.name, tt.r.Limited(), tt.r.Holds())
		}
	}
}

// A row that this machine cannot play is no failure of the row.
func TestRowThatCannotBePlayed(t *testing.T) {
	cfg := config(t, &stagetest.View{TB: t})
	unable := smallRow("unable")
	unable.Disease.Rig = func(context.Context, lab.Starter) (lab.Rig, error) {
		return lab.Rig{Request: func(string, uint64) (*http.Request, error) { return nil, errors.New("none") }},
			stage.ErrLimited
	}
	rep, err := Run(t.Context(), cfg, []Row{unable}, nil)
	if err != nil || len(rep.Rows) != 1 {
		t.Fatalf("%d rows, %v", len(rep.Rows), err)
	}
	if r := rep.Rows[0]; r.Unable == "" || r.Error != "" || !r.Limited() {
		t.Errorf("a row that this machine cannot play: %+v", r)
	}
}
