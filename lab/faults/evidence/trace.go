package evidence

import (
	"bytes"
	"context"
	"encoding/json"
	"slices"
	"strings"

	"github.com/gocasebook/casebook/app/trace"
	"github.com/gocasebook/casebook/diagnose/traces"
)

// sumUp puts a trace's summary in its place: detectors read that, and a trace has megabytes. Rows that are far down are
// left out, and timelines, which no detector reads. Cases of before 30 November 2026 have no slowest requests.
func (f *File) sumUp() error {
	t, err := trace.Read(context.Background(), f.File, bytes.NewReader(f.Data))
	if err != nil {
		return err
	}
	s := t.Summary()
	s.Name = "trace"
	s.Use.Timeline = nil
	s.Slowest = slices.DeleteFunc(s.Slowest, func(r traces.Request) bool { return !strings.Contains(r.Kind, " server") })
	for i := range s.Slowest {
		s.Slowest[i].Course = nil
	}
	s.Blocking, s.Created = s.Blocking[:min(30, len(s.Blocking))], s.Created[:min(10, len(s.Created))]
	s.Syscalls = s.Syscalls[:min(15, len(s.Syscalls))]
	s.Served = s.Served[:min(10, len(s.Served))]
	s.Preempted = s.Preempted[:min(15, len(s.Preempted))]
	text, err := json.Marshal(s)
	if err != nil {
		return err
	}
	f.Data, err = compress(text)
	f.File, f.Kind, f.Note = "trace.json.gz", traces.KindSummary, "summary of an execution trace"
	return err
}
