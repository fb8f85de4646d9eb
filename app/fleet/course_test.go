package fleet

import (
	"fmt"
	"math"
	"strings"
	"testing"
	"time"
)

// A course has the mean of each minute, and no minute that is older than an hour or was not sampled.
func TestCourse(t *testing.T) {
	begin := time.Date(2026, 11, 28, 12, 0, 0, 0, time.UTC)
	at := func(minutes float64) time.Time { return begin.Add(time.Duration(minutes * float64(time.Minute))) }
	for _, tt := range []struct {
		name  string
		adds  [][2]float64 // minute, value
		until float64
		want  string // minutes before now: value
	}{
		{"nothing", nil, 0, ""},
		{"a mean", [][2]float64{{0, 1}, {0.3, 2}, {0.9, 6}}, 0.95, "0: 3"},
		{"a gap", [][2]float64{{0, 1}, {3, 2}}, 4, "4: 1, 1: 2"},
		{"an hour later", [][2]float64{{0, 1}, {30, 2}}, 70, "40: 2"},
		{"two hours later", [][2]float64{{0, 1}, {30, 2}}, 130, ""},
		{"a gap of an hour", [][2]float64{{0, 1}, {61, 2}}, 61, "0: 2"},
		{"a gap of just less", [][2]float64{{0, 1}, {59, 2}}, 59, "59: 1, 0: 2"},
		{"the clock set back", [][2]float64{{10, 1}, {9, 3}}, 10, "0: 2"},
		{"the clock set back by hours", [][2]float64{{300, 1}, {9, 3}}, 10, "1: 3"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			var c course
			for _, a := range tt.adds {
				c.add(at(a[0]), a[1])
			}
			var sum [CourseMinutes]float64
			for i := range sum {
				sum[i] = math.NaN()
			}
			c.addTo(&sum, at(tt.until))
			var got []string
			for i, v := range sum {
				if !math.IsNaN(v) {
					got = append(got, fmt.Sprintf("%d: %g", CourseMinutes-1-i, v))
				}
			}
			if s := strings.Join(got, ", "); s != tt.want {
				t.Errorf("minutes ago: %s; want %s", s, tt.want)
			}
		})
	}
}
