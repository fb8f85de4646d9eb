package tables

import "testing"

func TestWords(t *testing.T) {
	for _, tt := range []struct{ got, want string }{
		{duration(0.3), "0.3 ns"},
		{duration(12_340), "12.3 µs"},
		{middle{1230, 0.043}.timed(), "1.23 µs ±4 %"},
		{ratio(middle{median: 7}, middle{median: 2}), "3.5×"},
		{ratio(middle{median: 7}, middle{}), ""},
	} {
		if tt.got != tt.want {
			t.Errorf("got %q, want %q", tt.got, tt.want)
		}
	}
}
