package worker

import (
	"bytes"
	"encoding/binary"
	"hash/crc32"
	"io"

	"github.com/gocasebook/casebook/lab/worker/event"
)

// An archive keeps all events, completed, for those who will ask later. Its files are frames of
//
//	length of the block, its CRC-32C (4 bytes each, little endian), block
//
// where a block is zlib of batches, each a varint of its length and the message.
type archive struct {
	codec    codec
	deflater deflater
	items    catalogue
	message  []byte
	block    bytes.Buffer
}

// castagnoli is the polynomial that CPUs have an instruction for.
var castagnoli = crc32.MakeTable(crc32.Castagnoli)

func (a *archive) write(w io.Writer, batches []*event.Batch) error {
	a.block.Reset()
	a.deflater.Reset(&a.block)
	for _, b := range batches {
		a.items.complete(b)
		if err := a.add(b); err != nil {
			return err
		}
	}
	if err := a.deflater.Close(); err != nil {
		return err
	}
	var head [8]byte
	binary.LittleEndian.PutUint32(head[:4], uint32(a.block.Len()))
	binary.LittleEndian.PutUint32(head[4:], crc32.Checksum(a.block.Bytes(), castagnoli))
	if _, err := w.Write(head[:]); err != nil {
		return err
	}
	_, err := w.Write(a.block.Bytes())
	return err
}

// add compresses one batch.
func (a *archive) add(b *event.Batch) (err error) {
	if a.message, err = a.codec.append(a.message[:0], b); err != nil {
		return err
	}
	var length [binary.MaxVarintLen64]byte
	n := binary.PutUvarint(length[:], uint64(len(a.message)))
	if _, err := a.deflater.Write(length[:n]); err != nil {
		return err
	}
	_, err = a.deflater.Write(a.message)
	return err
}
