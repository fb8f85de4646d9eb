package stacks

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/google/pprof/profile"

	"github.com/gocasebook/casebook/casefile"
	"github.com/gocasebook/casebook/internal/number"
)

// readProfile reads a pprof profile: protobuf, or one of the old text and binary forms.
func (t *Table) readProfile(src Source, data []byte) (*Set, *Problem) {
	p, prob := t.parse(data)
	if prob != nil {
		return nil, prob
	}
	if prob := cmp.Or(judgeable(p), addedUp(p)); prob != nil {
		return nil, prob
	}
	s := &Set{Table: t, Types: p.types, Period: p.period}
	if p.time > 0 {
		s.Taken = time.Unix(0, p.time).UTC()
	}
	if p.duration > 0 {
		s.Seconds = float64(p.duration) / 1e9
	}
	s.Kind = kindOf(s, p)
	labels := newLabelReader(t, p, src.Labels)
	if err := t.addProto(s, p, labels); err != nil {
		return nil, t.unread(err)
	}
	s.remark(p)
	s.Completed = s.complete()
	if s.Kind == contention {
		s.Kind = t.mutexOrBlock(s, src)
	}
	if labels != nil { // last: what is said above is said of code
		if err := labels.finish(s); err != nil {
			return nil, t.unread(err)
		}
	}
	return s, nil
}

// unread says why the samples of a profile were not read.
func (t *Table) unread(err error) *Problem {
	switch tooMany := errors.Is(err, errTooManyFrames); {
	case tooMany && t.mostFrames() < maxFrames:
		return problem(readElsewhere,
			"not read: its stacks take more than half of the %s of memory that this process has left for evidence",
			number.Bytes(float64(t.left())))
	case tooMany:
		return problem("capture less: fewer distinct stacks", "%v", err)
	}
	return problem(captureAgain, "damaged: %v", err)
}

// parse reads protobuf within limits. What does not look like it goes to google/pprof's readers of old formats, and
// comes back as protobuf.
func (t *Table) parse(data []byte) (*proto, *Problem) {
	count, broken := countWire(data)
	if broken != nil {
		if !looksLegacy(data) || len(data) > maxLegacy {
			return nil, broken
		}
		if p := t.fits(legacyTimes * int64(len(data))); p != nil {
			return nil, p
		}
		old, err := profile.ParseData(data)
		if err != nil {
			return nil, problem(giveProfile, "not a profile of a kind that is known")
		}
		var b bytes.Buffer
		if err := old.WriteUncompressed(&b); err != nil {
			return nil, problem(giveProfile, "not a profile of a kind that is known")
		}
		data = b.Bytes()
	}
	if p := t.fits(count.bytes(len(data))); p != nil {
		return nil, p
	}
	p, err := decodeProto(data)
	if err != nil {
		return nil, problem(captureAgain, "damaged: %v", err)
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
func judgeable(p *proto) *Problem {
	if p.samples == 0 || onlyGo(p) {
		return nil
	}
	of := ""
	if p.binary != "" {
		of = " of " + firstLine([]byte(p.binary))
	}
	if len(p.functions) == 0 {
		return problem("symbolize it with its binary: go tool pprof -proto BINARY FILE > symbolized.pb.gz",
			"no function names in it (%s%s): Go symbolizes its own profiles, this one has addresses only",
			sampleTypes(p), of)
	}
	language, isGo := madeBy(p.functions)
	if isGo {
		return nil
	}
	if language != "" {
		language = ": most of its functions are " + language
	}
	return problem("give evidence of a Go program; go tool pprof -top FILE shows more of this one",
		"not made by Go%s (%s%s); only Go's runtime and memory can be judged here%s", language, sampleTypes(p), of,
		hottest(p))
}

// addedUp refuses what is alive where an engine has added it up over many moments.
func addedUp(p *proto) *Problem {
	if len(p.types) != 1 || p.types[0].Type != "inuse_space" || p.duration <= 0 {
		return nil
	}
	return problem("give one heap profile, or ask the engine for a single moment; of what was allocated "+
		"(alloc_space) a "+
		"sum means something",
		"live memory (inuse_space) that was added up over %.3g min: the sum of many moments is no heap",
		float64(p.duration)/60e9)
}

// onlyGo reports whether the sample types are those that no other runtime has. Their stacks may be empty.
func onlyGo(p *proto) bool {
	for _, t := range p.types {
		switch t.Type {
		case "goroutine", "goroutineleak", "threadcreate":
			return len(p.functions) > 0
		}
	}
	return false
}

func sampleTypes(p *proto) string {
	var names []string
	for _, t := range p.types {
		names = append(names, t.Type)
	}
	if len(names) == 0 {
		return "no sample types"
	}
	return strings.Join(names, ", ")
}

// maxFrames bounds the frames of all stacks of a file, 256 MiB of them. countWire bounds the addresses of a file and
// the inlined calls of an address, but a crafted file could give every sample the address with the most.
const maxFrames = 64 << 20

var errTooManyFrames = fmt.Errorf("more than %d frames, the most that are read", maxFrames)

// addSample appends a sample, or counts it as the observer's. Both slices are kept.
func (t *Table) addSample(s *Set, stack []FrameID, values []int64) (added bool) {
	stack, kernel := t.ownStack(stack)
	s.kernel = s.kernel || kernel
	if t.observed(stack) {
		if s.Observed == nil {
			s.Observed = make([]int64, len(s.Types))
		}
		for i, v := range values {
			s.Observed[i] = addSat(s.Observed[i], v)
		}
		if s.Kind == casefile.Heap || s.Kind == casefile.Allocs {
			s.Own = append(s.Own, Sample{Stack: stack, Values: values})
		}
		return false
	}
	s.Samples = append(s.Samples, Sample{Stack: stack, Values: values, Class: t.sampleClass(stack)})
	return true
}
