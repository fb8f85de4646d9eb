package heavy

import (
	"context"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"io"
	"math/rand/v2"
	"net/http"
	"time"
)

// opa decides for an application (roles), for a cluster (admission of pods) and for a gateway (tokens), tells an
// application which rows of a table somebody may see, and sends a log of its decisions. A controller writes the roles.
func opa() Service {
	return Service{
		Name: "opa", Module: "github.com/open-policy-agent/opa", Version: "v1.22.3", Main: ".", Unseen: true,
		Args: []string{"run", "--server", "--addr=127.0.0.1:{port}", "--log-level=error", "--skip-version-check",
			"--config-file={dir}/config.yaml", "{dir}/rbac.rego", "{dir}/admission.rego", "{dir}/gateway.rego",
			"{dir}/filter.rego", "{dir}/data.json"},
		Config: map[string]string{"config.yaml": `services:
  logs: {url: "http://127.0.0.1:{other}"}
decision_logs:
  service: logs
  reporting: {min_delay_seconds: 2, max_delay_seconds: 4}
`, "data.json": opaData(), "rbac.rego": opaRoles, "admission.rego": opaAdmission, "gateway.rego": opaGateway,
			"filter.rego": opaFilter},
		Ready: "/health",
		Load:  loadOpa,
	}
}

const opaRoles = `package app.rbac

default allow := false

allow if {
	some role in data.members[input.user].roles
	some grant in data.grants[role]
	grant.action == input.action
	glob.match(grant.resource, ["/"], input.resource)
}

allow if {
	data.members[input.user].admin
	not denied
}

denied if {
	input.action == "delete"
	startswith(input.resource, "audit/")
}

reasons contains sprintf("role %s grants %s", [role, grant.action]) if {
	some role in data.members[input.user].roles
	some grant in data.grants[role]
	grant.action == input.action
}
`

const opaAdmission = `package kubernetes.admission

response := {"allowed": count(deny) == 0, "status": {"message": concat("; ", deny)}}

containers contains c if some c in input.request.object.spec.containers
containers contains c if some c in input.request.object.spec.initContainers

deny contains sprintf("image %q comes from an untrusted registry", [c.image]) if {
	some c in containers
	not trusted(c.image)
}

trusted(image) if {
	some prefix in data.registries
	startswith(image, prefix)
}

deny contains sprintf("container %s has no limit of memory", [c.name]) if {
	some c in containers
	not c.resources.limits.memory
}

deny contains sprintf("container %s may run as root", [c.name]) if {
	some c in containers
	not c.securityContext.runAsNonRoot
	not input.request.object.spec.securityContext.runAsNonRoot
}

deny contains sprintf("the label %s is missing", [label]) if {
	some label in ["app", "team", "version"]
	not input.request.object.metadata.labels[label]
}

deny contains sprintf("the image %s has no version", [c.image]) if {
	some c in containers
	not regex.match(` + "`^.+:v?[0-9]+(\\.[0-9]+){1,2}$`" + `, c.image)
}

deny contains sprintf("port %d is taken", [port.hostPort]) if {
	some c in containers
	some port in c.ports
	port.hostPort < 1024
}
`

const opaGateway = `package envoy.authz

default allow := {"allowed": false, "http_status": 403}

token := payload if {
	[kind, jwt] := split(input.attributes.request.http.headers.authorization, " ")
	kind == "Bearer"
	[valid, _, payload] := io.jwt.decode_verify(jwt, {"secret": "of-two-minutes", "alg": "HS256", "iss": "idp"})
	valid
}

allow := {"allowed": true, "headers": {"x-user": token.sub, "x-teams": concat(",", token.teams)}} if {
	some route in data.routes
	route.method == input.attributes.request.http.method
	glob.match(route.path, ["/"], input.attributes.request.http.path)
	required := {s | some s in route.scopes}
	count(required - {s | some s in split(token.scope, " ")}) == 0
}
`

const opaFilter = `package app.filter

allow if input.user == data.reports[_].owner

allow if {
	some report in data.reports
	report.team == data.members[input.user].team
	report.level <= input.level
}
`

