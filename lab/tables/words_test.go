package tables

import "testing"

func TestWords(t *testing.T) {
	for _, tt := range []struct{ got, want string }{
		{duration(0.3), "0.30 ns"},
		{duration(9.996), "10.0 ns"},
		{duration(12_340), "12.3 µs"},
		{duration(2.5e9), "2.50 s"},
		{size(1.5e6), "1.43 MB"},
		{duration(3e13), "30000 s"},
		{size(96), "96 B"},
		{size(2048), "2 kB"},
		{size(5 << 40), "5120 GB"},
		{digits(0.001), "0"},
		{digits(-4), "-4"},
		{middle{1230, 0.043}.timed(), "1.23 µs ±4 %"},
		{ratio(middle{median: 7}, middle{median: 2}), "3.50×"},
		{ratio(middle{median: 7}, middle{}), ""},
	} {
		if tt.got != tt.want {
			t.Errorf("got %q, want %q", tt.got, tt.want)
		}
	}
}
