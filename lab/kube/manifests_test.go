package kube

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"os/exec"
	"slices"
	"strings"
	"testing"

	"go.yaml.in/yaml/v3"
)

const deploy = "../../app/deploy/"

// render is what the renderers of kustomize and Helm make of the manifests.
func render(t *testing.T, args ...string) []object {
	t.Helper()
	var out, errs bytes.Buffer
	cmd := exec.Command(binary, args...)
	cmd.Stdout, cmd.Stderr = &out, &errs
	if err := cmd.Run(); err != nil {
		t.Fatalf("%q: %v %s", args, err, errs.String())
	}
	return documents(t, out.Bytes())
}

func documents(t *testing.T, text []byte) (all []object) {
	t.Helper()
	d := yaml.NewDecoder(bytes.NewReader(text))
	for {
		var o object
		err := d.Decode(&o)
		if errors.Is(err, io.EOF) {
			return all
		}
		if err != nil {
			t.Fatal(err)
		}
		if o != nil {
			all = append(all, o)
		}
	}
}

// plurals are the kinds of the manifests, at the API.
var plurals = map[string]string{"Namespace": "namespaces", "ServiceAccount": "serviceaccounts",
	"ClusterRole": "clusterroles", "ClusterRoleBinding": "clusterrolebindings", "Role": "roles",
	"RoleBinding": "rolebindings", "PersistentVolumeClaim": "persistentvolumeclaims", "Deployment": "deployments",
	"Service": "services", "NetworkPolicy": "networkpolicies"}

// create makes objects at the real API server, which refuses fields that it does not know.
func (c *cluster) create(t *testing.T, all []object, query string) {
	t.Helper()
	for _, o := range all {
		kind, version := o["kind"].(string), o["apiVersion"].(string)
		if kind == "PodMonitor" { // of the Prometheus operator, which is not here
			continue
		}
		path := "/apis/" + version
		if version == "v1" {
			path = "/api/v1"
		}
		if ns, ok := meta(o)["namespace"].(string); ok {
			path += "/namespaces/" + ns
		}
		plural, ok := plurals[kind]
		if !ok {
			t.Fatalf("no plural of %s", kind)
		}
		code, text, err := c.as(c.Token, http.MethodPost, path+"/"+plural+"?fieldValidation=Strict"+query, o)
		if err != nil || code != http.StatusCreated && code != http.StatusConflict {
			t.Errorf("%s %s: %d %s %v", kind, meta(o)["name"], code, text, err)
		}
	}
}

// account installs the manifests, and is their service account's token.
func account(t *testing.T) (*cluster, string) {
	t.Helper()
	c := started(t)
	c.create(t, render(t, "kustomize", deploy+"base"), "")
	got := c.must(t, http.MethodPost, "/api/v1/namespaces/casebook/serviceaccounts/casebook/token",
		object{"apiVersion": "authentication.k8s.io/v1", "kind": "TokenRequest", "spec": object{}})
	return c, got["status"].(object)["token"].(string)
}

// may is all that the manifests' account may do.
var may = []struct{ method, path string }{
	{http.MethodGet, "/api/v1/pods?limit=1"},
	{http.MethodGet, "/api/v1/namespaces/shop/pods?limit=1"},
	{http.MethodGet, "/api/v1/pods?watch=1&timeoutSeconds=1"},
	{http.MethodPost, "/api/v1/namespaces/rights/events"},
}

// mayNot is what it may not, each of which the API server must refuse.
var mayNot = []struct{ method, path string }{
	{http.MethodGet, "/api/v1/namespaces/rights/pods/a"},
	{http.MethodPost, "/api/v1/namespaces/rights/pods"},
	{http.MethodDelete, "/api/v1/namespaces/rights/pods/a"},
	{http.MethodPut, "/api/v1/namespaces/rights/pods/a/status"},
	{http.MethodGet, "/api/v1/namespaces/rights/pods/a:6060/proxy/debug/pprof/"},
	{http.MethodGet, "/api/v1/namespaces/rights/pods/a/log"},
	{http.MethodPost, "/api/v1/namespaces/rights/pods/a/exec?command=sh"},
	{http.MethodPost, "/api/v1/namespaces/rights/pods/a/portforward"},
	{http.MethodGet, "/api/v1/secrets"},
	{http.MethodGet, "/api/v1/namespaces/casebook/secrets/casebook-metrics"},
	{http.MethodGet, "/api/v1/configmaps"},
	{http.MethodGet, "/api/v1/nodes"},
	{http.MethodGet, "/api/v1/events"},
	{http.MethodDelete, "/api/v1/namespaces/rights/events/a"},
	{http.MethodGet, "/apis/apps/v1/deployments"},
	{http.MethodPost, "/api/v1/namespaces/casebook/serviceaccounts/casebook/token"},
	{http.MethodPost, "/apis/rbac.authorization.k8s.io/v1/clusterrolebindings"},
}

