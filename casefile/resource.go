package casefile

import (
	"maps"
	"net/url"
	"strings"
)

// attributes are names that people give labels, by OpenTelemetry's name of what they hold
// (opentelemetry.io/docs/specs/semconv/resource). The name itself counts, also with underscores for dots.
var attributes = [...][2]string{
	{"service.name", ""}, {"service.version", ""}, {"service.namespace", ""}, {"service.instance.id", "instance"},
	{"k8s.pod.name", "pod"}, {"k8s.pod.name", "pod_name"}, {"k8s.pod.uid", ""}, {"k8s.namespace.name", "namespace"},
	{"k8s.container.name", "container"}, {"k8s.deployment.name", "deployment"}, {"k8s.node.name", "node"},
	{"k8s.cluster.name", "cluster"}, {"host.name", "hostname"}, {"cloud.region", "region"},
	{"cloud.availability_zone", "zone"}, {"deployment.environment.name", "env"},
	{"deployment.environment.name", "environment"},
}

// NameResource adds to t.Resource what t has under OpenTelemetry's names. What is there stays: the process said it.
func (t *Target) NameResource() {
	out := make(map[string]string)
	add := func(name, value string) {
		if _, ok := out[name]; !ok && value != "" {
			out[name] = value
		}
	}
	maps.Copy(out, t.Resource)
	for _, a := range attributes {
		for _, label := range [...]string{a[0], strings.ReplaceAll(a[0], ".", "_"), a[1]} {
			add(a[0], t.Labels[label])
		}
	}
	add("service.name", t.Name)
	if t.Build.Version != "(devel)" {
		add("service.version", t.Build.Version)
	}
	add("service.version", t.Build.Revision)
	add("service.instance.id", out["k8s.pod.name"])
	if u, err := url.Parse(t.URL); err == nil && strings.HasPrefix(u.Scheme, "http") {
		add("service.instance.id", u.Host)
	}
	if t.Resource = out; len(out) == 0 {
		t.Resource = nil
	}
}

// ParseResource reads OTEL_RESOURCE_ATTRIBUTES, "name=value,name=value" with percent-encoded values, and
// OTEL_SERVICE_NAME, which wins. What cannot be read is left out: it is not ours to report.
func ParseResource(attributes, service string) map[string]string {
	out := make(map[string]string)
	for pair := range strings.SplitSeq(attributes, ",") {
		name, value, _ := strings.Cut(pair, "=")
		value, err := url.PathUnescape(strings.TrimSpace(value))
		if name = strings.TrimSpace(name); err == nil && name != "" && value != "" {
			out[name] = value
		}
	}
	if service != "" {
		out["service.name"] = service
	}
	return out
}
