package rule_test

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/gocasebook/casebook/vitals"
)

// A poisson is how many came in a second.
func poisson(r *rand.Rand, mean float64) (n int) {
	for p, floor := r.Float64(), math.Exp(-mean); p > floor; n++ {
		p *= r.Float64()
	}
	return n
}

// ask sets the signals of the requests of a second, each of which takes the time that took returns.
func ask(s *vitals.Sample, r *rand.Rand, rate float64, took func() float64) {
	n := poisson(r, rate)
	s.Set(vitals.HTTPRate, float64(n))
	s.Set(vitals.HTTPInFlight, 0)
	if n == 0 {
		return
	}
	s.Set(vitals.HTTPErrors, 0)
	all := make([]float64, n)
	flight := 0.0
	for i := range all {
		all[i] = took() * math.Exp(0.2*r.NormFloat64())
		flight += all[i]
	}
	slices.Sort(all)
	s.Set(vitals.HTTPLatencyP50, all[(n-1)/2])
	s.Set(vitals.HTTPLatencyP99, all[n-1])
	s.Set(vitals.HTTPInFlight, math.Floor(flight+r.Float64()))
}

// usually is a time.
func usually(seconds float64) func() float64 { return func() float64 { return seconds } }

// counted sets what is counted each 15 s.
func counted(i int, s *vitals.Sample, served, abandoned, queued float64) {
	for id, v := range map[vitals.ID]float64{vitals.TCPAccepted: served, vitals.TCPAbandoned: abandoned,
		vitals.TCPQueued: queued} {
		if i%15 == 0 {
			s.Set(id, math.Floor(v))
		}
	}
}

// asked sets what pprof and /proc show of clients over connections of their own, two goroutines each: how many are
// there, and how many of them have waited for a first byte for 5 s.
func asked(i int, s *vitals.Sample, there, unanswered float64) []vitals.Place {
	add(s, vitals.Goroutines, math.Floor(2*there))
	add(s, vitals.OpenFiles, math.Floor(there))
	if i%15 == 0 {
		s.Set(vitals.TCPAccepted, 6+math.Floor(there))
		s.Set(vitals.TCPUnanswered, math.Floor(unanswered))
	}
	return nil
}

// waitedScenes are those of clients without an answer.
func waitedScenes() []scene {
	type sample = vitals.Sample
	return []scene{
		{"a queue that ever more is put back into", func(i int, s *sample, r *rand.Rand) []vitals.Place {
			// As measured each 18 s, from the first request on.
			waits := []float64{0, 0, 0, 2, 30, 43, 125, 253, 269, 269}
			at := min(after(i, 1)/18, 8.9)
			k := int(at)
			n := waits[k] + (at-float64(k))*(waits[k+1]-waits[k])
			return asked(i, s, 1.6*n+after(i, 0.2), n)
		}, "requests-stay"},
		{"a pool that waits for itself, four requests a second", func(i int, s *sample, r *rand.Rand) []vitals.Place {
			return asked(i, s, after(i, 4), max(after(i, 4)-20, 0))
		}, "requests-stay"},
		{"bursts above what the database admits", func(i int, s *sample, r *rand.Rand) []vitals.Place {
			sick := min(after(i, 0.1), 1)
			return asked(i, s, sick*(120+500*r.Float64()), sick*(60+60*r.Float64()))
		}, "requests-stay"},
		{"a lock held over a call, of eight requests one ends", func(i int, s *sample, r *rand.Rand) []vitals.Place {
			n := min(after(i, 7), 450)
			return asked(i, s, n*(0.9+0.1*r.Float64()), max(n-35, 0)*(0.8+0.2*r.Float64()))
		}, "requests-stay"},
		{"three requests a second that never end", func(i int, s *sample, r *rand.Rand) []vitals.Place {
			return asked(i, s, after(i, 3), max(after(i, 3)-15, 0))
		}, "requests-stay"},

		{"websockets that send without being answered", func(i int, s *sample, r *rand.Rand) []vitals.Place {
			return asked(i, s, min(after(i, 2), 1200), 0)
		}, ""},
		{"event streams that have sent their head alone", func(i int, s *sample, r *rand.Rand) []vitals.Place {
			asked(i, s, min(after(i, 3), 900), float64(r.IntN(3)))
			return []vitals.Place{waiting("stream.write", vitals.WaitSelect, min(after(i, 3), 900))}
		}, ""},
		{"a burst of 300 requests that drains within 20 s", func(i int, s *sample, r *rand.Rand) []vitals.Place {
			left := 300 * max(1-float64(i%310)/20, 0)
			if i%310 < 5 {
				return asked(i, s, left, 0)
			}
			return asked(i, s, left, left)
		}, ""},
		{"a dependency below ten requests a second restarts", func(i int, s *sample, r *rand.Rand) []vitals.Place {
			m := i % 400
			if i < troubleAt || m > 23 {
				return asked(i, s, 0, 0)
			}
			return asked(i, s, min(float64(m), 20)*10, max(float64(min(m, 20)-5), 0)*10)
		}, ""},
		{"long polls that were there before", func(i int, s *sample, r *rand.Rand) []vitals.Place {
			return asked(i, s, 100+20*r.Float64(), 70+20*r.Float64())
		}, ""},
	}
}

