// Package commenttest stands in for the parts of GitHub's and GitLab's APIs that package comment asks, for tests:
// https://docs.github.com/en/rest/issues/comments and https://docs.gitlab.com/api/notes/.
package commenttest

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"sync"
	"testing"
)

// Token is the one that the server knows.
const Token = "t0ken-that-nobody-may-see"

// A Comment is one of the discussion.
type Comment struct {
	ID     int64  `json:"id"`
	Body   string `json:"body"`
	Author int64  `json:"-"`
	Bot    bool   `json:"-"`
}

// A Server is the discussion of one request: pull request 7 of owner/shop, and merge request 7 of project 42.
type Server struct {
	URL string

	// What a test sets before it asks.
	ReadOnly bool // the token may read alone, as on pull requests from forks
	NoUser   bool // the token has no user, as that of a workflow
	// Refuse answers a request in the server's stead if it returns true. It is called without the lock.
	Refuse func(w http.ResponseWriter, r *http.Request) bool

	mu       sync.Mutex // guards what follows
	comments []Comment
	next     int64
	asked    []string // method and path of each request
}

// Me is the author that the token belongs to.
const Me = 99

// New starts a server.
func New(t testing.TB) *Server {
	s := &Server{next: 100}
	srv := httptest.NewServer(s)
	t.Cleanup(srv.Close)
	s.URL = srv.URL
	return s
}

// Add puts a comment into the discussion.
func (s *Server) Add(c Comment) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.next++
	c.ID = s.next
	s.comments = append(s.comments, c)
}

// Comments are those of the discussion.
func (s *Server) Comments() []Comment {
	s.mu.Lock()
	defer s.mu.Unlock()
	return append([]Comment(nil), s.comments...)
}

// Asked lists the requests: "GET /user".
func (s *Server) Asked() []string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return append([]string(nil), s.asked...)
}

// GitHub are the variables of a workflow of the pull request.
func (s *Server) GitHub(t testing.TB) map[string]string {
	t.Helper()
	event := filepath.Join(t.TempDir(), "event.json")
	if err := os.WriteFile(event, []byte(`{"pull_request":{"number":7}}`), 0o600); err != nil {
		t.Fatal(err)
	}
	return map[string]string{"GITHUB_API_URL": s.URL, "GITHUB_REPOSITORY": "owner/shop", "GITHUB_EVENT_PATH": event,
		"GITHUB_TOKEN": Token}
}

// GitLab are the variables of a job of the merge request.
func (s *Server) GitLab() map[string]string {
	return map[string]string{"CI_API_V4_URL": s.URL + "/api/v4", "CI_MERGE_REQUEST_IID": "7",
		"CI_MERGE_REQUEST_PROJECT_ID": "42", "CASEBOOK_GITLAB_TOKEN": Token}
}

var (
	hubList = regexp.MustCompile(`^/repos/owner/shop/issues/7/comments$`)
	hubOne  = regexp.MustCompile(`^/repos/owner/shop/issues/comments/(\d+)$`)
	labList = regexp.MustCompile(`^/api/v4/projects/42/merge_requests/7/notes$`)
	labOne  = regexp.MustCompile(`^/api/v4/projects/42/merge_requests/7/notes/(\d+)$`)
)

func (s *Server) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if s.Refuse != nil && s.Refuse(w, r) {
		return
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.asked = append(s.asked, r.Method+" "+r.URL.Path)
	lab := strings.HasPrefix(r.URL.Path, "/api/v4/")
	switch {
	case !authorized(r, lab):
		refuse(w, http.StatusUnauthorized, "Bad credentials")
	case strings.HasSuffix(r.URL.Path, "/user"):
		if s.NoUser {
			refuse(w, http.StatusForbidden, "Resource not accessible by integration")
			return
		}
		answer(w, http.StatusOK, map[string]any{"id": Me, "login": "me"})
	case r.Method != http.MethodGet && s.ReadOnly:
		refuse(w, http.StatusForbidden, "Resource not accessible by integration")
	case hubList.MatchString(r.URL.Path), labList.MatchString(r.URL.Path):
		s.serveList(w, r)
	case r.Method == http.MethodPatch && hubOne.MatchString(r.URL.Path):
		s.edit(w, r, hubOne.FindStringSubmatch(r.URL.Path)[1])
	case r.Method == http.MethodPut && labOne.MatchString(r.URL.Path):
		s.edit(w, r, labOne.FindStringSubmatch(r.URL.Path)[1])
	default:
		refuse(w, http.StatusNotFound, "Not Found")
	}
}

func authorized(r *http.Request, lab bool) bool {
	if lab {
		return r.Header.Get("PRIVATE-TOKEN") == Token
	}
	return r.Header.Get("Authorization") == "Bearer "+Token && r.Header.Get("X-GitHub-Api-Version") == "2022-11-28"
}

// perPage is small, so that a few comments are several pages.
const perPage = 2

func (s *Server) serveList(w http.ResponseWriter, r *http.Request) {
	if r.Method == http.MethodPost {
		c, ok := read(w, r)
		if !ok {
			return
		}
		s.next++
		c.ID, c.Author, c.Bot = s.next, Me, true
		s.comments = append(s.comments, c)
		answer(w, http.StatusCreated, shown(c))
		return
	}
	page, _ := strconv.Atoi(r.URL.Query().Get("page")) // none is the first
	page = max(page, 1)
	from := min((page-1)*perPage, len(s.comments))
	to := min(from+perPage, len(s.comments))
	if to < len(s.comments) {
		w.Header().Set("Link", fmt.Sprintf(`<%s%s?per_page=100&page=%d>; rel="next", <%s>; rel="last"`, s.URL, r.URL.Path,
			page+1, s.URL))
	}
	list := []map[string]any{}
	for _, c := range s.comments[from:to] {
		list = append(list, shown(c))
	}
	answer(w, http.StatusOK, list)
}

func (s *Server) edit(w http.ResponseWriter, r *http.Request, id string) {
	for i := range s.comments {
		if strconv.FormatInt(s.comments[i].ID, 10) == id {
			if c, ok := read(w, r); ok {
				s.comments[i].Body = c.Body
				answer(w, http.StatusOK, shown(s.comments[i]))
			}
			return
		}
	}
	refuse(w, http.StatusNotFound, "Not Found")
}

// shown is a comment with its author as both name them.
func shown(c Comment) map[string]any {
	kind := "User"
	if c.Bot {
		kind = "Bot"
	}
	author := map[string]any{"id": c.Author, "type": kind}
	return map[string]any{"id": c.ID, "body": c.Body, "user": author, "author": author}
}

func read(w http.ResponseWriter, r *http.Request) (c Comment, ok bool) {
	if err := json.NewDecoder(r.Body).Decode(&c); err != nil || c.Body == "" {
		refuse(w, http.StatusUnprocessableEntity, "body is missing")
		return c, false
	}
	return c, true
}

func answer(w http.ResponseWriter, code int, v any) {
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(code)
	_ = json.NewEncoder(w).Encode(v) // the client says what is missing
}

func refuse(w http.ResponseWriter, code int, text string) {
	answer(w, code, map[string]string{"message": text})
}
