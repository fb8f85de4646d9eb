package kube

import (
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"strconv"
	"strings"

	"github.com/gocasebook/casebook/instance"
)

// Scheme begins the address of a pod that is asked through the API server: k8s://shop/cart-0:6060.
const Scheme = "k8s://"

// Is reports whether an address is of a pod behind the API server.
func Is(address string) bool { return strings.HasPrefix(address, Scheme) }

// An Address is a port of a pod: k8s://NAMESPACE/POD:PORT/PATH?context=NAME&server=URL.
type Address struct {
	Namespace, Pod string
	Port           int
	TLS            bool   // the pod's own server speaks TLS: k8s://shop/https:cart-0:8443
	Path           string // of net/http/pprof; "" is looked for
	Context        string // of the kubeconfig; "" is the current one
	Server         string // of a kubectl proxy; "" for none
}

const wantAddress = "want something like k8s://shop/cart-6b8f5c9d7f-2v5nm:6060"

// ParseAddress reads an address. What it refuses could be another object's path at the API server.
func ParseAddress(text string) (a Address, err error) {
	u, err := url.Parse(text)
	if err != nil || u.User != nil || u.Fragment != "" {
		return a, fmt.Errorf("this is not an address of a pod: %s", wantAddress)
	}
	a.Namespace = u.Host
	pod, page, _ := strings.Cut(strings.TrimPrefix(u.Path, "/"), "/")
	pod, a.TLS = strings.CutPrefix(pod, "https:")
	name, port, found := strings.Cut(pod, ":")
	switch {
	case !isName(a.Namespace):
		return a, fmt.Errorf("%.60q is not a namespace: %s", a.Namespace, wantAddress)
	case !found:
		return a, fmt.Errorf("%.80s names no port: %s", text, wantAddress)
	case !isName(name):
		return a, fmt.Errorf("%.60q is not the name of a pod: %s", name, wantAddress)
	}
	a.Pod = name
	if a.Port, err = parsePort(port); err != nil {
		return a, fmt.Errorf("%w: %s", err, wantAddress)
	}
	if page != "" {
		if a.Path, err = parsePath(page); err != nil {
			return a, err
		}
	}
	for name, values := range u.Query() {
		switch name {
		case "context":
			a.Context = values[0]
		case "server":
			a.Server = values[0]
		default:
			return a, fmt.Errorf("%.40q means nothing in an address of a pod; context and server do", name)
		}
	}
	return a, nil
}

// isName reports whether a text can be the name of a pod or a namespace (RFC 1123).
func isName(text string) bool {
	bad := func(r rune) bool { return !(r >= 'a' && r <= 'z' || r >= '0' && r <= '9' || r == '-' || r == '.') }
	return text != "" && len(text) <= 253 && !strings.ContainsFunc(text, bad) && !strings.HasPrefix(text, ".") &&
		!strings.Contains(text, "..")
}

func (a Address) String() string {
	pod := a.Pod
	if a.TLS {
		pod = "https:" + pod
	}
	return Scheme + a.Namespace + "/" + pod + ":" + strconv.Itoa(a.Port) + a.Path
}

// root is the path at the API server below which all of the port's pages are.
func (a Address) root() string {
	pod := a.Pod
	if a.TLS {
		pod = "https:" + pod
	}
	return "/api/v1/namespaces/" + a.Namespace + "/pods/" + pod + ":" + strconv.Itoa(a.Port) + "/proxy"
}

// cluster is the one that an address means: a kubectl proxy, the kubeconfig's context, or the one around this pod.
func (a Address) cluster() (Cluster, error) {
	switch {
	case a.Server != "" && a.Context != "":
		return Cluster{}, errors.New("context and server are both given: a kubectl proxy has its own context")
	case a.Server != "":
		return AtAddress(a.Server)
	case a.Context == "" && InPod():
		return FromPod()
	}
	return FromConfig(a.Context)
}

// Proxy returns the URL of a pod, whose host is a name for people, and the options with which it is asked through the
// API server. o is what the user said of the target: credentials for the pod cannot be sent this way, because the API
// server would take them for its own.
func Proxy(address string, o instance.HTTPOptions) (string, instance.HTTPOptions, error) {
	a, err := ParseAddress(address)
	if err != nil {
		return "", o, err
	}
	if len(o.Header)+len(o.HeaderFile+o.BearerFile+o.CAFile+o.CertFile+o.KeyFile) > 0 || o.Insecure {
		return "", o, fmt.Errorf("%s: headers, tokens and certificates are of the kubeconfig, and cannot be given besides: "+
			"for a pod that asks for its own, use kubectl port-forward and http://127.0.0.1", a)
	}
	c, err := a.cluster()
	if err != nil {
		return "", o, fmt.Errorf("%s: %w", a, err)
	}
	to, err := url.Parse(c.Server + a.root())
	if err != nil {
		return "", o, fmt.Errorf("%s: the API server's address is not a URL", a)
	}
	o.Gateway, o.BearerFile = &instance.Gateway{URL: to, Shown: a.String(), TLS: c.TLS}, c.TokenFile
	if c.TokenFile == "" && c.Token != "" {
		o.Header = http.Header{"Authorization": {"Bearer " + c.Token}}
	}
	return fmt.Sprintf("http://%s.%s:%d%s", a.Pod, a.Namespace, a.Port, a.Path), o, nil
}
