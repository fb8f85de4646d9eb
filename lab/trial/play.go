package trial

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"strings"
	"sync"
	"time"

	"github.com/gocasebook/casebook/app/load"
	"github.com/gocasebook/casebook/casefile"
	"github.com/gocasebook/casebook/vitals"
)

// Grace is how long after the certain moment a rule may take to trip.
const Grace = 60 * time.Second

// A Trip is a case that a rule opened, or a rule that joined one.
type Trip struct {
	At        time.Duration       `json:"at"` // after the load began
	Rule      string              `json:"rule"`
	Text      string              `json:"text"`
	CaseID    string              `json:"case_id"`
	Path      string              `json:"path,omitempty"` // of the case, when it is closed
	Diagnosis *casefile.Diagnosis `json:"-"`
}

// A Course is what happened to a service under watch.
type Course struct {
	Trips  []Trip
	Closed bool                // of a healthy one: it was captured at the end
	End    *casefile.Diagnosis // of that capture
	// Signals are a few of the last sample in each ten seconds: whether the service did what it should.
	Signals []map[string]float64
	Vitals  []vitals.Sample // every sample
	Load    []load.Result
	Summary Summary
}

// A Player watches services with the casebook command.
type Player struct {
	Casebook string   // the binary
	Programs string   // the folder of the services' programs
	Cases    string   // the folder for cases, of which each service gets one
	Args     []string // more arguments for casebook watch; {debug} stands for host:port of the debug port
	// Enough says that nothing more is to be seen of a course; nil: that the right case is there.
	Enough func(Course) bool
}

// Play runs a service under its load and under watch, until it is known what there is to know.
func (p *Player) Play(ctx context.Context, s Service) (c Course, err error) {
	ctx, cancel := context.WithTimeout(ctx, s.Window()+5*time.Minute) // the rest is for starting and for captures
	defer cancel()
	r, err := Start(ctx, p.Programs, s)
	if err != nil {
		return c, err
	}
	defer func() { err = errors.Join(err, r.Stop()) }()
	return p.Watch(ctx, r, func(ctx context.Context, length time.Duration) ([]load.Result, error) {
		return Drive(ctx, r.Addr, s.Load, length)
	})
}

// Watch watches a service that runs, under the load that drive sends for some time, until it is known what there is to
// know. drive ends with its context.
func (p *Player) Watch(ctx context.Context, r *Running,
	drive func(context.Context, time.Duration) ([]load.Result, error)) (c Course, err error) {
	s := r.Service
	watching, endWatch := context.WithCancel(ctx)
	defer endWatch()
	w, err := startWatcher(watching, p.Casebook, p.args(r)...)
	if err != nil {
		return c, err
	}
	loading, endLoad := context.WithCancel(ctx)
	var loaded sync.WaitGroup
	var loadErr error
	defer func() {
		endLoad()
		loaded.Wait()
		err = errors.Join(err, loadErr)
	}()
	loaded.Go(func() { c.Load, loadErr = drive(loading, s.Window()+2*time.Minute) })
	f := follower{service: s, running: r, course: &c, enough: p.Enough, began: time.Now()}
	err = f.follow(ctx, w)
	endWatch()
	for l := range w.lines {
		if l.Summary != nil {
			c.Summary = *l.Summary
		}
	}
	err = errors.Join(err, w.wait())
	if err != nil || !s.Healthy {
		return c, err
	}
	c.End, err = capture(ctx, p.Casebook, filepath.Join(p.Cases, s.Name, "end"), "http://"+r.Debug)
	return c, err
}

// args are those of casebook watch.
func (p *Player) args(r *Running) []string {
	args := []string{"watch", "--json", "--dir", filepath.Join(p.Cases, r.Service.Name)}
	for _, a := range p.Args {
		args = append(args, strings.ReplaceAll(a, "{debug}", r.Debug))
	}
	return append(args, "http://"+r.Debug)
}

// A follower reads what a watch says of a service.
type follower struct {
	service Service
	running *Running
	course  *Course
	enough  func(Course) bool
	began   time.Time
	open    int // cases that are not closed
}

// follow reads until the window is over, or the right case is there.
func (f *follower) follow(ctx context.Context, w *watcher) error {
	restart := make(<-chan time.Time)
	if f.service.Restart > 0 {
		restart = time.After(time.Duration(f.service.Restart))
	}
	over := time.After(f.service.Window())
	late := make(<-chan time.Time)
	for {
		select {
		case <-ctx.Done():
			return context.Cause(ctx)
		case <-restart:
			if err := f.running.Restart(ctx); err != nil {
				return err
			}
		case <-over:
			if f.open == 0 {
				return nil
			}
			over, late = nil, time.After(2*time.Minute) // a case is still being taken
		case <-late:
			return errors.New("a case was not closed within two minutes")
		case l, ok := <-w.lines:
			if !ok {
				return errors.Join(errors.New("casebook watch ended early"), w.wait())
			}
			f.line(l)
			if f.known() || over == nil && f.open == 0 {
				return nil
			}
		}
	}
}

// line keeps what a line says.
func (f *follower) line(l line) {
	c := f.course
	at := l.Time.Sub(f.began)
	switch l.Event {
	case "tripped", "joined":
		if l.Trigger == nil {
			return
		}
		c.Trips = append(c.Trips, Trip{At: at, Rule: l.Trigger.Rule, Text: l.Trigger.Text, CaseID: l.CaseID})
		if l.Event == "tripped" {
			f.open++
		}
	case "case":
		f.open--
		for i := range c.Trips {
			if c.Trips[i].CaseID == l.CaseID {
				c.Trips[i].Path, c.Trips[i].Diagnosis = l.Path, l.Result
			}
		}
	case "failed":
		f.open = max(0, f.open-1)
		c.Trips = append(c.Trips, Trip{At: at, Rule: "failed", Text: l.Error, CaseID: l.CaseID})
	case "sample":
		c.Vitals = append(c.Vitals, l.sample())
		if n := int(at / (10 * time.Second)); n >= len(c.Signals) {
			l.Signals["at"] = at.Seconds()
			c.Signals = append(c.Signals, l.Signals)
		}
	}
}

// known says that a case of a sick service has the right answer: what comes later changes nothing.
func (f *follower) known() bool {
	if f.service.Healthy || f.open > 0 {
		return false
	}
	if f.enough != nil {
		return f.enough(*f.course)
	}
	j := f.service.Judge(*f.course)
	return j.OnTime && j.Place && j.Remedy
}

// String is a trip for a table.
func (t Trip) String() string { return fmt.Sprintf("%s at %.0f s", t.Rule, t.At.Seconds()) }
