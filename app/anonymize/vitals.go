package anonymize

import (
	"bytes"
	"errors"

	"github.com/gocasebook/casebook/vitals"
)

// vitals rewrites the signals' history: built-in signals stay, others are numbered, and why one is absent is cut.
func (n *names) vitals(data []byte) ([]byte, error) {
	h, samples, err := vitals.ReadJSONL(bytes.NewReader(data))
	if len(samples) == 0 && err != nil {
		return nil, errUnknown // its text may quote a line
	}
	var extra []vitals.Signal
	for _, s := range h.Catalog.Extra() {
		extra = append(extra, vitals.Signal{Name: n.signal(s.Name), Unit: s.Unit})
	}
	catalog, err := vitals.NewCatalog(extra...)
	if err != nil {
		return nil, errors.New("two of its signals now have the same name")
	}
	absent := make(map[string]string)
	for name := range h.Absent {
		absent[n.signal(name)] = "the reason was cut when the case was anonymized"
	}
	var out bytes.Buffer
	if err := vitals.WriteJSONL(&out, samples, catalog, absent); err != nil {
		return nil, err
	}
	return out.Bytes(), nil
}

// signal returns a signal's name: a built-in one stays.
func (n *names) signal(name string) string {
	if _, known := vitals.Lookup(name); known || name == "" {
		return name
	}
	return n.word(name)
}
