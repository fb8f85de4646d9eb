// Package prometheus has the names of the real one.
package prometheus

type Metric interface{ Desc() *Desc }

type Desc struct{}

func NewDesc(name, help string, labels []string, constant map[string]string) *Desc { return nil }

func MustNewConstMetric(d *Desc, value float64, labels ...string) Metric { return nil }
