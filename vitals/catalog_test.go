package vitals

import (
	"bytes"
	"strings"
	"testing"
	"time"
)

func mustCatalog(t *testing.T, extra ...Signal) *Catalog {
	t.Helper()
	c, err := NewCatalog(extra...)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// extraSamples are n samples with goroutines and the extra signals of a catalog.
func extraSamples(c *Catalog, n int) []Sample {
	var samples []Sample
	for i := range n {
		s := NewSample(start.Add(time.Duration(i) * time.Second))
		s.Set(Goroutines, float64(i))
		for k := range c.Extra() {
			s.Set(ID(NumSignals+k), float64(100*(k+1)+i))
		}
		samples = append(samples, s)
	}
	return samples
}

func TestJSONLExtraSignals(t *testing.T) {
	c := mustCatalog(t, Signal{"queue", Count, "jobs that wait"}, Signal{"depth", Bytes, strings.Repeat("ö", 1000)})
	var b bytes.Buffer
	if err := WriteJSONL(&b, extraSamples(c, 2), c, nil); err != nil {
		t.Fatal(err)
	}
	h, out, err := ReadJSONL(&b)
	if err != nil || len(out) != 2 {
		t.Fatalf("%d samples, %v", len(out), err)
	}
	for name, want := range map[string]float64{"queue": 101, "depth": 201, "goroutines": 1} {
		id, ok := h.Catalog.Lookup(name)
		if v, has := out[1].Get(id); !ok || !has || v != want {
			t.Errorf("%s is %g (%v, %v), want %g", name, v, ok, has, want)
		}
	}
	id, _ := h.Catalog.Lookup("queue")
	if got := h.Catalog.Signal(id); got != (Signal{"queue", Count, "jobs that wait"}) {
		t.Errorf("queue came back as %+v", got)
	}
	id, _ = h.Catalog.Lookup("depth")
	if n := len([]rune(h.Catalog.Signal(id).Text)); n != maxText {
		t.Errorf("a long text came back with %d runes, want %d", n, maxText)
	}
}
