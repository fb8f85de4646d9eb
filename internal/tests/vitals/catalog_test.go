package vitals_test

import (
	"bytes"
	"fmt"
	"math"
	"strings"
	"testing"
	"time"

	"github.com/gocasebook/casebook/vitals"
)

func mustCatalog(t *testing.T, extra ...vitals.Signal) *vitals.Catalog {
	t.Helper()
	c, err := vitals.NewCatalog(extra...)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

func TestCatalog(t *testing.T) {
	queue := vitals.Signal{Name: "queue", Unit: vitals.Count, Text: "jobs that wait"}
	depth := vitals.Signal{Name: "depth", Unit: vitals.Bytes}
	for _, c := range []struct {
		name    string
		catalog *vitals.Catalog
		extra   []vitals.Signal
	}{
		{"nil", nil, nil},
		{"empty", mustCatalog(t), nil},
		{"two", mustCatalog(t, queue, depth), []vitals.Signal{queue, depth}},
	} {
		t.Run(c.name, func(t *testing.T) {
			all := c.catalog.Signals()
			if c.catalog.Len() != vitals.NumSignals+len(c.extra) || len(all) != c.catalog.Len() {
				t.Fatalf("Len %d, %d signals; want %d more than the built-in ones", c.catalog.Len(), len(all),
					len(c.extra))
			}
			for id, s := range all {
				if got, ok := c.catalog.Lookup(s.Name); !ok || got != vitals.ID(id) || c.catalog.Signal(vitals.ID(id)) != s {
					t.Errorf("Lookup(%q) = %d, %v; Signal = %+v, want %d and %+v", s.Name, got, ok,
						c.catalog.Signal(got), id, s)
				}
			}
			if _, ok := c.catalog.Lookup("nothing"); ok {
				t.Error("an unknown name is found")
			}
		})
	}
}

func TestNewCatalogNamesEveryFault(t *testing.T) {
	var many []vitals.Signal
	for i := range vitals.MaxExtra + 1 {
		many = append(many, vitals.Signal{Name: fmt.Sprintf("extra_%d", i), Unit: vitals.Count})
	}
	for _, c := range []struct {
		name  string
		extra []vitals.Signal
		want  []string
	}{
		{"names", []vitals.Signal{{Name: "Queue", Unit: vitals.Count}, {Name: "", Unit: vitals.Count},
			{Name: "a-b", Unit: vitals.Count}},
			[]string{`"Queue": a name is 1–60 lower-case`, `"": a name`, `"a-b": a name`}},
		{"the key of the time", []vitals.Signal{{Name: "t", Unit: vitals.Count}}, []string{`not "t"`}},
		{"a built-in one", []vitals.Signal{{Name: "cpu", Unit: vitals.Cores}},
			[]string{`"cpu": a built-in signal has this name: choose another`}},
		{"twice", []vitals.Signal{{Name: "a", Unit: vitals.Count}, {Name: "a", Unit: vitals.Bytes}},
			[]string{`"a": the name is given twice`}},
		{"units", []vitals.Signal{{Name: "a"}, {Name: "b", Unit: "ms"}},
			[]string{`"a": unknown unit ""; known: count, 1/s`, `"b": unknown unit "ms"`}},
		{"too many", many, []string{"33 extra signals are more than the limit of 32"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			_, err := vitals.NewCatalog(c.extra...)
			for _, want := range c.want {
				if err == nil || !strings.Contains(err.Error(), want) {
					t.Errorf("error is %v, want %q in it", err, want)
				}
			}
		})
	}
}

// An ID that only a catalog can name, or nothing can, must do no harm.
func TestIDsBeyondTheBuiltIn(t *testing.T) {
	if got := vitals.ID(vitals.NumSignals + 3).String(); got != "extra#3" {
		t.Errorf("an extra ID is called %q", got)
	}
	s := vitals.NewSample(start)
	for _, id := range []vitals.ID{-1, vitals.ID(vitals.NumSignals + vitals.MaxExtra), math.MaxInt} {
		s.Set(id, 1)
		if v, ok := s.Get(id); ok {
			t.Errorf("ID %d has the value %g", id, v)
		}
		_, _ = id.String(), mustCatalog(t).Signal(id)
	}
}

// extraSamples are n samples with goroutines and the extra signals of a catalog.
func extraSamples(c *vitals.Catalog, n int) []vitals.Sample {
	var samples []vitals.Sample
	for i := range n {
		s := vitals.NewSample(start.Add(time.Duration(i) * time.Second))
		s.Set(vitals.Goroutines, float64(i))
		for k := range c.Extra() {
			s.Set(vitals.ID(vitals.NumSignals+k), float64(100*(k+1)+i))
		}
		samples = append(samples, s)
	}
	return samples
}

// A later version may have signals, units and names that this one does not know.
func TestReadJSONLOfALaterVersion(t *testing.T) {
	var header strings.Builder
	header.WriteString(`{"schema":1,"units":{"cpu":"cores","speed":"furlongs","Bad-Name":"count","queue":"count"`)
	for i := range 2 * vitals.MaxExtra {
		fmt.Fprintf(&header, `,"x%03d":"count"`, i)
	}
	in := header.String() + "}}\n" +
		`{"t":"2026-11-21T13:00:00Z","cpu":1,"speed":2,"Bad-Name":3,"queue":4,"x000":5,"x063":6}`
	h, samples, err := vitals.ReadJSONL(strings.NewReader(in))
	if err != nil || len(samples) != 1 || h.Catalog.Len() != vitals.NumSignals+vitals.MaxExtra {
		t.Fatalf("%d samples, %d signals, %v", len(samples), h.Catalog.Len(), err)
	}
	for name, want := range map[string]float64{"cpu": 1, "queue": 4, "x000": 5, "speed": math.NaN(),
		"Bad-Name": math.NaN(), "x063": math.NaN()} {
		id, ok := h.Catalog.Lookup(name)
		if v, has := samples[0].Get(id); ok == math.IsNaN(want) || ok && (!has || v != want) {
			t.Errorf("%s: known %v, value %g; want %g", name, ok, v, want)
		}
	}
}

func TestJoin(t *testing.T) {
	a := mustCatalog(t, vitals.Signal{Name: "queue", Unit: vitals.Count}, vitals.Signal{Name: "age", Unit: vitals.Seconds})
	b := mustCatalog(t, vitals.Signal{Name: "new", Unit: vitals.Count}, vitals.Signal{Name: "age", Unit: vitals.Bytes},
		vitals.Signal{Name: "queue", Unit: vitals.Count})
	samples := extraSamples(b, 1) // new 100, age 200, queue 300
	c := vitals.Join(a, b, samples)
	for name, want := range map[string]float64{"queue": 300, "age": math.NaN(), "new": 100, "goroutines": 0} {
		id, ok := c.Lookup(name)
		v, has := samples[0].Get(id)
		if !ok || has == math.IsNaN(want) || has && v != want {
			t.Errorf("%s: known %v, %g (%v); want %g", name, ok, v, has, want)
		}
	}
	if a.Len() != vitals.NumSignals+2 || c.Signal(vitals.ID(vitals.NumSignals+1)).Unit != vitals.Seconds {
		t.Errorf("the first catalog was changed, or its signals moved: %+v, %+v", a.Extra(), c.Extra())
	}
	if c := vitals.Join(nil, nil, samples); c.Len() != vitals.NumSignals {
		t.Errorf("nothing joined has %d signals", c.Len())
	}
}

func TestJSONLExtraSignals(t *testing.T) {
	c := mustCatalog(t, vitals.Signal{Name: "queue", Unit: vitals.Count, Text: "jobs that wait"},
		vitals.Signal{Name: "depth", Unit: vitals.Bytes, Text: strings.Repeat("ö", 1000)})
	var b bytes.Buffer
	if err := vitals.WriteJSONL(&b, extraSamples(c, 2), c, nil); err != nil {
		t.Fatal(err)
	}
	h, out, err := vitals.ReadJSONL(&b)
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
	if got := h.Catalog.Signal(id); got != (vitals.Signal{Name: "queue", Unit: vitals.Count, Text: "jobs that wait"}) {
		t.Errorf("queue came back as %+v", got)
	}
	id, _ = h.Catalog.Lookup("depth")
	if n := len([]rune(h.Catalog.Signal(id).Text)); n != maxText {
		t.Errorf("a long text came back with %d runes, want %d", n, maxText)
	}
}
