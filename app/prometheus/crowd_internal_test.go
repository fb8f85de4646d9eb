package prometheus

import (
	"testing"
	"time"
)

// TestCrowd: a page rests the longer, the more pages are read, and who reads no more is not counted.
func TestCrowd(t *testing.T) {
	c := crowd{last: make(map[*Requests]time.Time)}
	now := time.Now()
	all := make([]Requests, 1000)
	for i := range all {
		if got, want := c.rest(&all[i], now), time.Duration(i+1)*pageRest; got != want {
			t.Fatalf("with %d pages one rests %v, want %v", i+1, got, want)
		}
	}
	if got := c.rest(&all[0], now); got != 1000*pageRest {
		t.Errorf("a page that is read again rests %v, want %v", got, 1000*pageRest)
	}
	if got := c.rest(&all[0], now.Add(away+time.Second)); got != pageRest {
		t.Errorf("alone again it rests %v, want %v", got, pageRest)
	}
}
