package rule_test

import (
	"fmt"
	"math"
	"slices"
	"testing"
	"time"

	"github.com/gocasebook/casebook/internal/race"
	"github.com/gocasebook/casebook/rule"
)

// leaks are the ailments that are added to healthy services: how much of what per second, when the leak is certain by
// the words of the rule (the pace holds, has held for the window, and the level is above the floor), and which rules
// may report it.
type leak struct {
	name   string
	ill    ailment
	sign   func(d demand, v *simulation) float64 // level of the signal without the leak
	pace   float64                               // a second
	window float64                               // of the rule, in seconds
	times  float64
	within float64
	floor  float64
	rules  []string
}

func goroutinesOf(d demand, v *simulation) float64 {
	return 5 + d.goroutines + d.rate*d.latency + d.conns*v.byConn
}

func heapOf(d demand, _ *simulation) float64 { return simBase + d.kept + d.conns*8e3 }

func leaks() []leak {
	goroutines := func(name string, pace float64) leak {
		return leak{name, func(since float64, d *demand) {
			d.goroutines += pace * since
			d.kept += pace * since * 2e3
		}, goroutinesOf, pace, 180, 2, 600, 300, []string{"goroutine-growth", "goroutines"}}
	}
	heap := func(name string, pace float64) leak {
		return leak{name, func(since float64, d *demand) { d.kept += pace * since }, heapOf, pace, 300, 4, 1800,
			96 * mb,
			[]string{"heap-quadruples", "heap-doubles", "memory-growth"}}
	}
	return []leak{
		goroutines("8 goroutines a second", 8), goroutines("50 goroutines a second", 50),
		heap("50 MiB a minute", 50*mb/60.), heap("200 MiB a minute", 200*mb/60.),
		{"5 connections a second", func(since float64, d *demand) { d.files += 5 * since },
			func(d demand, _ *simulation) float64 { return 12 + d.files + d.conns }, 5, 300, 2, 600, 500,
			[]string{"open-files-growth"}},
	}
}

// certain returns after how many seconds a leak is certain that began when a service had this age: the level without it
// and the load have been flat for the window, and the rest as the rule has it. It is negative when that does not happen
// within the time.
func (l *leak) certain(h *healthyService, from, age, long int) int {
	v := h.make()
	window := int(l.window)
	if d := h.at(from+age, float64(age), &v); l.floor > 1e6 && !v.collects(d, l.pace, l.sign(d, &v)+l.pace*600) {
		window = 600 // the rule's window when there are few cycles
	}
	base := func(i int) float64 { return l.sign(h.at(from+age+i, float64(age+i), &v), &v) }
	stands, load, began := level{math.Inf(1), 0}, level{math.Inf(1), 0}, 0
	for i := range long {
		x := base(i)
		if !stands.holds(x) || !load.holds(h.at(from+age+i, float64(age+i), &v).rate) {
			stands, load, began = level{x, x}, level{math.Inf(1), 0}, i
		}
		sum := x + l.pace*float64(i)
		if i-began >= window && sum >= l.floor && sum+l.pace*l.within >= l.times*sum {
			return i
		}
	}
	return -1
}

// A level is the range that something stayed in.
type level struct{ low, high float64 }

// holds reports whether it agrees with another value to within a twentieth.
func (l *level) holds(x float64) bool {
	l.low, l.high = math.Min(l.low, x), math.Max(l.high, x)
	return l.high <= 1.05*l.low
}

// collects reports whether sixteen GC cycles end in five minutes, with this much live.
func (v *simulation) collects(d demand, pace, live float64) bool {
	allocated := (d.rate*v.each + d.work + 2e5 + pace) * 300
	return v.gogc > 0 && allocated/(live*v.gogc/100) >= 16
}

// Each service gets ill after an hour of health, or in its first second. A rule must trip within a minute after the
// leak is certain.
func TestDefaultSeesLeaks(t *testing.T) {
	race.Skip(t)
	const long = 20 * 60
	for _, h := range healthyServices() {
		if h.deploy > 0 && h.deploy < 5*hour {
			h.deploy = 0
		}
		t.Run(h.name, func(t *testing.T) {
			t.Parallel()
			for _, l := range leaks() {
				for _, after := range []int{0, hour} {
					from := h.from*hour + 600
					certain := l.certain(&h, from, after, long)
					if certain < 0 {
						continue // too slow for the size of the service
					}
					fired := h.live(t, 3, from, after+long, l.ill, after)
					i := slices.IndexFunc(fired, func(f rule.Firing) bool { return slices.Contains(l.rules, f.Rule.Name) })
					if i < 0 {
						t.Errorf("%s after %d s: certain %d s later, and nothing tripped", l.name, after, certain)
						continue
					}
					late := int(fired[i].Time.Sub(start).Seconds()) - from - after - certain
					text := fmt.Sprintf("%-24s after %4d s: certain after %3d s, %s %+d s from then: %s", l.name, after,
						certain, fired[i].Rule.Name, late, fired[i].Text)
					if t.Log(text); late > 60 {
						t.Errorf("more than a minute late: %s", text)
					}
				}
			}
		})
	}
}

