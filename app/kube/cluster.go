package kube

import (
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"net"
	"net/netip"
	"net/url"
	"os"
	"path/filepath"
	"strings"
)

// A Cluster is an API server, and who asks it. What it holds is secret.
type Cluster struct {
	// Server is the API server's address, without a slash at its end.
	Server string
	// TLS checks the server's certificate, and has the client's. It is nil of a server without TLS.
	TLS *tls.Config
	// Token and TokenFile say who asks; the file is read again for each request, because tokens rotate.
	Token, TokenFile string
	// Namespace is the one that is meant where none is named.
	Namespace string
	// From says where all of that is from, for errors.
	From string
}

// serviceAccount is where Kubernetes puts a pod's credentials.
const serviceAccount = "/var/run/secrets/kubernetes.io/serviceaccount"

// InPod reports whether this process runs in a pod that may ask the API server.
func InPod() bool {
	_, err := os.Stat(filepath.Join(serviceAccount, "token"))
	return err == nil && os.Getenv("KUBERNETES_SERVICE_HOST") != ""
}

// FromPod is the cluster that this process runs in.
func FromPod() (Cluster, error) {
	host, port := os.Getenv("KUBERNETES_SERVICE_HOST"), os.Getenv("KUBERNETES_SERVICE_PORT")
	if host == "" {
		return Cluster{}, errors.New("this process does not run in a pod: KUBERNETES_SERVICE_HOST is not set")
	}
	if port == "" {
		port = "443"
	}
	return fromAccount("https://"+net.JoinHostPort(host, port), serviceAccount)
}

// fromAccount reads a folder as Kubernetes mounts it.
func fromAccount(server, dir string) (c Cluster, err error) {
	c = Cluster{Server: server, TokenFile: filepath.Join(dir, "token"), From: "the service account of this pod"}
	if _, err = readToken(c.TokenFile); err != nil {
		return c, fmt.Errorf("the service account's token: %w; is automountServiceAccountToken false?", err)
	}
	ca, err := os.ReadFile(filepath.Join(dir, "ca.crt"))
	if err != nil {
		return c, fmt.Errorf("the API server's CA: %w", err)
	}
	c.TLS = &tls.Config{MinVersion: tls.VersionTLS12}
	if c.TLS.RootCAs, err = poolOf(ca); err != nil {
		return c, fmt.Errorf("the API server's CA, %s/ca.crt: %w", dir, err)
	}
	if ns, err := os.ReadFile(filepath.Join(dir, "namespace")); err == nil {
		c.Namespace = strings.TrimSpace(string(ns))
	}
	return c, nil
}

// AtAddress is a cluster behind an address without credentials: kubectl proxy's, which adds those of its kubeconfig. It
// must be on this machine, because whoever reads such a connection has them, too.
func AtAddress(address string) (Cluster, error) {
	u, err := url.Parse(address)
	if err != nil || u.Scheme != "http" || u.Host == "" || strings.Trim(u.Path, "/") != "" || u.User != nil {
		return Cluster{}, fmt.Errorf("%.80q is not the address of a kubectl proxy; want something like "+
			"http://127.0.0.1:8001", address)
	}
	if a, err := netip.ParseAddr(u.Hostname()); u.Hostname() != "localhost" && (err != nil || !a.IsLoopback()) {
		return Cluster{}, fmt.Errorf("%s is not on this machine; a kubectl proxy is asked on loopback alone, because the "+
			"connection to it is not encrypted: start kubectl proxy here", u.Host)
	}
	return Cluster{Server: "http://" + u.Host, From: "kubectl proxy at " + u.Host}, nil
}

func poolOf(pem []byte) (*x509.CertPool, error) {
	pool := x509.NewCertPool()
	if !pool.AppendCertsFromPEM(pem) {
		return nil, errors.New("there is no certificate in PEM form")
	}
	return pool, nil
}

// maxToken is more than any issuer makes.
const maxToken = 64 << 10

// readToken reads a token. The error does not show it.
func readToken(file string) (string, error) {
	text, err := os.ReadFile(file)
	if err != nil {
		return "", err
	}
	token := strings.TrimSpace(string(text))
	if err := checkToken(token); err != nil {
		return "", fmt.Errorf("%s: %w", file, err)
	}
	return token, nil
}

func checkToken(token string) error {
	bad := func(r rune) bool { return r <= ' ' || r >= 0x7f }
	if token == "" || len(token) > maxToken || strings.ContainsFunc(token, bad) {
		return errors.New("it is not a token: want one line of printable characters")
	}
	return nil
}
