// Package prometheus has the names of the real one.
package prometheus

type Metric interface{ Desc() *Desc }

type Desc struct{}

func NewDesc(name, help string, labels []string, constant map[string]string) *Desc { return nil }

func MustNewConstMetric(d *Desc, value float64, labels ...string) Metric { return nil }

type Labels map[string]string

type Counter interface{ Inc() }

type CounterVec struct{}

func NewCounterVec(name string, labels ...string) *CounterVec { return nil }

func (v *CounterVec) With(labels Labels) Counter { return nil }

func (v *CounterVec) GetMetricWith(labels Labels) (Counter, error) { return nil, nil }

func (v *CounterVec) WithLabelValues(values ...string) Counter { return nil }
