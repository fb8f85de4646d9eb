package load

import (
	"bytes"
	"compress/zlib"
	"encoding/base64"
	"encoding/binary"
	"fmt"
	"io"
	"time"

	"github.com/HdrHistogram/hdrhistogram-go"
)

// Quantiles is a Latency as it is kept, in seconds. All are 0 when Count is.
type Quantiles struct {
	Count uint64  `json:"count"`
	Mean  float64 `json:"mean"`
	Min   float64 `json:"min"`
	P50   float64 `json:"p50"`
	P90   float64 `json:"p90"`
	P95   float64 `json:"p95"`
	P99   float64 `json:"p99"`
	P999  float64 `json:"p999"`
	Max   float64 `json:"max"`
	// HDR is the whole distribution in nanoseconds, in HdrHistogram's compressed form V2, base64: any HdrHistogram
	// library reads it. "" when empty.
	HDR string `json:"hdr,omitempty"`
}

func newQuantiles(l Latency) (Quantiles, error) {
	if l.Count() == 0 {
		return Quantiles{}, nil
	}
	hdr, err := l.h.Encode(hdrhistogram.V2CompressedEncodingCookieBase)
	if err != nil {
		return Quantiles{}, fmt.Errorf("compressing the histogram: %w", err)
	}
	return Quantiles{
		Count: l.Count(), Mean: l.Mean().Seconds(), Min: time.Duration(l.h.Min()).Seconds(),
		P50: l.P50().Seconds(), P90: l.Quantile(0.9).Seconds(), P95: l.Quantile(0.95).Seconds(),
		P99: l.P99().Seconds(), P999: l.P999().Seconds(), Max: l.Max().Seconds(), HDR: string(hdr),
	}, nil
}

// Latency returns the distribution. It fails when HDR is damaged, or missing though there are values (`--json` leaves
// it out).
func (q *Quantiles) Latency() (Latency, error) {
	if q.HDR == "" {
		if q.Count > 0 {
			return Latency{},
				fmt.Errorf("there are %d values but no histogram: write the file with --out, which keeps it", q.Count)
		}
		return Latency{}, nil
	}
	if err := checkGeometry(q.HDR); err != nil {
		return Latency{}, fmt.Errorf("reading a histogram: %w", err)
	}
	h, err := hdrhistogram.Decode([]byte(q.HDR))
	if err != nil {
		return Latency{}, fmt.Errorf("reading a histogram: %w", err)
	}
	if n := uint64(h.TotalCount()); n != q.Count {
		return Latency{}, fmt.Errorf("reading a histogram: it has %d values, the figures beside it say %d", n, q.Count)
	}
	return Latency{h}, nil
}

// The shape of our own histograms; those of a run with the longest timeout are the largest.
const (
	lowestValue  = int64(time.Microsecond)
	highestValue = int64(2*maxTimeout + time.Minute)
	digits       = 3
)

// checkGeometry requires the shape of our own histograms. One of another shape may ask for 50 MB in a line of text.
func checkGeometry(hdr string) error {
	const cookies, header = 8, 40 // bytes; the compressed part begins with a header
	raw, err := base64.StdEncoding.DecodeString(hdr)
	if err != nil {
		return err
	}
	z, err := zlib.NewReader(bytes.NewReader(raw[min(cookies, len(raw)):]))
	if err != nil {
		return err
	}
	var head [header]byte
	if _, err := io.ReadFull(z, head[:]); err != nil {
		return err
	}
	figures := int32(binary.BigEndian.Uint32(head[12:]))
	lowest, highest := int64(binary.BigEndian.Uint64(head[16:])), int64(binary.BigEndian.Uint64(head[24:]))
	if figures != digits || lowest != lowestValue || highest < lowest || highest > highestValue {
		return fmt.Errorf("it has %d digits from %d to %d: want %d digits from %d to at most %d, as casebook load "+
			"writes them",
			figures, lowest, highest, digits, lowestValue, highestValue)
	}
	return nil
}
