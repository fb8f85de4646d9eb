package casefile

import (
	"maps"
	"testing"
)

// What a target says has OpenTelemetry's names, too. What its process said of itself stays.
func TestNameResource(t *testing.T) {
	for _, tt := range []struct {
		name   string
		target Target
		want   map[string]string
	}{
		{"nothing is known", Target{}, nil},
		{"outside", Target{Name: "shop", URL: "http://10.0.0.7:6060", Build: Build{Version: "v1.4.0", Revision: "4be1a7"}},
			map[string]string{"service.name": "shop", "service.version": "v1.4.0", "service.instance.id": "10.0.0.7:6060"}},
		{"a build without a version", Target{Name: "shop", Build: Build{Version: "(devel)", Revision: "4be1a7"}},
			map[string]string{"service.name": "shop", "service.version": "4be1a7"}},
		{"labels", Target{Name: "shop", URL: "http://10.0.0.7:6060", Labels: map[string]string{"pod": "shop-7",
			"namespace": "eu", "k8s_node_name": "n3", "team": "cart", "cloud.region": "eu-1"}},
			map[string]string{"service.name": "shop", "service.instance.id": "shop-7", "k8s.pod.name": "shop-7",
				"k8s.namespace.name": "eu", "k8s.node.name": "n3", "cloud.region": "eu-1"}},
		{"the process says it", Target{Name: "shop", URL: "http://10.0.0.7:6060", Resource: ParseResource(
			" service.instance.id = 7%2C8 ,bad,=x,host.name=,k8s.pod.name=p,wrong=%zz,service.name=other", "cart")},
			map[string]string{"service.name": "cart", "service.instance.id": "7,8", "k8s.pod.name": "p"}},
		{"an engine", Target{Name: "shop", URL: "pyroscope://host"}, map[string]string{"service.name": "shop"}},
	} {
		tt.target.NameResource()
		if !maps.Equal(tt.target.Resource, tt.want) {
			t.Errorf("%s: %v, want %v", tt.name, tt.target.Resource, tt.want)
		}
		first := maps.Clone(tt.target.Resource)
		if tt.target.NameResource(); !maps.Equal(first, tt.target.Resource) {
			t.Errorf("%s: a second time it is %v, want %v", tt.name, tt.target.Resource, first)
		}
	}
}