// kept sets what is counted of clients over connections that had earlier answers: how many have waited for 5 s.
func kept(i int, s *vitals.Sample, waiting float64) []vitals.Place {
	if i%5 == 0 {
		s.Set(vitals.TCPUnanswered, 0)
		s.Set(vitals.TCPWaiting, math.Floor(waiting))
	}
	return nil
}

// keptScenes are those of clients who wait for the answer of a connection that had others before.
func keptScenes() []scene {
	type sample = vitals.Sample
	return []scene{
		{"locks that nobody releases, for 15 s each", func(i int, s *sample, r *rand.Rand) []vitals.Place {
			if i < troubleAt+10 {
				return kept(i, s, 0)
			}
			return kept(i, s, []float64{10, 17, 6, 17, 30, 23, 9, 18, 26, 8}[i/5%10]) // as it was measured
		}, "requests-stay"},
		{"transactions that wait for each other, behind a proxy", func(i int, s *sample, r *rand.Rand) []vitals.Place {
			return kept(i, s, min(after(i-5, 70), 200))
		}, "requests-stay"},
		{"a pool of four connections, and queries of seconds", func(i int, s *sample, r *rand.Rand) []vitals.Place {
			return kept(i, s, min(after(i-5, 8), 120)*(0.7+0.3*r.Float64()))
		}, "requests-stay"},
		{"bursts above what the database admits, over kept connections", func(i int, s *sample, r *rand.Rand) []vitals.Place {
			return kept(i, s, min(after(i-5, 10), 60)*(0.5+0.5*r.Float64()))
		}, "requests-stay"},
		{"a backend that no longer answers", func(i int, s *sample, r *rand.Rand) []vitals.Place {
			return kept(i, s, min(after(i-5, 3), 90))
		}, "requests-stay"},

		{"long polls over kept connections, before the watch", func(i int, s *sample, r *rand.Rand) []vitals.Place {
			return kept(i, s, 60+30*r.Float64())
		}, ""},
		{"long polls that a deploy of their clients cuts off", func(i int, s *sample, r *rand.Rand) []vitals.Place {
			n := 80.0
			if m := i % 600; m > 200 && m < 230 {
				n = 0
			}
			return kept(i, s, n+10*r.Float64())
		}, ""},
		{"a stop of twenty seconds", func(i int, s *sample, r *rand.Rand) []vitals.Place {
			if m := i % 400; i > troubleAt && m > 305 && m <= 320 {
				return kept(i, s, 100)
			}
			return kept(i, s, 0)
		}, ""},
		{"a report of half a minute that ten people open", func(i int, s *sample, r *rand.Rand) []vitals.Place {
			n := 0.0
			if i > troubleAt && i%300 < 30 {
				n = 10
			}
			return kept(i, s, n)
		}, ""},
		{"a burst of half a minute of exports that take 8 s", func(i int, s *sample, r *rand.Rand) []vitals.Place {
			if k := i%400/5 - 42; i > troubleAt && k >= 0 && k < 8 {
				return kept(i, s, []float64{51, 113, 101, 115, 111, 119, 83, 0}[k]) // as it was measured
			}
			return kept(i, s, 0)
		}, ""},
		{"uploads that come in slowly", func(i int, s *sample, r *rand.Rand) []vitals.Place {
			return kept(i, s, float64(r.IntN(3))) // of the others nobody has read the end
		}, ""},
	}
}

