package vitals

import (
	"bytes"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/gocasebook/casebook/internal/checkout"
	"github.com/gocasebook/casebook/internal/golden"
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

const signalsPage = "../docs/signals.md"

// TestSignalsPage writes docs/signals.md from the signals with -update, and fails when the page is out of date.
func TestSignalsPage(t *testing.T) {
	checkout.Need(t)
	golden.Is(t, signalsPage, writeSignals())
}

// signalsHead has quotes where the page has backquotes.
const signalsHead = `# Signals

This page is for people who write [rules](rules.md) or read the signals of a case. A watch reads these %d numbers once a
second, unless you change the interval. Shares are from 0 to 1. Rates are over the time since the sample before.

What Casebook cannot read is absent, never zero, and Casebook says why. From another machine there is no /proc: the
signals of the process and 'gc_cpu' are absent. From outside, what only the Go runtime itself knows is absent, such as
'gc_assist'; a Prometheus page gives 'mutex_wait' and 'sched_latency_p99' there. The signals of HTTP come from the
middleware, or from the metrics of requests on a Prometheus page ('--http-metrics'). A watch may have %d more signals of
your own: 'Config.Sources', '--prometheus', '--expvar'.

'go test ./vitals -run TestSignalsPage -update' writes this page. Do not edit it by hand.

| signal | unit | what it is |
|---|---|---|
`

func writeSignals() string {
	var b strings.Builder
	fmt.Fprintf(&b, strings.ReplaceAll(signalsHead, "'", "`"), NumSignals, MaxExtra)
	for _, s := range signals {
		fmt.Fprintf(&b, "| `%s` | %s | %s |\n", s.Name, s.Unit, strings.ReplaceAll(s.Text, "|", `\|`))
	}
	return b.String()
}
