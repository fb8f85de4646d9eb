package main

import (
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"math"

	"github.com/klauspost/compress/zstd"
)

// Errors of a pool.
var (
	ErrFull   = errors.New("too many series wait")
	ErrLength = errors.New("a series is float64s")
)

type job struct {
	raw  []byte
	done chan result // of size 1: a worker never waits for a caller that left
}

type result struct {
	packed []byte
	err    error
}

// Pool packs series. Its workers live as long as the process.
type Pool struct {
	jobs chan job
	enc  *zstd.Encoder
}

// NewPool has workers, and room for waiting jobs.
func NewPool(workers, waiting int) (*Pool, error) {
	enc, err := zstd.NewWriter(nil, zstd.WithEncoderLevel(zstd.SpeedBetterCompression),
		zstd.WithEncoderConcurrency(workers))
	if err != nil {
		return nil, fmt.Errorf("making an encoder: %w", err)
	}
	p := &Pool{jobs: make(chan job, waiting), enc: enc}
	for range workers {
		go p.work()
	}
	return p, nil
}

func (p *Pool) work() {
	var deltas []byte // kept from job to job
	for j := range p.jobs {
		var err error
		if deltas, err = delta(deltas[:0], j.raw); err != nil {
			j.done <- result{err: err}
			continue
		}
		j.done <- result{packed: p.enc.EncodeAll(deltas, make([]byte, 0, len(deltas)/2))}
	}
}

// Pack waits for a worker's result, if there is room for another job.
func (p *Pool) Pack(ctx context.Context, raw []byte) ([]byte, error) {
	j := job{raw, make(chan result, 1)}
	select {
	case p.jobs <- j:
	default:
		return nil, ErrFull
	}
	select {
	case r := <-j.done:
		return r.packed, r.err
	case <-ctx.Done():
		return nil, context.Cause(ctx)
	}
}

// delta appends each value's difference to the one before, in thousandths.
func delta(dst, raw []byte) ([]byte, error) {
	if len(raw)%8 != 0 || len(raw) == 0 {
		return dst, ErrLength
	}
	var last int64
	for ; len(raw) > 0; raw = raw[8:] {
		v := int64(math.Round(math.Float64frombits(binary.LittleEndian.Uint64(raw)) * 1000))
		dst = binary.AppendVarint(dst, v-last)
		last = v
	}
	return dst, nil
}
