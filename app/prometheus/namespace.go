package prometheus

import (
	"bytes"
	"slices"
	"strings"

	dto "github.com/prometheus/client_model/go"
)

// namespaces finds the metrics of requests that a program has under client_golang's usual names behind a namespace of
// its own, such as registry_http_request_duration_seconds: client_golang's Opts has a field Namespace, and
// prometheus.io/docs/practices/naming wants one. It returns a library for each namespace on the page.
//
// A namespace that has one of the words notServed counts what the program sends, or what serves the operator.
func namespaces(body []byte) (all []library) {
	for rest := body; len(rest) > 0; {
		var line []byte
		line, rest, _ = bytes.Cut(rest, []byte("\n"))
		name, ok := typedName(line)
		if !ok {
			continue
		}
		space, base, ok := cutNamespace(name)
		if !ok || slices.ContainsFunc(all, func(l library) bool { return l.namespace == space }) {
			continue
		}
		if slices.Contains(usual.duration, base) || slices.Contains(usual.counter, base) {
			all = append(all, usual.behind(space))
		}
	}
	return all
}

// notServed are words of a namespace whose requests are not those of users.
var notServed = []string{
	"admin", "backend", "client", "clients", "debug", "downstream", "egress", "external", "forward", "health",
	"metrics",
	"notifications", "outbound", "outgoing", "promhttp", "remote", "upstream", "upstreams", "webhook", "webhooks",
}

// typedName returns the name in a line "# TYPE name type".
func typedName(line []byte) (string, bool) {
	rest, ok := bytes.CutPrefix(line, []byte("# TYPE "))
	if !ok {
		return "", false
	}
	name, _, ok := bytes.Cut(rest, []byte(" "))
	return string(name), ok
}

// cutNamespace cuts registry_http_requests_total into registry and http_requests_total.
func cutNamespace(name string) (space, base string, ok bool) {
	i := strings.LastIndex(name, "_http_")
	if i <= 0 {
		return "", "", false
	}
	space, base = name[:i], name[i+1:]
	for word := range strings.SplitSeq(space, "_") {
		if slices.Contains(notServed, strings.ToLower(word)) {
			return "", "", false
		}
	}
	return space, base, true
}

// behind is the library with its HTTP metrics behind a namespace.
func (l library) behind(space string) library {
	names := func(of []string) (all []string) {
		for _, name := range of {
			if strings.HasPrefix(name, "http_") {
				all = append(all, space+"_"+name)
			}
		}
		return all
	}
	l.title, l.namespace = space+"_http_…", space
	l.duration, l.counter, l.inFlight = names(l.duration), names(l.counter), names(l.inFlight)
	return l
}

// fullest returns the library that has counted the most requests: several namespaces of one page are often the layers
// of one program, and counting a request in each would double it.
func fullest(f families, all []library) (best library) {
	most := -1.0
	for _, l := range all {
		n := 0.0
		for _, names := range [][]string{l.duration, l.counter} {
			n = max(n, countSeries(first(f, names)))
		}
		if n > most {
			best, most = l, n
		}
	}
	return best
}

func countSeries(f *dto.MetricFamily) (sum float64) {
	for _, s := range f.GetMetric() {
		if n := countOf(s); len(n) == 1 {
			sum += n[0]
		}
	}
	return sum
}
