package vitals

import "context"

// A Source gives signals that the target itself does not: a gauge of the service's own, the requests its handlers
// serve, a page of another exporter. Its signals are new ones, or built-in ones by name, which the target then lacks.
type Source struct {
	Name    string   // for people: "gauge queue_length", "prometheus http://127.0.0.1:9090/metrics"
	Signals []Signal // what it gives
	// Read sets values, one a signal and NaN before the call; what stays NaN is absent. It is called once per sample,
	// never twice at a time. It may take long: sampling does not wait for it. Nil declares signals that a target of
	// your own sets in its Sample.
	Read func(ctx context.Context, values []float64) error
}
