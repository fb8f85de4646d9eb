package pprofweb

import (
	"bytes"
	"fmt"
	"net/http"
	"net/url"
	"strings"
)

// maxPage bounds a page: twice the largest that was seen of a profile within maxNeeded.
const maxPage = 64 << 20

// pageOf makes a page, without what leads to those that are not served. A panic in pprof, as at a number in the query
// that does not fit, is an answer.
func pageOf(h http.Handler, q asked) (page []byte, err error) {
	defer func() {
		if r := recover(); r != nil {
			page, err = nil, fmt.Errorf("%w: %v", ErrRefused, r)
		}
	}()
	a := &answer{header: http.Header{}, code: http.StatusOK}
	h.ServeHTTP(a, &http.Request{Method: http.MethodGet, Header: http.Header{},
		URL: &url.URL{Path: "/" + q.Page, RawQuery: q.Query}})
	switch {
	case a.full:
		return nil, fmt.Errorf("%w: the page has more than %d MiB", ErrTooLarge, maxPage>>20)
	case a.code != http.StatusOK:
		return nil, fmt.Errorf("%w: %s", ErrRefused, strings.TrimSpace(a.body.String()))
	}
	return trim(a.body.Bytes())
}

// An answer is what a handler writes.
type answer struct {
	header http.Header
	code   int
	body   bytes.Buffer
	full   bool
}

func (a *answer) Header() http.Header  { return a.header }
func (a *answer) WriteHeader(code int) { a.code = code }

func (a *answer) Write(p []byte) (int, error) {
	if a.full = a.full || a.body.Len()+len(p) > maxPage; !a.full {
		a.body.Write(p)
	}
	return len(p), nil
}

// The links to pages that are not served, by a part of their tags. Each stands in a template of pprof as it is here: in
// text of a profile its quotes would be escaped.
func deadLinks() []string {
	return []string{`id="graphbtn"`, `id="list"`, `id="disasm"`, `id="action-source"`, `id="action-source-tab"`}
}

// icon keeps the browser from asking for one.
const icon = `<link rel="icon" href="data:,">`

// trim cuts out of a page the links to pages that are not served, and the menu of settings: they would be saved in, and
// are read from, the home directory of whoever runs the server. A page of pprof that looks otherwise than expected is
// not shown.
func trim(page []byte) ([]byte, error) {
	head, rest, ok := bytes.Cut(page, []byte("</head>"))
	if !ok {
		return nil, fmt.Errorf("%w: its page has no head", ErrRefused)
	}
	out := append(bytes.Clone(head), icon+"</head>"...)
	menus, rest, ok := bytes.Cut(rest, []byte(`<div id="errors">`)) // the end of pprof's header.html
	if !ok {
		return nil, fmt.Errorf("%w: its page has no menus", ErrRefused)
	}
	menus, err := replace(menus, `<div id="config" class="menu-item">`, `<div id="download" class="menu-item">`,
		`<div hidden><a id="save-config"></a></div>`) // pprof's script wants one
	if err == nil {
		menus, err = replace(menus, `<datalist id="config-list">`, `<input id="save-name"`, "")
	}
	if err != nil {
		return nil, err
	}
	for _, mark := range deadLinks() {
		menus, rest = withoutLink(menus, mark), withoutLink(rest, mark)
	}
	out = append(out, menus...)
	out = append(out, `<div id="errors">`...)
	return append(out, rest...), nil
}

// replace puts a text in the place of what begins with one and ends before another.
func replace(page []byte, begin, end, by string) ([]byte, error) {
	from := bytes.Index(page, []byte(begin))
	to := bytes.Index(page, []byte(end))
	if from < 0 || to < from {
		return nil, fmt.Errorf("%w: its page has no %s", ErrRefused, begin)
	}
	return append(append(bytes.Clone(page[:from]), by...), page[to:]...), nil
}

// withoutLink is a page without the link whose tag has the mark.
func withoutLink(page []byte, mark string) []byte {
	at := bytes.Index(page, []byte(mark))
	if at < 0 {
		return page
	}
	from, to := bytes.LastIndex(page[:at], []byte("<a ")), bytes.Index(page[at:], []byte("</a>"))
	if from < 0 || to < 0 {
		return page
	}
	return append(page[:from:from], page[at+to+len("</a>"):]...)
}
