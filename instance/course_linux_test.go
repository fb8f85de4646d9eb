package instance

import (
	"os"
	"testing"
	"time"

	"github.com/gocasebook/casebook/vitals"
)

// TestCourse: the CPU of a second in which a process works for the first half shows in its course, and the calls, too.
func TestCourse(t *testing.T) {
	file, err := os.Open("/proc/self/stat")
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	ended := make(chan []vitals.Sample, 1)
	go func() { ended <- NewSelf().Course(t.Context(), time.Second) }()
	buf := make([]byte, 10)
	used := func() float64 { user, system := ownCPU(0, 0); return user + system }
	for began := used(); used()-began < 0.2; { // of CPU, however long that takes
		if _, err := file.ReadAt(buf, 0); err != nil {
			t.Fatal(err)
		}
	}
	samples := <-ended
	if len(samples) == 0 {
		t.Fatal("no samples in a second")
	}
	seconds, calls, before := 0.0, 0.0, samples[0].Time.Add(-courseStep)
	for i := range samples {
		dt := samples[i].Time.Sub(before).Seconds()
		before = samples[i].Time
		cpu, ok := samples[i].Get(vitals.CPU)
		if !ok || cpu < 0 {
			t.Fatalf("sample %d: CPU %v %v", i, cpu, ok)
		}
		reads, _ := samples[i].Get(vitals.ReadCalls)
		seconds, calls = seconds+cpu*dt, calls+reads*dt
	}
	if seconds < 0.05 || calls < 1000 {
		t.Errorf("%.2f s of CPU and %.0f reads in %d samples, want some 0.2 s and thousands", seconds, calls,
			len(samples))
	}
}

// TestCourseOfNothing: without a process there is no course.
func TestCourseOfNothing(t *testing.T) {
	target, err := NewHTTP("127.0.0.1:1")
	if err != nil {
		t.Fatal(err)
	}
	if got := target.Course(t.Context(), time.Second); got != nil {
		t.Errorf("%d samples of no process", len(got))
	}
}