// Three leaks from a trial with other people's services: they were watched for an hour, and nothing tripped. certain is
// when a person is certain who sees only the curve: the level has doubled twice, or has passed an order of magnitude.
func TestDefaultSeesTheTrial(t *testing.T) {
	race.Skip(t)
	steady := func(d demand) func(int, float64, *simulation) demand {
		return func(int, float64, *simulation) demand { return d }
	}
	for _, c := range []struct {
		name  string
		h     healthyService
		ill   ailment
		after int // seconds of health before
		by    time.Duration
		rules []string
	}{
		{"heap from 42 to 347 MiB in six minutes, under load",
			healthyService{make: process(2, 100, nil), at: steady(demand{rate: 300, conns: 20, latency: 0.01,
				goroutines: 10, kept: 36 * mb})},
			func(s float64, d *demand) { d.kept += 305 * mb * s / 360 }, 0, 6 * time.Minute,
			[]string{"heap-quadruples"}},
		{"the same, and hardly a cycle of the collector",
			healthyService{make: process(2, 100, nil), at: steady(demand{rate: 2, conns: 2, latency: 0.01,
				goroutines: 10, kept: 36 * mb})},
			func(s float64, d *demand) { d.kept += 305 * mb * s / 360 }, 0, 13 * time.Minute,
			[]string{"heap-quadruples"}},
		{"a lock over I/O: 5 to 1,161 goroutines in six minutes",
			healthyService{make: process(2, 100, func(v *simulation) { v.each = 2e4 }),
				at: steady(demand{rate: 60, conns: 1, latency: 0.005})},
			func(s float64, d *demand) { d.goroutines += 1156 * s / 360 }, 0, 4 * time.Minute,
			[]string{"goroutine-growth"}},
		{"goroutines from 3,240 to 20,600 in six minutes",
			healthyService{make: process(2, 100, nil), at: steady(demand{rate: 100, conns: 50, latency: 0.02,
				goroutines: 3180})},
			func(s float64, d *demand) { d.goroutines += 17360 * s / 360; d.kept += 17360 * s / 360 * 3e3 }, 0,
			4 * time.Minute, []string{"goroutine-growth"}},
		{"the same after an hour",
			healthyService{make: process(2, 100, nil), at: steady(demand{rate: 100, conns: 50, latency: 0.02,
				goroutines: 3180})},
			func(s float64, d *demand) { d.goroutines += 17360 * s / 360 }, hour, 4 * time.Minute,
			[]string{"goroutine-growth", "goroutines"}},
		{"live heap doubles in two hours, until it is at the cgroup's limit",
			healthyService{make: process(2, 100, func(v *simulation) { v.cgroup = 2 * gb }),
				at: steady(demand{rate: 100, conns: 50, latency: 0.02, kept: 300 * mb})},
			func(s float64, d *demand) { d.kept += 300 * mb * s / 7200 }, hour, 330 * time.Minute,
			[]string{"memory-growth", "heap-quadruples"}},
		{"150 goroutines stay of every run of a job each ten minutes",
			healthyService{make: process(2, 100, nil), at: steady(demand{rate: 100, conns: 50, latency: 0.02,
				goroutines: 20})},
			func(s float64, d *demand) { d.goroutines += 150 * float64(int(s)/600) }, hour, 100 * time.Minute,
			[]string{"goroutine-growth"}},
		{"60 MiB stay of every run of a job each ten minutes",
			healthyService{make: process(2, 100, nil), at: steady(demand{rate: 100, conns: 50, latency: 0.02,
				kept: 60 * mb})},
			func(s float64, d *demand) { d.kept += 60 * mb * float64(int(s)/600) }, hour, 100 * time.Minute,
			[]string{"heap-quadruples", "heap-doubles"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			for seed := range uint64(5) {
				fired := c.h.live(t, seed, 0, c.after+int(c.by.Seconds()), c.ill, c.after)
				i := slices.IndexFunc(fired, func(f rule.Firing) bool { return slices.Contains(c.rules, f.Rule.Name) })
				if i < 0 {
					t.Errorf("seed %d: nothing of %v tripped within %s", seed, c.rules, c.by)
					continue
				}
				t.Logf("seed %d: %s: %s: %s", seed, fired[i].Time.Sub(start)-time.Duration(c.after)*time.Second,
					fired[i].Rule.Name, fired[i].Text)
			}
		})
	}
}
