// Package redact shows URLs without the parts that hold secrets.
package redact

import (
	"errors"
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

// Cause is the cause of an error of package net/http, whose text begins with the URL that was asked for.
func Cause(err error) error {
	if e := (*url.Error)(nil); errors.As(err, &e) {
		return e.Err
	}
	return err
}
