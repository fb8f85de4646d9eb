package instance

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"net"
	"net/http"
	"net/netip"
	"net/url"
	"os"
	"slices"
	"strings"
	"sync"
	"syscall"
	"time"

	"github.com/gocasebook/casebook/internal/redirect"
)

// A transport sends requests to one origin with what HTTPOptions hold, and none to any other: no redirect leads there.
type transport struct {
	options HTTPOptions
	origin  origin
	socket  string // of a Unix domain socket that takes the place of host and port; "" for none
	asked   asked

	mu      sync.Mutex // guards what follows
	own     *http.Transport
	stamp   string      // of the files that own was made of
	headers http.Header // from the files, as they could last be read
	token   string
}

// newClient is for one origin. It reads no file yet.
func newClient(to origin, socket string, o HTTPOptions) *http.Client {
	return &http.Client{CheckRedirect: redirect.SameHost, Transport: &transport{options: o, origin: to, socket: socket}}
}

func newTransport() *http.Transport {
	return &http.Transport{
		Proxy:               http.ProxyFromEnvironment,
		DialContext:         (&net.Dialer{Timeout: dialTimeout}).DialContext,
		TLSHandshakeTimeout: dialTimeout,
		MaxIdleConnsPerHost: 4,
		WriteBufferSize:     1 << 10, // requests are small, and a watch may have thousands of connections
		ReadBufferSize:      2 << 10, // what is large is read past it
		IdleConnTimeout:     time.Minute,
		// Go's servers refuse more in requests by default; the client's own limit is 10 MiB, and does not count in the
		// pool of package room.
		MaxResponseHeaderBytes: 64 << 10,
		DisableCompression:     true, // profiles are gzipped already; compressing text would cost the target CPU
	}
}

const dialTimeout = 5 * time.Second

// RoundTrip implements http.RoundTripper.
func (t *transport) RoundTrip(req *http.Request) (*http.Response, error) {
	req = req.Clone(req.Context())
	if originOf(req.URL) != t.origin {
		return nil, fmt.Errorf("no other host than %s is asked", t.origin.host)
	}
	if g := t.options.Gateway; g != nil {
		if err := g.through(req); err != nil {
			return nil, err
		}
	}
	own, err := t.prepare(req)
	if err != nil {
		return nil, err
	}
	end := t.asked.begin()
	resp, err := own.RoundTrip(req)
	if err != nil {
		end()
		return nil, err
	}
	resp.Body = endingBody{resp.Body, end}
	return resp, nil
}

// CloseIdleConnections is found by http.Client.
func (t *transport) CloseIdleConnections() {
	t.mu.Lock()
	own := t.own
	t.mu.Unlock()
	if own != nil {
		own.CloseIdleConnections()
	}
}

// prepare gives a request its headers, and finds the connections that it goes over. A file that cannot be read while it
// is being replaced leaves what it held before.
func (t *transport) prepare(req *http.Request) (*http.Transport, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if err := t.readHeaders(); err != nil {
		return nil, err
	}
	for _, h := range []http.Header{t.headers, t.options.Header} {
		for name, values := range h {
			req.Header[http.CanonicalHeaderKey(name)] = values
		}
	}
	if t.token != "" {
		req.Header.Set("Authorization", "Bearer "+t.token)
	}
	if host := req.Header.Get("Host"); host != "" {
		req.Host = host
	}
	return t.connections()
}

// readHeaders reads the files of headers again: some 10 µs each. t.mu is held.
func (t *transport) readHeaders() error {
	if t.options.HeaderFile != "" {
		h, err := readHeaders(t.options.HeaderFile)
		if err == nil {
			t.headers = h
		} else if t.headers == nil {
			return fieldError("HeaderFile", err)
		}
	}
	if t.options.BearerFile != "" {
		token, err := readToken(t.options.BearerFile)
		if err == nil {
			t.token = token
		} else if t.token == "" {
			return fieldError("BearerFile", err)
		}
	}
	return nil
}

// connections are made again when a file of the TLS configuration has changed. t.mu is held.
func (t *transport) connections() (*http.Transport, error) {
	stamp := t.options.stamp()
	if t.own != nil && stamp == t.stamp {
		return t.own, nil
	}
	config, err := t.options.tlsConfig()
	switch {
	case err != nil && t.own == nil:
		return nil, err
	case err != nil:
		return t.own, nil
	case t.own != nil:
		t.own.CloseIdleConnections()
	}
	own := newTransport()
	own.TLSClientConfig, own.ForceAttemptHTTP2 = config, true
	if t.options.Allow != nil {
		own.Proxy = nil
		own.DialContext = (&net.Dialer{Timeout: dialTimeout, Control: t.options.control}).DialContext
	}
	if t.socket != "" {
		own.Proxy = nil
		own.DialContext = func(ctx context.Context, _, _ string) (net.Conn, error) {
			return (&net.Dialer{Timeout: dialTimeout}).DialContext(ctx, "unix", t.socket)
		}
	}
	t.own, t.stamp = own, stamp
	return own, nil
}

