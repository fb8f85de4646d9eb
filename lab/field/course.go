package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"github.com/gocasebook/casebook/app/load"
	"github.com/gocasebook/casebook/casefile"
	"github.com/gocasebook/casebook/internal/truth"
	"github.com/gocasebook/casebook/lab/field/live"
	"github.com/gocasebook/casebook/lab/foreign"
	"github.com/gocasebook/casebook/lab/trial"
	"github.com/gocasebook/casebook/vitals"
)

// How a service is watched.
const (
	healthy  = "healthy"  // the watch begins on a healthy service, and the fault comes later
	ill      = "ill"      // the watch begins on an ill one
	repaired = "repaired" // under the same load
	server   = "server"   // somebody else's, healthy
)

// illFor is how long a service is ill before the watch begins.
const illFor = 20 * time.Second

// busy is the rule that says that the machine is busy.
const busy = "cpu-pressure"

// alarm is the score from which a finding is more than a notice.
const alarm = 50

// A Result is what came of a service in one of its forms.
type Result struct {
	Name string    `json:"name"`
	Sort string    `json:"sort"`
	Form string    `json:"form"`
	At   time.Time `json:"at"`

	Within  float64  `json:"within_s,omitempty"` // a rule had to trip so soon
	Always  string   `json:"why_none,omitempty"` // none had to: nothing changed that a rule could see
	Rule    string   `json:"rule,omitempty"`     // the first that tripped after the fault
	After   float64  `json:"after_s,omitempty"`
	Answer  string   `json:"answer,omitempty"` // of the case: a kind and a place
	Wrong   string   `json:"wrong,omitempty"`  // what of it is not the truth
	False   []string `json:"false,omitempty"`  // alarms that there was no reason for
	Limited string   `json:"limited,omitempty"`
	Machine string   `json:"machine"` // how busy it was
	Load    string   `json:"load,omitempty"`
	Error   string   `json:"error,omitempty"`
}

// sick says that the service is to be noticed.
func (r Result) sick() bool { return r.Form == healthy || r.Form == ill }

// Noticed says that a rule tripped in time.
func (r Result) Noticed() bool { return r.Rule != "" && r.After <= r.Within }

// OK says that all is as it must be, or that nothing can be said.
func (r Result) OK() bool {
	return r.Limited != "" || r.Error == "" && len(r.False) == 0 &&
		(!r.sick() || (r.Noticed() || r.Always != "") && r.Wrong == "")
}

// String is a line for a terminal.
func (r Result) String() string {
	verdict := "FAIL"
	switch {
	case r.Limited != "":
		verdict = "LIMITED"
	case r.OK():
		verdict = "ok"
	}
	text := fmt.Sprintf("%-8s %-18s %-9s", verdict, r.Name, r.Form)
	if r.sick() {
		text += fmt.Sprintf(" %-18s %4.0f s  %s", or(r.Rule, "nothing tripped"), r.After, or(r.Answer, "no case"))
		if r.Wrong != "" {
			text += " (" + r.Wrong + ")"
		}
	}
	return strings.TrimSpace(strings.Join([]string{text, strings.Join(r.False, "; "), r.Error,
		"[" + r.Machine + "; " + r.Load + "]"}, " "))
}

func or(text, empty string) string {
	if text == "" {
		return empty
	}
	return text
}

// unseen runs the service of a row in a form.
func (f *field) unseen(ctx context.Context, row *live.Row, form string) (r Result) {
	r.Within, r.Always = row.Within().Seconds(), row.Always
	began := f.calm // after the watch's begin
	if form == ill {
		began = 0
	}
	s := trial.Service{Name: row.Name + "-" + form, Healthy: form == repaired, Run: trial.Duration(began + row.Within())}
	ctx, cancel := context.WithTimeout(ctx, s.Window()+8*time.Minute) // the rest is for starting and for captures
	defer cancel()
	running, err := f.builder.Start(ctx, row, form == repaired)
	if err != nil {
		r.Error = err.Error()
		return r
	}
	drive := driver(func(ctx context.Context, length time.Duration) ([]load.Result, error) {
		return running.Drive(ctx, began, length)
	})
	if form == ill {
		drive = before(ctx, drive, s.Window()+5*time.Minute)
		time.Sleep(illFor)
	}
	player := trial.Player{Casebook: f.casebook, Cases: f.cases, Args: strings.Fields(f.watch),
		Enough: func(c trial.Course) bool { return first(c, began) != nil }}
	c, err := player.Watch(ctx, &trial.Running{Service: s, Addr: running.Addr, Debug: running.Addr}, drive)
	if err = errors.Join(err, running.Stop(), f.keepVitals(s.Name, c.Vitals)); err != nil {
		r.Error = err.Error()
	}
	r.judge(c, began, f.truthOf(row))
	if form == repaired {
		r.quiet(c, 0)
	}
	return r
}

// keepVitals keeps what a watch saw of a row. No folder, no file.
func (f *field) keepVitals(name string, samples []vitals.Sample) error {
	if f.vitals == "" {
		return nil
	}
	out, err := os.Create(filepath.Join(f.vitals, name+".jsonl"))
	if err != nil {
		return err
	}
	return errors.Join(vitals.WriteJSONL(out, samples, nil, nil), out.Close())
}

// A driver sends a load until its context ends, for so long at most.
type driver func(ctx context.Context, length time.Duration) ([]load.Result, error)

