package target

import (
	"bytes"
	"compress/gzip"
	"encoding/binary"
	"errors"
	"fmt"
	"io"

	"github.com/google/pprof/profile"
)

// What a profile may hold that is parsed here. 200,000 records of 25 frames are about 30 MB without compression.
const (
	maxInflated = 64 << 20 // bytes without its compression
	maxMessages = 2 << 20  // samples, locations, functions and strings: about 100 bytes each once parsed
	maxRecord   = 64 << 10 // bytes of one sample or location: Go records 128 frames, of 10 bytes each at the most
	maxNumbers  = 16 << 20 // numbers in samples and locations, of 1 byte each as they come, and 16 once parsed
)

// parseProfile reads a gzipped profile. A target may send anything: what would not fit into memory is refused before it is
// parsed.
func parseProfile(data []byte) (*profile.Profile, error) {
	zr, err := gzip.NewReader(bytes.NewReader(data))
	if err != nil {
		return nil, fmt.Errorf("inflating the profile: %w", err)
	}
	raw, err := io.ReadAll(io.LimitReader(zr, maxInflated+1))
	if err != nil {
		return nil, fmt.Errorf("inflating the profile: %w", err)
	}
	if len(raw) > maxInflated {
		return nil, fmt.Errorf("the profile is larger than %d MiB without its compression", maxInflated>>20)
	}
	n, numbers, largest := messages(raw)
	if n > maxMessages {
		return nil, fmt.Errorf("the profile has more than %d records", maxMessages)
	}
	if numbers > maxNumbers || largest > maxRecord {
		return nil, errors.New("the profile has larger stacks than Go records")
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
				return nil, errors.New("parsing the profile: a sample names a location that is not there")
			}
		}
	}
	return p, nil
}

// messages counts the fields of a profile at its top level, until it ends or makes no sense, and the numbers in its samples and
// locations, and says how many bytes the largest of these has.
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
