// Logins knows who is logged in: it keeps the sessions that were used last, and asks the store for others.
package main

import (
	"crypto/sha256"
	"encoding/hex"
	"flag"
	"fmt"
	"net/http"
	"time"

	"github.com/hashicorp/golang-lru/v2/expirable"
	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/promauto"

	"github.com/gocasebook/casebook/lab/unseen/third/form"
	"github.com/gocasebook/casebook/lab/unseen/third/web"
)

type session struct {
	user, token string
	since       time.Time
}

type logins struct {
	recent *expirable.LRU[string, session]
	kept   prometheus.Gauge
}

// forgotten counts the sessions that are kept when one goes.
func (l *logins) forgotten(string, session) {
	if form.Fixed {
		l.kept.Dec()
		return
	}
	l.kept.Set(float64(l.recent.Len()))
}

// load asks the store.
func (l *logins) load(user string) session {
	time.Sleep(2 * time.Millisecond)
	sum := sha256.Sum256([]byte(user))
	return session{user, hex.EncodeToString(sum[:]), time.Now()}
}

func (l *logins) session(user string) session {
	if s, ok := l.recent.Get(user); ok {
		return s
	}
	s := l.load(user)
	l.recent.Add(user, s)
	l.kept.Inc()
	return s
}

func (l *logins) me(w http.ResponseWriter, r *http.Request) {
	s := l.session(r.FormValue("user"))
	fmt.Fprintf(w, "%s since %s\n", s.user, s.since.Format(time.TimeOnly))
}

func (l *logins) check(w http.ResponseWriter, r *http.Request) {
	if l.session(r.FormValue("user")).token != r.FormValue("token") {
		http.Error(w, "unknown token", http.StatusForbidden)
	}
}

func main() {
	flag.Parse()
	l := &logins{kept: promauto.NewGauge(prometheus.GaugeOpts{Name: "sessions_kept", Help: "Sessions in memory."})}
	l.recent = expirable.NewLRU(1000, l.forgotten, 20*time.Minute)
	mux := http.NewServeMux()
	mux.HandleFunc("GET /me", l.me)
	mux.HandleFunc("GET /check", l.check)
	web.Serve(mux)
}
