package comment

import (
	"context"
	"errors"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/gocasebook/casebook/app/comment/commenttest"
)

// threads are the discussion of the server as both forges see it.
func threads(t *testing.T, s *commenttest.Server) map[string]*Thread {
	t.Helper()
	of := func(vars map[string]string) func(string) string {
		return func(name string) string { return vars[name] }
	}
	hub, err := GitHub(of(s.GitHub(t)))
	if err != nil {
		t.Fatal(err)
	}
	lab, err := GitLab(of(s.GitLab()))
	if err != nil {
		t.Fatal(err)
	}
	for _, one := range []*Thread{hub, lab} {
		one.wait = func(context.Context, time.Duration) error { return nil }
	}
	return map[string]*Thread{"GitHub": hub, "GitLab": lab}
}

// forBoth runs a test with each forge, on a server of its own.
func forBoth(t *testing.T, test func(*testing.T, *commenttest.Server, *Thread)) {
	t.Helper()
	for _, name := range []string{"GitHub", "GitLab"} {
		t.Run(name, func(t *testing.T) {
			s := commenttest.New(t)
			test(t, s, threads(t, s)[name])
		})
	}
}

func put(t *testing.T, th *Thread, text string, want Outcome) {
	t.Helper()
	if got, err := th.Put(t.Context(), "gate", text); err != nil || got != want {
		t.Errorf("it was %q, %v; want %q", got, err, want)
	}
}

// One comment is made and then changed, wherever in the discussion it is; what others wrote stays, also with the mark.
func TestPut(t *testing.T) {
	forBoth(t, func(t *testing.T, s *commenttest.Server, th *Thread) {
		s.Add(commenttest.Comment{Body: "please merge", Author: 1})
		s.Add(commenttest.Comment{Body: mark("gate") + "forged", Author: 1})
		s.Add(commenttest.Comment{Body: mark("other") + "another gate", Author: commenttest.Me, Bot: true})
		put(t, th, "first", Created)
		s.Add(commenttest.Comment{Body: "why?", Author: 1})
		put(t, th, "second", Updated)
		put(t, th, "second", Unchanged)
		all := s.Comments()
		if len(all) != 5 || all[1].Body != mark("gate")+"forged" || all[2].Body != mark("other")+"another gate" ||
			all[3].Body != mark("gate")+"second" {
			t.Errorf("%+v", all)
		}
	})
}

// The token of a workflow has no user: its comments are those of a bot.
func TestPutByWorkflow(t *testing.T) {
	s := commenttest.New(t)
	s.NoUser = true
	th := threads(t, s)["GitHub"]
	s.Add(commenttest.Comment{Body: mark("gate") + "forged", Author: 1})
	put(t, th, "first", Created)
	put(t, th, "second", Updated)
	if all := s.Comments(); len(all) != 2 || all[0].Body != mark("gate")+"forged" {
		t.Errorf("%+v", all)
	}
}

// A token without the right, a wrong one and none are ErrDenied, and no error has the token in it.
func TestDenied(t *testing.T) {
	forBoth(t, func(t *testing.T, s *commenttest.Server, th *Thread) {
		s.ReadOnly = true
		for _, token := range []string{commenttest.Token, "wr0ng", ""} {
			th.token = token
			_, err := th.Put(t.Context(), "gate", "text")
			if !errors.Is(err, ErrDenied) {
				t.Errorf("token %q: %v, want ErrDenied", token, err)
			}
			if token != "" && strings.Contains(err.Error(), token) {
				t.Errorf("the error has the token: %v", err)
			}
		}
		if all := s.Comments(); len(all) != 0 {
			t.Errorf("%+v", all)
		}
	})
}

// A limit on the rate and a server that is not well are waited for, as long as is asked for.
func TestWaits(t *testing.T) {
	for name, c := range map[string]struct {
		code   int
		header map[string]string
		least  time.Duration
	}{
		"429":             {429, map[string]string{"Retry-After": "7"}, 7 * time.Second},
		"403, GitHub's":   {403, map[string]string{"X-RateLimit-Remaining": "0", "X-RateLimit-Reset": "1"}, 0},
		"403, secondary":  {403, map[string]string{"Retry-After": "60"}, time.Minute},
		"a bad gateway":   {502, nil, time.Second},
		"429, no details": {429, nil, time.Second},
	} {
		t.Run(name, func(t *testing.T) {
			forBoth(t, func(t *testing.T, s *commenttest.Server, th *Thread) {
				refused := 0
				s.Refuse = func(w http.ResponseWriter, r *http.Request) bool {
					if refused++; refused > 2 {
						return false
					}
					for k, v := range c.header {
						w.Header().Set(k, v)
					}
					w.WriteHeader(c.code)
					return true
				}
				var waited []time.Duration
				th.wait = func(_ context.Context, d time.Duration) error { waited = append(waited, d); return nil }
				put(t, th, "text", Created)
				if len(waited) != 2 || waited[0] < c.least {
					t.Errorf("it waited %v, want twice, %v at first", waited, c.least)
				}
			})
		})
	}
}

