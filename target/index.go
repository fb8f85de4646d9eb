package target

import (
	"bytes"
	"context"
	"errors"
	"io"
	"regexp"
	"strconv"
	"time"
)

// counts are the numbers of the pprof index page: profiles by name, each with its number of records.
type counts map[string]int

// indexRow matches a row of net/http/pprof's page: <tr><td>12</td><td><a href='goroutine?debug=1'>goroutine</a></td></tr>
var indexRow = regexp.MustCompile(`<td>(\d+)</td>\s*<td><a href=['"]?([a-z]+)\?`)

var errNotIndex = errors.New("this is not the index page of net/http/pprof; give the address whose /debug/pprof/ shows the list of profiles")

// index reads the pprof index page, and keeps it for what runs beside Sample.
func (t *HTTP) index(ctx context.Context) (counts, error) {
	var page []byte
	err := t.get(ctx, "", "", func(r io.Reader) error {
		var err error
		page, err = io.ReadAll(io.LimitReader(r, maxIndex))
		if err == nil && !bytes.Contains(page, []byte("goroutine")) {
			err = errNotIndex
		}
		return err
	})
	if err != nil {
		return nil, err
	}
	c := parseIndex(page)
	t.seen.Store(&c)
	t.answered.Store(time.Now().UnixNano())
	return c, nil
}

func parseIndex(page []byte) counts {
	c := make(counts)
	for _, m := range indexRow.FindAllSubmatch(page, 64) {
		if n, err := strconv.Atoi(string(m[1])); err == nil {
			c[string(m[2])] = n
		}
	}
	return c
}
