package vitals

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"time"
)

// The JSON-lines form of a history: first a header, then one object a sample, with absent signals left out.
//
//	{"schema":1,"units":{"cpu":"cores",…},"absent":{"throttled":"no CPU quota"}}
//	{"t":"2026-11-21T13:25:12.001Z","cpu":0.42,"goroutines":57}

// A Header is the first line of the JSON-lines form.
type Header struct {
	Schema int               `json:"schema"`
	Units  map[string]Unit   `json:"units"`
	Absent map[string]string `json:"absent,omitempty"` // signals that the target does not give, and why
}

// maxLine bounds one line on reading: far above what 200 signals need.
const maxLine = 1 << 16

// WriteJSONL writes samples as JSON lines. absent says why signals are missing; it may be nil.
func WriteJSONL(w io.Writer, samples []Sample, absent map[string]string) error {
	bw := bufio.NewWriter(w)
	enc := json.NewEncoder(bw)
	h := Header{Schema: 1, Units: make(map[string]Unit, NumSignals), Absent: absent}
	for _, s := range signals {
		h.Units[s.Name] = s.Unit
	}
	if err := enc.Encode(h); err != nil {
		return fmt.Errorf("writing vitals: %w", err)
	}
	for i := range samples {
		if err := enc.Encode(line(&samples[i])); err != nil {
			return fmt.Errorf("writing vitals: %w", err)
		}
	}
	if err := bw.Flush(); err != nil {
		return fmt.Errorf("writing vitals: %w", err)
	}
	return nil
}

func line(s *Sample) map[string]any {
	m := map[string]any{"t": s.Time.UTC().Format(time.RFC3339Nano)}
	for id := range ID(NumSignals) {
		if v, ok := s.Get(id); ok {
			m[id.String()] = v
		}
	}
	return m
}

// ReadJSONL reads what WriteJSONL wrote. Signals that this version does not know are skipped. A line that cannot be
// read ends the reading with an error that carries its number; the samples before it are returned with it.
func ReadJSONL(r io.Reader) (Header, []Sample, error) {
	sc := bufio.NewScanner(r)
	sc.Buffer(make([]byte, 0, 4096), maxLine)
	var h Header
	var samples []Sample
	for n := 1; sc.Scan(); n++ {
		if n == 1 {
			if err := json.Unmarshal(sc.Bytes(), &h); err != nil || h.Schema == 0 {
				return h, nil, fmt.Errorf("reading vitals: line 1 is not a vitals header (want {\"schema\":1,…})")
			}
			continue
		}
		s, err := parseLine(sc.Bytes())
		if err != nil {
			return h, samples, fmt.Errorf("reading vitals: line %d: %w", n, err)
		}
		samples = append(samples, s)
	}
	if err := sc.Err(); err != nil {
		return h, samples, fmt.Errorf("reading vitals: %w", err)
	}
	return h, samples, nil
}

func parseLine(b []byte) (Sample, error) {
	var m map[string]any
	if err := json.Unmarshal(b, &m); err != nil {
		return Sample{}, err
	}
	text, _ := m["t"].(string)
	t, err := time.Parse(time.RFC3339Nano, text)
	if err != nil {
		return Sample{}, fmt.Errorf(`"t" is not an RFC 3339 time: %q`, text)
	}
	s := NewSample(t)
	for name, v := range m {
		id, known := Lookup(name)
		if f, ok := v.(float64); known && ok {
			s.Set(id, f)
		}
	}
	return s, nil
}
