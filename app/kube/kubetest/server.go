// Package kubetest stands in for a Kubernetes API server in tests: pods and events of the core/v1 API, and the proxy to
// pods, as https://kubernetes.io/docs/reference/using-api/api-concepts/ describes them. It is strict: what the API does
// not know is refused, and so is whoever has not the token. lab/kube holds the same client to a real API server.
package kubetest

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
)

// Token is what the server wants.
const Token = "t0ken-of-a-test"

// A Server is an API server with pods. Its methods are safe for concurrent use.
type Server struct {
	*httptest.Server

	mu       sync.Mutex // guards what follows
	version  int
	oldest   int // versions before it are forgotten
	pods     map[string]Object
	history  []change
	changed  chan struct{} // closed at the next change
	backends map[string]*url.URL
	token    string
	faults   []fault
	requests []Request
	events   []Object
}

// An Object is one of the API, as JSON has it.
type Object = map[string]any

type change struct {
	version int
	kind    string
	pod     Object
}

// A Request is one that the server got.
type Request struct {
	Method, Path string
	Query        url.Values
	Header       http.Header
}

// A fault replaces the next answer to requests whose method, path and query contain its text.
type fault struct {
	of     string
	answer func(http.ResponseWriter)
}

// New starts a server with a certificate of its own.
func New(t testing.TB) *Server {
	s := &Server{version: 100, pods: make(map[string]Object), changed: make(chan struct{}),
		backends: make(map[string]*url.URL), token: Token}
	mux := http.NewServeMux()
	mux.HandleFunc("GET /api/v1/pods", s.read)
	mux.HandleFunc("GET /api/v1/namespaces/{namespace}/pods", s.read)
	mux.HandleFunc("POST /api/v1/namespaces/{namespace}/events", s.event)
	mux.HandleFunc("/api/v1/namespaces/{namespace}/pods/{pod}/proxy/{page...}", s.proxy)
	s.Server = httptest.NewUnstartedServer(s.admit(mux))
	s.EnableHTTP2 = true
	s.StartTLS()
	t.Cleanup(func() {
		s.CloseClientConnections()
		s.Close()
	})
	return s
}

// admit notes a request, and refuses one without the token.
func (s *Server) admit(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		s.mu.Lock()
		s.requests = append(s.requests, Request{r.Method, r.URL.Path, r.URL.Query(), r.Header.Clone()})
		known := r.Header.Get("Authorization") == "Bearer "+s.token
		line := r.Method + " " + r.URL.Path + "?" + r.URL.RawQuery
		i := slices.IndexFunc(s.faults, func(f fault) bool { return strings.Contains(line, f.of) })
		var answer func(http.ResponseWriter)
		if i >= 0 {
			answer = s.faults[i].answer
			s.faults = slices.Delete(s.faults, i, i+1)
		}
		s.mu.Unlock()
		switch {
		case !known:
			Refuse(w, http.StatusUnauthorized, "Unauthorized", "Unauthorized")
		case answer != nil:
			answer(w)
		default:
			next.ServeHTTP(w, r)
		}
	})
}

// Refuse answers with a Status.
func Refuse(w http.ResponseWriter, code int, reason, message string) {
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(code)
	_ = json.NewEncoder(w).Encode(status(code, reason, message))
}

func status(code int, reason, message string) Object {
	return Object{"kind": "Status", "apiVersion": "v1", "metadata": Object{}, "status": "Failure", "message": message,
		"reason": reason, "code": code}
}

// Fail has the next request whose line contains a text answered by somebody else. Faults wait in their order.
func (s *Server) Fail(of string, answer func(http.ResponseWriter)) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.faults = append(s.faults, fault{of, answer})
}

// Rotate makes another token the one that is wanted.
func (s *Server) Rotate(token string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.token = token
}

// Put adds or changes a pod.
func (s *Server) Put(pod Object) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.version++
	meta := pod["metadata"].(Object)
	meta["resourceVersion"] = strconv.Itoa(s.version)
	key := meta["namespace"].(string) + "/" + meta["name"].(string)
	kind := "ADDED"
	if s.pods[key] != nil {
		kind = "MODIFIED"
	}
	s.pods[key] = pod
	s.note(kind, pod)
}

