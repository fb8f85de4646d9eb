package main

import (
	"encoding/json"
	"runtime/metrics"
	"slices"
	"strings"
	"sync"
	"time"
)

// figures are what one run of a service reports about itself.
type figures struct {
	CPU      float64 `json:"cpu"`    // seconds, user and system
	System   float64 `json:"system"` // seconds of it in the kernel
	Faults   int64   `json:"faults"` // pages that the kernel had to give
	GC       float64 `json:"gc"`     // seconds of it in the collector, as the runtime counts
	Cycles   uint64  `json:"cycles"` // collections
	P50      float64 `json:"p50"`    // ms, from when a request was due
	P99      float64 `json:"p99"`
	Requests int     `json:"requests"`
	Shed     int     `json:"shed"`            // refused, because maxInFlight were running
	PeakRSS  int64   `json:"peak_rss"`        // bytes, of the process
	Tuner    string  `json:"tuner,omitempty"` // what package gctune says of itself at the end
}

// record is an entry of the live set: pointers for the collector to follow, and text.
type record struct {
	name string
	tags [4]*string
	text []byte
	next *record
}

const recordBytes = 864 // of one record, in total, as the live heap shows

func newRecord(next *record) *record {
	r := &record{name: strings.Repeat("n", 24), text: make([]byte, 256), next: next}
	for i := range r.tags {
		tag := strings.Repeat("t", 40+i)
		r.tags[i] = &tag
	}
	return r
}

// service answers requests and keeps a live set.
type service struct {
	mu        sync.Mutex // guards what follows
	live      []*record
	latencies []time.Duration
	at        int
	inFlight  int
	shed      int
	last      []byte // the latest response: it escapes, as one that is written to a connection does
}

// resize brings the live set to so many bytes.
func (s *service) resize(bytes int) {
	want := bytes / recordBytes
	s.mu.Lock()
	defer s.mu.Unlock()
	for len(s.live) < want {
		s.live = append(s.live, newRecord(nil))
	}
	clear(s.live[want:])
	s.live = s.live[:want]
}

var document = []byte(`{"user":"u-123456","items":[` +
	strings.Repeat(`{"sku":"abc-123","qty":2,"price":12.5,"tags":["a","b"]},`, 40) + `{}],"ok":true}`)

// responseBytes is the buffer that a request fills, as a service without a pool does.
const responseBytes = 48 << 10

// answer is one request: decode, look at a few records, replace one, write a response, wait for a backend.
func (s *service) answer(due time.Time, hold time.Duration) {
	var doc map[string]any
	if err := json.Unmarshal(document, &doc); err != nil {
		panic(err) // the document is a constant
	}
	response := make([]byte, 0, responseBytes)
	s.mu.Lock()
	s.at = (s.at + 7919) % len(s.live)
	s.live[s.at] = newRecord(nil)
	name := s.live[s.at].name
	s.mu.Unlock()
	for len(response) < responseBytes-64 {
		response = append(response, name...)
	}
	if hold > 0 {
		time.Sleep(hold)
	}
	response[0] = byte(len(doc))
	s.mu.Lock()
	s.last = response
	s.latencies = append(s.latencies, time.Since(due))
	s.inFlight--
	s.mu.Unlock()
}

// maxInFlight bounds what a service that has fallen behind keeps in memory, as every server should.
const maxInFlight = 500

func (s *service) admit() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.inFlight >= maxInFlight {
		s.shed++
		return false
	}
	s.inFlight++
	return true
}

// run is the open model: requests are due at their rate, whatever comes back.
func (s *service) run(l load, from, to time.Duration) {
	var wg sync.WaitGroup
	start := time.Now()
	due := from
	for due < to {
		now := from + time.Since(start)
		for ; due <= now && due < to; due += time.Second / time.Duration(l.rate(due)) {
			if at, hold := start.Add(due-from), l.hold(due); s.admit() {
				wg.Go(func() { s.answer(at, hold) })
			}
		}
		s.resize(l.live(now))
		time.Sleep(time.Millisecond)
	}
	wg.Wait()
}

// serve runs the load, and measures everything except the warm-up.
func serve(l load, p plan) figures {
	s := &service{latencies: make([]time.Duration, 0, 200_000)}
	s.resize(l.live(-p.warmUp))
	s.run(l, -p.warmUp, 0)
	s.latencies, s.shed = s.latencies[:0], 0
	used, before := readUsage(), readGC()
	s.run(l, 0, p.measure)
	after, usedThen := readGC(), readUsage()
	f := figures{
		CPU: (usedThen.cpu - used.cpu).Seconds(), System: (usedThen.system - used.system).Seconds(),
		Faults: usedThen.faults - used.faults,
		GC:     after.cpu - before.cpu, Cycles: after.cycles - before.cycles,
	}
	slices.Sort(s.latencies)
	f.Requests, f.Shed = len(s.latencies), s.shed
	f.P50, f.P99 = s.quantile(0.5), s.quantile(0.99)
	f.PeakRSS = peakRSS()
	return f
}

func (s *service) quantile(q float64) float64 {
	return s.latencies[int(q*float64(len(s.latencies)-1))].Seconds() * 1000
}

type gcReading struct {
	cpu    float64
	cycles uint64
}

func readGC() gcReading {
	m := []metrics.Sample{{Name: "/cpu/classes/gc/total:cpu-seconds"}, {Name: "/gc/cycles/total:gc-cycles"}}
	metrics.Read(m)
	return gcReading{m[0].Value.Float64(), m[1].Value.Uint64()}
}
