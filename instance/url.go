package instance

import (
	"fmt"
	"net/url"
	"path"
	"slices"
	"strings"

	"github.com/gocasebook/casebook/internal/redact"
)

// Addresses are URLs, and for a Unix domain socket URLs of the scheme unix, whose path is that of the socket and, after
// a colon, that of the page: unix:///run/app.sock:/debug/pprof/.
const (
	unixScheme = "unix"
	stdIndex   = "/debug/pprof/"
)

// parseURL reads what people type for an endpoint: "localhost:6060", "https://host/admin/pprof",
// "unix:///run/app.sock". The query stays but for what belongs to one profile: a token may be in it.
func parseURL(text string) (*url.URL, error) {
	if !strings.Contains(text, "://") {
		text = "http://" + text
	}
	u, err := url.Parse(text)
	if err != nil {
		return nil, fmt.Errorf("%q is not a URL; want something like http://127.0.0.1:6060", redact.Text(text))
	}
	u.Fragment, u.RawPath = "", ""
	switch {
	case u.Scheme == unixScheme && (u.Host != "" || len(u.Path) < 2 || u.Path[0] != '/'):
		return nil,
			fmt.Errorf("%q names no socket; want something like unix:///run/app.sock or "+
				"unix:///run/app.sock:/debug/pprof/",
				redact.Text(text))
	case u.Scheme == unixScheme:
		if !strings.Contains(u.Path, ":/") {
			u.Path = strings.TrimSuffix(u.Path, ":") + ":"
		}
	case u.Scheme != "http" && u.Scheme != "https":
		return nil, fmt.Errorf("%s: scheme %q is not supported; use http, https or unix", redact.URL(u), u.Scheme)
	case u.Hostname() == "":
		return nil, fmt.Errorf("%q names no host; want something like http://127.0.0.1:6060", redact.Text(text))
	}
	q := u.Query()
	for _, k := range []string{"debug", "seconds", "gc"} {
		q.Del(k)
	}
	u.RawQuery = q.Encode()
	return u, nil
}

// splitUnix cuts an address into its socket and the path of the page; "" for no socket.
func splitUnix(u *url.URL) (socket, page string) {
	if u.Scheme != unixScheme {
		return "", u.Path
	}
	socket, page, _ = strings.Cut(u.Path, ":/")
	if page == "" {
		return strings.TrimSuffix(socket, ":"), "/"
	}
	return socket, "/" + page
}

// wire is the address as package net/http sends it.
func wire(u *url.URL) *url.URL {
	if u.Scheme != unixScheme {
		return u
	}
	w := *u
	w.Scheme, w.Host = "http", "localhost"
	_, w.Path = splitUnix(u)
	return &w
}

// at is the address of another page of the same host.
func at(u *url.URL, page string) *url.URL {
	c := *u
	c.Path = page
	if socket, _ := splitUnix(u); socket != "" {
		c.Path = socket + ":" + page
	}
	return &c
}

// profileNames are the pages below the index. To ask for one of them may cost the target seconds of profiling.
var profileNames = []string{
	"allocs", "block", "cmdline", "goroutine", "goroutineleak", "heap", "mutex", "profile", "symbol", "threadcreate",
	"trace",
}

// candidates are the addresses at which the index page may be: the one that was given, then the usual ones. Of a bare
// host the usual one comes first.
func candidates(u *url.URL) []*url.URL {
	_, given := splitUnix(u)
	if slices.Contains(profileNames, path.Base(given)) { // a link to a profile was copied
		given = strings.TrimSuffix(given, path.Base(given))
	}
	var pages []string
	add := func(page string) {
		if !slices.Contains(pages, page) {
			pages = append(pages, page)
		}
	}
	if given == "" || given == "/" {
		add(stdIndex)
		add("/")
	} else {
		add(given)
		add(slashed(given))
		if i := strings.Index(given, "/debug/pprof"); i > 0 {
			add(given[:i] + stdIndex)
		}
		add(strings.TrimSuffix(given, "/") + stdIndex)
		add(stdIndex)
	}
	var all []*url.URL
	for _, page := range pages {
		all = append(all, at(u, page))
	}
	return all
}

func slashed(page string) string { return strings.TrimSuffix(page, "/") + "/" }
