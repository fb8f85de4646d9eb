package kube

import (
	"encoding/json"
	"fmt"
	"io/fs"
	"net/url"
	"strings"
	"testing"

	"go.yaml.in/yaml/v3"

	"github.com/gocasebook/casebook/app/txtartest"
)

// podFiles is the archive of pods as others write them.
const podFiles = "testdata/pods.txtar"

// readPod reads a pod of the archive, as kubectl get -o yaml prints it.
func readPod(t *testing.T, file string) *Pod {
	t.Helper()
	text, err := fs.ReadFile(txtartest.FS(t, podFiles), file)
	if err != nil {
		t.Fatal(err)
	}
	var any map[string]any
	if err := yaml.Unmarshal(text, &any); err != nil {
		t.Fatalf("%s: %v", file, err)
	}
	text, err = json.Marshal(any)
	if err != nil {
		t.Fatal(err)
	}
	p := new(Pod)
	if err := json.Unmarshal(text, p); err != nil {
		t.Fatalf("%s: %v", file, err)
	}
	return p
}

func (e *Endpoint) String() string {
	text := fmt.Sprintf("%s of %s is %s", e.Container, e.Service, e.URL)
	if e.Asked {
		text += ", asked"
	}
	if e.Metrics != "" {
		text += ", metrics " + e.Metrics
	}
	if e.Rules+e.Budget != "" {
		text += ", rules " + e.Rules + ", budget " + e.Budget
	}
	return text
}

// wantFound is what must be found in the pods, by file. The pods were written down before the code.
var wantFound = map[string][]string{
	"rideshare": {"ride-share-go of ride-share-go is http://10.244.1.17:6060/debug/pprof/"},
	"porch-server": {"porch-server of porch-server is http://10.244.2.9:8080/debug/pprof/, " +
		"metrics http://10.244.2.9:9464/metrics"},
	"istio-sidecar":  {"catalog of catalog is http://10.244.3.33:8080/debug/pprof/, metrics http://10.244.3.33:15020/stats/prometheus"},
	"pyroscope-ipv6": {"pyroscope of pyroscope is http://[fd00:10:244:1::5]:4040/debug/pprof/"},
	"node-exporter": {"node-exporter of node-exporter is http://192.168.49.3:9100/debug/pprof/, asked, " +
		"metrics http://192.168.49.3:9100/metrics"},
	"two-containers": {
		"gateway of gateway is http://10.244.4.2:6060/debug/pprof/, rules edge.json, budget cpu=20s",
		"authz of gateway-authz is http://10.244.4.2:6061/debug/pprof/, rules edge.json, budget cpu=20s"},
	"cronjob-https": {"run of billing is https://10.244.1.80:8443/admin/pprof/"},
}

// Pods as others write them: where profiles are to be found, and where none.
func TestPods(t *testing.T) {
	files, err := fs.Glob(txtartest.FS(t, podFiles), "*.yaml")
	if err != nil || len(files) < 10 {
		t.Fatal("the pods are not there:", files, err)
	}
	found := 0
	for _, file := range files {
		name, wanted := strings.CutPrefix(strings.TrimSuffix(file, ".yaml"), "found-")
		t.Run(name, func(t *testing.T) {
			list, problems := readPod(t, file).Endpoints()
			var got []string
			for i := range list {
				got = append(got, list[i].String())
			}
			if strings.Join(got, "\n") != strings.Join(wantFound[name], "\n") {
				t.Errorf("found\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(wantFound[name], "\n"))
			}
			if wanted && len(problems) > 0 {
				t.Errorf("problems: %q", problems)
			}
		})
		if wanted {
			found++
		}
	}
	if found != len(wantFound) {
		t.Errorf("%d files have something to be found, and %d are known", found, len(wantFound))
	}
}

// Faults of annotations are reported, with what was wanted, and no target comes of them.
func TestFaultyAnnotations(t *testing.T) {
	for name, c := range map[string]struct {
		annotation, value, want string
	}{
		"port":         {"profiles.grafana.com/cpu.port", "6060x", "want a number from 1 to 65535"},
		"port 0":       {"profiles.grafana.com/cpu.port", "0", "want a number"},
		"port name":    {"profiles.grafana.com/cpu.port_name", "debug", `no running container has a TCP port of the name "debug"`},
		"scheme":       {"profiles.grafana.com/cpu.scheme", "ftp", "want http or https"},
		"path":         {"profiles.grafana.com/cpu.path", "/../../etc/passwd", "not a path"},
		"encoded":      {"profiles.grafana.com/cpu.path", "/%2e%2e/x", "not a path"},
		"fragment":     {"profiles.grafana.com/cpu.path", "/x#y", "not a path"},
		"another host": {"profiles.grafana.com/cpu.path", "@10.0.0.1/", ""}, // a path of this host
	} {
		t.Run(name, func(t *testing.T) {
			p := readPod(t, "found-rideshare.yaml")
			p.Metadata.Annotations = map[string]string{"profiles.grafana.com/cpu.scrape": "true"}
			if name != "port name" {
				p.Metadata.Annotations["profiles.grafana.com/cpu.port"] = "6060"
			}
			p.Metadata.Annotations[c.annotation] = c.value
			list, problems := p.Endpoints()
			if c.want == "" {
				if len(list) != 1 || !strings.HasPrefix(list[0].URL, "http://10.244.1.17:6060/") {
					t.Errorf("found %v, %q", list, problems)
				}
				return
			}
			if len(list) != 0 || len(problems) != 1 || !strings.Contains(problems[0], c.want) {
				t.Errorf("found %v, problems %q; want none, and %q", list, problems, c.want)
			}
		})
	}
}

// Whatever annotations hold, an endpoint is at the pod's own address.
func FuzzAnnotations(f *testing.F) {
	f.Add("6060", "pprof", "http", "/debug/pprof/profile")
	f.Add("80@10.0.0.1", "", "https", "//10.0.0.1/x")
	f.Add("", "", "", "?x=/../")
	f.Fuzz(func(t *testing.T, port, portName, scheme, page string) {
		p := new(Pod)
		p.Metadata.Annotations = map[string]string{}
		for _, prefix := range []string{"profiles.grafana.com/cpu.", "prometheus.io/"} {
			for name, value := range map[string]string{"scrape": "true", "port": port, "port_name": portName,
				"scheme": scheme, "path": page} {
				p.Metadata.Annotations[prefix+name] = value
			}
		}
		p.Status.Phase, p.Status.PodIP = "Running", "10.9.8.7"
		p.Spec.Containers = []container{{Name: "app", Ports: []containerPort{{Name: "pprof", ContainerPort: 6060}}}}
		p.Status.ContainerStatuses = []containerStatus{{Name: "app"}}
		p.Status.ContainerStatuses[0].State.Running = &struct{}{}
		list, _ := p.Endpoints()
		for _, e := range list {
			for _, address := range []string{e.URL, e.Metrics} {
				if address != "" && hostOf(t, address) != "10.9.8.7" {
					t.Errorf("%q is elsewhere", address)
				}
			}
		}
	})
}

func hostOf(t *testing.T, address string) string {
	u, err := url.Parse(address)
	if err != nil {
		t.Errorf("%q: %v", address, err)
		return ""
	}
	return u.Hostname()
}
