package main

import "github.com/prometheus/common/model"

func work() func() {
	l := model.LabelSet{"__name__": "http_requests_total", "job": "api", "instance": "10.0.0.1:8080", "code": "200",
		"method": "GET", "handler": "/items"}
	return func() { sink = l.String() }
}
