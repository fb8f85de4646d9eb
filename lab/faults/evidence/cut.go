package evidence

import (
	"bytes"
	"slices"

	"github.com/gocasebook/casebook/casefile"
)

// CutVitals keeps the end of the vitals: so many bytes of each file.
func (m *Manifest) CutVitals(room int) {
	for i, f := range m.Evidence {
		if f.Kind == casefile.Vitals {
			m.Evidence[i].Data = lastLines(f.Data, room)
		}
	}
}

// lastLines are the first line, which says what the others are, and the whole lines at the end of data that fit.
func lastLines(data []byte, room int) []byte {
	if len(data) <= room {
		return data
	}
	head := data[:bytes.IndexByte(data, '\n')+1]
	data = data[min(len(data), len(data)-room+len(head)):]
	return slices.Concat(head, data[bytes.IndexByte(data, '\n')+1:])
}
