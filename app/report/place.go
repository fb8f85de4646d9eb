package report

import (
	"net/url"
	"strings"
)

// A symbol is a function's name split for the eye: the package's path is quiet, the rest is loud.
type symbol struct {
	Path string // "github.com/bluele/"
	Name string // "gcache.(*LRUCache).set"
}

// splitSymbol splits a function's full name behind the last slash of its package path. Type arguments may hold slashes
// of their own and are left alone.
func splitSymbol(function string) symbol {
	head := function
	if i := strings.IndexAny(head, "[("); i >= 0 {
		head = head[:i]
	}
	cut := strings.LastIndexByte(head, '/') + 1
	return symbol{Path: function[:cut], Name: function[cut:]}
}

// packageOf is the import path in a function's full name: "github.com/bluele/gcache", "" for assembly routines, which
// have none. A dot in the last element of a path is written %2e by the compiler ("gopkg.in/yaml%2ev3.Unmarshal").
func packageOf(function string) string {
	s := splitSymbol(function)
	name, _, found := strings.Cut(s.Name, ".")
	if !found {
		return ""
	}
	path := s.Path + name
	if plain, err := url.PathUnescape(path); err == nil {
		return plain
	}
	return path
}

// shortFile drops what comes before the module or the package in a file's path; the page has the full path on hover.
func shortFile(file string) string {
	for _, mark := range []string{"/pkg/mod/", "/vendor/", "/src/"} {
		if i := strings.LastIndex(file, mark); i >= 0 {
			return file[i+len(mark):]
		}
	}
	parts := strings.Split(file, "/")
	if len(parts) > 4 {
		return "…/" + strings.Join(parts[len(parts)-3:], "/")
	}
	return file
}
