package server

import (
	"context"
	"log/slog"
	"strings"
	"sync"
	"time"

	"github.com/prometheus/client_golang/prometheus"

	"github.com/gocasebook/casebook/app/store"
	"github.com/gocasebook/casebook/internal/plain"
)

const (
	costsFresh = 10 * time.Second // several Prometheus servers may scrape one after the other
	costsWait  = 5 * time.Second  // for the store: Prometheus waits 10 s by default
)

// findingMetrics are gauges of each finding that asks for somebody now: of the ranking, and of open cases. While the
// store is away there are none, so that nobody takes old numbers for new ones.
type findingMetrics struct {
	keeper Keeper
	most   int // of the ranking, and of open cases
	log    *slog.Logger

	mu   sync.Mutex // guards what follows, and lets one ask the store at a time
	last costs
	read time.Time
}

// DefaultMetricFindings bounds the findings in /metrics, of the ranking and of open cases each: 60,000 series at most.
const DefaultMetricFindings = 10_000

// costs are what findings cost now.
type costs struct {
	list    []store.Cost
	leftOut int // beyond the bound
}

// findingLabels have the names of OpenTelemetry's resource attributes, where there is one.
var findingLabels = []string{"service_name", "service_version", "source", "id", "kind", "function"}

var (
	findingScore = prometheus.NewDesc("casebook_finding_score",
		"Score of a finding, 0 to 100: 25 is worth knowing, 75 hurts now.", findingLabels, nil)
	findingShare = prometheus.NewDesc("casebook_finding_cost_ratio",
		"What a finding costs, as a share of the service's resource.", append(findingLabels[:len(findingLabels):len(findingLabels)],
			"resource"), nil)
	findingCores = prometheus.NewDesc("casebook_finding_cost_cores",
		"What a finding costs in cores, as it is ranked.", findingLabels, nil)
	findingsLeftOut = prometheus.NewDesc("casebook_findings_left_out",
		"Findings that have no gauges, because there are too many.", nil, nil)
)

func (m *findingMetrics) Describe(to chan<- *prometheus.Desc) {
	to <- findingScore
	to <- findingShare
	to <- findingCores
	to <- findingsLeftOut
}

func (m *findingMetrics) Collect(to chan<- prometheus.Metric) {
	now, known := m.now()
	if !known {
		return
	}
	to <- prometheus.MustNewConstMetric(findingsLeftOut, prometheus.GaugeValue, float64(now.leftOut))
	seen := map[string]bool{}
	for _, c := range now.list {
		values := []string{c.Service, c.Version, c.Source, c.ID, c.Kind, c.Function}
		for i := range values { // a target's words: a scraper may print them
			values[i] = plain.Text(strings.ToValidUTF8(values[i], "\uFFFD"))
		}
		if key := strings.Join(values, "\x00"); seen[key] { // Prometheus refuses a page that has one twice
			continue
		} else {
			seen[key] = true
		}
		to <- prometheus.MustNewConstMetric(findingScore, prometheus.GaugeValue, float64(c.Score), values...)
		if c.Cores > 0 {
			to <- prometheus.MustNewConstMetric(findingCores, prometheus.GaugeValue, c.Cores, values...)
		}
		if c.Resource != "" {
			to <- prometheus.MustNewConstMetric(findingShare, prometheus.GaugeValue, c.Share, append(values, plain.Text(c.Resource))...)
		}
	}
}

// now is what the store says, or said a moment ago.
func (m *findingMetrics) now() (c costs, known bool) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if time.Since(m.read) < costsFresh {
		return m.last, true
	}
	ctx, cancel := context.WithTimeout(context.Background(), costsWait) // a collector is told of no request
	defer cancel()
	list, leftOut, err := m.keeper.Costs(ctx, m.most)
	if err != nil {
		m.log.Warn("metrics have no findings", "error", err)
		return costs{}, false
	}
	m.last, m.read = costs{list, leftOut}, time.Now()
	return m.last, true
}