// forced sets how many collections the program asked for in a second.
func forced(s *vitals.Sample, n float64) []vitals.Place {
	s.Set(vitals.GCForced, n)
	return nil
}

// forcedScenes are programs that ask for collections.
func forcedScenes() []scene {
	type sample = vitals.Sample
	sick := func(i int, n float64) float64 {
		if i > troubleAt {
			return n
		}
		return 0
	}
	return []scene{
		{"a handler that gives memory back, ten requests a second", func(i int, s *sample, r *rand.Rand) []vitals.Place {
			return forced(s, float64(poisson(r, sick(i, 10))))
		}, "gc-forced"},
		{"a worker that collects after each of three messages a second", func(i int, s *sample, r *rand.Rand) []vitals.Place {
			return forced(s, float64(poisson(r, sick(i, 3))))
		}, "gc-forced"},
		{"a watchdog of memory with a ticker of 200 ms", func(i int, s *sample, r *rand.Rand) []vitals.Place {
			return forced(s, sick(i, 5))
		}, "gc-forced"},
		{"a loop that waits for finalizers", func(i int, s *sample, r *rand.Rand) []vitals.Place {
			return forced(s, sick(i, 100))
		}, "gc-forced"},
		{"pictures that are scaled, two a second", func(i int, s *sample, r *rand.Rand) []vitals.Place {
			return forced(s, float64(poisson(r, sick(i, 2))))
		}, "gc-forced"},

		{"memory is given back every five seconds", func(i int, s *sample, r *rand.Rand) []vitals.Place {
			return forced(s, math.Max(1-float64(i%5), 0))
		}, ""},
		{"a job collects after each of fifty files, in ten seconds", func(i int, s *sample, r *rand.Rand) []vitals.Place {
			if i%300 > 200 && i%300 <= 210 {
				return forced(s, 5)
			}
			return forced(s, 0)
		}, ""},
		{"somebody asks for heap profiles with a collection", func(i int, s *sample, r *rand.Rand) []vitals.Place {
			return forced(s, math.Max(2-float64(i%15), 0))
		}, ""},
		{"a small heap is collected forty times a second", func(i int, s *sample, r *rand.Rand) []vitals.Place {
			s.Set(vitals.GCRate, 40)
			return forced(s, 0)
		}, ""},
		{"a start that collects after each of its stages", func(i int, s *sample, r *rand.Rand) []vitals.Place {
			return forced(s, math.Max(2-float64(i)/4, 0))
		}, ""},
	}
}

