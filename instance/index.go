package instance

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"time"

	"github.com/gocasebook/casebook/internal/redact"
	"github.com/gocasebook/casebook/internal/room"
)

// counts are the numbers of the pprof index page: profiles by name, each with its number of records.
type counts map[string]int

var errNotIndex = errors.New("this is not the index page of net/http/pprof; give the address whose /debug/pprof/ " +
	"shows the list of profiles")

// A NotFoundError says that no index page of net/http/pprof was found, and where it was looked for.
type NotFoundError struct {
	Tried []string // addresses, the first as it was given
	Errs  []error  // of each
}

func (e *NotFoundError) Unwrap() []error { return e.Errs }

// Error begins with what most likely must be fixed: missing credentials, otherwise the first address.
func (e *NotFoundError) Error() string {
	worst := 0
	for i, err := range e.Errs {
		if refused(err) {
			worst = i
			break
		}
	}
	var also []string
	for i, err := range e.Errs {
		if i != worst {
			also = append(also, e.Tried[i]+" "+brief(err))
		}
	}
	text := e.Errs[worst].Error()
	if len(also) > 0 {
		text += " (tried, too: " + strings.Join(also, ", ") + ")"
	}
	return text
}

func refused(err error) bool {
	var status *StatusError
	return errors.As(err, &status) && (status.Status == http.StatusUnauthorized ||
		status.Status == http.StatusForbidden)
}

// brief says in a word why an address is not that of the index.
func brief(err error) string {
	var status *StatusError
	if errors.As(err, &status) {
		return fmt.Sprint("answered ", status.Status)
	}
	if errors.Is(err, errNotIndex) {
		return "is another page"
	}
	return "did not answer"
}

// A place is where the index page of net/http/pprof is.
type place struct {
	index *url.URL
	dir   *url.URL // what names of profiles are appended to; ends with a slash
}

func newPlace(index *url.URL) *place {
	p := &place{index: index, dir: index}
	if _, page := splitUnix(index); !strings.HasSuffix(page, "/") {
		p.dir = at(index, page+"/")
	}
	return p
}

// index reads the pprof index page, and keeps it for what runs beside Sample. The first time it looks for it.
func (t *HTTP) index(ctx context.Context) (counts, error) {
	if p := t.found.Load(); p != nil {
		return t.readIndex(ctx, p.index)
	}
	var none NotFoundError
	for _, u := range t.candidates {
		c, err := t.readIndex(ctx, u)
		if err == nil {
			t.found.CompareAndSwap(nil, newPlace(u))
			return c, nil
		}
		if errors.As(err, new(*UnreachableError)) || ctx.Err() != nil { // the host's fault, not the path's
			return nil, err
		}
		none.Tried, none.Errs = append(none.Tried, redact.URL(u)), append(none.Errs, err)
	}
	return nil, &none
}

// readIndex reads the page at an address.
func (t *HTTP) readIndex(ctx context.Context, u *url.URL) (counts, error) {
	var c counts
	err := getURL(ctx, t.client, u, func(r io.Reader) error {
		return readText(r, maxIndex, func(br *bufio.Reader) (err error) {
			c, err = t.indexOf(br)
			return err
		})
	})
	if err != nil {
		return nil, err
	}
	t.seen.Store(&c)
	t.answered.Store(time.Now().UnixNano())
	return c, nil
}

// indexOf reads the counts of a page. One that fits into the reader's buffer takes no other memory.
func (t *HTTP) indexOf(br *bufio.Reader) (counts, error) {
	page, err := br.Peek(textBytes)
	if err == nil { // there may be more
		var lease *room.Lease
		page, lease, err = t.party.ReadAll(br, maxIndex)
		defer lease.Release()
	}
	switch {
	case err != nil && err != io.EOF:
		return nil, err
	case !isIndex(page):
		return nil, errNotIndex
	}
	return parseIndex(page), nil
}

// isIndex reports whether a page lists profiles, as every version of net/http/pprof does it.
func isIndex(page []byte) bool { return bytes.Contains(page, []byte("goroutine?debug=")) }

// maxRows is how many profiles are read of an index page.
const maxRows = 64

// Parts of a row of net/http/pprof's page: <tr><td>12</td><td><a href='goroutine?debug=1'>goroutine</a></td></tr>. They
// are looked for by hand, because a watch of many targets does so a thousand times a second.
var (
	cellBegins = []byte("<td>")
	cellEnds   = []byte("</td>")
	linkBegins = []byte("<td><a href=")
)

func parseIndex(page []byte) counts {
	c := make(counts)
	for rows := 0; rows < maxRows; {
		_, rest, ok := bytes.Cut(page, cellBegins)
		if !ok {
			break
		}
		page = rest
		number, name, rest, ok := parseRow(page)
		if !ok {
			continue
		}
		page = rest
		rows++
		if n, err := strconv.Atoi(string(number)); err == nil {
			c[string(name)] = n
		}
	}
	return c
}

// parseRow reads what follows the first <td> of a row, up to the query of its link.
func parseRow(all []byte) (number, name, rest []byte, ok bool) {
	b := bytes.TrimLeft(all, "0123456789")
	number = all[:len(all)-len(b)]
	b, closed := bytes.CutPrefix(b, cellEnds)
	link, ok := bytes.CutPrefix(bytes.TrimLeft(b, " \t\n\f\r"), linkBegins)
	if len(number) == 0 || !closed || !ok {
		return nil, nil, nil, false
	}
	if len(link) > 0 && (link[0] == '\'' || link[0] == '"') {
		link = link[1:]
	}
	end := bytes.IndexAny(link, "'\"?> ")
	if end < 0 || link[end] != '?' {
		return nil, nil, nil, false
	}
	name = link[bytes.LastIndexByte(link[:end], '/')+1 : end]
	for _, c := range name {
		ok = ok && c >= 'a' && c <= 'z'
	}
	return number, name, link[end+1:], ok && len(name) > 0
}