// A comment whose answer was lost is not written twice.
func TestLostAnswer(t *testing.T) {
	forBoth(t, func(t *testing.T, s *commenttest.Server, th *Thread) {
		lost := false
		s.Refuse = func(w http.ResponseWriter, r *http.Request) bool {
			if r.Method != http.MethodPost || lost {
				return false
			}
			lost = true
			s.Add(commenttest.Comment{Body: mark("gate") + "text", Author: commenttest.Me, Bot: true})
			w.WriteHeader(http.StatusBadGateway)
			return true
		}
		put(t, th, "text", Unchanged)
		if all := s.Comments(); len(all) != 1 {
			t.Errorf("%d comments, want one", len(all))
		}
	})
}

// A limit that lasts longer than a job should wait is an error that says so, and not a denial.
func TestLongLimit(t *testing.T) {
	forBoth(t, func(t *testing.T, s *commenttest.Server, th *Thread) {
		s.Refuse = func(w http.ResponseWriter, r *http.Request) bool {
			w.Header().Set("Retry-After", "3600")
			w.WriteHeader(http.StatusTooManyRequests)
			return true
		}
		th.wait = func(context.Context, time.Duration) error { t.Error("it waited"); return nil }
		if _, err := th.Put(t.Context(), "gate", "text"); err == nil || errors.Is(err, ErrDenied) ||
			!strings.Contains(err.Error(), "1h0m0s") {
			t.Errorf("%v", err)
		}
	})
}

// The next page on another host, and an answer that points to one, are not asked: the token would go there.
func TestStaysOnItsHost(t *testing.T) {
	other := commenttest.New(t)
	forBoth(t, func(t *testing.T, s *commenttest.Server, th *Thread) {
		s.Refuse = func(w http.ResponseWriter, r *http.Request) bool {
			if r.Method != http.MethodGet || strings.HasSuffix(r.URL.Path, "/user") {
				return false
			}
			w.Header().Set("Link", "<"+other.URL+r.URL.Path+`>; rel="next"`)
			_, _ = w.Write([]byte("[]")) // a test's own server
			return true
		}
		put(t, th, "text", Created)
		s.Refuse = func(w http.ResponseWriter, r *http.Request) bool {
			http.Redirect(w, r, other.URL, http.StatusFound)
			return true
		}
		if _, err := th.Put(t.Context(), "gate", "text"); err == nil || !strings.Contains(err.Error(), other.URL) {
			t.Errorf("%v, want where it points to", err)
		}
	})
	if asked := other.Asked(); len(asked) > 0 {
		t.Errorf("the other host was asked %v", asked)
	}
}

// A long text ends at a line, and fits.
func TestFit(t *testing.T) {
	s := commenttest.New(t)
	th := threads(t, s)["GitHub"]
	put(t, th, strings.Repeat("a row of a table\n", 10_000), Created)
	body := s.Comments()[0].Body
	if n := len([]rune(body)); n > 65_536 || n < 65_000 || !strings.HasSuffix(body, "row of a table\n\n… the rest did not fit into a comment.\n") {
		t.Errorf("%d characters that end in %q", n, body[len(body)-80:])
	}
}

func TestVariables(t *testing.T) {
	dir := t.TempDir()
	push := filepath.Join(dir, "push.json")
	if err := os.WriteFile(push, []byte(`{"after":"4be1a7d"}`), 0o600); err != nil {
		t.Fatal(err)
	}
	for name, c := range map[string]struct {
		read func(func(string) string) (*Thread, error)
		vars map[string]string
		want string
	}{
		"a push":     {GitHub, map[string]string{"GITHUB_REPOSITORY": "o/r", "GITHUB_EVENT_PATH": push}, ErrNoRequest.Error()},
		"no event":   {GitHub, map[string]string{"GITHUB_REPOSITORY": "o/r"}, ErrNoRequest.Error()},
		"no GitHub":  {GitHub, nil, "GITHUB_REPOSITORY is not OWNER/NAME"},
		"a path":     {GitHub, map[string]string{"GITHUB_REPOSITORY": "o/r/../x"}, "GITHUB_REPOSITORY is not OWNER/NAME"},
		"no GitLab":  {GitLab, nil, "CI_API_V4_URL is not set"},
		"a branch":   {GitLab, map[string]string{"CI_API_V4_URL": "https://git.example.org/api/v4"}, ErrNoRequest.Error()},
		"no project": {GitLab, map[string]string{"CI_API_V4_URL": "https://x/", "CI_MERGE_REQUEST_IID": "7"}, "CI_MERGE_REQUEST_PROJECT_ID"},
		"not an address": {GitLab, map[string]string{"CI_API_V4_URL": "file:///etc", "CI_MERGE_REQUEST_IID": "7",
			"CI_MERGE_REQUEST_PROJECT_ID": "1"}, "not an http"},
	} {
		t.Run(name, func(t *testing.T) {
			if _, err := c.read(func(v string) string { return c.vars[v] }); err == nil || !strings.Contains(err.Error(), c.want) {
				t.Errorf("%v, want %q", err, c.want)
			}
		})
	}
}
