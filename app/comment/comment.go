// Package comment keeps one comment on a pull request of GitHub or a merge request of GitLab.
//
// The problem: a gate runs for every push, and a comment for each run buries what people wrote. The approach: the
// comment begins with a mark that nobody sees, by which the next run finds it among those of the same author and
// changes it. What the CI system says of the request, its address and the token, comes from the variables that it
// documents; nothing is guessed.
//
// Limits: two runs at the same moment may both find none and write two. A token without the right to comment, as on
// pull requests from forks, is ErrDenied: the caller has another place for the text.
package comment

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/gocasebook/casebook/internal/redirect"
)

// ErrDenied says that the token, or the want of one, does not allow a comment.
var ErrDenied = errors.New("the token may not comment")

// ErrNoRequest says that the run is not one of a pull or merge request.
var ErrNoRequest = errors.New("this is no run for a pull or merge request")

// An Outcome is what became of a comment.
type Outcome string

// The outcomes.
const (
	Created   Outcome = "created"
	Updated   Outcome = "updated"
	Unchanged Outcome = "unchanged" // it said so already
)

// A Thread is the discussion of one pull or merge request.
type Thread struct {
	Name string // for people: "pull request 7 of gocasebook/casebook"

	api    *url.URL
	forge  forge
	list   string // path of the comments
	token  string
	client *http.Client
	wait   func(context.Context, time.Duration) error
}

// A forge is what differs between the two.
type forge struct {
	name       string
	authorize  func(http.Header, string)
	edit       func(list string, id int64) string // path of one comment
	editMethod string
	most       int // characters that a comment holds
	// mine reports whether a comment is by the owner of the token, as /user answered; me is nil where the token has
	// no user.
	mine func(c *posted, me *author) bool
}

// A posted is a comment as both forges give it.
type posted struct {
	ID     int64  `json:"id"`
	Body   string `json:"body"`
	User   author `json:"user"`   // of GitHub
	Author author `json:"author"` // of GitLab
}

type author struct {
	ID    int64  `json:"id"`
	Login string `json:"login"`
	Type  string `json:"type"`
}

const (
	askTime   = 30 * time.Second
	maxAnswer = 16 << 20 // bytes; a page has at most 100 comments
	maxPages  = 100      // a discussion of 10,000 comments
	tries     = 4
	maxWait   = 2 * time.Minute // a limit on the rate that lasts longer is an error: a job costs money while it waits
)

// mark is what a comment begins with. key tells those of several gates apart.
func mark(key string) string { return "<!-- casebook " + key + " -->\n" }

// Put writes the comment, or changes the one that is there.
func (t *Thread) Put(ctx context.Context, key, text string) (Outcome, error) {
	body := mark(key) + fit(text, t.forge.most-utf8.RuneCountInString(mark(key)))
	var err error
	for try := range tries {
		var outcome Outcome
		if outcome, err = t.put(ctx, mark(key), body); err == nil {
			return outcome, nil
		}
		// All of it is tried again, because a comment may have been written whose answer was lost.
		var later *laterError
		if !errors.As(err, &later) || try == tries-1 || later.after > maxWait {
			break
		}
		if werr := t.wait(ctx, max(later.after, time.Second<<try)); werr != nil {
			return "", werr
		}
	}
	return "", fmt.Errorf("commenting on %s: %w", t.Name, err)
}

func (t *Thread) put(ctx context.Context, mark, body string) (Outcome, error) {
	if t.token == "" {
		return "", fmt.Errorf("%w: there is none", ErrDenied)
	}
	old, err := t.find(ctx, mark)
	if err != nil {
		return "", err
	}
	for _, c := range old {
		if c.Body == body {
			return Unchanged, nil
		}
		_, err := t.ask(ctx, t.forge.editMethod, t.forge.edit(t.list, c.ID), map[string]string{"body": body}, nil)
		if err == nil {
			return Updated, nil
		}
		if !errors.Is(err, ErrDenied) {
			return "", err
		}
	}
	_, err = t.ask(ctx, http.MethodPost, t.list, map[string]string{"body": body}, nil)
	return Created, err
}

// find returns the token's own comments that begin with the mark, the oldest first: somebody else's text with the same
// mark stays as it is.
func (t *Thread) find(ctx context.Context, mark string) ([]posted, error) {
	var me *author
	if _, err := t.ask(ctx, http.MethodGet, "/user", nil, &me); err != nil && !errors.Is(err, ErrDenied) {
		return nil, err
	}
	var found []posted
	next := t.list + "?per_page=100"
	for range maxPages {
		var page []posted
		header, err := t.ask(ctx, http.MethodGet, next, nil, &page)
		if err != nil {
			return nil, err
		}
		for _, c := range page {
			if strings.HasPrefix(strings.ReplaceAll(c.Body, "\r\n", "\n"), mark) && t.forge.mine(&c, me) {
				found = append(found, c)
			}
		}
		if next = t.nextPage(header); next == "" {
			break
		}
	}
	return found, nil
}

// nextPage returns what follows a page by its Link header (RFC 8288), which both forges send; "" after the last. A link
// to another host is not followed: the token would go there.
func (t *Thread) nextPage(h http.Header) string {
	for part := range strings.SplitSeq(h.Get("Link"), ",") {
		target, rel, _ := strings.Cut(strings.TrimSpace(part), ";")
		if !strings.Contains(rel, `rel="next"`) {
			continue
		}
		u, err := url.Parse(strings.Trim(target, "<>"))
		if err != nil || !redirect.Same(u, t.api) {
			return ""
		}
		return strings.TrimPrefix(u.Path, strings.TrimSuffix(t.api.Path, "/")) + "?" + u.RawQuery
	}
	return ""
}

// ask sends one request and reads its answer.
func (t *Thread) ask(ctx context.Context, method, path string, body, answer any) (http.Header, error) {
	var data []byte
	if body != nil {
		var err error
		if data, err = json.Marshal(body); err != nil {
			return nil, err
		}
	}
	req, err := http.NewRequestWithContext(ctx, method, strings.TrimSuffix(t.api.String(), "/")+path,
		bytes.NewReader(data))
	if err != nil {
		return nil, err
	}
	req.Header.Set("User-Agent", "casebook")
	if body != nil {
		req.Header.Set("Content-Type", "application/json")
	}
	t.forge.authorize(req.Header, t.token)
	resp, err := t.client.Do(req)
	if err != nil {
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		return nil, &laterError{text: fmt.Sprintf("asking %s: %v", t.forge.name, err)}
	}
	defer resp.Body.Close()
	read, err := io.ReadAll(io.LimitReader(resp.Body, maxAnswer))
	if err != nil {
		return nil, &laterError{text: fmt.Sprintf("reading the answer of %s: %v", t.forge.name, err)}
	}
	if err := t.refusal(resp, read); err != nil {
		return nil, err
	}
	if answer == nil {
		return resp.Header, nil
	}
	if err := json.Unmarshal(read, answer); err != nil {
		return nil, fmt.Errorf("the answer of %s is no JSON: %w", t.forge.name, err)
	}
	return resp.Header, nil
}

// fit shortens a text to n characters, at the end of a line.
func fit(text string, n int) string {
	const note = "\n\n… the rest did not fit into a comment.\n"
	runes := []rune(text)
	if len(runes) <= n {
		return text
	}
	cut := string(runes[:n-utf8.RuneCountInString(note)])
	if at := strings.LastIndexByte(cut, '\n'); at > 0 {
		cut = cut[:at]
	}
	return cut + note
}
