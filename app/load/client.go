package load

import (
	"errors"
	"net/http"
	"strings"

	"github.com/gocasebook/casebook/internal/redirect"
)

// newClient returns a client to send with: the caller's, or one with our own transport, which keeps every connection it
// has opened.
func newClient(cfg *Config, guard *Guard) *http.Client {
	client := &http.Client{}
	if cfg.Client != nil {
		*client = *cfg.Client
	} else {
		client.Transport = &http.Transport{
			DialContext:         guard.Dialer(cfg.Timeout),
			TLSClientConfig:     cfg.TLS.Clone(), // a transport writes into it
			TLSHandshakeTimeout: cfg.Timeout,
			MaxIdleConnsPerHost: cfg.MaxInFlight,
			DisableCompression:  true, // the target's answer as it is, and no decompression at our cost
			Protocols:           protocols(cfg.Protocol),
		}
	}
	client.CheckRedirect = redirect.Never
	return client
}

// protocols returns what a transport may speak. With both it asks the server by ALPN.
func protocols(p Protocol) *http.Protocols {
	set := &http.Protocols{}
	set.SetHTTP1(p != HTTP2)
	set.SetHTTP2(p != HTTP1)
	set.SetUnencryptedHTTP2(p == HTTP2) // only without HTTP/1 is it used for http URLs
	return set
}

// A streamError has the fields of net/http's own error of a reset HTTP/2 stream, which is not exported but lets
// errors.As copy it into a struct of the same fields.
type streamError struct {
	StreamID uint32
	Code     uint32
	Cause    error
}

func (e streamError) Error() string { return "HTTP/2 stream error" }

// brokenHTTP2 says that the server reset the stream or gave the connection up. net/http reports the connection only in
// words.
func brokenHTTP2(err error) bool {
	var reset streamError
	if errors.As(err, &reset) {
		return true
	}
	text := err.Error()
	return strings.Contains(text, "http2: server sent GOAWAY") ||
		strings.Contains(text, "http2: client connection lost")
}
