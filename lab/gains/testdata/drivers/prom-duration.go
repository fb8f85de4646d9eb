package main

import "github.com/prometheus/common/model"

func work() func() {
	texts := []string{"15s", "1m", "5m30s", "2h", "15d", "1h30m", "250ms"}
	return func() {
		for _, s := range texts {
			d, err := model.ParseDuration(s)
			check(err)
			sink = d
		}
	}
}
