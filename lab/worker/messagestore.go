package worker

import (
	"bytes"
	"encoding/binary"
	"fmt"

	"github.com/gocasebook/casebook/lab/worker/event"
	"github.com/gocasebook/casebook/lab/worker/rows"
)

// A messageStore keeps each message, completed and compressed by itself, as a row of a database, for the timer that
// fetches them (fetcher.go). After a failure some may be there twice.
type messageStore struct {
	database
	codec    codec
	deflater deflater
	items    catalogue

	message []byte
	block   bytes.Buffer
	keys    uint64 // that were given
	bytes   int64
}

// messagesTable is the table of the messages; a row has one cell.
const (
	messagesTable = "messages"
	messageColumn = "message"
)

// A call puts as many messages as fit into callBytes, and one at least.
const callBytes = 1 << 20

func newMessageStore(c Config, items catalogue, numbers *groupNumbers) (*messageStore, error) {
	codec, err := newCodec(c.Proto)
	if err != nil {
		return nil, err
	}
	deflater, err := newDeflater(c.Compression)
	if err != nil {
		return nil, err
	}
	return &messageStore{database: newDatabase(c, numbers), codec: codec, deflater: deflater, items: items}, nil
}

func (s *messageStore) keep(batches []*event.Batch) error {
	var some []*rows.Row
	size := 0
	for i, b := range batches {
		row, err := s.row(b)
		if err != nil {
			return err
		}
		some = append(some, row)
		size += len(row.Cells[0].Value)
		if size < callBytes && i+1 < len(batches) {
			continue
		}
		if err := s.put(messagesTable, some); err != nil {
			return fmt.Errorf("putting %d messages into the database: %w", len(some), err)
		}
		s.bytes += int64(size)
		some, size = nil, 0
	}
	return nil
}

func (s *messageStore) row(b *event.Batch) (*rows.Row, error) {
	s.items.complete(b)
	var err error
	if s.message, err = s.codec.append(s.message[:0], b); err != nil {
		return nil, err
	}
	s.block.Reset()
	s.deflater.Reset(&s.block)
	if _, err := s.deflater.Write(s.message); err != nil {
		return nil, err
	}
	if err := s.deflater.Close(); err != nil {
		return nil, err
	}
	s.keys++
	return &rows.Row{
		Key:   binary.BigEndian.AppendUint64([]byte(b.Host+"/"), s.keys),
		Cells: []*rows.Cell{{Column: messageColumn, Value: bytes.Clone(s.block.Bytes())}},
	}, nil
}

func (s *messageStore) kept() int64 { return s.bytes }
