package engine

import (
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/gocasebook/casebook/app/engine/enginetest"
	"github.com/gocasebook/casebook/instance"
)

// history has nats run as version 1 until two days ago, since then as version 2, each seen every 15 s at the times that
// matter. Version 1 used half the CPU.
func history(t *testing.T, s *enginetest.Server, tripped time.Time) {
	cpu, heap := enginetest.Recorded(t, "nats-slow", "cpu.pb.gz"), enginetest.Recorded(t, "nats-slow", "heap.pb.gz")
	heap.DurationNanos = 0
	half := cpu.Copy()
	for _, sample := range half.Sample {
		for i := range sample.Value {
			sample.Value[i] /= 2
		}
	}
	add := func(version string, end time.Time) {
		p := cpu
		if version == "1" {
			p = half
		}
		labels := map[string]string{"service_name": "nats", "service_version": version}
		for i := range 12 {
			at := end.Add(-time.Duration(i) * 15 * time.Second)
			s.Add(labels, "process_cpu", at, p)
			s.Add(labels, "memory", at, heap)
		}
	}
	add("1", tripped.Add(-week))
	add("1", tripped.Add(-48*time.Hour))
	add("2", tripped)
}

func TestQuotes(t *testing.T) {
	for _, e := range engines {
		for _, named := range []string{"", "&version=2"} {
			t.Run(fmt.Sprint(e.name, named), func(t *testing.T) {
				s, tripped := e.start(t), time.Now()
				history(t, s, tripped)
				quotes, err := Quotes(e.name+"://"+s.Host+"?service=nats&since=2m"+named, Options{})
				if err != nil {
					t.Fatal(err)
				}
				cpu := make(map[string]float64)
				for _, q := range quotes {
					p, err := q.Take(t.Context(), tripped)
					if err != nil {
						if named != "" && strings.HasPrefix(q.Name, "last-week") { // version 2 did not exist
							var empty *instance.EmptyError
							if !errors.As(err, &empty) {
								t.Errorf("%s: %v", q.Name, err)
							}
							continue
						}
						t.Errorf("%s: %v", q.Name, err)
						continue
					}
					if !strings.Contains(p.Note, "from "+e.name+"://") {
						t.Errorf("%s has the note %q", q.Name, p.Note)
					}
					if strings.HasPrefix(q.Name, "previous") && !strings.Contains(p.Note, "version 1") {
						t.Errorf("%s is %q, want version 1", q.Name, p.Note)
					}
					cpu[q.Name] = sums(parsed(t, p))["cpu"]
				}
				if now, was := cpu["before-cpu"], cpu["previous-version-cpu"]; !about(was, now/2, 0.35) || was == 0 {
					t.Errorf("version 1 took %g ns in two minutes, version 2 %g; want half", was, now)
				}
				if was := cpu["last-week-cpu"]; named == "" && !about(was, cpu["before-cpu"]/2, 0.35) {
					t.Errorf("last week it took %g ns in two minutes, now %g; want half", was, cpu["before-cpu"])
				}
			})
		}
	}
	for address, want := range map[string]string{
		"prometheus://p?service=x":                       "keeps no profiles to quote",
		"parca://p?service=x&until=2026-11-20T12:00:00Z": "leave until out",
		"pyroscope://p":                                  "names no service",
	} {
		if _, err := Quotes(address, Options{}); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %q", address, err, want)
		}
	}
}

// An engine without versions, or with one, has no previous one.
func TestNoPreviousVersion(t *testing.T) {
	s := enginetest.NewPyroscope(t)
	fill(t, s, time.Now())
	target := newTarget(t, Pyroscope, s, "", Options{})
	var empty *instance.EmptyError
	if _, err := target.quoteVersion(t.Context(), "cpu", time.Now()); !errors.As(err, &empty) {
		t.Errorf("with one version: %v, want an EmptyError", err)
	}
}

// Of versions that were there in the same hour, the one that came last is the present one, whatever their names are.
func TestBeforeLast(t *testing.T) {
	now := time.Now()
	was := func(version string, first, last int) seen { // hours ago
		return seen{version, now.Add(-time.Duration(first) * time.Hour), now.Add(-time.Duration(last) * time.Hour)}
	}
	for _, tt := range []struct {
		name    string
		all     []seen
		present string
		want    string
	}{
		{"none", nil, "", ""},
		{"one", []seen{was("1", 9, 0)}, "", ""},
		{"one after the other", []seen{was("1", 9, 3), was("2", 3, 0)}, "", "1"},
		{"a deployment now", []seen{was("1", 9, 0), was("2", 1, 0)}, "", "1"},
		{"a deployment now, of an earlier name", []seen{was("b", 9, 0), was("a", 1, 0)}, "", "b"},
		{"three", []seen{was("1", 90, 20), was("3", 1, 0), was("2", 20, 0)}, "", "2"},
		{"a rollback", []seen{was("1", 9, 0), was("2", 5, 2)}, "", "2"},
		{"an address with a version", []seen{was("1", 9, 0), was("2", 1, 0)}, "1", "2"},
	} {
		if got := beforeLast(tt.all, tt.present).version; got != tt.want {
			t.Errorf("%s: the version before is %q, want %q", tt.name, got, tt.want)
		}
	}
}
