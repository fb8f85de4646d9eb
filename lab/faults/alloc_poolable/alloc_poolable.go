// Package alloc_poolable mixes short sounds.
//
// The fault: each request makes the scratch buffers that it mixes in.
package alloc_poolable

import (
	"io"
	"net/http"
	"strconv"
	"sync"

	"github.com/gocasebook/casebook/lab/faults"
)

const frame = 2048 // samples

// A Mixer has voices.
type Mixer struct {
	voices [][]float32
	mix    func(m *Mixer) float32
	pool   sync.Pool
}

func newMixer(voices int, mix func(*Mixer) float32) *Mixer {
	m := &Mixer{mix: mix, pool: sync.Pool{New: func() any { s := make([]float32, frame); return &s }}}
	for v := range voices {
		s := make([]float32, frame)
		for i := range s {
			s[i] = float32((v*i)%97) / 97
		}
		m.voices = append(m.voices, s)
	}
	return m
}

// ServeHTTP answers with the loudest sample of all voices.
func (m *Mixer) ServeHTTP(w http.ResponseWriter, _ *http.Request) {
	io.WriteString(w, strconv.FormatFloat(float64(m.mix(m)), 'f', 3, 32))
}

func (m *Mixer) fresh() (loudest float32) {
	for i := range m.voices {
		scratch := make([]float32, frame*len(m.voices[i])/frame)
		loudest = max(loudest, m.add(scratch, i))
	}
	return loudest
}

func (m *Mixer) pooled() (loudest float32) {
	kept := m.pool.Get().(*[]float32)
	defer m.pool.Put(kept)
	for i := range m.voices {
		loudest = max(loudest, m.add(*kept, i))
	}
	return loudest
}

// add writes a voice and every eighth sample of the next into scratch.
func (m *Mixer) add(scratch []float32, i int) float32 {
	copy(scratch, m.voices[i])
	next := m.voices[(i+1)%len(m.voices)]
	for j := 0; j < len(scratch); j += 8 {
		scratch[j] += next[j]
	}
	return scratch[i%len(scratch)]
}

func service(voices int, mix func(*Mixer) float32, perSecond float64) faults.Service {
	return faults.Service{Handler: newMixer(voices, mix), Load: []faults.Call{{Path: "/mix", PerSecond: perSecond}}}
}

// Fault is the kind with its variants.
func Fault() faults.Fault {
	return faults.Fault{
		Kind: "alloc-poolable", Text: "each request makes the scratch buffers that it mixes sounds in",
		Culprit:  "alloc_poolable.(*Mixer).fresh",
		Faulty:   func() faults.Service { return service(32, (*Mixer).fresh, 1200) },
		Repaired: func() faults.Service { return service(32, (*Mixer).pooled, 1200) },
		Limit:    func() faults.Service { return service(8, (*Mixer).fresh, 800) },
	}
}
