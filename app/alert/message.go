package alert

import "time"

// A message is what both send. Fields that are not here may come and go.
type message struct {
	Version string  `json:"version"`
	Alerts  []entry `json:"alerts"`
}

type entry struct {
	Status      string            `json:"status"`
	Labels      map[string]string `json:"labels"`
	Annotations map[string]string `json:"annotations"`
	StartsAt    time.Time         `json:"startsAt"`
	EndsAt      time.Time         `json:"endsAt"`
	Fingerprint string            `json:"fingerprint"`
}
