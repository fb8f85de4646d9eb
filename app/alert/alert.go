// Package alert reads the webhooks of Alertmanager and Grafana, and says which targets an alert is about.
//
// The problem: an alert names a service in the words of whoever wrote the rule, and its sender sends it again and again
// until it ends. The approach: plain functions. Parse turns a body into alerts, whose Key is the same for each time
// that the same alert is sent. Match compares an alert's labels with the targets that are watched, and never makes a
// new target: whoever may send alerts cannot make the server ask another address.
//
// Sources of the formats: https://prometheus.io/docs/alerting/latest/configuration/#webhook_config (version 4), and
// Grafana's documentation of its webhook notifier (version 1), which has the same fields and more.
package alert

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"
)

// A Format is whose webhook it is.
type Format struct {
	Name    string // in captures: "alertmanager"
	Title   string // for people
	version string
}

// The formats.
var (
	Alertmanager = Format{"alertmanager", "Alertmanager", "4"}
	Grafana      = Format{"grafana", "Grafana", "1"}
)

const (
	// MaxBody bounds a body. An alert has 1 KB or so.
	MaxBody = 2 << 20
	// MaxAlerts bounds the alerts in a body.
	MaxAlerts = 1000

	maxReason = 400 // bytes: what a list of cases shows
)

// An Alert fires, or has ended.
type Alert struct {
	Key    string            // the same as long as it fires
	Name   string            // of its rule
	Labels map[string]string // an alert is its labels
	Reason string            // for whoever reads the case
	Began  time.Time
	Ended  time.Time // zero while it fires
}

// Parse reads the body of a webhook. now is the end of an alert whose sender gives none.
func Parse(f Format, body []byte, now time.Time) ([]Alert, error) {
	var m message
	if err := json.Unmarshal(body, &m); err != nil {
		return nil, fmt.Errorf("it is not %s's webhook: %w", f.Title, err)
	}
	if m.Version != f.version {
		return nil, fmt.Errorf("it is of version %.20q, and %s's webhook is read in version %q", m.Version, f.Title,
			f.version)
	}
	if len(m.Alerts) > MaxAlerts {
		return nil, fmt.Errorf("it has %d alerts; %d at most are read: set max_alerts, or group them", len(m.Alerts),
			MaxAlerts)
	}
	var errs []error
	list := make([]Alert, 0, len(m.Alerts))
	for i := range m.Alerts {
		a, err := m.Alerts[i].read(f, now)
		if err != nil {
			errs = append(errs, fmt.Errorf("alert %d: %w", i, err))
			continue
		}
		list = append(list, a)
	}
	return list, errors.Join(errs...)
}

func (e *entry) read(f Format, now time.Time) (Alert, error) {
	a := Alert{Name: e.Labels["alertname"], Labels: e.Labels, Began: e.StartsAt.UTC()}
	switch e.Status {
	case "firing":
	case "resolved":
		if a.Ended = e.EndsAt.UTC(); e.EndsAt.IsZero() || e.EndsAt.After(now) {
			a.Ended = now.UTC()
		}
	default:
		return a, fmt.Errorf("its status is %.20q; want firing or resolved", e.Status)
	}
	if e.StartsAt.IsZero() {
		return a, errors.New("it has no startsAt")
	}
	for _, t := range []time.Time{a.Began, a.Ended} { // 9999-12-31T23:00:00-02:00 can be read, and not written in UTC
		if _, err := t.MarshalJSON(); err != nil {
			return a, fmt.Errorf("its startsAt or endsAt: %w", err)
		}
	}
	a.Key = f.Name + ":" + e.identity() + ":" + a.Began.Format(time.RFC3339Nano)
	a.Reason = e.reason(f)
	return a, nil
}

// identity is the fingerprint. Old senders have none: an alert is its labels.
func (e *entry) identity() string {
	if e.Fingerprint != "" && len(e.Fingerprint) <= 64 {
		return e.Fingerprint
	}
	sum := sha256.New()
	for _, name := range slices.Sorted(maps.Keys(e.Labels)) {
		fmt.Fprintf(sum, "%q=%q\n", name, e.Labels[name])
	}
	return hex.EncodeToString(sum.Sum(nil)[:16])
}

// reason says what fired, why and where.
func (e *entry) reason(f Format) string {
	text := "alert " + e.Labels["alertname"] + " (" + f.Title + ")"
	for _, name := range []string{"summary", "description", "message"} {
		if about := strings.Join(strings.Fields(e.Annotations[name]), " "); about != "" {
			text += ": " + about
			break
		}
	}
	if severity := e.Labels["severity"]; severity != "" {
		text += "; severity " + severity
	}
	return strings.ToValidUTF8(text[:min(len(text), maxReason)], "")
}

// ID is the ID of the capture that an alert asks of a target: the same however often it is sent.
func (a *Alert) ID(target string) string {
	sum := sha256.Sum256([]byte(a.Key + "\n" + target))
	return hex.EncodeToString(sum[:12])
}
