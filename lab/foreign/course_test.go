package foreign

import (
	"errors"
	"io/fs"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/gocasebook/casebook/rule"
	"github.com/gocasebook/casebook/vitals"
)

// TestCourses plays the recorded vitals of services through the default rules: of a sick one its rule trips within the
// time that the table gives it and not before it is ill, of a healthy one none does.
func TestCourses(t *testing.T) {
	table, err := Read()
	if err != nil {
		t.Fatal(err)
	}
	sick, healthy := 0, 0
	for _, s := range table.Services {
		samples, err := ReadCourse("testdata/courses", s.Name)
		if err != nil && s.Rule == "" && !strings.HasSuffix(s.Name, "-busy") && !strings.Contains(s.Name, "-disk") {
			continue // the others have no recordings
		}
		t.Run(s.Name, func(t *testing.T) {
			if err != nil {
				t.Fatal(err)
			}
			trips := replay(t, samples)
			if s.Healthy {
				healthy++
				for name, at := range trips {
					t.Errorf("%s trips at %s", name, at)
				}
				return
			}
			sick++
			at, ok := trips[s.Rule]
			if want := time.Duration(s.Certain) + time.Minute; !ok || at > want {
				t.Errorf("%s trips at %s (%t), wanted until %s; %v", s.Rule, at, ok, want, trips)
			}
			for name, at := range trips {
				if at < time.Duration(s.Ill) {
					t.Errorf("%s trips at %s, before it is ill", name, at)
				}
			}
		})
	}
	if sick < 5 || healthy < 5 {
		t.Errorf("%d sick and %d healthy services are recorded, want five of each", sick, healthy)
	}
}

// TestKeepCourse: a course is read as it was kept, beside those that the archive had, and a second one takes its place.
func TestKeepCourse(t *testing.T) {
	name, at := filepath.Join(t.TempDir(), "testdata", "courses"), time.Unix(1_800_000_000, 0).UTC()
	for _, keep := range []struct {
		service string
		samples int
	}{{"etcd-busy", 2}, {"caddy-busy", 1}, {"etcd-busy", 3}} {
		samples := make([]vitals.Sample, keep.samples)
		for i := range samples {
			samples[i].Time = at.Add(time.Duration(i) * time.Second)
		}
		if err := KeepCourse(name, keep.service, samples); err != nil {
			t.Fatal(err)
		}
	}
	for service, want := range map[string]int{"etcd-busy": 3, "caddy-busy": 1} {
		got, err := ReadCourse(name, service)
		if err != nil || len(got) != want || !got[want-1].Time.Equal(at.Add(time.Duration(want-1)*time.Second)) {
			t.Errorf("%s: %d samples, want %d; %v", service, len(got), want, err)
		}
	}
	if _, err := ReadCourse(name, "nats-busy"); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("of a service that is not there: %v", err)
	}
}

// TestCourseOfOverload: more requests than the core can serve, each as cheap as before, make it late, and are no reason
// to say that requests became expensive.
func TestCourseOfOverload(t *testing.T) {
	samples, err := ReadCourse("testdata/courses", "prometheus-overload")
	if err != nil {
		t.Fatal(err)
	}
	trips := replay(t, samples)
	if at, ok := trips["cpu-surge"]; ok {
		t.Errorf("cpu-surge trips at %s", at)
	}
	if _, ok := trips["http-latency"]; !ok {
		t.Errorf("of an overload nothing says that answers are late: %v", trips)
	}
}

// replay says when each default rule first trips, after the first sample.
func replay(t *testing.T, samples []vitals.Sample) map[string]time.Duration {
	t.Helper()
	outcomes, err := rule.Replay(rule.Default(), samples, nil, nil)
	if err != nil {
		t.Fatal(err)
	}
	trips := make(map[string]time.Duration)
	for _, o := range outcomes {
		if len(o.Firings) > 0 {
			first := slices.MinFunc(o.Firings, func(a, b rule.Firing) int { return a.Time.Compare(b.Time) })
			trips[o.Rule.Name] = first.Time.Sub(samples[0].Time)
		}
	}
	return trips
}