// opaData is who may do what.
func opaData() string {
	r := rand.New(rand.NewPCG(1, 31))
	kinds, actions := []string{"invoices", "orders", "users", "audit", "reports", "keys"},
		[]string{"read", "list", "write", "delete", "export"}
	grants := map[string]any{}
	for i := range 30 {
		var of []any
		for range 2 + r.IntN(12) {
			of = append(of, map[string]string{"action": pick(r, actions), "resource": pick(r, kinds) + "/" +
				pick(r, []string{"*", "eu/*", "us/*", fmt.Sprintf("team-%d/*", r.IntN(9))})})
		}
		grants[fmt.Sprintf("role-%d", i)] = of
	}
	members := map[string]any{}
	for i := range 2000 {
		members[fmt.Sprintf("user%d", i)] = opaMember(r)
	}
	var routes []any
	for i := range 25 {
		routes = append(routes, map[string]any{"method": pick(r, []string{"GET", "GET", "POST", "DELETE"}),
			"path":   fmt.Sprintf("/api/v%d/%s/*", 1+i%3, pick(r, kinds)),
			"scopes": []string{pick(r, []string{"api.read", "api.write", "openid"})}})
	}
	b, _ := json.Marshal(map[string]any{"grants": grants, "members": members, "routes": routes, // texts
		"registries": []string{"registry.example.com/", "gcr.io/distroless/", "docker.io/library/"}})
	return string(b)
}

func opaMember(r *rand.Rand) map[string]any {
	var roles []string
	for range 1 + r.IntN(4) {
		roles = append(roles, fmt.Sprintf("role-%d", r.IntN(30)))
	}
	return map[string]any{"roles": roles, "team": fmt.Sprintf("team-%d", r.IntN(9)), "admin": r.IntN(50) == 0}
}

func loadOpa(ctx context.Context, on Target) error {
	logs := &http.Server{Addr: on.Other, ReadHeaderTimeout: time.Second,
		Handler: http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			io.Copy(io.Discard, r.Body) // compressed decisions
			io.WriteString(w, "{}")
		})}
	go logs.ListenAndServe() // until it is closed
	defer logs.Close()
	base := "http://" + on.Addr
	clients := times(4, browser(on, base, opaQuestion))
	clients = append(clients, times(1, browser(on, base, func(r *rand.Rand) request {
		time.Sleep(200 * time.Millisecond)
		path := fmt.Sprintf("/v1/data/members/user%d", r.IntN(2000))
		body, _ := json.Marshal(opaMember(r)) // texts
		if r.IntN(3) == 0 {
			q := post(path, `[{"op":"replace","path":"/admin","value":false}]`)
			q.method, q.header = http.MethodPatch, map[string]string{"Content-Type": "application/json-patch+json"}
			return q
		}
		q := post(path, string(body))
		q.method = http.MethodPut
		return q
	}))...)
	clients = append(clients, times(1, browser(on, base, func(*rand.Rand) request {
		time.Sleep(5 * time.Second)
		return get("/metrics")
	}))...)
	return together(ctx, clients...)
}

// opaQuestion is what applications ask.
func opaQuestion(r *rand.Rand) request {
	user := fmt.Sprintf("user%d", r.IntN(2100)) // some are unknown
	path, input := "/v1/data/app/rbac/allow", map[string]any{"user": user,
		"action": pick(r, []string{"read", "list", "write", "delete"}),
		"resource": pick(r, []string{"invoices", "orders", "users", "audit"}) + "/" +
			pick(r, []string{"eu/77", "us/12", "team-3/9", "4711"})}
	switch r.IntN(20) {
	case 0, 1, 2, 3, 4:
		path, input = "/v1/data/kubernetes/admission/response", opaReview(r)
	case 5, 6, 7, 8, 9:
		path, input = "/v1/data/envoy/authz/allow", map[string]any{"attributes": map[string]any{
			"source": map[string]any{"address": map[string]any{"socketAddress": map[string]any{"address": "10.0.0.7",
				"portValue": 40000 + r.IntN(9999)}}},
			"request": map[string]any{"http": map[string]any{"method": pick(r, []string{"GET", "POST"}),
				"path": fmt.Sprintf("/api/v%d/%s/%d", 1+r.IntN(3), pick(r, []string{"orders", "users", "keys"}), r.IntN(1000)),
				"host": "api.example.com", "headers": map[string]string{"authorization": "Bearer " + opaToken(user),
					"user-agent": "Mozilla/5.0", "accept": "application/json", "x-request-id": fmt.Sprint(r.Uint64())}}}}}
	case 10:
		path = "/v1/data/app/rbac" // with the reasons
	case 11:
		body, _ := json.Marshal(map[string]any{"query": "data.app.filter.allow == true", // texts and numbers
			"unknowns": []string{"data.reports"}, "input": map[string]any{"user": user, "level": r.IntN(5)}})
		return post("/v1/compile", string(body))
	case 12:
		body, _ := json.Marshal(map[string]any{"input": input, // texts
			"query": `some role in data.members[input.user].roles; data.grants[role][_].action == input.action`})
		return post("/v1/query", string(body))
	}
	body, _ := json.Marshal(map[string]any{"input": input}) // texts and numbers
	return post(path, string(body))
}

