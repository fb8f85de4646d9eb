package instance

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"regexp"
	"strconv"
	"strings"
	"time"

	"github.com/gocasebook/casebook/internal/redact"
)

// counts are the numbers of the pprof index page: profiles by name, each with its number of records.
type counts map[string]int

// indexRow matches a row of net/http/pprof's page: <tr><td>12</td><td><a
// href='goroutine?debug=1'>goroutine</a></td></tr>
var indexRow = regexp.MustCompile(`<td>(\d+)</td>\s*<td><a href=['"]?(?:[^'"?> ]*/)?([a-z]+)\?`)

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
		page, lease, err := t.party.ReadAll(io.LimitReader(r, maxIndex), maxIndex)
		defer lease.Release()
		if err != nil {
			return err
		}
		if !isIndex(page) {
			return errNotIndex
		}
		c = parseIndex(page)
		return nil
	})
	if err != nil {
		return nil, err
	}
	t.seen.Store(&c)
	t.answered.Store(time.Now().UnixNano())
	return c, nil
}

// isIndex reports whether a page lists profiles, as every version of net/http/pprof does it.
func isIndex(page []byte) bool { return bytes.Contains(page, []byte("goroutine?debug=")) }

func parseIndex(page []byte) counts {
	c := make(counts)
	for _, m := range indexRow.FindAllSubmatch(page, 64) {
		if n, err := strconv.Atoi(string(m[1])); err == nil {
			c[string(m[2])] = n
		}
	}
	return c
}