// Delete removes a pod.
func (s *Server) Delete(key string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	pod := s.pods[key]
	delete(s.pods, key)
	s.version++
	gone := clone(pod)
	gone["metadata"].(Object)["resourceVersion"] = strconv.Itoa(s.version)
	s.note("DELETED", gone)
}

// Bookmark tells watches how far they are.
func (s *Server) Bookmark() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.version++
	s.note("BOOKMARK", Object{"kind": "Pod", "apiVersion": "v1", "metadata": Object{
		"resourceVersion": strconv.Itoa(s.version), "creationTimestamp": nil}, "spec": Object{"containers": nil}, "status": Object{}})
}

// Forget forgets all versions until now, as a compaction of etcd does.
func (s *Server) Forget() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.version++
	s.oldest = s.version
	s.history = nil
}

// note wakes watches. s.mu is held.
func (s *Server) note(kind string, pod Object) {
	s.history = append(s.history, change{s.version, kind, clone(pod)})
	close(s.changed)
	s.changed = make(chan struct{})
}

func clone(o Object) (c Object) {
	text, _ := json.Marshal(o)
	_ = json.Unmarshal(text, &c)
	return c
}

// Requests are those that the server got until now.
func (s *Server) Requests() []Request {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.Clone(s.requests)
}

// Events are those that were written.
func (s *Server) Events() []Object {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.Clone(s.events)
}

// Backend is where the proxy sends requests to a port of a pod: "shop/cart-0:6060".
func (s *Server) Backend(pod, address string) {
	u, err := url.Parse(address)
	if err != nil {
		panic(err)
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.backends[pod] = u
}

// CA writes the server's certificate.
func (s *Server) CA(t testing.TB) string {
	t.Helper()
	return write(t, "ca.crt", pemOf(s.Certificate().Raw))
}

// Kubeconfig writes a file with the token.
func (s *Server) Kubeconfig(t testing.TB) string {
	t.Helper()
	return write(t, "config", fmt.Sprintf(`apiVersion: v1
kind: Config
current-context: test
clusters: [{name: test, cluster: {server: %q, certificate-authority: %q}}]
users: [{name: ann, user: {token: %q}}]
contexts: [{name: test, context: {cluster: test, user: ann, namespace: shop}}]
`, s.URL, s.CA(t), Token))
}

func write(t testing.TB, name, text string) string {
	t.Helper()
	file := filepath.Join(t.TempDir(), name)
	if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return file
}

func (s *Server) proxy(w http.ResponseWriter, r *http.Request) {
	s.mu.Lock()
	to := s.backends[r.PathValue("namespace")+"/"+r.PathValue("pod")]
	s.mu.Unlock()
	if to == nil {
		Refuse(w, http.StatusServiceUnavailable, "ServiceUnavailable",
			"error trying to reach service: dial tcp 10.244.1.7:6060: connect: connection refused")
		return
	}
	p := httputil.ReverseProxy{Rewrite: func(p *httputil.ProxyRequest) {
		p.Out.URL.Scheme, p.Out.URL.Host, p.Out.URL.Path = to.Scheme, to.Host, "/"+r.PathValue("page")
		p.Out.Header.Del("Authorization") // as the API server does: it is for itself
	}}
	p.ServeHTTP(w, r)
}

func (s *Server) event(w http.ResponseWriter, r *http.Request) {
	var e Object
	if err := json.NewDecoder(r.Body).Decode(&e); err != nil {
		Refuse(w, http.StatusBadRequest, "BadRequest", err.Error())
		return
	}
	about, _ := e["involvedObject"].(Object)
	meta, _ := e["metadata"].(Object)
	if about["namespace"] != r.PathValue("namespace") || meta["namespace"] != r.PathValue("namespace") {
		Refuse(w, http.StatusUnprocessableEntity, "Invalid", "involvedObject.namespace: does not match event.namespace")
		return
	}
	s.mu.Lock()
	s.events = append(s.events, e)
	s.mu.Unlock()
	w.WriteHeader(http.StatusCreated)
	_ = json.NewEncoder(w).Encode(e)
}

// Background runs something beside a test, and ends it and waits for it when the test ends.
func Background(t testing.TB, run func(context.Context)) {
	ctx, cancel := context.WithCancel(t.Context())
	var running sync.WaitGroup
	running.Go(func() { run(ctx) })
	t.Cleanup(func() {
		cancel()
		running.Wait()
	})
}
