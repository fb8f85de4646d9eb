package kube

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strconv"
	"time"
)

const (
	pageSize = 500     // pods a page, as kubectl asks
	maxPage  = 1 << 30 // bytes of a page: 500 pods of 2 MiB
	maxPages = 1000    // of a list: three times the pods of the largest cluster that Kubernetes supports
	maxList  = 4 << 30 // bytes of all pages: a thousand pages of what pods usually are
	listTime = 10 * time.Minute
	maxEvent = 8 << 20 // bytes of one event: etcd keeps objects of 1.5 MiB, which JSON makes longer
)

// podsPath is where the pods of a namespace are; "" means all namespaces.
func podsPath(namespace string) string {
	if namespace == "" {
		return "/api/v1/pods"
	}
	return "/api/v1/namespaces/" + url.PathEscape(namespace) + "/pods"
}

// A scope says which pods are meant.
type scope struct{ namespace, selector string }

// query leaves out pods that have ended: in a cluster with many Jobs they are most of all.
func (s scope) query() url.Values {
	q := url.Values{"fieldSelector": {"status.phase!=Succeeded,status.phase!=Failed"}}
	if s.selector != "" {
		q.Set("labelSelector", s.selector)
	}
	return q
}

// list gives each pod to see, page by page, and returns the version to watch from. A list without an end ends in an error.
func (c *Client) list(ctx context.Context, s scope, see func(*Pod)) (version string, err error) {
	ctx, cancel := context.WithTimeoutCause(ctx, listTime, fmt.Errorf("reading the list of pods: it took more than %s",
		listTime))
	defer cancel()
	q := s.query()
	q.Set("limit", strconv.Itoa(pageSize))
	left := int64(maxList)
	for range maxPages {
		meta, err := c.page(ctx, podsPath(s.namespace), q, &left, see)
		switch {
		case err != nil && ctx.Err() != nil:
			return "", context.Cause(ctx)
		case err != nil:
			return "", err
		case meta.Continue == "":
			return meta.ResourceVersion, nil
		case meta.Continue == q.Get("continue"):
			return "", errors.New("reading the list of pods: each page leads to itself")
		}
		q.Set("continue", meta.Continue)
	}
	return "", fmt.Errorf("reading the list of pods: it has more than %d pages", maxPages)
}

type listMeta struct {
	ResourceVersion string `json:"resourceVersion"`
	Continue        string `json:"continue"`
}

// page decodes one pod after another: a page of all pods would be some MB of text and ten times that in maps.
//
// left is how many bytes the whole list may still have.
func (c *Client) page(ctx context.Context, path string, q url.Values, left *int64, see func(*Pod)) (meta listMeta,
	err error) {
	ctx, cancel := context.WithTimeout(ctx, answerWithin)
	defer cancel()
	resp, err := c.do(ctx, http.MethodGet, path, q, nil)
	if err != nil {
		return meta, err
	}
	defer resp.Body.Close()
	body := &io.LimitedReader{R: resp.Body, N: min(maxPage, *left)}
	defer func(most int64) { *left -= most - body.N }(body.N)
	d := json.NewDecoder(body)
	err = fields(d, func(name string) error {
		switch name {
		case "metadata":
			return d.Decode(&meta)
		case "items":
			return pods(d, see)
		}
		return d.Decode(new(json.RawMessage))
	})
	if err != nil && body.N <= 0 {
		return meta, fmt.Errorf("reading the list of pods: a page has more than %d MiB, or all have more than %d",
			maxPage>>20, maxList>>20)
	}
	if err != nil {
		return meta, fmt.Errorf("reading the list of pods: %w", err)
	}
	if meta.ResourceVersion == "" {
		return meta, errors.New("reading the list of pods: it has no resourceVersion; is this a Kubernetes API server?")
	}
	return meta, nil
}

// fields gives the names of an object's fields to read, which must decode the value.
func fields(d *json.Decoder, read func(name string) error) error {
	if err := want(d, json.Delim('{')); err != nil {
		return err
	}
	for d.More() {
		name, err := d.Token()
		if err != nil {
			return whole(err)
		}
		if err := read(name.(string)); err != nil { // the decoder lets nothing else be a field's name
			return whole(err)
		}
	}
	return want(d, json.Delim('}'))
}

func pods(d *json.Decoder, see func(*Pod)) error {
	next, err := d.Token()
	if err != nil || next == nil { // null: no pods
		return err
	}
	if next != json.Delim('[') {
		return errors.New("items are not a list")
	}
	for d.More() {
		p := new(Pod)
		if err := d.Decode(p); err != nil {
			return err
		}
		see(p)
	}
	return want(d, json.Delim(']'))
}

func want(d *json.Decoder, delim json.Delim) error {
	got, err := d.Token()
	if err != nil {
		return whole(err)
	}
	if got != delim {
		return fmt.Errorf("it is not what a Kubernetes API server answers: %.20q where %q should be", fmt.Sprint(got), delim)
	}
	return nil
}

// whole makes the end of a text within an object an error of its own.
func whole(err error) error {
	if errors.Is(err, io.EOF) {
		return io.ErrUnexpectedEOF
	}
	return err
}

// A change is one event of a watch.
type change struct {
	Type   string          `json:"type"` // ADDED, MODIFIED, DELETED, BOOKMARK, ERROR
	Object json.RawMessage `json:"object"`
}

// watch gives changes since a version to see, with the version that each leads to, until the server ends it or the
// connection breaks; then it returns nil: whoever watches asks again from the last version.
func (c *Client) watch(ctx context.Context, s scope, version string, last time.Duration,
	see func(kind string, p *Pod)) error {
	ctx, cancel := context.WithTimeout(ctx, last+answerWithin) // if the server forgets its own limit
	defer cancel()
	q := s.query()
	q.Set("watch", "1")
	q.Set("allowWatchBookmarks", "true")
	q.Set("resourceVersion", version)
	q.Set("timeoutSeconds", strconv.Itoa(int(last.Seconds())))
	resp, err := c.do(ctx, http.MethodGet, podsPath(s.namespace), q, nil)
	if err != nil {
		return err
	}
	defer resp.Body.Close()
	limited := &io.LimitedReader{R: resp.Body}
	d := json.NewDecoder(limited)
	for {
		limited.N = maxEvent
		var e change
		if err := d.Decode(&e); err != nil {
			if limited.N <= 0 {
				return fmt.Errorf("watching pods: an event is larger than %d MiB", maxEvent>>20)
			}
			return nil // ended, or cut in the middle of a line
		}
		if e.Type == "ERROR" {
			var s status
			if err := json.Unmarshal(e.Object, &s); err != nil {
				return fmt.Errorf("watching pods: %w", err)
			}
			return s.err("a watch of pods")
		}
		p := new(Pod)
		if err := json.Unmarshal(e.Object, p); err != nil {
			return fmt.Errorf("watching pods: %w", err)
		}
		see(e.Type, p)
	}
}
