package server

import (
	"context"
	"errors"
	"net/http"
	"strings"
	"time"

	"github.com/gocasebook/casebook/app/access"
	"github.com/gocasebook/casebook/app/store"
)

// gate refuses what no route should see: a Host that is not ours, a change that another site's page asks for. It adds
// the headers that keep a browser from doing more with an answer than to show it.
func (s *Server) gate(next http.Handler) http.Handler {
	sameSite := http.NewCrossOriginProtection()
	protected := sameSite.Handler(next)
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		h := w.Header()
		h.Set("X-Content-Type-Options", "nosniff")
		h.Set("X-Frame-Options", "DENY")
		h.Set("Referrer-Policy", "same-origin")
		h.Set("Cross-Origin-Resource-Policy", "same-origin")
		h.Set("Cross-Origin-Opener-Policy", "same-origin")
		h.Set("Content-Security-Policy", policy)
		if header := access.Proxied(r); header != "" {
			s.proxied.Do(func() {
				s.log.Info("requests come through a proxy: each needs a token, and docs/serve.md says what it must set",
					"header", header)
			})
		}
		if !access.OurHost(r.Host, s.cfg.Hosts) {
			answerProblem(w, http.StatusMisdirectedRequest, "this server does not go by the name in the Host header; "+
				"start it with --host NAME to make it one")
			return
		}
		protected.ServeHTTP(w, r)
	})
}

// policy lets our own pages load our own files, and nothing else. The page of a case has its own, stricter in scripts.
const policy = "default-src 'none'; style-src 'self'; script-src 'self'; img-src 'self' data:; connect-src 'self'; " +
	"base-uri 'none'; form-action 'self'; frame-ancestors 'none'"

// waitTime bounds how long an answer waits for the store: a database that is frozen, or behind a network that is cut,
// gives neither an answer nor an error for a quarter of an hour.
const waitTime = 30 * time.Second

// long reports whether a route takes as long as its connection does. What it asks the store has limits there.
func (rt route) long() bool {
	return rt.method == http.MethodPut || rt.method == http.MethodPatch || strings.HasSuffix(rt.path, "/zip") || strings.HasSuffix(rt.path, "/events") ||
		strings.HasSuffix(rt.path, "/evidence/{file...}")
}

// allow lets a request through to a route whose role it has.
func (s *Server) allow(rt route, serve http.HandlerFunc) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if rt.kept && s.cfg.Keeper == nil {
			answerProblem(w, http.StatusForbidden, "this server shows a folder and takes nothing in; "+
				"start it with --store to keep cases")
			return
		}
		if !rt.long() {
			ctx, cancel := context.WithTimeout(r.Context(), waitTime)
			defer cancel()
			r = r.WithContext(ctx)
		}
		var who store.Token
		var err error
		if rt.role != "" {
			who, err = s.who(r)
		}
		switch {
		case rt.role == "":
		case err != nil && !errors.Is(err, errNobody):
			s.fail(w, r, err)
			return
		case err != nil:
			s.refuse(w, r)
			return
		case !who.Role.Allows(rt.role):
			answerProblem(w, http.StatusForbidden, "this token is a "+string(who.Role)+"'s; a "+string(rt.role)+"'s is needed")
			return
		}
		serve(w, r.WithContext(context.WithValue(r.Context(), whoKey{}, who)))
	})
}

type whoKey struct{}

// whoIs returns who sent a request, for the log.
func whoIs(r *http.Request) string {
	t, _ := r.Context().Value(whoKey{}).(store.Token)
	return t.Name
}

// role is what the sender of a request may do.
func role(r *http.Request) store.Role {
	t, _ := r.Context().Value(whoKey{}).(store.Token)
	return t.Role
}

var errNobody = errors.New("no token, or a wrong one")

// who tells the sender of a request, by what it brings: where it comes from proves nothing (package access).
func (s *Server) who(r *http.Request) (store.Token, error) {
	const here = "(this machine)"
	now := time.Now()
	token, ok := access.Bearer(r)
	switch {
	case !ok && s.cfg.Desk != nil && s.cfg.Desk.SignedIn(r, now), ok && s.cfg.Secret.Is(token):
		return store.Token{Name: here, Role: store.Operator}, nil
	case ok && s.cfg.Secret.IsFor(token, r, now):
		return store.Token{Name: here, Role: store.Uploader}, nil
	case !ok || s.cfg.Keeper == nil:
		return store.Token{}, errNobody
	}
	t, err := s.cfg.Keeper.WhoHas(r.Context(), token)
	if errors.Is(err, store.ErrNotFound) {
		return t, errNobody
	}
	return t, err
}

// refuse answers who has no token. A browser of this machine is told of the link, others ask their reader for a
// password.
func (s *Server) refuse(w http.ResponseWriter, r *http.Request) {
	w.Header().Set("WWW-Authenticate", `Bearer realm="casebook"`)
	page := !strings.HasPrefix(r.URL.Path, "/api/")
	if page && r.Method == http.MethodGet && s.cfg.Desk != nil && access.Local(r) {
		s.answerPage(w, r, http.StatusUnauthorized, "sign_in.html", nil)
		return
	}
	if page {
		w.Header().Add("WWW-Authenticate", `Basic realm="casebook: any name, and the token as password"`)
	}
	answerProblem(w, http.StatusUnauthorized, "a token is needed: Authorization: Bearer TOKEN. "+
		"`casebook store token create` makes one; programs of the server's own user have one in a file "+
		"(docs/serve.md#who-may)")
}

// signIn takes a code of the Desk.
func (s *Server) signIn(w http.ResponseWriter, r *http.Request) {
	if s.cfg.Desk == nil || r.Method != http.MethodGet {
		answerProblem(w, http.StatusNotFound, "there is no such link")
		return
	}
	now := time.Now()
	if !s.cfg.Desk.SignedIn(r, now) {
		cookie, ok := s.cfg.Desk.SignIn(r, r.PathValue("code"), now)
		if !ok {
			s.answerPage(w, r, http.StatusForbidden, "sign_in.html", nil)
			return
		}
		s.log.Info("a browser was signed in", "agent", r.UserAgent())
		http.SetCookie(w, cookie)
	}
	w.Header().Set("Cache-Control", "no-store")
	http.Redirect(w, r, "/", http.StatusSeeOther)
}
