package redact

import (
	"net/url"
	"regexp"
	"strings"
)

// Gone is what stands in the place of a secret.
const Gone = "redacted"

// secretWords are parts of the names of headers, parameters and fields whose values are secrets, in lower case.
var secretWords = [...]string{"authoriz", "authent", "oauth", "x-auth", "auth-", "auth_", "-auth", "_auth", "token",
	"secret", "passw", "pwd", "session", "cookie", "api-key", "apikey",
	"api_key", "access-key", "access_key", "credential", "signature", "csrf", "xsrf", "jwt", "otp", "code_verifier"}

// secretNames are whole names of that kind.
var secretNames = [...]string{"auth", "sid", "sig", "key", "code", "state", "pin", "cvv", "iban", "x-amz-security-token"}

// Name reports whether a header, a parameter or a field of this name may hold a secret.
func Name(name string) bool {
	name = strings.ToLower(name)
	for _, word := range secretWords {
		if strings.Contains(name, word) {
			return true
		}
	}
	for _, whole := range secretNames {
		if name == whole {
			return true
		}
	}
	return false
}

// tokenSyntax matches what is a secret whatever its name: a JSON Web Token, and long strings of letters and digits that
// nobody would write.
var tokenSyntax = regexp.MustCompile(`eyJ[A-Za-z0-9_-]{8,}\.[A-Za-z0-9_-]+(\.[A-Za-z0-9_-]*)?|\b[0-9a-fA-F]{40,}\b`)

// Tokens is a text in which such strings are gone, and how many there were.
func Tokens(text string) (string, int) {
	n := 0
	return tokenSyntax.ReplaceAllStringFunc(text, func(string) string { n++; return Gone }), n
}

// Query is a raw query in which the values of secret names are gone, in its order, and how many there were.
func Query(raw string) (string, int) {
	if raw == "" {
		return "", 0
	}
	n := 0
	pairs := strings.Split(raw, "&")
	for i, pair := range pairs {
		name, value, _ := strings.Cut(pair, "=")
		if plain, err := url.QueryUnescape(name); err == nil {
			name = plain
		}
		if value != "" && Name(name) {
			before, _, _ := strings.Cut(pair, "=")
			pairs[i] = before + "=" + Gone
			n++
		}
	}
	text, tokens := Tokens(strings.Join(pairs, "&"))
	return text, n + tokens
}

// Target is the path and query of a request without secrets, and how many there were.
func Target(target string) (string, int) {
	target, _, _ = strings.Cut(target, "#")
	path, query, has := strings.Cut(target, "?")
	path, n := Tokens(path)
	if !has {
		return path, n
	}
	query, m := Query(query)
	return path + "?" + query, n + m
}
