package main

import (
	"fmt"
	"time"

	"mosn.io/holmes"
	mlog "mosn.io/pkg/log"
)

// A holmesLogger hears of holmes' trips. Everything else that holmes logs is dropped unformatted, as a logger of level
// error would.
type holmesLogger struct {
	mlog.ErrorLogger // nil: what is not overridden is not called
	tell             func(event)
}

func (l *holmesLogger) Alertf(_ string, format string, args ...interface{}) {
	l.tell(event{Kind: evTrip, At: time.Now(), Text: fmt.Sprintf(format, args...)})
}

func (l *holmesLogger) Errorf(format string, args ...interface{}) {
	l.tell(event{Kind: evError, At: time.Now(), Text: fmt.Sprintf(format, args...)})
}

func (l *holmesLogger) Debugf(string, ...interface{}) {}
func (l *holmesLogger) Infof(string, ...interface{})  {}
func (l *holmesLogger) Warnf(string, ...interface{})  {}

// A holmesReporter hears of every file that is written.
type holmesReporter func(event)

func (tell holmesReporter) Report(_ string, filename string, _ holmes.ReasonType, _ string, _ time.Time, _ []byte,
	_ holmes.Scene) error {
	now := time.Now()
	tell(event{Kind: evEvidence, At: now, Text: filename})
	tell(event{Kind: evCase, At: now, Path: filename})
	return nil
}
