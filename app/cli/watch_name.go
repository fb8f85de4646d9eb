package cli

import (
	"net/url"

	"github.com/gocasebook/casebook/casefile"
)

// nameOf returns what lines of one target among several begin with: its name, with its address if another has the same
// name, and only the address until it has answered. A single target needs no name: "".
func (v *watchView) nameOf(target string, t casefile.Target) string {
	if !v.many {
		return ""
	}
	if t.Name != "" { // events of the process itself carry it
		v.names[target] = t.Name
	}
	name, host := v.names[target], hostOf(target)
	if name == "" {
		return host + " "
	}
	for other, same := range v.names {
		if other != target && same == name && name != host {
			return name + " " + host + " "
		}
	}
	return name + " "
}

// hostOf returns the host of a URL; if there is none, the whole text.
func hostOf(text string) string {
	if u, err := url.Parse(text); err == nil && u.Host != "" {
		return u.Host
	}
	return text
}
