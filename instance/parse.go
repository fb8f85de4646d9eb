package instance

import (
	"bytes"
	"compress/gzip"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"sync"

	"github.com/google/pprof/profile"

	"github.com/gocasebook/casebook/internal/room"
)

// What a profile may hold that is parsed here. 200,000 records of 25 frames are about 30 MB without compression.
const (
	maxInflated = 64 << 20 // bytes without its compression
	maxMessages = 2 << 20  // samples, locations, functions and strings: about 100 bytes each once parsed
	maxRecord   = 64 << 10 // bytes of one sample or location: Go records 128 frames, of 10 bytes each at most
	maxNumbers  = 16 << 20 // numbers in samples and locations, of 1 byte each as they come, and 16 once parsed
)

// parsing lets one profile be parsed at a time, over all targets: parsed it takes many times as much as it came in.
var parsing = room.NewGate()

// useProfile parses a gzipped profile and hands it to use, which must not keep it. It waits for others that do so.
func useProfile(ctx context.Context, data []byte, use func(*profile.Profile) error) error {
	var err error
	waited := parsing.Do(ctx, func() {
		var p *profile.Profile
		if p, err = parseProfile(data); err == nil {
			err = use(p)
		}
	})
	if waited != nil {
		return fmt.Errorf("waiting for another profile to be parsed: %w", waited)
	}
	return err
}

// Bytes that google/pprof takes: a record with its pointers and map entries, and a number of a stack. 32,000 records of
// Go 1.26 took 85 MB with what is made of them.
const (
	recordBytes = 150
	numberBytes = 16
)

// parseProfile reads a gzipped profile. A target may send anything: what would not fit into memory is refused before it
// is parsed.
func parseProfile(data []byte) (*profile.Profile, error) {
	raw, err := inflate(data, min(maxInflated, int(room.Parsing())))
	if err != nil {
		return nil, err
	}
	if err := checkRecords(raw); err != nil {
		return nil, err
	}
	p, err := profile.ParseUncompressed(raw)
	if err == nil {
		err = p.CheckValid()
	}
	if err != nil {
		return nil, fmt.Errorf("parsing the profile: %w", err)
	}
	for _, s := range p.Sample { // CheckValid lets a sample without a stack pass, and one whose location is nil
		for _, l := range s.Location {
			if l == nil {
				return nil, errors.New("parsing the profile: a sample names a location that does not exist")
			}
		}
	}
	return p, nil
}

// checkRecords refuses what would not fit into memory once parsed, by the records that there are.
func checkRecords(raw []byte) error {
	n, numbers, largest := messages(raw)
	if want := int64(len(raw)) + int64(n)*recordBytes + int64(numbers)*numberBytes; want > room.Parsing() {
		return fmt.Errorf("the profile would take %d MiB once parsed, and this process has %d MiB for that: give it "+
			"more memory (its cgroup's limit, GOMEMLIMIT)",
			want>>20, room.Parsing()>>20)
	}
	if n > maxMessages {
		return fmt.Errorf("the profile has more than %d records", maxMessages)
	}
	if numbers > maxNumbers || largest > maxRecord {
		return errors.New("the profile has larger stacks than Go records")
	}
	return nil
}

// inflate unpacks a gzipped profile of at most limit bytes. It does so twice, for a buffer that grows takes three times
// the memory.
func inflate(data []byte, limit int) ([]byte, error) {
	size, err := inflatedSize(data, int64(limit))
	if err != nil {
		return nil, fmt.Errorf("inflating the profile: %w", err)
	}
	if size > int64(limit) {
		return nil, fmt.Errorf("the profile is larger than %d MiB without its compression", limit>>20)
	}
	raw := make([]byte, size)
	err = unzip(data, func(r io.Reader) error {
		_, err := io.ReadFull(r, raw)
		return err
	})
	if err != nil {
		return nil, fmt.Errorf("inflating the profile: %w", err)
	}
	return raw, nil
}

// unzippers are kept: each has 40 KB.
var unzippers = sync.Pool{New: func() any { return new(gzip.Reader) }}

// unzip reads gzipped data.
func unzip(data []byte, read func(io.Reader) error) error {
	zr := unzippers.Get().(*gzip.Reader)
	br := bytes.NewReader(data)
	defer func() {
		br.Reset(nil) // the reader keeps it
		unzippers.Put(zr)
	}()
	if err := zr.Reset(br); err != nil {
		return err
	}
	return read(zr)
}

// inflatedSize is how many bytes gzipped data has, up to one more than limit. It keeps nothing.
func inflatedSize(data []byte, limit int64) (n int64, err error) {
	err = unzip(data, func(r io.Reader) (err error) {
		n, err = io.Copy(io.Discard, io.LimitReader(r, limit+1))
		return err
	})
	return n, err
}

// messages counts the fields of a profile at its top level, until it ends or makes no sense, and the numbers in its
// samples and locations, and says how many bytes the largest of these has.
func messages(raw []byte) (n, numbers, largest int) {
	const sample, location = 2, 4 // in profile.proto
	for ; len(raw) > 0 && n <= maxMessages; n++ {
		tag, used := binary.Uvarint(raw)
		if used <= 0 {
			break
		}
		raw = raw[used:]
		skip, ok := fieldSize(tag&7, raw)
		if !ok {
			break
		}
		if field := tag >> 3; field == sample || field == location {
			largest = max(largest, skip)
			for _, c := range raw[:min(skip, len(raw))] {
				if c < 0x80 { // where a number ends
					numbers++
				}
			}
		}
		raw = raw[skip:]
	}
	return n, numbers, largest
}

// fieldSize is how many bytes a field of a wire type takes after its tag.
func fieldSize(wireType uint64, raw []byte) (size int, ok bool) {
	v, used := binary.Uvarint(raw)
	switch wireType {
	case 0: // a number
		return used, used > 0
	case 1: // 8 bytes
		return 8, len(raw) >= 8
	case 2: // a length, and so many bytes
		return used + int(min(v, maxInflated)), used > 0 && v <= uint64(len(raw)-used)
	case 5: // 4 bytes
		return 4, len(raw) >= 4
	}
	return 0, false
}
