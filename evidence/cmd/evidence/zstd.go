package main

import (
	"errors"
	"fmt"

	"github.com/klauspost/compress/zstd"

	"github.com/gocasebook/casebook/evidence"
)

// packer packs by zstd with the dictionary that all cases share. Another dictionary than the one an archive was packed
// with cannot unpack it, and each has a number: a new dictionary means that all cases are packed anew.
type packer struct {
	encoder *zstd.Encoder
	decoder *zstd.Decoder
	number  uint32
}

func newPacker() (*packer, error) {
	dictionary, err := evidence.Dictionary()
	if err != nil {
		return nil, err
	}
	about, err := zstd.InspectDictionary(dictionary)
	if err != nil {
		return nil, fmt.Errorf("reading evidence/dictionary.zst: %w", err)
	}
	p := &packer{number: about.ID()}
	if p.encoder, err = zstd.NewWriter(nil, zstd.WithEncoderDict(dictionary), zstd.WithEncoderConcurrency(1),
		zstd.WithEncoderLevel(zstd.SpeedBestCompression)); err != nil {
		return nil, err
	}
	p.decoder, err = zstd.NewReader(nil, zstd.WithDecoderDicts(dictionary), zstd.WithDecoderConcurrency(1))
	return p, err
}

func (p *packer) Pack(tar []byte) ([]byte, error) { return p.encoder.EncodeAll(tar, nil), nil }

func (p *packer) Unpack(packed []byte) ([]byte, error) {
	plain, err := p.decoder.DecodeAll(packed, nil)
	var h zstd.Header
	switch {
	case err == nil:
		return plain, nil
	case errors.Is(err, zstd.ErrUnknownDictionary) && h.Decode(packed) == nil:
		return nil, fmt.Errorf("it is packed with dictionary %d, and evidence/dictionary.zst is number %d: "+
			"both have to be of one commit", h.DictionaryID, p.number)
	}
	return nil, fmt.Errorf("it is damaged, or no tar.zst: %w; git checkout brings it back", err)
}
