package prometheus

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/gocasebook/casebook/vitals"
)

// maxName is how long the name of a signal may be (vitals.Catalog).
const maxName = 60

// nameSignals describes the metrics' signals. Names are the selectors' in lower-case letters, digits and underscores;
// where two come out alike the later ones are numbered, and one that a built-in signal has becomes metric_….
func nameSignals(metrics []*metric, page string) {
	taken := make(map[string]bool)
	for _, m := range metrics {
		if id, ok := builtIn(m); ok && !taken[id.String()] {
			m.signal = id.Signal()
		} else {
			m.signal = vitals.Signal{Name: m.signalName(taken), Unit: m.unit(), Text: m.describe() + " (" + page + ")"}
		}
		taken[m.signal.Name] = true
	}
}

func (m *metric) signalName(taken map[string]bool) string {
	name, suffix := m.name, ""
	for _, l := range m.labels {
		name += "_" + l.name + "_" + l.value
	}
	switch {
	case m.kind == histogramP99:
		suffix = "_p99"
	case m.kind == summaryQuantile:
		percent := strconv.FormatFloat(m.quantile*100, 'g', 6, 64) // 6 digits hide that 0.999 is not a binary fraction
		suffix = "_p" + clean(percent, "")
	case m.kind == summaryMean:
		suffix = "_mean"
	}
	if _, builtIn := vitals.Lookup(clean(name, suffix)); builtIn || clean(name, suffix) == "t" {
		name = "metric_" + name
	}
	unique := clean(name, suffix)
	for n := 2; taken[unique]; n++ {
		unique = clean(name, suffix+"_"+strconv.Itoa(n))
	}
	return unique
}

// clean makes a name of letters, digits and underscores that ends in suffix and is not too long.
func clean(name, suffix string) string {
	name = strings.Map(func(r rune) rune {
		switch {
		case r >= 'a' && r <= 'z', r >= '0' && r <= '9':
			return r
		case r >= 'A' && r <= 'Z':
			return r - 'A' + 'a'
		}
		return '_'
	}, name)
	return name[:min(len(name), maxName-len(suffix))] + suffix
}

// unit returns the unit of the name's suffix, by Prometheus' own conventions (prometheus.io/docs/practices/naming):
// base units, after which counters have _total.
func (m *metric) unit() vitals.Unit {
	base, part, _ := cutPart(m.name)
	base = strings.TrimSuffix(base, "_total")
	inBytes, inSeconds := strings.HasSuffix(base, "_bytes"), strings.HasSuffix(base, "_seconds")
	rate := m.kind == counterRate
	switch {
	case rate && part == countPart:
		return vitals.PerSecond
	case rate && inBytes:
		return vitals.BytesPerSecond
	case rate && inSeconds: // seconds a second: of CPU, of waiting
		return vitals.Cores
	case rate:
		return vitals.PerSecond
	case inBytes:
		return vitals.Bytes
	case inSeconds:
		return vitals.Seconds
	case strings.HasSuffix(base, "_ratio"):
		return vitals.Share
	}
	return vitals.Count
}

func (m *metric) describe() string {
	switch m.kind {
	case counterRate:
		return "rate of " + m.text
	case gaugeValue:
		return "sum of " + m.text
	case histogramP99:
		return "99th percentile of " + m.text + ", interpolated between its buckets"
	case summaryQuantile:
		return fmt.Sprintf("largest %g quantile of %s, over the summary's own window", m.quantile, m.selector.text)
	}
	return "mean of " + m.text
}
