package blackbox

import (
	"bytes"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"hash/crc32"
	"math"
	"strings"
	"time"

	"github.com/gocasebook/casebook/casefile"
	"github.com/gocasebook/casebook/vitals"
)

// A ring file is two slots for its header and then its records. All numbers are little endian; checksums are CRC-32
// (IEEE) of all that precedes them, in the order written.
//
//	slot     magic [8]byte · generation uint64 · length uint32 · checksum uint32, of length and JSON too · JSON · zeros
//	record   number uint64, from 1 · Unix time in ns int64 · a float64 a signal, NaN where absent · checksum uint32 · 4 zeros
//
// A header is changed by writing the other slot with the next generation, so that one of them is whole at any time. The
// record with number n is at place (n−1) modulo the number of records.
const (
	magic     = "CASEBBX1"
	slotSize  = 64 << 10
	slotStart = len(magic) + 8 + 4 + 4 // of the JSON in a slot
	ringStart = 2 * slotSize

	recordHead = 8 + 8
	recordTail = 4 + 4
)

// schema is the version of the header's JSON.
const schema = 1

// maxColumns bounds what is read of a file of a later version.
const maxColumns = 512

// A header says what the records are. It carries names: a later version, whose signals have other IDs, reads by them.
type header struct {
	Schema   int             `json:"schema"`
	Target   casefile.Target `json:"target"`
	PID      int             `json:"pid"` // of the process that writes
	Started  time.Time       `json:"started"`
	Interval time.Duration   `json:"interval_ns"`
	Boot     string          `json:"boot,omitempty"` // the kernel's boot ID
	OOM      *oomCounter     `json:"oom,omitempty"`  // at the start; nil if there is none
	Records  int             `json:"records"`        // places in the ring
	Signals  []column        `json:"signals"`
}

// A column is one signal of the records, in their order.
type column struct {
	Name string      `json:"name"`
	Unit vitals.Unit `json:"unit"`
	Text string      `json:"text,omitempty"` // of extra signals
}

// maxText bounds the text of an extra signal, in bytes: all 32 of them fit into a slot, escaped as they may be.
const maxText = 200

func columns(c *vitals.Catalog) []column {
	var list []column
	for id, s := range c.Signals() {
		col := column{Name: s.Name, Unit: s.Unit}
		if id >= vitals.NumSignals {
			col.Text = clip(s.Text)
		}
		list = append(list, col)
	}
	return list
}

func clip(text string) string { return strings.ToValidUTF8(text[:min(len(text), maxText)], "") }

func (h *header) recordSize() int { return recordHead + 8*len(h.Signals) + recordTail }

// size is that of the whole file.
func (h *header) size() int64 { return ringStart + int64(h.Records)*int64(h.recordSize()) }

// encode makes the content of a slot.
func (h *header) encode(generation uint64) ([]byte, error) {
	data, err := json.Marshal(h)
	if err != nil {
		return nil, err
	}
	if len(data) > slotSize-slotStart {
		return nil, fmt.Errorf("the header has %d bytes, more than the limit of %d: shorten the target's name or the "+
			"texts of signals", len(data), slotSize-slotStart)
	}
	slot := append(make([]byte, 0, slotSize), magic...)
	slot = binary.LittleEndian.AppendUint64(slot, generation)
	slot = binary.LittleEndian.AppendUint32(slot, uint32(len(data)))
	sum := crc32.Update(crc32.ChecksumIEEE(slot), crc32.IEEETable, data)
	slot = binary.LittleEndian.AppendUint32(slot, sum)
	return append(slot, data...)[:slotSize], nil
}

// decodeSlot reads one slot.
func decodeSlot(slot []byte) (h header, generation uint64, err error) {
	if len(slot) < slotStart || !bytes.HasPrefix(slot, []byte(magic)) {
		return h, 0, fmt.Errorf("it does not begin with %q", magic)
	}
	generation = binary.LittleEndian.Uint64(slot[len(magic):])
	length := int64(binary.LittleEndian.Uint32(slot[len(magic)+8:]))
	sum := binary.LittleEndian.Uint32(slot[len(magic)+12:])
	if length > int64(len(slot)-slotStart) {
		return h, 0, errors.New("the header is cut short")
	}
	data := slot[slotStart : slotStart+int(length)]
	if crc32.Update(crc32.ChecksumIEEE(slot[:len(magic)+12]), crc32.IEEETable, data) != sum {
		return h, 0, errors.New("the header's checksum is wrong")
	}
	if err := json.Unmarshal(data, &h); err != nil {
		return h, 0, fmt.Errorf("the header: %w", err)
	}
	return h, generation, h.check()
}

// check refuses what this version cannot read, or only at a cost that no real file has.
func (h *header) check() error {
	switch {
	case h.Schema != schema:
		return fmt.Errorf("the header has schema %d, this version reads %d", h.Schema, schema)
	case h.Records < 1 || h.Records > maxSamples:
		return fmt.Errorf("the header lists %d records, at most %d are read", h.Records, maxSamples)
	case len(h.Signals) < 1 || len(h.Signals) > maxColumns:
		return fmt.Errorf("the header lists %d signals, at most %d are read", len(h.Signals), maxColumns)
	}
	return nil
}

// encodeRecord fills record, which has the size of one, with a sample's first values. It allocates nothing.
func encodeRecord(record []byte, number uint64, s *vitals.Sample) {
	binary.LittleEndian.PutUint64(record, number)
	binary.LittleEndian.PutUint64(record[8:], uint64(s.Time.UnixNano()))
	end := len(record) - recordTail
	for i := 0; recordHead+8*i < end; i++ {
		binary.LittleEndian.PutUint64(record[recordHead+8*i:], math.Float64bits(s.Values[i]))
	}
	binary.LittleEndian.PutUint32(record[end:], crc32.ChecksumIEEE(record[:end]))
}

// decodeRecord reads a record into the places that its columns have in a sample, −1 for none. It reports false for a
// place that was never written and for a record that was cut short.
func decodeRecord(record []byte, places []vitals.ID) (number uint64, s vitals.Sample, ok bool) {
	end := len(record) - recordTail
	number = binary.LittleEndian.Uint64(record)
	if number == 0 || crc32.ChecksumIEEE(record[:end]) != binary.LittleEndian.Uint32(record[end:]) {
		return 0, s, false
	}
	s = vitals.NewSample(time.Unix(0, int64(binary.LittleEndian.Uint64(record[8:]))))
	for i, id := range places {
		if id >= 0 {
			s.Set(id, math.Float64frombits(binary.LittleEndian.Uint64(record[recordHead+8*i:])))
		}
	}
	return number, s, true
}
