package pyroscope_reporter //nolint:revive // the name is that of mosn.io/holmes

import (
	"bytes"
	"fmt"
	"time"

	"github.com/google/pprof/profile"

	"github.com/gocasebook/casebook/internal/moment"
)

// A valueConfig tells Pyroscope what one of a profile's values is (sample_type_config of the ingest API).
type valueConfig struct {
	Units       string `json:"units,omitempty"`
	DisplayName string `json:"display-name,omitempty"`
	Aggregation string `json:"aggregation,omitempty"`
	Sampled     bool   `json:"sampled,omitempty"` // its values are counts of samples: divided by the rate they are time
}

// values are what Pyroscope is told of the values of dumps, by pprof's names.
var values = map[string]valueConfig{
	"samples":       {Units: "samples", DisplayName: "cpu", Sampled: true},
	"inuse_objects": {Units: "objects", Aggregation: "average"},
	"inuse_space":   {Units: "bytes", Aggregation: "average"},
	"goroutine":     {Units: "goroutines", DisplayName: "goroutines", Aggregation: "average"},
	"threadcreate":  {Units: "objects", DisplayName: "threads", Aggregation: "average"},
}

// A push is a dump made ready.
type push struct {
	data        []byte
	config      map[string]valueConfig
	from, until time.Time
	rate        uint32 // samples per second of a CPU profile
}

// defaultRate is runtime/pprof's, for dumps that do not say.
const defaultRate = 100

// prepare reads a dump and leaves the values out that are not of the time that it stands for.
func prepare(data []byte, at time.Time) (push, error) {
	if !bytes.HasPrefix(data, []byte{0x1f, 0x8b}) { // package profile would read some texts, too, without their names
		return push{}, ErrNoProfile
	}
	p, err := profile.ParseData(data)
	if err != nil {
		return push{}, fmt.Errorf("pyroscope reporter: reading the dump: %w", err)
	}
	out := push{config: make(map[string]valueConfig), rate: rate(p)}
	out.from, out.until = span(p, at)
	if !moment.Narrow(p) {
		out.data = data
	}
	for _, t := range p.SampleType {
		if c, ok := values[t.Type]; ok {
			out.config[t.Type] = c
		}
	}
	if out.data != nil {
		return out, nil
	}
	var b bytes.Buffer
	if err := p.Write(&b); err != nil {
		return push{}, fmt.Errorf("pyroscope reporter: %w", err)
	}
	out.data = b.Bytes()
	return out, nil
}

// span is the time that a profile is of: its own if it says, else DefaultUploadRate before it was taken.
func span(p *profile.Profile, at time.Time) (from, until time.Time) {
	if p.TimeNanos > 0 && p.DurationNanos > 0 {
		from = time.Unix(0, p.TimeNanos)
		return from, from.Add(time.Duration(p.DurationNanos))
	}
	return at.Add(-DefaultUploadRate), at
}

// rate is how many samples a CPU profile takes in a second of CPU time.
func rate(p *profile.Profile) uint32 {
	if p.PeriodType != nil && p.PeriodType.Unit == "nanoseconds" && p.Period > 0 && p.Period <= int64(time.Second) {
		return uint32(int64(time.Second) / p.Period) //nolint:gosec // 1 to 1e9
	}
	return defaultRate
}
