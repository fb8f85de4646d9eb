package report

import (
	"strings"

	"github.com/gocasebook/casebook/internal/words"
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
	return symbol{Path: function[:cut], Name: words.Symbol(function[cut:])}
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