// before begins a load now. What it returns waits for it.
func before(ctx context.Context, drive driver, length time.Duration) driver {
	ctx, end := context.WithCancel(ctx)
	var results []load.Result
	var err error
	driven := make(chan struct{})
	go func() {
		defer close(driven)
		results, err = drive(ctx, length)
	}()
	return func(ctx context.Context, _ time.Duration) ([]load.Result, error) {
		<-ctx.Done()
		end()
		<-driven
		return results, err
	}
}

// server runs a real server. What its load does in six minutes comes a second time, five minutes later: another warm-up
// and burst over what then is its usual load.
func (f *field) server(ctx context.Context, s foreign.Service, p foreign.Program) (r Result) {
	s.Run = trial.Duration(f.span)
	for _, l := range s.Load {
		l.From += trial.Duration(5 * time.Minute)
		if time.Duration(l.From) < f.span {
			s.Load = append(s.Load, l)
		}
	}
	c, err := s.Play(ctx, &trial.Player{Casebook: f.casebook, Cases: f.cases, Args: strings.Fields(f.watch)},
		f.builder.Dir, p)
	if err != nil {
		r.Error = err.Error()
	}
	r.limits(c)
	r.quiet(c, alarm)
	return r
}

// truthOf is what is true of a row, the case of a watch before that of a capture.
func (f *field) truthOf(row *live.Row) *truth.Row {
	for _, name := range []string{row.Case() + "-watch", row.Case()} {
		if t, ok := f.truth[name]; ok {
			return &t
		}
	}
	return nil
}

// first is the first trip that a fault at this time can have caused.
func first(c trial.Course, began time.Duration) *trial.Trip {
	for i, t := range c.Trips {
		if t.At >= began && t.Rule != busy {
			return &c.Trips[i]
		}
	}
	return nil
}

// judge compares the first case after the fault with the truth. What came before the fault is an alarm without reason.
func (r *Result) judge(c trial.Course, began time.Duration, t *truth.Row) {
	r.limits(c)
	for _, trip := range c.Trips {
		if trip.At < began && trip.Rule != busy {
			r.False = append(r.False, "before the fault: "+trip.String())
		}
	}
	trip := first(c, began)
	if trip == nil {
		return
	}
	r.Rule, r.After = trip.Rule, (trip.At - began).Round(time.Second).Seconds()
	if trip.Diagnosis == nil {
		r.Wrong = "the case was not closed"
		return
	}
	r.Answer = truth.Answer(trip.Diagnosis.Findings)
	if t != nil {
		r.Wrong = t.Wrong(trip.Diagnosis.Findings)
	}
}

// quiet says which cases came of a service with nothing wrong, and what they warn of. From a score on, a case must have
// a finding to count; 0: each counts, but for those that say that the machine is busy.
func (r *Result) quiet(c trial.Course, from int) {
	r.Rule, r.After, r.Answer, r.Wrong = "", 0, "", ""
	for _, t := range c.Trips {
		worst := 0
		what := "no case"
		if t.Diagnosis != nil {
			worst, what = highest(t.Diagnosis.Findings), truth.Answer(t.Diagnosis.Findings)
		}
		if worst >= max(from, alarm) || from == 0 && t.Rule != busy {
			r.False = append(r.False, fmt.Sprintf("%v: %s %d", t, what, worst))
		}
	}
	if c.End != nil && highest(c.End.Findings) >= alarm {
		r.False = append(r.False, fmt.Sprintf("captured at the end: %s %d", truth.Answer(c.End.Findings),
			highest(c.End.Findings)))
	}
}

func highest(found []casefile.Finding) (score int) {
	for _, f := range found {
		score = max(score, f.Score)
	}
	return score
}

// Bounds of what a machine may lack for a row to stand for something: the share of a watch's samples that were late or
// left out, and that of the time in which something that could run waited for a processor.
const (
	maxLate    = 0.05
	maxWaiting = 0.6
)

// limits says how busy the machine was, and whether it was too busy.
func (r *Result) limits(c trial.Course) {
	sent, failed, late := uint64(0), uint64(0), time.Duration(0)
	for _, l := range c.Load {
		sent, failed, late = sent+l.Sent, failed+l.Errors.Total(), max(late, l.Latency.Quantile(0.99))
	}
	r.Load = fmt.Sprintf("%d requests, %d failed, p99 %s", sent, failed, late.Round(time.Millisecond))
	s, waiting := c.Summary, pressure(c.Vitals)
	behind := min(1, float64(s.Late+s.LeftOut)/float64(max(s.Samples+s.LeftOut, 1)))
	r.Machine = fmt.Sprintf("%.0f %% of samples late, CPU waited for %.0f %% of the time, load %.0f", 100*behind,
		100*waiting, loadAverage())
	if behind > maxLate || waiting > maxWaiting {
		r.Limited = r.Machine
	}
}

// pressure is the mean of the share of time in which something that could run waited for a processor.
func pressure(samples []vitals.Sample) float64 {
	sum, n := 0.0, 0.0
	for _, s := range samples {
		if v, ok := s.Get(vitals.CPUPressure); ok {
			sum, n = sum+v, n+1
		}
	}
	return sum / max(n, 1)
}

// loadAverage is the machine's of the last minute; 0 where there is none to read.
func loadAverage() float64 {
	text, err := os.ReadFile(filepath.Join("/proc", "loadavg"))
	if err != nil {
		return 0
	}
	word, _, _ := strings.Cut(string(text), " ")
	v, _ := strconv.ParseFloat(word, 64)
	return v
}
