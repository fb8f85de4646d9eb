// Signin checks passwords and tells other pages who somebody is.
package main

import (
	"encoding/json"
	"fmt"
	"log"
	"net/http"
	_ "net/http/pprof"
	"time"

	"github.com/go-chi/chi/v5"
	"golang.org/x/crypto/bcrypt"

	"github.com/gocasebook/casebook/lab/holdout4/internal/drive"
)

type user struct {
	ID   uint32 `json:"id"`
	Name string `json:"name"`
	hash []byte
}

type service struct {
	sessions sessions
	byName   map[string]*user
	byID     []*user
	unknown  []byte // the hash that is compared for a name that nobody has, so that it takes as long
}

const cookie = "session"

func (s *service) login(w http.ResponseWriter, r *http.Request) {
	var in struct{ Name, Password string }
	if err := json.NewDecoder(http.MaxBytesReader(w, r.Body, 4096)).Decode(&in); err != nil {
		http.Error(w, "name and password", http.StatusBadRequest)
		return
	}
	u, hash := s.byName[in.Name], s.unknown
	if u != nil {
		hash = u.hash
	}
	if err := bcrypt.CompareHashAndPassword(hash, []byte(in.Password)); err != nil || u == nil {
		http.Error(w, "name or password are wrong", http.StatusUnauthorized)
		return
	}
	http.SetCookie(w, &http.Cookie{Name: cookie, Value: s.sessions.issue(u.ID, time.Now()), HttpOnly: true, Path: "/"})
	w.WriteHeader(http.StatusNoContent)
}

func (s *service) me(w http.ResponseWriter, r *http.Request) {
	c, err := r.Cookie(cookie)
	if err != nil {
		http.Error(w, errSession.Error(), http.StatusUnauthorized)
		return
	}
	id, err := s.sessions.user(c.Value, time.Now())
	if err != nil {
		http.Error(w, err.Error(), http.StatusUnauthorized)
		return
	}
	w.Header().Set("Content-Type", "application/json")
	json.NewEncoder(w).Encode(s.byID[id])
}

const users = 40

func newService() (*service, error) {
	s := &service{byName: map[string]*user{}}
	s.sessions = sessions{[]byte("0123456789abcdef0123456789abcdef"), 12 * time.Hour}
	hash, err := bcrypt.GenerateFromPassword([]byte("correct horse"), bcrypt.DefaultCost)
	if err != nil {
		return nil, err
	}
	s.unknown = hash
	for i := range users {
		u := &user{ID: uint32(i), Name: fmt.Sprintf("user%d", i), hash: hash}
		s.byName[u.Name], s.byID = u, append(s.byID, u)
	}
	return s, nil
}

func main() {
	p := drive.Flags()
	s, err := newService()
	if err != nil {
		log.Fatal(err)
	}
	if p.Load {
		drive.HTTP(320, func(i int) *http.Request {
			if i%64 == 0 {
				return drive.Send(http.MethodPost, p.Main(), "/login",
					fmt.Sprintf(`{"name":"user%d","password":"correct horse"}`, i%(users+2)))
			}
			req := drive.Get(p.Main(), "/me")
			req.AddCookie(&http.Cookie{Name: cookie, Value: s.sessions.issue(uint32(i%users), time.Now())})
			return req
		})
	}
	r := chi.NewRouter()
	r.Post("/login", s.login)
	r.Get("/me", s.me)
	r.Handle("/debug/pprof/*", http.DefaultServeMux)
	log.Fatal(http.ListenAndServe(p.Main(), r))
}
