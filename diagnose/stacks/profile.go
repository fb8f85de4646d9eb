package stacks

import (
	"strings"
	"time"
	"unicode/utf8"

	"github.com/google/pprof/profile"
)

// readProfile reads a pprof profile: protobuf, or one of the old text and binary forms.
func (t *Table) readProfile(src Source, data []byte) (*Set, *Problem) {
	p, prob := parse(data)
	if prob != nil {
		return nil, prob
	}
	if prob := judgeable(p); prob != nil {
		return nil, prob
	}
	s := &Set{Period: p.Period}
	if p.TimeNanos > 0 {
		s.Taken = time.Unix(0, p.TimeNanos).UTC()
	}
	if p.DurationNanos > 0 {
		s.Seconds = float64(p.DurationNanos) / 1e9
	}
	for _, vt := range p.SampleType {
		s.Types = append(s.Types, ValueType{vt.Type, vt.Unit})
	}
	s.Kind = kindOf(s, p.DefaultSampleType)
	s.Table = t
	if prob := t.addSamples(s, p); prob != nil {
		return nil, prob
	}
	s.Completed = s.complete()
	if s.Kind == contention {
		s.Kind = t.mutexOrBlock(s, src)
	}
	return s, nil
}

// parse reads protobuf within limits; what does not look like it goes to google/pprof's readers of old forms.
func parse(data []byte) (*profile.Profile, *Problem) {
	_, broken := countWire(data)
	if broken == nil {
		p, err := profile.ParseUncompressed(data)
		if err == nil {
			err = p.CheckValid()
		}
		if err != nil {
			return nil, problem(captureAgain, "damaged: %v", err)
		}
		return p, nil
	}
	if !looksLegacy(data) {
		return nil, broken
	}
	p, err := profile.ParseData(data)
	if err != nil {
		return nil, problem(giveProfile, "not a profile of a kind that is known")
	}
	return p, nil
}

// looksLegacy keeps the parsers of old forms, which work with regular expressions over lines, away from arbitrary
// bytes: text, or the header of a binary CPU profile (two machine words: 0, 3).
func looksLegacy(data []byte) bool {
	head := data[:min(len(data), 512)]
	text := strings.ToValidUTF8(string(head), "")
	if len(head)-len(text) < 4 && utf8.ValidString(text) && !strings.ContainsRune(text, 0) {
		return true
	}
	return len(data) >= 40 && head[0]|head[1]|head[2]|head[3] == 0 && (head[4] == 3 || head[7] == 3 || head[8] == 3)
}

// judgeable refuses profiles without symbols and those that Go did not make. A profile without samples is neither.
func judgeable(p *profile.Profile) *Problem {
	if len(p.Sample) == 0 || onlyGo(p) {
		return nil
	}
	if len(p.Function) == 0 {
		return problem("symbolize it with its binary: go tool pprof -proto BINARY FILE > symbolized.pb.gz",
			"no function names in it (%s): Go symbolizes its own profiles, this one has addresses only", sampleTypes(p))
	}
	for _, f := range p.Function {
		if strings.HasSuffix(f.Filename, ".go") || strings.HasPrefix(f.Name, "runtime.") || f.Name == "main.main" {
			return nil
		}
	}
	return problem("give evidence of a Go program; go tool pprof shows this file",
		"not made by Go (%s): its functions and its garbage collector are not those that are judged here", sampleTypes(p))
}

// onlyGo reports whether the sample types are those that no other runtime has. Their stacks may be empty.
func onlyGo(p *profile.Profile) bool {
	for _, st := range p.SampleType {
		switch st.Type {
		case "goroutine", "goroutineleak", "threadcreate":
			return len(p.Function) > 0
		}
	}
	return false
}

func sampleTypes(p *profile.Profile) string {
	var names []string
	for _, st := range p.SampleType {
		names = append(names, st.Type)
	}
	if len(names) == 0 {
		return "no sample types"
	}
	return strings.Join(names, ", ")
}

// maxFrames bounds the frames of all stacks of a file, 256 MiB of them. countWire bounds the addresses of a file and the
// inlined calls of an address, but a crafted file could give every sample the address with the most.
const maxFrames = 64 << 20

// addSamples moves the samples into the compact form, without the observer's. Stacks and values lie in two arenas.
func (t *Table) addSamples(s *Set, p *profile.Profile) *Problem {
	byLocation := make(map[*profile.Location][]FrameID, len(p.Location))
	for _, l := range p.Location {
		byLocation[l] = t.locationFrames(l)
	}
	var depth int
	for _, ps := range p.Sample {
		for _, l := range ps.Location {
			depth += len(byLocation[l])
		}
		if depth > maxFrames {
			return problem("capture less: fewer distinct stacks", "more than %d frames, the most that are read", maxFrames)
		}
	}
	arena := make([]FrameID, 0, depth)
	values := make([]int64, 0, len(p.Sample)*len(p.SampleType))
	s.Samples = make([]Sample, 0, len(p.Sample))
	for _, ps := range p.Sample {
		from, vfrom := len(arena), len(values)
		for _, l := range ps.Location {
			arena = append(arena, byLocation[l]...)
		}
		values = append(values, ps.Value...)
		t.addSample(s, arena[from:len(arena):len(arena)], values[vfrom:len(values):len(values)])
	}
	return nil
}

// addSample appends a sample, or counts it as the observer's. Both slices are kept.
func (t *Table) addSample(s *Set, stack []FrameID, values []int64) (added bool) {
	if t.observed(stack) {
		if s.Observed == nil {
			s.Observed = make([]int64, len(s.Types))
		}
		for i, v := range values {
			s.Observed[i] = addSat(s.Observed[i], v)
		}
		return false
	}
	s.Samples = append(s.Samples, Sample{Stack: stack, Values: values, Class: t.sampleClass(stack)})
	return true
}

// locationFrames are the frames of an address: more than one where calls were inlined, the innermost first.
func (t *Table) locationFrames(l *profile.Location) []FrameID {
	frames := make([]FrameID, 0, len(l.Line))
	for _, line := range l.Line {
		if line.Function != nil {
			frames = append(frames, t.intern(line.Function.Name, line.Function.Filename, line.Line))
		}
	}
	return frames
}
