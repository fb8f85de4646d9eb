package main

import (
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
	"io"
	"os"
	"path/filepath"
)

// Tick is a price at a moment.
type Tick struct {
	Instrument uint32 `json:"i"`
	Nanos      int64  `json:"t"`
	Bid        uint32 `json:"b"`
	Ask        uint32 `json:"a"`
	Flags      uint16 `json:"f"`
}

var errFull = errors.New("segment is full")

// segment is a file of records.
type segment struct {
	file    *os.File
	records int
	limit   int
}

func create(dir string, n, limit int) (*segment, error) {
	f, err := os.Create(filepath.Join(dir, fmt.Sprintf("%08d.seg", n)))
	if err != nil {
		return nil, err
	}
	if _, err := io.WriteString(f, "TICK\x00\x01"); err != nil {
		f.Close()
		return nil, err
	}
	return &segment{file: f, limit: limit}, nil
}

// append writes one record: the fields in their order, then a checksum.
func (s *segment) append(t *Tick) error {
	if s.records >= s.limit {
		return errFull
	}
	sum := crc32.NewIEEE()
	w := io.MultiWriter(s.file, sum)
	for _, field := range []any{t.Instrument, t.Nanos, t.Bid, t.Ask, t.Flags} {
		if err := binary.Write(w, binary.LittleEndian, field); err != nil {
			return fmt.Errorf("writing to %s: %w", s.file.Name(), err)
		}
	}
	if err := binary.Write(s.file, binary.LittleEndian, sum.Sum32()); err != nil {
		return fmt.Errorf("writing to %s: %w", s.file.Name(), err)
	}
	s.records++
	return nil
}

func (s *segment) close() error { return s.file.Close() }

// journal writes segments, one after the other, and removes those that are old.
type journal struct {
	dir   string
	limit int
	keep  int
	next  int
	seg   *segment
}

func (j *journal) write(t *Tick) error {
	if j.seg == nil {
		return j.rotate(t)
	}
	err := j.seg.append(t)
	if errors.Is(err, errFull) {
		return j.rotate(t)
	}
	return err
}

// rotate starts a new segment with a record.
func (j *journal) rotate(t *Tick) error {
	if j.seg != nil {
		if err := j.seg.close(); err != nil {
			return err
		}
	}
	var err error
	if j.seg, err = create(j.dir, j.next, j.limit); err != nil {
		return err
	}
	if old := j.next - j.keep; old >= 0 {
		os.Remove(filepath.Join(j.dir, fmt.Sprintf("%08d.seg", old)))
	}
	j.next++
	return j.seg.append(t)
}
