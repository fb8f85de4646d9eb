package hold

import (
	"testing"
)

func TestReceiver(t *testing.T) {
	for name, want := range map[string]string{
		"example.com/s3.(*Client).GetObject.func1": "*Client", "example.com/s3.NewReader": "",
		"example.com/s3.NewReader.func2.1": "", "example.com/s3.Cache.Get": "Cache",
		"example.com/s3.(*Pool[...]).run": "*Pool", "gopkg.in/yaml%2ev3.(*parser).next": "*parser",
	} {
		if got := receiver(name); got != want {
			t.Errorf("%s: %q, want %q", name, got, want)
		}
	}
}

// TestMoreThan: one or two samples tell that more contexts are alive than few goroutines can use, and not that more are
// than many can.
func TestMoreThan(t *testing.T) {
	for _, tt := range []struct {
		name       string
		n, samples float64
		used       float64
		want       bool
	}{
		{"two samples of 5,000, a hundred in use", 5000, 2, 100, true},
		{"one sample of 5,000, a hundred in use", 5000, 1, 100, false},
		{"two samples of 5,000, a thousand in use", 5000, 2, 1000, false},
		{"forty samples of 100,000, as many in use", 100_000, 40, 100_000, false},
		{"forty samples of 100,000, a third in use", 100_000, 40, 33_000, true},
	} {
		alive := Sum{Counts: Counts{Now: Count{Objects: tt.n}}, Samples: tt.samples}
		if got := (&Timers{Sum: alive}).MoreThan(tt.used); got != tt.want {
			t.Errorf("%s: %v, want %v", tt.name, got, tt.want)
		}
	}
}