// control asks Allow. A dialer calls it with the address of each attempt, after names were resolved: a name that stands
// for another address at the next look cannot slip through.
func (o *HTTPOptions) control(_, address string, _ syscall.RawConn) error {
	to, err := netip.ParseAddrPort(address)
	if err != nil {
		return fmt.Errorf("checking the address: %w", err)
	}
	return o.Allow(to.Addr().Unmap().WithZone(""))
}

// stamp changes when a file of the TLS configuration does.
func (o *HTTPOptions) stamp() string {
	var b strings.Builder
	for _, path := range []string{o.CAFile, o.CertFile, o.KeyFile} {
		if path == "" {
			continue
		}
		if info, err := os.Stat(path); err == nil {
			fmt.Fprint(&b, info.ModTime().UnixNano(), info.Size(), " ")
		}
	}
	return b.String()
}

// tlsConfig is nil when nothing is asked for. The error names the field at fault.
func (o *HTTPOptions) tlsConfig() (*tls.Config, error) {
	if o.Gateway != nil && o.Gateway.TLS != nil {
		return o.Gateway.TLS.Clone(), nil
	}
	if o.CAFile == "" && o.CertFile == "" && !o.Insecure {
		return nil, nil
	}
	config := &tls.Config{InsecureSkipVerify: o.Insecure} //nolint:gosec // somebody asked for it
	if o.CAFile != "" {
		pem, err := readSecret(o.CAFile)
		if err != nil {
			return nil, fieldError("CAFile", err)
		}
		config.RootCAs = x509.NewCertPool()
		if !config.RootCAs.AppendCertsFromPEM(pem) {
			return nil, fieldError("CAFile", errors.New(o.CAFile+" holds no certificate in PEM form"))
		}
	}
	if o.CertFile != "" {
		key := o.KeyFile
		if key == "" {
			key = o.CertFile
		}
		cert, err := tls.LoadX509KeyPair(o.CertFile, key)
		if err != nil {
			return nil, fieldError("CertFile and KeyFile", err)
		}
		config.Certificates = []tls.Certificate{cert}
	}
	return config, nil
}

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

// A wireField is a field of a protobuf message (protobuf.dev/programming-guides/encoding).
type wireField struct {
	number, kind uint64
	v            uint64 // of a number
	data         string // of a wireBytes
}

const (
	wireVarint = 0
	wireFixed8 = 1
	wireBytes  = 2
	wireFixed4 = 5
)

// eachWire calls do for every field of a message, and reports whether the message and all calls were right.
func eachWire(message string, do func(wireField) bool) bool {
	for len(message) > 0 {
		f, size := nextWire(message)
		if size == 0 || !do(f) {
			return false
		}
		message = message[size:]
	}
	return true
}

// nextWire reads a field; size is 0 if there is none. The values of the fixed kinds are not read: profiles have none.
func nextWire(b string) (f wireField, size int) {
	tag, at := uvarint(b)
	if at == 0 {
		return f, 0
	}
	f.number, f.kind = tag>>3, tag&7
	v, n := uvarint(b[at:])
	switch f.kind {
	case wireVarint:
		f.v, size = v, at+n
	case wireBytes:
		if v <= uint64(len(b)-at-n) {
			f.data, size = b[at+n:at+n+int(v)], at+n+int(v)
		}
	case wireFixed8:
		n, size = 1, at+8
	case wireFixed4:
		n, size = 1, at+4
	}
	if n == 0 || size > len(b) {
		return f, 0
	}
	return f, size
}

// numbers appends those of a repeated field, packed or not.
func (f wireField) numbers(to *[]uint64) bool {
	switch f.kind {
	case wireVarint:
		*to = append(*to, f.v)
	case wireBytes:
		for b := f.data; len(b) > 0; {
			v, n := uvarint(b)
			if n == 0 {
				return false
			}
			*to, b = append(*to, v), b[n:]
		}
	default:
		return false
	}
	return true
}

// uvarint is binary.Uvarint of a string, whose n is 0 where a number does not end. Bits beyond 64 are lost, as
// google/pprof has it.
func uvarint(b string) (v uint64, n int) {
	for n < len(b) && n < 10 {
		c := b[n]
		v |= uint64(c&0x7f) << (7 * n)
		if n++; c < 0x80 {
			return v, n
		}
	}
	return 0, 0
}
