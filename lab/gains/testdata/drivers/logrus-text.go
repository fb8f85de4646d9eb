package main

import (
	"io"

	"github.com/sirupsen/logrus"
)

func work() func() {
	l := logrus.New()
	l.SetOutput(io.Discard)
	l.SetFormatter(&logrus.TextFormatter{DisableColors: true})
	return func() {
		l.WithFields(logrus.Fields{"method": "GET", "path": "/items/17", "status": 200, "bytes": 5120,
			"agent": "curl/8.5 (linux)"}).Info("request served")
	}
}