// TestIllFromTheStart: a service that stands still when the watch begins trips a rule within a minute.
func TestIllFromTheStart(t *testing.T) {
	for _, tt := range []struct {
		name string
		rate float64 // of requests that stay
		rule string
		set  func(i int, s *vitals.Sample)
	}{
		{"sixty requests a second wait for each other", 60, "requests-stay", nil},
		{"eleven", 11, "requests-stay", nil},
		{"all fail at a time-out of 20 s", 0, "http-errors", func(i int, s *vitals.Sample) {
			s.Set(vitals.HTTPRate, float64(6+i%7))
			s.Set(vitals.HTTPErrors, 1)
			s.Set(vitals.HTTPLatencyP50, 20)
			s.Set(vitals.HTTPLatencyP99, 20)
		}},
		{"some fail at a time-out, in lumps", 0, "http-errors", func(i int, s *vitals.Sample) {
			s.Set(vitals.HTTPRate, float64(80-76*(i/2%2)))
			s.Set(vitals.HTTPErrors, float64(i/2%2)*0.4)
			s.Set(vitals.HTTPLatencyP50, 20)
			s.Set(vitals.HTTPLatencyP99, 20)
		}},
		{"a full stop, and clients that give up after a minute", 0, "requests-stay", func(i int, s *vitals.Sample) {
			if i%5 == 0 { // as lab/field's ring was measured
				s.Set(vitals.TCPUnanswered, 59*min(float64(15+i), 56))
			}
		}},
		{"a queue that fills, over connections that had answers", 0, "requests-stay", func(i int, s *vitals.Sample) {
			s.Set(vitals.HTTPRate, float64(i*7%40))
			s.Set(vitals.HTTPInFlight, float64(13+10*i+i*7%40))
			s.Set(vitals.HTTPLatencyP50, min(float64(1+i), 20))
			if i%15 == 0 {
				s.Set(vitals.TCPAccepted, float64(141+8*i))
			}
		}},
		{"streams that are counted as requests", 0, "", func(i int, s *vitals.Sample) {
			s.Set(vitals.HTTPRate, 6)
			s.Set(vitals.HTTPInFlight, float64(10*i))
			s.Set(vitals.HTTPLatencyP50, 0.02)
			if i%5 == 0 {
				s.Set(vitals.TCPAccepted, float64(10*i))
				s.Set(vitals.TCPWaiting, float64(i*13%5))
			}
		}},
		{"a dependency that restarts within half a minute", 0, "", func(i int, s *vitals.Sample) {
			n := 60 * min(float64(i), 30)
			if i > 30 {
				n = max(1800-600*float64(i-30), 0)
			}
			s.Set(vitals.HTTPInFlight, n)
			s.Set(vitals.HTTPLatencyP50, min(float64(i), 10))
			if i%5 == 0 {
				s.Set(vitals.TCPUnanswered, max(n-300, 0))
				s.Set(vitals.TCPWaiting, max(n-300, 0))
			}
		}},
		{"long polls that are only there", 0, "", func(i int, s *vitals.Sample) {
			s.Set(vitals.TCPUnanswered, float64(70+i*13%20))
		}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			c := scene{at: func(i int, s *vitals.Sample, _ *rand.Rand) []vitals.Place {
				if tt.set != nil {
					tt.set(i, s)
				} else if i%5 == 0 {
					s.Set(vitals.TCPUnanswered, math.Floor(tt.rate*float64(15+i)))
				}
				return nil
			}}
			at, f := c.play(t, 60)
			if tt.rule == "" && at >= 0 || tt.rule != "" && (at < 0 || f.Rule.Name != tt.rule) {
				t.Errorf("at %d s %v, want %q", at, f.Text, tt.rule)
			}
			t.Logf("%d s: %s", at, f.Text)
		})
	}
}