// opaReview is what the API server of a cluster asks before it takes a pod.
func opaReview(r *rand.Rand) map[string]any {
	var containers []any
	for i := range 1 + r.IntN(4) {
		c := map[string]any{"name": fmt.Sprintf("c%d", i), "image": pick(r, []string{"registry.example.com/shop/api:1.4.2",
			"gcr.io/distroless/static:v2.1", "nginx:latest", "docker.io/library/redis:7.4"}),
			"args": []string{"--listen=:8080", "--log=json"},
			"env": []any{map[string]string{"name": "REGION", "value": "eu"}, map[string]any{"name": "POD",
				"valueFrom": map[string]any{"fieldRef": map[string]string{"fieldPath": "metadata.name"}}}},
			"ports":        []any{map[string]any{"containerPort": 8080, "protocol": "TCP"}},
			"volumeMounts": []any{map[string]any{"name": "tmp", "mountPath": "/tmp"}}}
		if r.IntN(4) > 0 {
			c["resources"] = map[string]any{"limits": map[string]string{"memory": "256Mi", "cpu": "500m"},
				"requests": map[string]string{"memory": "128Mi", "cpu": "100m"}}
			c["securityContext"] = map[string]any{"runAsNonRoot": true, "readOnlyRootFilesystem": true}
		}
		containers = append(containers, c)
	}
	labels := map[string]string{"app": "shop", "team": "payments"}
	if r.IntN(3) > 0 {
		labels["version"] = "v1"
	}
	return map[string]any{"kind": "AdmissionReview", "apiVersion": "admission.k8s.io/v1", "request": map[string]any{
		"uid": fmt.Sprint(r.Uint64()), "kind": map[string]string{"kind": "Pod", "version": "v1"}, "operation": "CREATE",
		"userInfo": map[string]any{"username": "system:serviceaccount:kube-system:replicaset-controller",
			"groups": []string{"system:serviceaccounts", "system:authenticated"}},
		"object": map[string]any{"metadata": map[string]any{"name": fmt.Sprintf("shop-%d", r.IntN(1000)),
			"namespace": "shop", "labels": labels, "annotations": map[string]string{"prometheus.io/scrape": "true"}},
			"spec": map[string]any{"containers": containers, "restartPolicy": "Always", "serviceAccountName": "shop",
				"volumes": []any{map[string]any{"name": "tmp", "emptyDir": map[string]any{}}}}}}}
}

// opaToken is what the gateway's users send.
func opaToken(user string) string {
	claims, _ := json.Marshal(map[string]any{"iss": "idp", "sub": user, "exp": time.Now().Add(time.Hour).Unix(),
		"scope": "openid api.read", "teams": []string{"payments", "on-call"}}) // texts and numbers
	signed := base64.RawURLEncoding.EncodeToString([]byte(`{"alg":"HS256","typ":"JWT"}`)) + "." +
		base64.RawURLEncoding.EncodeToString(claims)
	mac := hmac.New(sha256.New, []byte("of-two-minutes"))
	io.WriteString(mac, signed)
	return signed + "." + base64.RawURLEncoding.EncodeToString(mac.Sum(nil))
}
