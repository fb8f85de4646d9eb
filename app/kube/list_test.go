package kube

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/gocasebook/casebook/app/kube/kubetest"
)

// A list whose pages lead to each other without an end is an error after some of them.
func TestEndlessLists(t *testing.T) {
	for name, c := range map[string]struct {
		token func(n int) string
		most  int // requests
		want  string
	}{
		"to itself":    {func(int) string { return "again" }, 2, "leads to itself"},
		"to the next":  {func(n int) string { return fmt.Sprint("page", n) }, maxPages, "more than 1000 pages"},
		"to and again": {func(n int) string { return fmt.Sprint("page", n%2) }, maxPages, "more than 1000 pages"},
	} {
		t.Run(name, func(t *testing.T) {
			asked := 0
			s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
				asked++
				_, _ = fmt.Fprintf(w, `{"metadata":{"resourceVersion":"1","continue":%q},"items":[]}`, c.token(asked))
			}))
			defer s.Close()
			client := NewClient(Cluster{Server: s.URL}, "test")
			defer client.Close()
			_, err := client.list(t.Context(), scope{}, func(*Pod) {})
			if err == nil || !strings.Contains(err.Error(), c.want) || asked > c.most {
				t.Errorf("%d requests, %v; want %d at most, and an error with %q", asked, err, c.most, c.want)
			}
			t.Logf("attack: a list of pods whose pages lead %s: %d requests, then: %v", name, asked, err)
		})
	}
}

// What is no address is not asked, whatever an API server says, and neither is who has a name that none could have.
func TestHostilePods(t *testing.T) {
	for _, c := range []struct {
		pod, namespace, ip string
		want               int
	}{
		{"a", "shop", "10.1.0.1", 1},
		{"a", "shop", "2001:db8::1", 1},
		{"a", "shop", "10.1.0.1:80/x?", 0},
		{"a", "shop", "evil.example", 0},
		{"a", "shop", "fe80::1%eth0", 0},
		{"a", "shop", "127.0.0.1@evil.example", 0},
		{"a", "shop", "10.1.0.1\n", 0},
		{"a\x1b[2J", "shop", "10.1.0.1", 0},
		{"a", "sh\nop", "10.1.0.1", 0},
		{"../a", "shop", "10.1.0.1", 0},
	} {
		s := kubetest.New(t)
		s.Put(kubetest.Pod(c.namespace, c.pod, c.ip, grafana, 6060))
		var list []Endpoint
		_, err := clientOf(t, s).list(t.Context(), scope{}, func(p *Pod) { list, _ = p.Endpoints() })
		if err != nil || len(list) != c.want {
			t.Errorf("pod %q in %q at %q: %+v, %v; want %d", c.pod, c.namespace, c.ip, list, err, c.want)
		}
	}
	p := &Pod{}
	p.Metadata.Name, p.Metadata.Namespace, p.Status.Phase, p.Status.PodIP = "a", "shop", "Running", "10.1.0.1"
	p.Metadata.Annotations = map[string]string{grafanaService: "shop\x1b[2J\n"}
	if got := p.endpoint(bound{}).Service; strings.ContainsAny(got, "\x1b\n") {
		t.Errorf("the service is %q", got)
	}
}
