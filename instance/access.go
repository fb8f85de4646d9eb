package instance

import (
	"bytes"
	"errors"
	"fmt"
	"net/http"
	"net/netip"
	"net/url"
	"os"
	"strings"
)

// HTTPOptions say how a target outside is reached. The zero value is a plain connection without credentials.
//
// What they hold is secret. It is sent to the scheme, host and port of the target's URL, and to pages on the same host
// that somebody names (HTTP.PageClient, HTTP.Expvar); redirects to anywhere else are not followed. It is never shown
// and never written into a case. Files are read again when they have changed: tokens and certificates rotate.
type HTTPOptions struct {
	// Header is sent with every request. "Host" sets the name of the host that is asked for.
	Header http.Header
	// HeaderFile holds further ones, a line each: "X-Api-Key: s3cret". Empty lines and those that begin with # are
	// skipped.
	HeaderFile string
	// BearerFile holds a token, sent as "Authorization: Bearer TOKEN". Space around it is dropped.
	BearerFile string

	// CAFile holds certificates in PEM form that are trusted instead of the system's.
	CAFile string
	// CertFile and KeyFile hold the certificate and key in PEM form that a server may ask its clients for. The key may
	// be in the file of the certificate.
	CertFile, KeyFile string
	// Insecure accepts any certificate: anybody between can read and change everything, including the credentials.
	Insecure bool

	// Gateway is asked in the target's place; nil for none.
	Gateway *Gateway

	// Allow is asked before each connection, with the address that it goes to once names are resolved; its error
	// refuses the connection. It holds for the target and for all pages beside it. With it no proxy is used, because a
	// proxy would resolve the name itself. Unix domain sockets are not asked about. Nil allows every address. It may be
	// called by several goroutines at once.
	Allow func(netip.Addr) error
}

// Check reads the files and says what is wrong with the options; the error names every field at fault.
func (o HTTPOptions) Check() error {
	var errs []error
	for name, values := range o.Header {
		for _, v := range values {
			errs = append(errs, fieldError("Header", checkHeader(name, v)))
		}
	}
	if o.HeaderFile != "" {
		_, err := readHeaders(o.HeaderFile)
		errs = append(errs, fieldError("HeaderFile", err))
	}
	if o.BearerFile != "" {
		_, err := readToken(o.BearerFile)
		errs = append(errs, fieldError("BearerFile", err))
	}
	if o.KeyFile != "" && o.CertFile == "" {
		errs = append(errs, errors.New("field KeyFile: a key needs its certificate, CertFile"))
	}
	_, err := o.tlsConfig()
	return errors.Join(append(errs, err)...)
}

func fieldError(field string, err error) error {
	if err == nil {
		return nil
	}
	return fmt.Errorf("field %s: %w", field, err)
}

// ParseHeader reads "Name: value". The error does not show the value.
func ParseHeader(line string) (name, value string, err error) {
	name, value, found := strings.Cut(line, ":")
	name, value = strings.TrimSpace(name), strings.TrimSpace(value)
	if !found {
		return "", "", errors.New(`a header has no colon; want something like "X-Api-Key: secret"`)
	}
	return name, value, checkHeader(name, value)
}

func checkHeader(name, value string) error {
	const tokens = "!#$%&'*+-.^_`|~0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ" // RFC 9110, 5.6.2
	if name == "" || strings.Trim(name, tokens) != "" {
		return fmt.Errorf("%q is not a header name", name)
	}
	if strings.ContainsAny(value, "\r\n\x00") {
		return fmt.Errorf("the value of header %s holds a line break", name)
	}
	return nil
}

// maxSecretFile bounds a file of headers, a token or a certificate.
const maxSecretFile = 1 << 20

func readSecret(path string) ([]byte, error) {
	info, err := os.Stat(path)
	if err != nil {
		return nil, err
	}
	if info.Size() > maxSecretFile {
		return nil, fmt.Errorf("%s is larger than %d KiB", path, maxSecretFile>>10)
	}
	return os.ReadFile(path)
}

func readHeaders(path string) (http.Header, error) {
	data, err := readSecret(path)
	if err != nil {
		return nil, err
	}
	headers := make(http.Header)
	for i, line := range strings.Split(string(data), "\n") {
		line = strings.TrimSpace(line)
		if line == "" || line[0] == '#' {
			continue
		}
		name, value, err := ParseHeader(line)
		if err != nil {
			return nil, fmt.Errorf("%s:%d: %w", path, i+1, err)
		}
		headers.Add(name, value)
	}
	return headers, nil
}

func readToken(path string) (string, error) {
	data, err := readSecret(path)
	if err != nil {
		return "", err
	}
	token := bytes.TrimSpace(data)
	if len(token) == 0 {
		return "", fmt.Errorf("%s is empty; want a token", path)
	}
	if bytes.ContainsAny(token, "\r\n\x00") {
		return "", fmt.Errorf("%s has more than one line; want a token", path)
	}
	return string(token), nil
}

// An origin is where credentials may go: a scheme, a host and a port.
type origin struct{ scheme, host, port string }

func originOf(u *url.URL) origin {
	o := origin{strings.ToLower(u.Scheme), strings.ToLower(u.Hostname()), u.Port()}
	if o.port == "" {
		o.port = map[string]string{"http": "80", "https": "443"}[o.scheme]
	}
	return o
}

// covers reports whether credentials for o may be sent to a page that somebody named: on the same host, and not
// unencrypted if the target's are encrypted.
func (o origin) covers(page origin) bool {
	return o.host == page.host && (page.scheme == "https" || o.scheme != "https")
}
