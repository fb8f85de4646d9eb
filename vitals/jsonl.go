package vitals

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"math"
	"slices"
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
	Texts  map[string]string `json:"texts,omitempty"`  // what extra signals are; readers know the built-in ones
	Absent map[string]string `json:"absent,omitempty"` // signals that the target does not give, and why

	// Catalog names the signals of the samples that were read. Its extra signals are in the order of their names.
	Catalog *Catalog `json:"-"`
}

const (
	// maxLine bounds one line on reading: far above what 200 signals need.
	maxLine = 1 << 16
	// maxText bounds the text of an extra signal in the header, in runes: a Prometheus page's help may be a page long.
	maxText = 200
)

// WriteJSONL writes samples, whose signals the catalog names, as JSON lines. absent says why signals are missing; it
// may be nil.
func WriteJSONL(w io.Writer, samples []Sample, catalog *Catalog, absent map[string]string) error {
	bw := bufio.NewWriter(w)
	enc := json.NewEncoder(bw)
	all := catalog.Signals()
	if err := enc.Encode(header(all, absent)); err != nil {
		return fmt.Errorf("writing vitals: %w", err)
	}
	for i := range samples {
		if err := enc.Encode(line(&samples[i], all)); err != nil {
			return fmt.Errorf("writing vitals: %w", err)
		}
	}
	if err := bw.Flush(); err != nil {
		return fmt.Errorf("writing vitals: %w", err)
	}
	return nil
}

func header(all []Signal, absent map[string]string) Header {
	h := Header{Schema: 1, Units: make(map[string]Unit, len(all)), Absent: absent}
	for i, s := range all {
		h.Units[s.Name] = s.Unit
		if i >= NumSignals && s.Text != "" {
			if h.Texts == nil {
				h.Texts = make(map[string]string)
			}
			h.Texts[s.Name] = clip(s.Text)
		}
	}
	return h
}

func clip(text string) string {
	if r := []rune(text); len(r) > maxText {
		return string(r[:maxText-1]) + "…"
	}
	return text
}

func line(s *Sample, all []Signal) map[string]any {
	m := map[string]any{"t": s.Time.UTC().Format(time.RFC3339Nano)}
	for id := range all {
		if v, ok := s.Get(ID(id)); ok {
			m[all[id].Name] = v
		}
	}
	return m
}

// ReadJSONL reads what WriteJSONL wrote, this version or a later one. A signal that is not built in becomes an extra
// one of the header's Catalog; one whose unit or name this version does not understand, and what exceeds MaxExtra, is
// skipped. A line that cannot be read ends the reading with an error that carries its number; the samples before it are
// returned with it.
func ReadJSONL(r io.Reader) (Header, []Sample, error) { return ReadJSONLUpTo(r, math.MaxInt64) }

// SampleBytes is the memory of a Sample: a line of 30 bytes becomes as much.
const SampleBytes = 8 * (NumSignals + MaxExtra + 3)

// ReadJSONLUpTo is ReadJSONL for lines of anyone: it ends with an error before the samples take more than so many bytes
// of memory. Those until then are returned with it.
func ReadJSONLUpTo(r io.Reader, most int64) (Header, []Sample, error) {
	sc := bufio.NewScanner(r)
	sc.Buffer(make([]byte, 0, 4096), maxLine)
	var h Header
	var samples []Sample
	for n := 1; sc.Scan(); n++ {
		if n == 1 {
			if err := json.Unmarshal(sc.Bytes(), &h); err != nil || h.Schema == 0 {
				return h, nil, fmt.Errorf("reading vitals: line 1 is not a vitals header (want {\"schema\":1,…})")
			}
			h.Catalog = h.catalog()
			continue
		}
		if most -= int64(SampleBytes); most < 0 {
			return h, samples, fmt.Errorf("reading vitals: line %d: the samples before it take all the memory that there is "+
				"for them", n)
		}
		s, err := parseLine(sc.Bytes(), h.Catalog)
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

// catalog is that of the names in a header that are not built in.
func (h *Header) catalog() *Catalog {
	c := &Catalog{}
	for _, name := range slices.Sorted(maps.Keys(h.Units)) {
		s := Signal{Name: name, Unit: h.Units[name], Text: clip(h.Texts[name])}
		if len(c.extra) < MaxExtra && c.check(s) == nil {
			c.extra = append(c.extra, s)
		}
	}
	return c
}

func parseLine(b []byte, catalog *Catalog) (Sample, error) {
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
		id, known := catalog.Lookup(name)
		if f, ok := v.(float64); known && ok {
			s.Set(id, f)
		}
	}
	return s, nil
}
