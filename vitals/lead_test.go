package vitals

import (
	"testing"
	"time"
)

func TestTracksOfOddSamples(t *testing.T) {
	if _, ok := NewTrack(nil, CPU); ok {
		t.Error("a track of nothing")
	}
	same := make([]Sample, 100)
	for i := range same {
		same[i] = NewSample(start)
		same[i].Set(CPU, float64(i))
	}
	if _, ok := NewTrack(same, CPU); ok {
		t.Error("a track of one moment")
	}
	same[99].Time = start.Add(1000 * time.Hour)
	same[98].Time = start.Add(1000*time.Hour - time.Nanosecond)
	if tr, ok := NewTrack(same, CPU); ok && len(tr.values) > trackSteps {
		t.Errorf("a grid of %d steps", len(tr.values))
	}
}
