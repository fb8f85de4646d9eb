package reporter

import (
	"net/http"
	"net/url"
	"slices"
	"strings"
)

// address is what may be shown of a URL: scheme and host. The path is left out with the rest, for that of a webhook
// is its password.
func address(u *url.URL) string { return u.Scheme + "://" + u.Host }

// withoutSecrets is the text of a target's URL without userinfo, query and fragment; "" if it is none.
func withoutSecrets(raw string) string {
	u, err := url.Parse(raw)
	if err != nil || raw == "" {
		return ""
	}
	u.User, u.RawQuery, u.ForceQuery, u.Fragment, u.RawFragment = nil, "", false, "", ""
	return u.String()
}

// secrets are what texts from outside must not repeat, in lower case.
type secrets []string

// secretsOf collects what a URL and headers may not let slip: the path as a whole and its longer segments, userinfo,
// query, values of headers. Shorter pieces are words of any text ("api", "v1") and on their own no secret.
func secretsOf(u *url.URL, h http.Header) secrets {
	var s secrets
	add := func(shortest int, pieces ...string) {
		for _, p := range pieces {
			if p = strings.ToLower(strings.TrimSpace(p)); len(p) >= shortest && !slices.Contains(s, p) {
				s = append(s, p)
			}
		}
	}
	add(6, strings.Split(u.Path, "/")...)
	add(6, strings.Split(u.EscapedPath(), "/")...)
	add(4, u.Path, u.EscapedPath(), u.RawQuery)
	for _, values := range u.Query() {
		add(4, values...)
	}
	if u.User != nil {
		password, _ := u.User.Password()
		add(3, u.User.Username(), password, u.User.String())
	}
	for _, values := range h {
		for _, v := range values {
			add(4, v, v[strings.LastIndex(v, " ")+1:]) // "Bearer secret" and "secret"
		}
	}
	return s
}

// withheld replaces a text that repeats a secret. Cutting the secret out would leave its other spellings.
const withheld = "(a text that repeats a part of the address or a header; withheld)"

// clean makes a text from outside fit to be shown.
func (s secrets) clean(text string) string {
	low := strings.ToLower(text)
	if slices.ContainsFunc(s, func(secret string) bool { return strings.Contains(low, secret) }) {
		return withheld
	}
	return plain(text, 200)
}
