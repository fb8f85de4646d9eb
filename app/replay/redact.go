package replay

import (
	"bytes"
	"encoding/json"
	"maps"
	"net/http"
	"net/textproto"
	"net/url"
	"slices"
	"strings"

	"github.com/gocasebook/casebook/internal/redact"
)

// droppedHeaders are those that belong to a connection or are made anew for each request.
var droppedHeaders = [...]string{"Connection", "Content-Length", "Host", "Keep-Alive", "Proxy-Connection", "Te",
	"Transfer-Encoding", "Upgrade", "If-None-Match", "If-Modified-Since", "Traceparent", "Tracestate", "X-Request-Id",
	"X-Forwarded-For", "X-Real-Ip", "Forwarded"}

// redact takes secrets out of a request.
func (s *sampler) redact(r *Request) {
	var n int
	if r.URL, n = redact.Target(r.URL); n > 0 {
		s.Redacted["parameter"] += n
	}
	for _, name := range slices.Collect(maps.Keys(r.Header)) {
		switch {
		case strings.HasPrefix(name, ":"), slices.Contains(droppedHeaders[:], textproto.CanonicalMIMEHeaderKey(name)):
			delete(r.Header, name)
		case slices.ContainsFunc(s.Headers, func(kept string) bool { return strings.EqualFold(kept, name) }):
		case redact.Name(name):
			delete(r.Header, name)
			s.Redacted["header "+textproto.CanonicalMIMEHeaderKey(name)]++
		}
	}
	if r.Body, n = body(r.Header, r.Body); n > 0 {
		s.Redacted["field of a body"] += n
	}
}

// body is a body in which the values of secret names are gone, and how many there were. One that is neither JSON nor a
// form only loses tokens.
func body(h http.Header, data []byte) ([]byte, int) {
	if len(data) == 0 {
		return data, 0
	}
	if strings.HasPrefix(h.Get("Content-Type"), "application/x-www-form-urlencoded") {
		text, n := redact.Query(string(data))
		return []byte(text), n
	}
	var v any
	dec := json.NewDecoder(bytes.NewReader(data))
	dec.UseNumber()
	if err := dec.Decode(&v); err == nil && !dec.More() {
		n := 0
		v = fields(v, &n)
		if n == 0 {
			return data, 0 // as it was sent, spaces and order too
		}
		var out bytes.Buffer
		enc := json.NewEncoder(&out)
		enc.SetEscapeHTML(false)
		if err := enc.Encode(v); err == nil {
			return bytes.TrimSuffix(out.Bytes(), []byte("\n")), n
		}
	}
	text, n := redact.Tokens(string(data))
	return []byte(text), n
}

// fields takes the values of secret names out of a JSON value.
func fields(v any, n *int) any {
	switch v := v.(type) {
	case map[string]any:
		for name, value := range v {
			if text, is := value.(string); is && text != "" && redact.Name(name) {
				v[name] = redact.Gone
				*n++
				continue
			}
			v[name] = fields(value, n)
		}
	case []any:
		for i := range v {
			v[i] = fields(v[i], n)
		}
	case string:
		text, tokens := redact.Tokens(v)
		*n += tokens
		return text
	}
	return v
}

// hasPath reports whether a request's path begins with a prefix.
func hasPath(target, prefix string) bool {
	path, _, _ := strings.Cut(target, "?")
	return strings.HasPrefix(path, prefix)
}

// pathOf is the path and query of a URL that may have a host, and that host.
func pathOf(raw string) (target, host string) {
	if strings.HasPrefix(raw, "/") {
		return raw, ""
	}
	u, err := url.Parse(raw)
	if err != nil || u.Host == "" {
		return "", ""
	}
	target = u.EscapedPath()
	if target == "" {
		target = "/"
	}
	if u.RawQuery != "" {
		target += "?" + u.RawQuery
	}
	return target, u.Host
}
