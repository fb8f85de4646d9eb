package likeness_test

import (
	"strings"
	"testing"

	"github.com/gocasebook/casebook/app/likeness"
	"github.com/gocasebook/casebook/casefile"
	"github.com/gocasebook/casebook/internal/checkout"
)

// modules are the main modules of recorded services, by the beginning of their names.
var modules = map[string]string{
	"caddy": "github.com/caddyserver/caddy/v2", "coredns": "github.com/coredns/coredns",
	"etcd": "go.etcd.io/etcd/server/v3", "nats": "github.com/nats-io/nats-server/v2",
	"prometheus": "github.com/prometheus/prometheus", "registry": "github.com/distribution/distribution/v3",
}

// recorded is a CPU profile of a well-known service under a load (lab/foreign), and its main module.
func recorded(t *testing.T, name string) (likeness.Profile, string) {
	t.Helper()
	data := checkout.File(t, "foreign/"+name+"/cpu.pb.gz")
	service, _, _ := strings.Cut(name, "-")
	return likeness.Profile{Kind: casefile.CPU, Data: data}, modules[service]
}

// TestBounds holds the bounds against recorded loads: the same requests at another rate, under another quota, on
// another disk or with another GOGC are like each other; other requests are not. Which requests are the same is what
// lab/foreign/services.json sends.
func TestBounds(t *testing.T) {
	for _, pair := range []struct {
		inCase, inLoad string
		low            bool
	}{
		{"caddy-quota", "caddy-full-quota", false},
		{"caddy-no-quota", "caddy-quota", false},
		{"caddy-disk-log", "caddy-no-quota", false},
		{"prometheus-limit", "prometheus-gogc", false},
		{"prometheus-quota", "prometheus-gogc", false},
		{"prometheus-limit", "prometheus-quota", false},
		{"etcd-quota", "etcd-healthy", false},
		{"etcd-quota", "etcd-quota-unused", false},
		{"nats-disk", "nats-disk-small", false},
		{"coredns-quota", "coredns-healthy", false},
		{"coredns-dnssec", "coredns-healthy", true},
		{"caddy-list", "caddy-healthy", true},
		{"prometheus-labels", "prometheus-healthy", true},
		{"prometheus-bursts", "prometheus-healthy", true},
		{"nats-disk", "nats-healthy", true},
		{"nats-memory", "nats-healthy", true},
		{"registry-catalogue", "registry-disk-small", true},
	} {
		c, module := recorded(t, pair.inCase)
		l, _ := recorded(t, pair.inLoad)
		s, err := likeness.Of(module, c, l, nil)
		if err != nil {
			t.Fatal(err)
		}
		t.Logf("%-20s %-20s %.2f", pair.inCase, pair.inLoad, s.Overlap)
		if s.Low != pair.low {
			t.Errorf("%s under the load of %s: low is %v, want %v: %s", pair.inCase, pair.inLoad, s.Low, pair.low, s.Text)
		}
	}
}

// finding is one whose place is a function.
func finding(function string) *casefile.Finding {
	return &casefile.Finding{ID: "CPU001", Where: []casefile.Frame{{Function: function}}}
}

// A finding's place tells loads apart whatever else they have in common.
func TestPlace(t *testing.T) {
	ill, module := recorded(t, "coredns-dnssec")
	other, _ := recorded(t, "coredns-healthy")
	f := finding("github.com/coredns/coredns/plugin/dnssec.Dnssec.sign.func1")
	s, err := likeness.Of(module, ill, ill, f)
	if err != nil || s.Low || s.Overlap < 0.99 || s.InCase < 0.9 || s.InLoad != s.InCase {
		t.Errorf("the same profile: %+v, %v", s, err)
	}
	s, err = likeness.Of(module, ill, other, f)
	if err != nil || !s.Low || s.InLoad > 0.01 || !strings.Contains(s.Text, "does not exercise what was ill") {
		t.Errorf("without signatures: %+v, %v", s, err)
	}
	if s.Finding != "CPU001" || !strings.Contains(s.Text, "dnssec.Dnssec.sign.func1, where CPU001 is, takes") {
		t.Errorf("the place is not named: %+v", s)
	}
	// a place that takes nothing of the case's CPU says nothing of the load
	s, err = likeness.Of(module, ill, ill, finding("github.com/coredns/coredns/plugin/cache.(*Cache).get"))
	if err != nil || s.Low || s.Finding != "" {
		t.Errorf("a place without CPU: %+v, %v", s, err)
	}
}

func TestUnreadable(t *testing.T) {
	c, module := recorded(t, "caddy-healthy")
	for _, data := range [][]byte{nil, []byte("no profile"), c.Data[:100]} {
		if _, err := likeness.Of(module, c, likeness.Profile{Kind: casefile.CPU, Data: data}, nil); err == nil ||
			!strings.Contains(err.Error(), "the load's cpu profile") {
			t.Errorf("%.10q: %v", data, err)
		}
	}
}

// Of a case the profile of the time when it was ill counts, and of a finding about memory what was allocated.
func TestOfCase(t *testing.T) {
	cpu, module := recorded(t, "nats-memory")
	heap := checkout.File(t, "foreign/nats-memory/heap.pb.gz")
	files := map[string][]byte{"before/cpu.pb.gz": []byte("of another time"), "cpu.pb.gz": cpu.Data, "heap.pb.gz": heap}
	read := func(file string) ([]byte, error) { return files[file], nil }
	c := casefile.Case{Target: casefile.Target{Build: casefile.Build{Module: module}},
		Evidence: []casefile.Evidence{{Kind: casefile.CPU, File: "before/cpu.pb.gz", Phase: casefile.Before},
			{Kind: casefile.CPU, File: "cpu.pb.gz", Phase: casefile.During},
			{Kind: casefile.Heap, File: "heap.pb.gz", Phase: casefile.During}},
		Diagnosis: casefile.Diagnosis{Findings: []casefile.Finding{{ID: "MEM001",
			Impact: casefile.Impact{Resource: "memory", Gain: casefile.Gain{Low: 0.1, High: 0.2}}}}}}
	about, taken := &c.Findings[0], likeness.Taken{CPU: cpu.Data, Heap: heap}
	if s := likeness.OfCase(&c, about, read, taken); s == nil || s.Of != casefile.Heap || s.Overlap < 0.99 {
		t.Errorf("a finding about memory: %+v", s)
	}
	c.Findings[0].Impact.Resource = "cpu"
	if s := likeness.OfCase(&c, about, read, taken); s == nil || s.Of != casefile.CPU || s.Overlap < 0.99 {
		t.Errorf("a finding about CPU: %+v", s)
	}
	if s := likeness.OfCase(&c, about, read, likeness.Taken{CPU: []byte("cut")}); s == nil || s.Low ||
		!strings.Contains(s.Text, "is not known") {
		t.Errorf("a profile that cannot be read: %+v", s)
	}
	c.Evidence = nil
	if s := likeness.OfCase(&c, about, read, taken); s != nil {
		t.Errorf("without a profile in the case: %+v", s)
	}
}
