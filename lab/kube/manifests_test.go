package kube

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
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
	"Service": "services", "NetworkPolicy": "networkpolicies", "PodMonitor": "podmonitors",
	"CustomResourceDefinition": "customresourcedefinitions"}

// pathOf is where an object is at the API.
func pathOf(t *testing.T, o object) string {
	t.Helper()
	version, _ := o["apiVersion"].(string)
	path := "/apis/" + version
	if version == "v1" {
		path = "/api/v1"
	}
	if ns, ok := meta(o)["namespace"].(string); ok {
		path += "/namespaces/" + ns
	}
	plural, ok := plurals[o["kind"].(string)]
	if !ok {
		t.Fatalf("no plural of %s", o["kind"])
	}
	return path + "/" + plural + "/" + meta(o)["name"].(string)
}

// apply makes objects at the real API server, as kubectl apply --server-side does; fields that it does not know are
// refused.
func (c *cluster) apply(t *testing.T, all []object) {
	t.Helper()
	for _, o := range all {
		if code, text, err := c.tryApply(t, o, ""); err != nil || code/100 != 2 {
			t.Errorf("%s %s: %d %s %v", o["kind"], meta(o)["name"], code, text, err)
		}
	}
}

func (c *cluster) tryApply(t *testing.T, o object, query string) (code int, text []byte, err error) {
	t.Helper()
	return c.as(c.Token, http.MethodPatch, pathOf(t, o)+"?fieldManager=test&fieldValidation=Strict"+query, o)
}

// account installs the manifests, and is their service account's token.
func account(t *testing.T) (*cluster, string) {
	t.Helper()
	c := started(t)
	c.apply(t, render(t, "kustomize", deploy+"base"))
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

// chart is what the chart makes; its name is the release's, because what was a part of another form stays.
func chart(t *testing.T, name string) []object {
	t.Helper()
	return render(t, append([]string{"helm", deploy + "chart", "cb-" + name, "casebook"}, charts[name]...)...)
}

// The chart has the rights of the manifests, and what its values ask for.
func TestChart(t *testing.T) {
	started(t)
	base := rulesOf(render(t, "kustomize", deploy+"base"), "ClusterRole")
	for name := range charts {
		t.Run(name, func(t *testing.T) {
			all := chart(t, name)
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

// forms are all manifests, by what makes them.
func forms(t *testing.T) map[string][]object {
	t.Helper()
	read := func(file string) []object {
		text, err := os.ReadFile(deploy + file)
		if err != nil {
			t.Fatal(err)
		}
		return documents(t, text)
	}
	all := map[string][]object{"base": render(t, "kustomize", deploy+"base"), "plain": read("casebook.yaml"),
		"podmonitor": render(t, "kustomize", deploy+"podmonitor"), "sidecar": read("sidecar.yaml"),
		"laptop": read("laptop-role.yaml")}
	for name := range charts {
		all["chart-"+name] = chart(t, name)
	}
	return all
}

// Each object of each manifest is accepted by the API server, which keeps all its fields as they are written; the same
// object with a field that does not exist is refused.
func TestManifests(t *testing.T) {
	c := started(t)
	for _, ns := range []string{"casebook", "shop", "rights"} {
		c.namespace(t, ns)
	}
	c.podMonitors(t)
	kinds := make(map[string]int)
	for name, all := range forms(t) {
		t.Run(name, func(t *testing.T) {
			if len(all) == 0 {
				t.Error("it has no object")
			}
			for _, o := range all {
				what := fmt.Sprint(o["kind"], " ", meta(o)["name"])
				kinds[o["kind"].(string)]++
				if code, text, err := c.tryApply(t, o, ""); err != nil || code/100 != 2 {
					t.Errorf("%s: %d %s %v", what, code, text, err)
					continue
				}
				if lost := missing(o, c.must(t, http.MethodGet, pathOf(t, o), nil), ""); len(lost) > 0 {
					t.Errorf("%s is kept without %q", what, lost)
				}
				code, text, err := c.tryApply(t, misspelt(o), "&dryRun=All")
				if err != nil || code/100 == 2 || !strings.Contains(string(text), wrong) {
					t.Errorf("%s with the field %s: %d %s %v; want it refused", what, wrong, code, text, err)
				}
			}
		})
	}
	t.Logf("applied: %v", kinds)
}

// wrong is a field that no kind has.
const wrong = "replicsa"

// misspelt is an object with that field.
func misspelt(o object) object {
	o = maps.Clone(o)
	if spec, ok := o["spec"].(object); ok {
		spec = maps.Clone(spec)
		spec[wrong], o["spec"] = 1, spec
		return o
	}
	o[wrong] = 1
	return o
}

// missing are the fields of an object that another does not have, or has with another value.
func missing(want, got any, at string) (paths []string) {
	switch want := want.(type) {
	case object:
		has, ok := got.(object)
		if !ok {
			return []string{at} // {} is not nothing: a selector of all
		}
		for key, v := range want {
			paths = append(paths, missing(v, has[key], at+"."+key)...)
		}
	case []any:
		has, _ := got.([]any)
		if len(has) != len(want) {
			return []string{at}
		}
		for i, v := range want {
			paths = append(paths, missing(v, has[i], fmt.Sprintf("%s[%d]", at, i))...)
		}
	default:
		if fmt.Sprint(want) != fmt.Sprint(got) { // YAML has 1, JSON 1.0
			return []string{at}
		}
	}
	return paths
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
