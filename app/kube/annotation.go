package kube

import (
	"fmt"
	"path"
	"slices"
	"strconv"
	"strings"
)

// Annotations that pods carry for others, and Casebook's own.
const (
	grafanaPrefix    = "profiles.grafana.com/" // Alloy: KIND.scrape, .port, .port_name, .scheme, .path
	grafanaService   = grafanaPrefix + "service_name"
	corootScrape     = "coroot.com/profile-scrape"
	corootPort       = "coroot.com/profile-port"
	prometheusPrefix = "prometheus.io/" // scrape, port, scheme, path
	defaultContainer = "kubectl.kubernetes.io/default-container"

	// RulesAnnotation names a file of rules among those that the watch was given, or is "off".
	RulesAnnotation = "gocasebook.github.io/rules"
	// BudgetAnnotation is a budget in the words of --budget.
	BudgetAnnotation = "gocasebook.github.io/budget"
)

// grafanaKinds are the kinds of profiles that Grafana's annotations have, those first that Casebook needs most.
var grafanaKinds = [...]string{"cpu", "memory", "goroutine", "block", "mutex"}

// profilePages are the last elements of addresses of profiles: what is before them is the index. The delta_ pages are
// those of grafana/pyroscope-go/godeltaprof.
var profilePages = [...]string{"profile", "heap", "allocs", "goroutine", "block", "mutex", "threadcreate", "trace",
	"delta_heap", "delta_block", "delta_mutex"}

const stdIndex = "/debug/pprof/"

// A place is where annotations say that something is served.
type place struct {
	port     int    // 0: no number is given
	portName string // of a container's port; ""
	scheme   string
	page     string
}

// placeOf reads the annotations prefix + port, port_name, scheme and path.
func placeOf(annotations map[string]string, prefix, page string) (p place, err error) {
	p = place{portName: annotations[prefix+"port_name"], scheme: "http", page: page}
	if text := annotations[prefix+"port"]; text != "" {
		if p.port, err = parsePort(text); err != nil {
			return p, fmt.Errorf("annotation %sport: %w", prefix, err)
		}
	}
	if text := annotations[prefix+"scheme"]; text != "" {
		if text != "http" && text != "https" {
			return p, fmt.Errorf("annotation %sscheme is %.20q; want http or https", prefix, text)
		}
		p.scheme = text
	}
	if text := annotations[prefix+"path"]; text != "" {
		if p.page, err = parsePath(text); err != nil {
			return p, fmt.Errorf("annotation %spath: %w", prefix, err)
		}
	}
	return p, nil
}

func parsePort(text string) (int, error) {
	n, err := strconv.Atoi(text)
	if err != nil || n < 1 || n > 65535 {
		return 0, fmt.Errorf("%.20q is not a port; want a number from 1 to 65535", text)
	}
	return n, nil
}

// parsePath is a path of the container, without what would lead out of it or add to the address.
func parsePath(text string) (string, error) {
	text, _, _ = strings.Cut(text, "?")
	bad := func(r rune) bool { return r <= ' ' || r >= 0x7f || r == '#' || r == '%' || r == '\\' }
	if len(text) > 200 || strings.ContainsFunc(text, bad) || slices.Contains(strings.Split(text, "/"), "..") {
		return "", fmt.Errorf("%.60q is not a path such as /debug/pprof/profile", text)
	}
	return "/" + strings.TrimPrefix(text, "/"), nil
}

// indexOf is the index's path of the path of a profile.
func indexOf(page string) string {
	if slices.Contains(profilePages[:], path.Base(page)) {
		page = path.Dir(page)
	}
	return strings.TrimSuffix(page, "/") + "/"
}

// profilePlaces are where the annotations say that profiles are served, the most important first.
func profilePlaces(annotations map[string]string) (places []place, problems []string) {
	for _, kind := range grafanaKinds {
		prefix := grafanaPrefix + kind + "."
		if annotations[prefix+"scrape"] != "true" {
			continue
		}
		p, err := placeOf(annotations, prefix, stdIndex)
		if err != nil {
			problems = append(problems, err.Error())
			continue
		}
		p.page = indexOf(p.page)
		places = append(places, p)
	}
	if annotations[corootScrape] == "true" {
		p := place{scheme: "http", page: stdIndex}
		var err error
		if text := annotations[corootPort]; text != "" {
			p.port, err = parsePort(text)
		}
		if err != nil {
			return places, append(problems, fmt.Sprintf("annotation %s: %v", corootPort, err))
		}
		places = append(places, p)
	}
	return places, problems
}

// metricsPlace is where prometheus.io/* says that metrics are served.
func metricsPlace(annotations map[string]string) (p place, ok bool, err error) {
	if annotations[prometheusPrefix+"scrape"] != "true" {
		return p, false, nil
	}
	p, err = placeOf(annotations, prometheusPrefix, "/metrics")
	return p, err == nil, err
}
