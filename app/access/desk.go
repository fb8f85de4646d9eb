package access

import (
	"crypto/rand"
	"net/http"
	"strconv"
	"strings"
	"sync"
	"time"
)

// A Desk signs in the browsers of this machine: each by a link that is good once, for a cookie. Nothing is kept of a
// browser, because the cookie is signed with the secret: a server that starts anew knows it again, and without the
// secret's file none is good any more.
type Desk struct {
	secret Secret
	tell   func(code string)

	mu   sync.Mutex // guards code
	code string     // of the next browser
}

// sessionTime is how long a browser stays signed in.
const sessionTime = 30 * 24 * time.Hour

// NewDesk returns a Desk. tell is told each code that is used up the next one, for the next browser.
func NewDesk(secret Secret, tell func(code string)) *Desk {
	return &Desk{secret: secret, tell: tell, code: rand.Text()}
}

// Code is what signs in the next browser.
func (d *Desk) Code() string {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.code
}

// SignIn takes a code, and returns a browser's cookie. A code is good once, and only for a Local request.
func (d *Desk) SignIn(r *http.Request, code string, now time.Time) (*http.Cookie, bool) {
	if !Local(r) || !d.use(code) {
		return nil, false
	}
	d.tell(d.Code())
	// Lax: google/pprof's pages are in a sandbox, which for a browser is another site, and cases are linked from chats. No
	// GET changes anything, and what does is asked for by our own pages alone (http.CrossOriginProtection).
	until := strconv.FormatInt(now.Add(sessionTime).Unix(), 10)
	random := rand.Text()
	return &http.Cookie{Name: d.cookie(), Value: until + "." + random + "." + d.secret.sign("session", until, random),
		Path: "/", MaxAge: int(sessionTime.Seconds()), HttpOnly: true, Secure: r.TLS != nil,
		SameSite: http.SameSiteLaxMode}, true
}

func (d *Desk) use(code string) bool {
	d.mu.Lock()
	defer d.mu.Unlock()
	if !equal(code, d.code) {
		return false
	}
	d.code = rand.Text()
	return true
}

// SignedIn reports whether a request is of a browser that is signed in. It must be Local: a cookie that was taken
// elsewhere is good only through a proxy on this machine that says nothing of whom it asks for.
func (d *Desk) SignedIn(r *http.Request, now time.Time) bool {
	if !Local(r) {
		return false
	}
	for _, c := range r.CookiesNamed(d.cookie()) {
		until, rest, _ := strings.Cut(c.Value, ".")
		random, signature, _ := strings.Cut(rest, ".")
		if !passed(until, now) && d.secret.signed(signature, "session", until, random) {
			return true
		}
	}
	return false
}

// cookie is the cookie's name, another for each secret: browsers do not tell the ports of a host apart, and two users
// may have a server.
func (d *Desk) cookie() string { return "casebook-" + d.secret.sign("cookie")[:8] }
