// Package redact shows URLs without the parts that hold secrets.
package redact

import (
	"net/url"
	"strings"
)

// URL is a URL without userinfo, query and fragment.
func URL(u *url.URL) string {
	c := *u
	c.User, c.RawQuery, c.Fragment = nil, "", ""
	return c.String()
}

// Text does the same for a text that is no URL.
func Text(text string) string {
	if i := strings.LastIndex(text, "@"); i >= 0 {
		text = "…" + text[i:]
	}
	text, _, _ = strings.Cut(text, "?")
	return text
}
