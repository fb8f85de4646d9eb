package cache

import (
	"encoding/binary"
	"fmt"
	"hash/crc32"
	"io"
	"time"
)

// A saved cache is a header and blocks, numbers little-endian:
//
//	header   "CBCACHE1", the forms of key and value (uint32 length, text), crc32 of all that
//	block    uint32 bytes of entries, uint32 number of entries, the entries, crc32 of all that
//	end      a block of 0 bytes, whose number is that of all entries, modulo 2³²
//	entry    flags (bit 0: negative), then as varints: deadline in ms since 1970, 0 for none; sliding lifetime in ms; bytes of
//	         key; bytes of value; then key and value
//
// The crc32 are Castagnoli's.
const (
	saveMagic = "CBCACHE1"
	saveBlock = 64 << 10 // bytes at which a block ends
	saveFrame = 8        // bytes of a block before the entries
	crcBytes  = 4
)

func checksum(b []byte) uint32 { return crc32.Checksum(b, crc32.MakeTable(crc32.Castagnoli)) }

// Save writes all entries that are within their lifetime, and StaleFor, for Load. Sets continue meanwhile. Besides the
// writer it needs 64 KiB, and 8 bytes per entry of one shard at a time.
//
// An error leaves the writer with half a file: write to a new file, sync it, and rename it only if Save has succeeded.
func (c *Cache[K, V]) Save(w io.Writer) error {
	s := saver{w: w, block: make([]byte, saveFrame, saveBlock+saveBlock/8)}
	if err := s.write(saveHeader(c.keys.name, c.values.name)); err != nil {
		return err
	}
	for i := range c.shards {
		now, wall := c.now(), time.Now().UnixMilli()
		for _, r := range c.shards[i].records() {
			if c.shards[i].expired(r.header(), now) {
				continue
			}
			s.add(r, wall-now)
			if len(s.block) >= saveBlock {
				if err := s.flush(); err != nil {
					return err
				}
			}
		}
	}
	if err := s.flush(); err != nil {
		return err
	}
	s.entries = s.total
	return s.end()
}

func saveHeader(key, value string) []byte {
	b := []byte(saveMagic)
	for _, form := range []string{key, value} {
		b = binary.LittleEndian.AppendUint32(b, uint32(len(form)))
		b = append(b, form...)
	}
	return binary.LittleEndian.AppendUint32(b, checksum(b))
}

// A saver gathers entries in a block.
type saver struct {
	w              io.Writer
	block          []byte // with space for its frame at the front
	entries, total uint32
}

// add appends a record. toWall turns ms of the cache's clock into ms since 1970.
func (s *saver) add(r record, toWall int64) {
	header := r.header()
	b := append(s.block, byte(header&flagNegative))
	deadline := deadlineOf(header)
	if deadline != 0 {
		deadline += toWall
	}
	b = binary.AppendVarint(b, deadline)
	b = binary.AppendVarint(b, r.ttl(header))
	key, value := r.key(), r.value()
	b = binary.AppendUvarint(b, uint64(len(key)))
	b = binary.AppendUvarint(b, uint64(len(value)))
	b = append(b, key...)
	s.block = append(b, value...)
	s.entries++
	s.total++
}

// flush writes the block if there is anything in it.
func (s *saver) flush() error {
	if s.entries == 0 {
		return nil
	}
	return s.end()
}

// end writes the block.
func (s *saver) end() error {
	binary.LittleEndian.PutUint32(s.block, uint32(len(s.block)-saveFrame))
	binary.LittleEndian.PutUint32(s.block[4:], s.entries)
	err := s.write(binary.LittleEndian.AppendUint32(s.block, checksum(s.block)))
	s.block, s.entries = s.block[:saveFrame], 0
	return err
}

func (s *saver) write(b []byte) error {
	if _, err := s.w.Write(b); err != nil {
		return fmt.Errorf("cache: saving: %w", err)
	}
	return nil
}
