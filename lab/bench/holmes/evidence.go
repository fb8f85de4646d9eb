package main

import (
	"bytes"
	"fmt"
	"os"
	"slices"
	"strconv"
	"strings"

	"github.com/google/pprof/profile"

	"github.com/gocasebook/casebook/casefile"
)

// countCulprit counts the samples of a spike's culprit in a case, or in holmes' file. Two profiles of a case that
// overlap count twice; what is asked is whether there are any.
func countCulprit(path string, spike int) (int, error) {
	info, err := os.Stat(path)
	if err != nil {
		return 0, err
	}
	if !info.IsDir() {
		data, err := os.ReadFile(path)
		if err != nil {
			return 0, err
		}
		return culpritSamples(data, spike)
	}
	folder, err := casefile.Open(path)
	if err != nil {
		return 0, err
	}
	total := 0
	for _, e := range folder.Case.Evidence {
		if e.Kind != casefile.CPU {
			continue
		}
		data, err := folder.Read(e.File)
		if err != nil {
			return 0, err
		}
		n, err := culpritSamples(data, spike)
		if err != nil {
			return 0, fmt.Errorf("%s: %w", e.File, err)
		}
		total += n
	}
	return total, nil
}

func culpritSamples(data []byte, spike int) (int, error) {
	if len(data) == 0 {
		return 0, nil // holmes leaves empty files
	}
	p, err := profile.Parse(bytes.NewReader(data))
	if err != nil {
		return 0, err
	}
	n, number := 0, strconv.Itoa(spike)
	for _, s := range p.Sample {
		if slices.Contains(s.Label[spikeLabel], number) && inCulprit(s) {
			n += int(s.Value[0]) // samples; the second value is nanoseconds
		}
	}
	return n, nil
}

func inCulprit(s *profile.Sample) bool {
	for _, l := range s.Location {
		for _, line := range l.Line {
			if line.Function != nil && strings.HasSuffix(line.Function.Name, culpritName) {
				return true
			}
		}
	}
	return false
}
