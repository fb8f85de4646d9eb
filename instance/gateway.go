package instance

import (
	"crypto/tls"
	"errors"
	"net/http"
	"net/url"
	"slices"
	"strings"
)

// A Gateway passes requests on to a target: the API server of Kubernetes to a pod. The page /x of the target is the one
// at URL + /x. HTTPOptions of such a target are the gateway's: headers and tokens go there.
type Gateway struct {
	URL *url.URL
	// Shown is the target's address in cases and on terminals; "" is its URL, which leads nowhere without the gateway.
	Shown string
	TLS   *tls.Config // nil for the system's certificates
}

// through is a request to the target as one to the gateway. A target that redirects to /../secrets would otherwise have
// its gateway asked for another object's page, with the credentials of whoever watches.
func (g *Gateway) through(req *http.Request) error {
	if slices.Contains(strings.Split(req.URL.Path, "/"), "..") {
		return errors.New("a path with .. is not sent through a gateway")
	}
	to := *req.URL
	to.Scheme, to.Host = g.URL.Scheme, g.URL.Host
	to.Path, to.RawPath = strings.TrimSuffix(g.URL.Path, "/")+slashedFront(req.URL.Path), ""
	req.URL, req.Host = &to, g.URL.Host
	return nil
}
