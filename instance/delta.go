package instance

import (
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"hash/maphash"
	"strings"
	"time"

	"github.com/google/pprof/profile"

	"github.com/gocasebook/casebook/internal/room"
)

// Subtracting two profiles of the same process holds one of them parsed, and of the other one hash and the values of
// each stack. With 32,000 records whose stacks share no frames, which is worse than real ones, that took 0.3 s and 85
// MB in all, not much more than half of it at a time (BenchmarkDelta): as much as a service that watches itself can be
// asked for. The agent beside it has more room.
const (
	maxDeltaRecords        = 32_000
	maxDeltaRecordsOutside = 200_000
)

// A baseline is a cumulative profile to which a later one is compared.
type baseline struct {
	seed   maphash.Seed
	types  int                // values a stack has
	values map[uint64][]int64 // by stackKey
	lease  *room.Lease        // of the values, which are kept for seconds; nil for those of this process
}

// newBaseline reads a gzipped profile. What it keeps takes room of a party, which is nil for the process itself, until
// release.
func newBaseline(ctx context.Context, party *room.Party, data []byte) (b *baseline, err error) {
	err = useProfile(ctx, data, func(p *profile.Profile) error {
		b = &baseline{seed: maphash.MakeSeed(), types: len(p.SampleType)}
		if party != nil {
			if b.lease = party.Take(b.size(len(p.Sample))); b.lease == nil {
				return errNoRoomToSubtract
			}
		}
		b.values = make(map[uint64][]int64, len(p.Sample))
		for _, s := range b.unite(p.Sample) {
			b.values[b.stackKey(s)] = s.Value
		}
		return nil
	})
	return b, err
}

var errNoRoomToSubtract = errors.New("subtracting two profiles of this size takes more memory than this process has " +
	"left for it: watch fewer targets in it, or give it more memory")

// size is about how many bytes the values of so many stacks take: a map's entry, and the numbers.
func (b *baseline) size(stacks int) int64 { return int64(stacks) * (64 + 8*int64(b.types)) }

func (b *baseline) release() { b.lease.Release() }

// growth is what a later gzipped profile of the same process has more than the baseline, gzipped, and in how many
// stacks. It keeps the sample types that begin with prefix.
func (b *baseline) growth(ctx context.Context, later []byte, span time.Duration, prefix string) (data []byte,
	stacks int, err error) {
	err = useProfile(ctx, later, func(p *profile.Profile) (err error) {
		data, stacks, err = b.growthOf(p, span, prefix)
		return err
	})
	return data, stacks, err
}

func (b *baseline) growthOf(p *profile.Profile, span time.Duration, prefix string) (data []byte, stacks int,
	err error) {
	if len(p.SampleType) != b.types {
		return nil, 0,
			errors.New("the two profiles to subtract hold different values: the process was replaced in between")
	}
	grown := make([]*profile.Sample, 0, 64)
	for _, s := range b.unite(p.Sample) {
		for i, v := range b.values[b.stackKey(s)] {
			s.Value[i] = max(s.Value[i]-v, 0) // less than before: its rate was changed meanwhile
		}
		grown = append(grown, s)
	}
	p.Sample = grown
	keepTypes(p, prefix)
	p.DurationNanos = span.Nanoseconds()
	p.TimeNanos -= p.DurationNanos
	p = p.Compact()
	var out bytes.Buffer
	if err := p.Write(&out); err != nil {
		return nil, 0, fmt.Errorf("writing the difference of two profiles: %w", err)
	}
	return out.Bytes(), len(p.Sample), nil
}

// unite makes one of samples with the same stack.
func (b *baseline) unite(samples []*profile.Sample) []*profile.Sample {
	first := make(map[uint64]*profile.Sample, len(samples))
	united := samples[:0]
	for _, s := range samples {
		key := b.stackKey(s)
		if f := first[key]; f != nil {
			for i, v := range s.Value {
				f.Value[i] += v
			}
			continue
		}
		first[key] = s
		united = append(united, s)
	}
	return united
}

// stackKey tells stacks apart by their addresses, and records of the memory profile by the size of the objects, too.
// That two of 200,000 stacks share their 64 bits has a chance of one in a billion.
func (b *baseline) stackKey(s *profile.Sample) uint64 {
	var h maphash.Hash
	h.SetSeed(b.seed)
	var buf [8]byte
	write := func(v uint64) {
		binary.LittleEndian.PutUint64(buf[:], v)
		h.Write(buf[:])
	}
	for _, l := range s.Location {
		write(l.Address)
	}
	for _, size := range s.NumLabel["bytes"] {
		write(uint64(size))
	}
	return h.Sum64()
}

// keepTypes drops the sample types that do not begin with prefix, and then the samples in which nothing is left.
func keepTypes(p *profile.Profile, prefix string) {
	var kept []int
	var types []*profile.ValueType
	for i, t := range p.SampleType {
		if strings.HasPrefix(t.Type, prefix) {
			kept, types = append(kept, i), append(types, t)
		}
	}
	samples := p.Sample[:0]
	for _, s := range p.Sample {
		values, some := make([]int64, len(kept)), false
		for to, from := range kept {
			values[to] = s.Value[from]
			some = some || values[to] != 0
		}
		if s.Value = values; some {
			samples = append(samples, s)
		}
	}
	p.SampleType, p.Sample = types, samples
}
