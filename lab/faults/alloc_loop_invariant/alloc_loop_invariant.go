// Package alloc_loop_invariant writes comments into a page.
//
// The fault: the replacer of special characters is built for each comment.
package alloc_loop_invariant

import (
	"io"
	"net/http"
	"strings"

	"github.com/gocasebook/casebook/lab/faults"
)

// A Page has comments.
type Page struct {
	comments []string
	escape   func(comment string) string
}

// ServeHTTP writes all comments.
func (p *Page) ServeHTTP(w http.ResponseWriter, _ *http.Request) {
	n := 0
	for _, c := range p.comments {
		n += len(p.escape(c))
	}
	io.WriteString(w, strings.Repeat(".", n%80))
}

func newReplacer() *strings.Replacer {
	return strings.NewReplacer("&", "&amp;", "<", "&lt;", ">", "&gt;", "'", "&#39;", `"`, "&#34;", "(c)", "&copy;")
}

func escapeAnew(comment string) string {
	return newReplacer().Replace(comment)
}

func escapeKept() func(string) string {
	r := newReplacer()
	return r.Replace
}

func service(n int, escape func(string) string, perSecond float64) faults.Service {
	p := &Page{escape: escape}
	for range n {
		p.comments = append(p.comments, "a comment that has nothing to escape in it, as most have")
	}
	return faults.Service{Handler: p, Load: []faults.Call{{Path: "/comments", PerSecond: perSecond}}}
}

// Fault is the kind with its variants.
func Fault() faults.Fault {
	return faults.Fault{
		Kind: "alloc-loop-invariant", Text: "a strings.Replacer is built for each comment of a page",
		Culprit:  "alloc_loop_invariant.escapeAnew",
		Faulty:   func() faults.Service { return service(60, escapeAnew, 900) },
		Repaired: func() faults.Service { return service(60, escapeKept(), 900) },
		Limit:    func() faults.Service { return service(16, escapeAnew, 900) },
	}
}
