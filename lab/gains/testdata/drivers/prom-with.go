package main

import "github.com/prometheus/client_golang/prometheus"

func work() func() {
	c := prometheus.NewCounterVec(prometheus.CounterOpts{Name: "requests"}, []string{"method", "code", "handler"})
	codes := []string{"200", "404", "500"}
	return func() {
		for _, code := range codes {
			c.WithLabelValues("GET", code, "/items").Inc()
		}
	}
}
