package alert

import (
	"net"
	"net/url"
	"slices"
	"strings"
)

// A Target is one that is watched.
type Target struct {
	ID, URL, Service string
	Labels           map[string]string
}

// MostTargets is how many targets one alert captures from. An alert of a whole service with fifty instances is seen in
// a few of them.
const MostTargets = 3

// LabelTarget is the label of an alert that names a target by its ID or address, before anything else is looked at.
const LabelTarget = "casebook_target"

// serviceLabels are what people call a service in alerts: OpenTelemetry's name, and the habits of Prometheus and
// Kubernetes.
var serviceLabels = []string{"service", "service_name", "job", "app", "app_kubernetes_io_name", "container"}

// Match returns the targets that an alert is about, three at most. The first of these that finds any decides: the label
// casebook_target; the label instance, which is the target's host and port, or its host; a label with the service's
// name; a label that the target has, with the same value. With all but the first, a label that both have must have the
// same value in both. An alert that says nothing of the kind is about no target.
func Match(labels map[string]string, targets []Target) []Target {
	if named := labels[LabelTarget]; named != "" {
		return keep(targets, func(t *Target) bool { return t.ID == named || t.URL == named || hostPort(t.URL) == named })
	}
	agreeing := keep(targets, func(t *Target) bool { return agree(labels, t.Labels) >= 0 })
	at := instanceOf(labels["instance"])
	for _, test := range []func(*Target) bool{
		func(t *Target) bool { return at != "" && at == hostPort(t.URL) },
		func(t *Target) bool { return at != "" && host(at) == host(hostPort(t.URL)) },
		func(t *Target) bool { return isService(labels, t.Service) },
		func(t *Target) bool { return agree(labels, t.Labels) > 0 },
	} {
		if found := keep(agreeing, test); len(found) > 0 {
			return found[:min(len(found), MostTargets)]
		}
	}
	return nil
}

func keep(targets []Target, test func(*Target) bool) (kept []Target) {
	for i := range targets {
		if test(&targets[i]) {
			kept = append(kept, targets[i])
		}
	}
	return kept
}

// agree counts the labels that both have with the same value; -1 where one has another value.
func agree(alert, target map[string]string) (n int) {
	for name, value := range target {
		have, both := alert[name]
		switch {
		case both && have != value:
			return -1
		case both:
			n++
		}
	}
	return n
}

// isService compares whole names, and the last part of a module's path: shop is example.org/team/shop.
func isService(labels map[string]string, service string) bool {
	if service == "" {
		return false
	}
	short := service[strings.LastIndex(service, "/")+1:]
	return slices.ContainsFunc(serviceLabels, func(name string) bool {
		v := labels[name]
		return v != "" && (v == service || v == short)
	})
}

// instanceOf is the host and port of an instance label. Of a probe it is a whole URL.
func instanceOf(label string) string {
	if strings.Contains(label, "://") {
		return hostPort(label)
	}
	return label
}

func hostPort(address string) string {
	if u, err := url.Parse(address); err == nil {
		return u.Host
	}
	return ""
}

func host(hostPort string) string {
	if h, _, err := net.SplitHostPort(hostPort); err == nil {
		return h
	}
	return hostPort
}
