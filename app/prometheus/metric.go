package prometheus

import (
	"fmt"
	"math"
	"strconv"
	"strings"
	"time"

	dto "github.com/prometheus/client_model/go"

	"github.com/gocasebook/casebook/vitals"
)

// A kind is what is made of a metric.
type kind int

const (
	counterRate kind = iota
	gaugeValue
	histogramP99
	summaryQuantile
	summaryMean
)

const p99 = 0.99

// A metric is a selector, what it was found to be, and what its series were at last.
type metric struct {
	selector
	family   string  // where its series are
	part     string  // countPart or sumPart of a histogram or summary
	kind     kind    // what is made of it
	quantile float64 // of a summary
	signal   vitals.Signal
	growth   growth
}

// learn finds out what a selector selects.
func learn(s selector, f families) (*metric, error) {
	m := &metric{selector: s, family: s.name}
	base, part, isPart := cutPart(s.name)
	switch family, onPage := f[s.name]; {
	case onPage:
		return m, m.learnType(family)
	case isPart:
		m.kind = counterRate
		if compound(f[base]) {
			m.family, m.part = base, part
		}
		return m, nil
	case strings.HasSuffix(s.name, "_total"):
		m.kind = counterRate
		return m, nil
	}
	return nil,
		fmt.Errorf("%s is not on the page: is it spelled so? A metric with labels is on no page before its first "+
			"use: then start later",
			s.text)
}

// compound says whether a family is a histogram or a summary.
func compound(f *dto.MetricFamily) bool {
	return f != nil && (f.GetType() == dto.MetricType_HISTOGRAM || f.GetType() == dto.MetricType_SUMMARY)
}

func (m *metric) learnType(f *dto.MetricFamily) error {
	switch f.GetType() {
	case dto.MetricType_COUNTER:
		m.kind = counterRate
	case dto.MetricType_GAUGE:
		m.kind = gaugeValue
	case dto.MetricType_UNTYPED:
		m.kind = gaugeValue
		if _, _, isPart := cutPart(m.name); isPart || strings.HasSuffix(m.name, "_total") {
			m.kind = counterRate
		}
	case dto.MetricType_HISTOGRAM:
		m.kind = histogramP99
		if _, ok := m.take("le"); ok {
			return fmt.Errorf("%s selects one bucket of a histogram: select the histogram, and its p99 becomes the "+
				"signal",
				m.text)
		}
	case dto.MetricType_SUMMARY:
		return m.learnSummary(f)
	default:
		return fmt.Errorf("%s is a %s, of which no number can be made", m.text, strings.ToLower(f.GetType().String()))
	}
	return nil
}

// learnSummary picks the quantile that is asked for, otherwise 0.99, otherwise the mean.
func (m *metric) learnSummary(f *dto.MetricFamily) error {
	m.kind, m.quantile = summaryQuantile, p99
	text, asked := m.take("quantile")
	if asked {
		q, err := strconv.ParseFloat(text, 64)
		if err != nil {
			return fmt.Errorf("%s: %q is no quantile; want a number from 0 to 1", m.text, text)
		}
		m.quantile = q
	}
	for _, series := range f.Metric {
		for _, q := range series.GetSummary().Quantile {
			if q.GetQuantile() == m.quantile {
				return nil
			}
		}
	}
	if asked {
		return fmt.Errorf("%s is not on the page: the summary has no such quantile", m.text)
	}
	m.kind = summaryMean
	return nil
}

// series returns the metric's series on a page, and whether the page has its family at all. A family that is no longer
// of its former type means nothing.
func (m *metric) series(f families) (all []*dto.Metric, known bool) {
	family, ok := f[m.family]
	if !ok {
		return nil, false
	}
	for _, s := range family.Metric {
		if m.matches(s) {
			all = append(all, s)
		}
	}
	return all, true
}

// value returns the signal's value, NaN for absent, and makes this page the one that the next is compared with. elapsed
// is the time since the page before.
func (m *metric) value(f families, elapsed time.Duration) float64 {
	all, known := m.series(f)
	switch m.kind {
	case gaugeValue:
		return gaugeSum(all)
	case summaryQuantile:
		return m.worstQuantile(all)
	case histogramP99:
		return quantile(m.growth.ofBuckets(all, known), p99)
	case summaryMean:
		grown := m.growth.of(all, known, summaryNumbers)
		return grown[1] / grown[0] // 0/0 is NaN: nothing was observed
	}
	grown := m.growth.of(all, known, m.counterNumbers)
	if elapsed <= 0 {
		return math.NaN()
	}
	return grown[0] / elapsed.Seconds()
}

// gaugeSum returns NaN if there is no series.
func gaugeSum(all []*dto.Metric) float64 {
	sum, n := 0.0, 0
	for _, s := range all {
		v := math.NaN()
		switch {
		case s.Gauge != nil:
			v = s.Gauge.GetValue()
		case s.Untyped != nil:
			v = s.Untyped.GetValue()
		}
		if !math.IsNaN(v) {
			sum, n = sum+v, n+1
		}
	}
	if n == 0 {
		return math.NaN()
	}
	return sum
}

// worstQuantile returns the largest of the series' quantiles: quantiles cannot be added.
func (m *metric) worstQuantile(all []*dto.Metric) float64 {
	worst := math.NaN()
	for _, s := range all {
		for _, q := range s.GetSummary().GetQuantile() {
			if v := q.GetValue(); q.GetQuantile() == m.quantile && !math.IsNaN(v) && !(worst >= v) {
				worst = v
			}
		}
	}
	return worst
}

// counterNumbers returns the total of a counter's series.
func (m *metric) counterNumbers(s *dto.Metric) []float64 {
	switch {
	case m.part != "" && (s.Histogram != nil || s.Summary != nil):
		count, sum := s.GetHistogram().GetSampleCount()+s.GetSummary().GetSampleCount(),
			s.GetHistogram().GetSampleSum()+s.GetSummary().GetSampleSum()
		if m.part == countPart {
			return []float64{float64(count)}
		}
		return []float64{sum}
	case s.Counter != nil:
		return []float64{s.Counter.GetValue()}
	case s.Untyped != nil:
		return []float64{s.Untyped.GetValue()}
	}
	return nil
}

func summaryNumbers(s *dto.Metric) []float64 {
	return []float64{float64(s.GetSummary().GetSampleCount()), s.GetSummary().GetSampleSum()}
}
