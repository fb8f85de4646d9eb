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
			w.Header().Set("WWW-Authenticate", `Bearer realm="casebook"`)
			if !strings.HasPrefix(rt.path, "/api/") { // a browser asks its reader for a password
				w.Header().Add("WWW-Authenticate", `Basic realm="casebook: any name, and the token as password"`)
			}
			answerProblem(w, http.StatusUnauthorized, "a token is needed: Authorization: Bearer TOKEN. "+
				"`casebook store token create` makes one")
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

// who tells the sender of a request. A connection from the loopback interface is the machine's own user, as far as no
// proxy stands before us: one that forwards says so, and its requests need tokens.
func (s *Server) who(r *http.Request) (store.Token, error) {
	if token, ok := access.Bearer(r); ok {
		if s.cfg.Keeper == nil {
			return store.Token{}, errNobody
		}
		t, err := s.cfg.Keeper.WhoHas(r.Context(), token)
		if errors.Is(err, store.ErrNotFound) {
			return t, errNobody
		}
		return t, err
	}
	if s.cfg.TokenAlways || access.Forwarded(r) || !access.FromLoopback(r.RemoteAddr) {
		return store.Token{}, errNobody
	}
	return store.Token{Name: "(this machine)", Role: store.Operator}, nil
}
