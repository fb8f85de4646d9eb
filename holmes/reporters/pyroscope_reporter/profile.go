package pyroscope_reporter //nolint:revive // the name is that of mosn.io/holmes

import (
	"bytes"
	"fmt"
	"time"

	"github.com/google/pprof/profile"
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

// sinceStart reports whether a value counts from the start of the process on, so that it says nothing of the time of
// the dump.
func sinceStart(value string) bool { return value == "alloc_objects" || value == "alloc_space" }

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
	keep := make([]int, 0, len(p.SampleType))
	for i, t := range p.SampleType {
		if sinceStart(t.Type) {
			continue
		}
		keep = append(keep, i)
		if c, ok := values[t.Type]; ok {
			out.config[t.Type] = c
		}
	}
	if len(keep) == len(p.SampleType) || len(keep) == 0 {
		out.data = data
		return out, nil
	}
	narrow(p, keep)
	var b bytes.Buffer
	if err := p.Write(&b); err != nil {
		return push{}, fmt.Errorf("pyroscope reporter: %w", err)
	}
	out.data = b.Bytes()
	return out, nil
}

// narrow leaves only some values in a profile, and the samples that have one.
func narrow(p *profile.Profile, keep []int) {
	types := make([]*profile.ValueType, len(keep))
	for i, k := range keep {
		types[i] = p.SampleType[k]
	}
	samples := p.Sample[:0]
	for _, s := range p.Sample {
		kept, some := make([]int64, len(keep)), false
		for i, k := range keep {
			kept[i] = s.Value[k]
			some = some || kept[i] != 0
		}
		if s.Value = kept; some {
			samples = append(samples, s)
		}
	}
	p.SampleType, p.Sample, p.DefaultSampleType = types, samples, types[len(types)-1].Type
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