// The manifests' account may do what it must, and nothing else: the API server says so itself.
func TestRights(t *testing.T) {
	c, token := account(t)
	c.namespace(t, "rights")
	for _, r := range may {
		var body any
		if r.method == http.MethodPost {
			body = object{"apiVersion": "v1", "kind": "Event", "metadata": object{"generateName": "a."},
				"involvedObject": object{"kind": "Pod", "namespace": "rights", "name": "a"}, "reason": "CaseOpened"}
		}
		if code, text, err := c.as(token, r.method, r.path, body); err != nil || code/100 != 2 {
			t.Errorf("%s %s: %d %s %v; want it allowed", r.method, r.path, code, text, err)
		}
	}
	for _, r := range mayNot {
		code, text, err := c.as(token, r.method, r.path, object{})
		if err != nil || code != http.StatusForbidden {
			t.Errorf("%s %s: %d %s %v; want 403", r.method, r.path, code, text, err)
		}
	}
	code, text, err := c.as(token, http.MethodPost, "/apis/authorization.k8s.io/v1/selfsubjectrulesreviews",
		object{"apiVersion": "authorization.k8s.io/v1", "kind": "SelfSubjectRulesReview", "spec": object{"namespace": "shop"}})
	if err != nil || code != http.StatusCreated {
		t.Fatalf("%d %s %v", code, text, err)
	}
	var review struct {
		Status struct {
			ResourceRules []struct{ Verbs, APIGroups, Resources []string }
		}
	}
	if err := json.Unmarshal(text, &review); err != nil {
		t.Fatal(err)
	}
	var rules []string
	for _, r := range review.Status.ResourceRules {
		if slices.ContainsFunc(r.Resources, func(s string) bool {
			return strings.HasPrefix(s, "selfsubject") || s == "clustertrustbundles"
		}) {
			continue // what Kubernetes lets every account do: ask who it is, and read certificates of the cluster
		}
		slices.Sort(r.Verbs)
		rules = append(rules, fmt.Sprint(r.Resources, r.Verbs))
	}
	slices.Sort(rules)
	if got := strings.Join(rules, " "); got != "[events] [create] [pods] [list watch]" {
		t.Errorf("the account's rights are %s", got)
	}
}

// charts are the ways in which the chart is tried.
var charts = map[string][]string{
	"alone": {"image.repository=r.example/casebook"},
	"namespaces": {"image.repository=r.example/casebook", "namespaces={shop,rights}", "selector=team in (a\\,b)",
		"rulesConfigMap=rules", "podMonitor.enabled=true"},
	"replicas": {"image.repository=r.example/casebook", "replicas=3", "storeSecret=store", "namespaces={shop}",
		"networkPolicy=false", "extraArgs={--kube-events=false}"},
}

// What the chart makes is accepted by the API server, field by field.
func TestChart(t *testing.T) {
	c := started(t)
	for _, ns := range []string{"casebook", "shop", "rights"} {
		c.namespace(t, ns)
	}
	base := rulesOf(render(t, "kustomize", deploy+"base"), "ClusterRole")
	for name, values := range charts {
		t.Run(name, func(t *testing.T) {
			all := render(t, append([]string{"helm", deploy + "chart", "cb", "casebook"}, values...)...)
			c.create(t, all, "&dryRun=All")
			if got := rulesOf(all, "ClusterRole"); got != base || got == "" {
				t.Errorf("the chart's rights are %s, those of the manifests %s", got, base)
			}
			kinds := make(map[string]int)
			for _, o := range all {
				kinds[o["kind"].(string)]++
			}
			if wide := kinds["ClusterRoleBinding"] == 1; wide != (name == "alone") {
				t.Errorf("the kinds are %v: only without namespaces is there a ClusterRoleBinding", kinds)
			}
			if (kinds["PersistentVolumeClaim"] == 1) != (name != "replicas") || (kinds["Role"] == 1) != (name == "replicas") ||
				(kinds["NetworkPolicy"] == 1) != (name != "replicas") || (kinds["PodMonitor"] == 1) != (name == "namespaces") {
				t.Errorf("the kinds are %v", kinds)
			}
		})
	}
	for want, values := range map[string][]string{
		"image.repository is needed": nil,
		"set storeSecret":            {"image.repository=x", "replicas=2"},
	} {
		out, err := exec.Command(binary, append([]string{"helm", deploy + "chart", "cb", "casebook"}, values...)...).
			CombinedOutput()
		if err == nil || !strings.Contains(string(out), want) {
			t.Errorf("%v: %v %s; want %q", values, err, out, want)
		}
	}
}

func rulesOf(all []object, kind string) (text string) {
	for _, o := range all {
		if o["kind"] == kind {
			text += fmt.Sprint(o["rules"])
		}
	}
	return text
}

// The other files are accepted, too.
func TestExamples(t *testing.T) {
	c := started(t)
	c.namespace(t, "shop")
	for _, file := range []string{"laptop-role.yaml", "sidecar.yaml"} {
		text, err := os.ReadFile(deploy + file)
		if err != nil {
			t.Fatal(err)
		}
		c.create(t, documents(t, text), "&dryRun=All")
	}
	all := render(t, "kustomize", deploy+"podmonitor")
	if len(all) != 1 || all[0]["kind"] != "PodMonitor" {
		t.Errorf("podmonitor is %v", all)
	}
}

// app/deploy/casebook.yaml is what kustomize makes of the base.
func TestPlain(t *testing.T) {
	started(t)
	got, err := exec.Command(binary, "kustomize", deploy+"base").Output()
	if err != nil {
		t.Fatal(err)
	}
	want, err := os.ReadFile(deploy + "casebook.yaml")
	if err != nil {
		t.Fatal(err)
	}
	if _, rest, _ := bytes.Cut(want, []byte("\n")); !bytes.Equal(rest, got) {
		t.Error("app/deploy/casebook.yaml is not what kustomize makes of app/deploy/base; make kube-plain writes it")
	}
}
