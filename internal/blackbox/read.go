package blackbox

import (
	"bufio"
	"cmp"
	"errors"
	"fmt"
	"io"
	"slices"

	"github.com/gocasebook/casebook/vitals"
)

// readRing reads a ring file. Whatever its bytes, it answers with an error or with samples in the order in which they
// were taken, and needs no more memory than maxSamples samples.
func readRing(f io.ReaderAt) (header, *vitals.Catalog, []vitals.Sample, error) {
	h, err := readHeader(f)
	if err != nil {
		return h, nil, nil, err
	}
	catalog, places := match(h.Signals)
	samples, err := readRecords(f, &h, places)
	return h, catalog, samples, err
}

// readHeader reads the newer of the two slots that are whole.
func readHeader(f io.ReaderAt) (header, error) {
	slot := make([]byte, slotSize)
	var newest header
	var generation uint64
	var failed error
	for i := range int64(2) {
		n, err := f.ReadAt(slot, i*slotSize)
		if err != nil && err != io.EOF {
			return header{}, err
		}
		h, g, err := decodeSlot(slot[:n])
		if err == nil && g > generation {
			newest, generation = h, g
		}
		failed = errors.Join(failed, err)
	}
	if generation == 0 {
		return header{}, fmt.Errorf("it is not a black box, or a damaged one: %w", failed)
	}
	return newest, nil
}

// match finds this version's signals by name. A column that is not built in becomes an extra signal; one whose unit has
// changed, whose name is no name, or that there is no room for, has no place (−1).
func match(columns []column) (*vitals.Catalog, []vitals.ID) {
	var catalog *vitals.Catalog
	var extra []vitals.Signal
	places := make([]vitals.ID, len(columns))
	for i, c := range columns {
		places[i] = -1
		if id, ok := vitals.Lookup(c.Name); ok {
			if id.Signal().Unit == c.Unit {
				places[i] = id
			}
			continue
		}
		more := append(extra, vitals.Signal{Name: c.Name, Unit: c.Unit, Text: clip(c.Text)})
		if with, err := vitals.NewCatalog(more...); err == nil {
			places[i] = vitals.ID(vitals.NumSignals + len(extra))
			catalog, extra = with, more
		}
	}
	return catalog, places
}

// readRecords reads the whole records, oldest first. A file that ends early has those before its end.
func readRecords(f io.ReaderAt, h *header, places []vitals.ID) ([]vitals.Sample, error) {
	type numbered struct {
		number uint64
		sample vitals.Sample
	}
	var found []numbered
	ring := bufio.NewReaderSize(io.NewSectionReader(f, ringStart, h.size()-ringStart), 64<<10)
	record := make([]byte, h.recordSize())
	for range h.Records {
		if _, err := io.ReadFull(ring, record); err == io.EOF || err == io.ErrUnexpectedEOF {
			break
		} else if err != nil {
			return nil, err
		}
		if number, s, ok := decodeRecord(record, places); ok {
			found = append(found, numbered{number, s})
		}
	}
	slices.SortFunc(found, func(a, b numbered) int { return cmp.Compare(a.number, b.number) })
	samples := make([]vitals.Sample, len(found))
	for i := range found {
		samples[i] = found[i].sample
	}
	return samples, nil
}
