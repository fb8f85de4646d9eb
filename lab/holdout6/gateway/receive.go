package main

import (
	"errors"
	"fmt"
	"io"
	"sync"
)

// A Reading is a line.
type Reading struct {
	Meter   string  `json:"meter"`
	Millis  int64   `json:"millis"`
	Volts   float64 `json:"volts"`
	Amperes float64 `json:"amperes"`
}

var errImplausible = errors.New("implausible reading")

// receive takes a meter's readings until it hangs up.
func receive(r io.Reader, s *series) error {
	for {
		reading, err := readLine(r)
		if errors.Is(err, errImplausible) {
			continue
		}
		if err != nil {
			return err
		}
		s.add(reading)
	}
}

func readLine(r io.Reader) (out Reading, err error) {
	if _, err := fmt.Fscanf(r, "%s %d %f %f\n", &out.Meter, &out.Millis, &out.Volts, &out.Amperes); err != nil {
		return out, err
	}
	if out.Volts < 0 || out.Volts > 500 || out.Amperes < 0 {
		return out, fmt.Errorf("%s: %w", out.Meter, errImplausible)
	}
	return out, nil
}

// series has the last minutes of each meter.
type series struct {
	mu     sync.Mutex
	meters map[string]*ring
}

type ring struct {
	last  [512]Reading
	count int
}

func newSeries() *series { return &series{meters: map[string]*ring{}} }

func (s *series) add(r Reading) {
	s.mu.Lock()
	defer s.mu.Unlock()
	m := s.meters[r.Meter]
	if m == nil {
		m = &ring{}
		s.meters[r.Meter] = m
	}
	m.last[m.count%len(m.last)] = r
	m.count++
}

func (s *series) last(meter string) (Reading, int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	m := s.meters[meter]
	if m == nil || m.count == 0 {
		return Reading{}, 0
	}
	return m.last[(m.count-1)%len(m.last)], m.count
}
