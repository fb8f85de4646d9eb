package anonymize

import (
	"bytes"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/google/pprof/profile"

	"github.com/gocasebook/casebook/diagnose/stacks"
)

// errUnknown is of evidence in a form that cannot be rewritten.
var errUnknown = errors.New("it is not in a form that can be anonymized")

// valueWords are the types and units of values that profiles of Go have.
var valueWords = strings.Fields("samples cpu wall time alloc_objects alloc_space inuse_objects inuse_space " +
	"goroutine goroutines threadcreate " +
	"contentions delay goroutineleak block mutex space count nanoseconds bytes")

// profile rewrites a pprof profile: names and files by stand-ins; no labels, comments, addresses and build IDs.
func (n *names) profile(data []byte) ([]byte, error) {
	// Package stacks bounds what it reads; what it refuses could take all memory here.
	if _, err := stacks.NewTable("").Read(stacks.Source{Name: "the profile"}, data); err != nil {
		return nil, errUnknown
	}
	// Not ParseData: of debug=1 text it keeps the addresses alone.
	raw, err := unpacked(data, stacks.MaxProfile)
	if err != nil {
		return nil, errUnknown
	}
	p, err := profile.ParseUncompressed(raw)
	if err != nil || len(p.SampleType) == 0 {
		return nil, errUnknown // err may quote what it read
	}
	if err := n.values(p); err != nil {
		return nil, err
	}
	p.Comments, p.DocURL, p.DropFrames, p.KeepFrames = nil, "", "", ""
	for _, s := range p.Sample {
		s.Label, s.NumUnit = nil, nil
		bytes, sized := s.NumLabel["bytes"] // the runtime's: the size of a heap profile's objects
		s.NumLabel = nil
		if sized {
			s.NumLabel = map[string][]int64{"bytes": bytes}
		}
	}
	n.code(p)
	var out bytes.Buffer
	if err := p.CheckValid(); err != nil {
		return nil, errUnknown
	}
	if err := p.Write(&out); err != nil {
		return nil, fmt.Errorf("writing the profile: %w", err)
	}
	return out.Bytes(), nil
}

// values refuses a profile whose values have unknown names, because detectors could not read it under other names.
func (n *names) values(p *profile.Profile) error {
	types := slices.Clone(p.SampleType)
	if p.PeriodType != nil {
		types = append(types, p.PeriodType)
	}
	for _, t := range types {
		for _, word := range []string{t.Type, t.Unit} {
			if word != "" && !slices.Contains(valueWords, word) {
				return errors.New("it counts something that Go's profiles do not have")
			}
		}
	}
	if !slices.ContainsFunc(p.SampleType, func(t *profile.ValueType) bool { return t.Type == p.DefaultSampleType }) {
		p.DefaultSampleType = ""
	}
	return nil
}

// code rewrites what a profile says of functions, of places and of the files they were loaded from.
func (n *names) code(p *profile.Profile) {
	for _, f := range p.Function {
		f.Filename = n.file(f.Filename, f.Name)
		f.Name = n.function(f.Name)
		f.SystemName = f.Name
	}
	for _, l := range p.Location {
		l.Address = 0
	}
	for _, m := range p.Mapping {
		m.Start, m.Limit, m.Offset = 0, 0, 0
		m.File, m.BuildID, m.KernelRelocationSymbol = n.mapping(m.File), "", ""
		m.HasFunctions = true // nobody can look for more
	}
}

// mapping returns the stand-in of what a process has mapped. The kernel's names distinguish its frames from the
// program's.
func (n *names) mapping(file string) string {
	switch {
	case slices.Contains([]string{"", "[kernel.kallsyms]", "[kernel]", "[k]", "[vdso]", "[vsyscall]", "kernel"}, file):
		return file
	case strings.HasPrefix(file, "vmlinux"):
		return "vmlinux"
	}
	return n.word(file)
}
