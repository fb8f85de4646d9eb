package diagnose

import "testing"

func TestDurationsFold(t *testing.T) {
	for _, c := range []struct {
		got, want string
	}{
		{seconds(30_855_720), "357 days"}, // thousands of goroutines that wait for hours, in one block profile
		{seconds(2 * 86400), "2 days"}, {seconds(30_000), "8.33 h"}, {seconds(1200), "20 min"},
		{seconds(599), "599 s"},
		{seconds(0.038), "38 ms"}, {seconds(5e9), "57,870 days"},
		{minutes(1), "1 minute"}, {minutes(12), "12 minutes"}, {minutes(119), "119 minutes"}, {minutes(570), "9.5 h"},
		{minutes(514262), "357 days"},
		{size(1000 << 20), "1,000 MiB"}, {size(1 << 30), "1 GiB"}, {size(12), "12 B"},
	} {
		if c.got != c.want {
			t.Errorf("%q, want %q", c.got, c.want)
		}
	}
}
