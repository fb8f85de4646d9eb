package grafana

// An annotation is what Grafana takes. Times are milliseconds since 1970.
type annotation struct {
	Time int64    `json:"time"`
	End  int64    `json:"timeEnd,omitempty"`
	Tags []string `json:"tags"`
	Text string   `json:"text"` // Grafana shows it as HTML, cleaned
}
