package instance

import (
	"sync"

	"github.com/gocasebook/casebook/vitals"
)

// reasons say why signals are absent. The zero value is empty and ready. Nothing here but all allocates.
type reasons struct {
	mu  sync.Mutex // guards why
	why [vitals.NumSignals]string
}

// requestSignals are the signals of the requests that a service's handlers serve. No target gives them.
var requestSignals = [...]vitals.ID{
	vitals.HTTPRate, vitals.HTTPInFlight, vitals.HTTPLatencyP50, vitals.HTTPLatencyP99, vitals.HTTPErrors,
}

func (r *reasons) set(why string, ids ...vitals.ID) {
	r.mu.Lock()
	defer r.mu.Unlock()
	for _, id := range ids {
		r.why[id] = why
	}
}

// give records a signal's value, or why there is none.
func (r *reasons) give(s *vitals.Sample, id vitals.ID, v float64, absent error) {
	if absent != nil {
		r.set(absent.Error(), id)
		return
	}
	s.Set(id, v)
}

// settle drops the reasons of the signals that a sample has after all.
func (r *reasons) settle(s *vitals.Sample) {
	r.mu.Lock()
	defer r.mu.Unlock()
	for id := range vitals.ID(vitals.NumSignals) {
		if _, ok := s.Get(id); ok {
			r.why[id] = ""
		}
	}
}

// clear drops reasons that hold no more.
func (r *reasons) clear(ids ...vitals.ID) { r.set("", ids...) }

// all lists the reasons by the signals' names.
func (r *reasons) all() map[string]string {
	r.mu.Lock()
	defer r.mu.Unlock()
	m := make(map[string]string)
	for id, why := range r.why {
		if why != "" {
			m[vitals.ID(id).String()] = why
		}
	}
	return m
}