// requestScenes are the programs of docs/evidence/rules.md that rules on requests must and must not trip on.
func requestScenes() []scene {
	type sample = vitals.Sample
	none := []vitals.Place(nil)
	return []scene{
		{"a pool that waits for itself, and clients that give up after 30 s",
			func(i int, s *sample, r *rand.Rand) []vitals.Place {
				ask(s, r, 6, usually(0.02))
				stay, there := after(i, 5), math.Min(after(i, 5), 150)
				add(s, vitals.HTTPInFlight, math.Floor(stay))
				add(s, vitals.Goroutines, math.Floor(2*stay))
				counted(i, s, 8+there, stay-there, 0)
				return none
			}, "requests-stay"},
		{"the same without signals of requests", func(i int, s *sample, r *rand.Rand) []vitals.Place {
			stay, there := after(i, 5), math.Min(after(i, 5), 150)
			counted(i, s, 8+there, stay-there, 0)
			return none
		}, "requests-stay"},
		{"calls of one HTTP/2 connection that never end, one in two seconds",
			func(i int, s *sample, r *rand.Rand) []vitals.Place {
				ask(s, r, 6, usually(0.02))
				add(s, vitals.HTTPInFlight, math.Floor(after(i, 0.5)))
				counted(i, s, 6, 0, 0)
				return none
			}, "requests-stay"},
		{"a listener whose places are taken", func(i int, s *sample, r *rand.Rand) []vitals.Place {
			ask(s, r, 6-math.Min(after(i, 1), 4), usually(0.003))
			counted(i, s, 20+math.Min(after(i, 1), 44), 0, after(i-15, 2))
			return none
		}, "requests-unaccepted"},
		{"most of ten requests a second take a second", func(i int, s *sample, r *rand.Rand) []vitals.Place {
			ask(s, r, 10, func() float64 {
				if i > troubleAt && r.Float64() < 0.7 {
					return 1
				}
				return 0.01
			})
			return none
		}, "http-latency"},
		{"half of fourteen requests a second take a second", func(i int, s *sample, r *rand.Rand) []vitals.Place {
			ask(s, r, 14, func() float64 {
				if i > troubleAt && r.Float64() < 0.53 {
					return 1
				}
				return 0.006
			})
			return none
		}, "http-latency"},
		{"one request in two seconds takes two seconds", func(i int, s *sample, r *rand.Rand) []vitals.Place {
			ask(s, r, 0.5, usually(0.05+math.Min(after(i, 2), 2)))
			return none
		}, "http-latency"},
		{"a queue without a bound fills from six times the load on", func(i int, s *sample, r *rand.Rand) []vitals.Place {
			add(s, vitals.HeapLive, after(i, 1<<20)-10<<20)
			add(s, vitals.ReadRate, 5e5*math.Min(after(i, 1), 1))
			return none
		}, "heap-quadruples"},

		{"the first requests that ever come end at their time-out, one a second",
			func(i int, s *sample, r *rand.Rand) []vitals.Place {
				ask(s, r, math.Min(math.Max(after(i-60, 1), 0), 1), usually(60))
				s.Set(vitals.HTTPErrors, math.Min(s.Values[vitals.HTTPRate], 1))
				return none
			}, "http-errors"},
		{"most of a request a second fail at once", func(i int, s *sample, r *rand.Rand) []vitals.Place {
			ask(s, r, 1, usually(0.02))
			if i > troubleAt && r.Float64() < 0.8 {
				s.Set(vitals.HTTPErrors, 1)
			}
			return none
		}, "http-errors"},

		{"a probe each five seconds asks whether it is ready, which takes ten minutes",
			func(i int, s *sample, r *rand.Rand) []vitals.Place {
				ask(s, r, 0.05, usually(0.002))
				if i%5 == 0 {
					s.Set(vitals.HTTPRate, 1)
					s.Set(vitals.HTTPLatencyP50, 0.001)
					s.Set(vitals.HTTPLatencyP99, 0.001)
					s.Set(vitals.HTTPErrors, math.Min(after(i, 1), 1))
				}
				return none
			}, ""},
		{"a job of fifteen seconds makes four requests a second late", func(i int, s *sample, r *rand.Rand) []vitals.Place {
			ask(s, r, 4, usually(0.02))
			if m := i % 297; i > troubleAt && m > 200 && m <= 215 {
				s.Set(vitals.HTTPLatencyP50, 1)
				s.Set(vitals.HTTPLatencyP99, 2)
			}
			return none
		}, ""},
		{"half of four requests a second always take a second", func(i int, s *sample, r *rand.Rand) []vitals.Place {
			ask(s, r, 4, func() float64 {
				if r.Float64() < 0.45 {
					return 1
				}
				return 0.02
			})
			return none
		}, ""},
		{"long polls begin beside forty requests a second", func(i int, s *sample, r *rand.Rand) []vitals.Place {
			polls := 6 * math.Min(after(i, 1), 1)
			ask(s, r, 42+polls, func() float64 {
				if r.Float64() < polls/(42+polls) {
					return 5
				}
				return 0.002
			})
			return none
		}, ""},
		{"a dependency restarts, for twenty seconds", func(i int, s *sample, r *rand.Rand) []vitals.Place {
			ask(s, r, 2, usually(0.02))
			if i > troubleAt && i < troubleAt+20 {
				s.Set(vitals.HTTPErrors, 1)
			}
			return none
		}, ""},
		{"streams that are counted as requests connect", func(i int, s *sample, r *rand.Rand) []vitals.Place {
			ask(s, r, 6, usually(0.02))
			n := math.Min(math.Floor(after(i, 2)), 1200)
			add(s, vitals.HTTPInFlight, n)
			add(s, vitals.Goroutines, 2*n)
			counted(i, s, 6+n, 0, 0)
			return []vitals.Place{waiting("stream.write", vitals.WaitSelect, n)}
		}, ""},
		{"six times the load, and what it needs", func(i int, s *sample, r *rand.Rand) []vitals.Place {
			more := 5 * (1 - math.Exp(-after(i, 1)/60))
			ask(s, r, 5+25*math.Min(after(i, 1), 1), usually(0.02*(1+0.1*more)))
			add(s, vitals.ReadRate, 5e5*math.Min(after(i, 1), 1))
			add(s, vitals.HeapLive, more*12*(1<<20))
			add(s, vitals.Goroutines, math.Floor(20*more))
			return none
		}, ""},
		{"a tool with a request in five seconds, and reports", func(i int, s *sample, r *rand.Rand) []vitals.Place {
			ask(s, r, 0.2, func() float64 {
				if r.Float64() < 0.1 || i%300 > 280 { // now and then somebody compares some
					return 3
				}
				return 0.04
			})
			return none
		}, ""},
		{"somebody opens slow pages beside health checks", func(i int, s *sample, r *rand.Rand) []vitals.Place {
			ask(s, r, 0.4, func() float64 { return 0.5 })
			if i < 600 || i%5 == 0 { // a check each five seconds
				s.Set(vitals.HTTPRate, 0)
				if i%5 == 0 {
					s.Set(vitals.HTTPRate, 1)
					s.Set(vitals.HTTPLatencyP50, 0.001)
					s.Set(vitals.HTTPLatencyP99, 0.001)
				}
			}
			return none
		}, ""},
		{"a night job with slow requests is left alone", func(i int, s *sample, r *rand.Rand) []vitals.Place {
			quick := 9.8 * math.Max(1-after(i, 0.01), 0)
			ask(s, r, quick+0.2, func() float64 {
				if r.Float64() < 0.2/(quick+0.2) {
					return 3
				}
				return 0.02
			})
			return none
		}, ""},
		{"a stop of seven seconds", func(i int, s *sample, r *rand.Rand) []vitals.Place {
			ask(s, r, 5, usually(0.01))
			if m := i % 400; i > troubleAt && m > 300 && m < 308 {
				s.Set(vitals.HTTPLatencyP50, 3)
				s.Set(vitals.HTTPLatencyP99, 6)
			}
			return none
		}, ""},
		{"an event stream beside few requests", func(i int, s *sample, r *rand.Rand) []vitals.Place {
			ask(s, r, 0.2, usually(0.02))
			if open := i % 400; i > troubleAt && open > 100 { // package middleware has what lasts among the times
				add(s, vitals.HTTPInFlight, 1)
				s.Set(vitals.HTTPLatencyP50, float64(open-100))
				s.Set(vitals.HTTPLatencyP99, float64(open-100))
			}
			return none
		}, ""},
		{"webhooks whose senders do not wait", func(i int, s *sample, r *rand.Rand) []vitals.Place {
			ask(s, r, 2, usually(0.02))
			n := 0
			if i > troubleAt {
				n = poisson(r, math.Min(after(i, 1), 20))
			}
			add(s, vitals.HTTPInFlight, float64(n))
			counted(i, s, 6, float64(n), 0)
			return none
		}, ""},
		{"a port that is open before the data is loaded", func(i int, s *sample, r *rand.Rand) []vitals.Place {
			queued := 0.0
			if i >= 15 && i < 30 {
				queued = 5
			}
			counted(i, s, 6, 0, queued)
			return none
		}, ""},
		{"the night comes", func(i int, s *sample, r *rand.Rand) []vitals.Place {
			ask(s, r, 20*math.Max(1-after(i, 0.002), 0.1), usually(0.02))
			return none
		}, ""},
	}
}

// TestRequestsInTime: what users wait for trips its rule within two minutes, however few they are, and what looks ill
// and is not trips nothing.
func TestRequestsInTime(t *testing.T) {
	for _, c := range slices.Concat(requestScenes(), waitedScenes(), keptScenes(), forcedScenes()) {
		t.Run(c.name, func(t *testing.T) { c.check(t) })
	}
}
