package target

import (
	"fmt"
	"net/url"
	"strings"

	"github.com/gocasebook/casebook/internal/redact"
)

// ParseURL reads what people type for a pprof endpoint: "localhost:6060", "http://host:6060",
// "http://host/debug/pprof/heap?debug=1". The result is the URL of the pprof index.
func ParseURL(text string) (*url.URL, error) {
	if !strings.Contains(text, "://") {
		text = "http://" + text
	}
	u, err := url.Parse(text)
	if err != nil {
		return nil, fmt.Errorf("%q is not a URL; want something like http://127.0.0.1:6060", redact.Text(text))
	}
	if u.Scheme != "http" && u.Scheme != "https" {
		return nil, fmt.Errorf("%s: scheme %q is not supported; use http or https", redact.URL(u), u.Scheme)
	}
	if u.Hostname() == "" {
		return nil, fmt.Errorf("%q names no host; want something like http://127.0.0.1:6060", redact.Text(text))
	}
	const index = "/debug/pprof"
	if i := strings.Index(u.Path, index); i >= 0 {
		u.Path = u.Path[:i+len(index)] + "/"
	} else {
		u.Path = strings.TrimSuffix(u.Path, "/") + index + "/"
	}
	u.Fragment, u.RawPath = "", ""
	q := u.Query() // a token may be in the query; what belongs to one profile must not be
	for _, k := range []string{"debug", "seconds", "gc"} {
		q.Del(k)
	}
	u.RawQuery = q.Encode()
	return u, nil
}
